//! The logic in three values, 64 cases in one word.

use netlist::{GameLogic, Gate, Lit, Source};

/// What a signal may be: in each bit of the first word, whether it may be false; of the second,
/// whether it may be true.
pub(crate) type May = [u64; 2];

/// Nothing is known.
pub(crate) const OPEN: May = [u64::MAX; 2];

/// What a value that is known in all cases may be.
pub(crate) fn known(value: bool) -> May {
    if value { [0, u64::MAX] } else { [u64::MAX, 0] }
}

/// True exactly in the cases of `cases`.
pub(crate) fn exactly(cases: u64) -> May {
    [!cases, cases]
}

/// What all nodes may be, given what facts and moves may be. Recursive signals stay open.
pub(crate) fn imagine(
    logic: &GameLogic,
    facts: impl Fn(u32) -> May,
    does: impl Fn(u32) -> May,
) -> Vec<May> {
    let mut all: Vec<May> = Vec::with_capacity(logic.net.len());
    for &gate in logic.net.gates() {
        let value = match gate {
            Gate::False => known(false),
            Gate::Input(number) => match logic.sources[number as usize] {
                Source::Fact(fact) => facts(fact),
                Source::Does { mv, .. } => does(mv),
                Source::Fix(_) => OPEN,
            },
            Gate::And(a, b) => {
                let ([a0, a1], [b0, b1]) = (may(&all, a), may(&all, b));
                [a0 | b0, a1 & b1]
            }
            Gate::Xor(a, b) => {
                let ([a0, a1], [b0, b1]) = (may(&all, a), may(&all, b));
                [a0 & b0 | a1 & b1, a0 & b1 | a1 & b0]
            }
        };
        all.push(value);
    }
    all
}

/// What a signal may be, given what all nodes may be.
pub(crate) fn may(all: &[May], lit: Lit) -> May {
    let [no, yes] = all[lit.node()];
    match lit.is_negated() {
        true => [yes, no],
        false => [no, yes],
    }
}

/// The cases in which a signal must be true.
pub(crate) fn must(all: &[May], lit: Lit) -> u64 {
    !may(all, lit)[0]
}
