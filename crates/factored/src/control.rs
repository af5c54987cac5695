//! The control facts, which no move changes: their values some turns from now.

use analysis::factors::Factor;
use netlist::{Source, word};

/// The values of the control facts from a state on, turn by turn.
///
/// They are the same in all factors, so a single factor suffices.
pub(crate) struct Control<'f> {
    factor: &'f Factor,
    /// For each turn computed so far, the facts of the factor's context. Of these only the
    /// control facts are right.
    turns: Vec<Vec<u64>>,
}

impl<'f> Control<'f> {
    /// Begins at a state of the whole game, with bits by position in the vocabulary.
    pub fn from(factor: &'f Factor, whole: &[u64]) -> Self {
        let state = factor.state(whole);
        Control {
            factor,
            turns: vec![state],
        }
    }

    /// Whether a control fact holds after this many turns.
    pub fn holds(&mut self, fact: u32, turns: usize) -> bool {
        while self.turns.len() <= turns {
            let Some(last) = self.turns.last() else {
                return false;
            };
            self.turns.push(next(self.factor, last));
        }
        match self.factor.context.binary_search(&fact) {
            Ok(at) => self.turns[turns][at / 64] >> (at % 64) & 1 == 1,
            Err(_) => false,
        }
    }
}

fn next(factor: &Factor, state: &[u64]) -> Vec<u64> {
    let value = |source: &Source| match *source {
        Source::Fact(at) => state[at as usize / 64] >> (at % 64) & 1,
        Source::Does { .. } | Source::Fix(_) => 0,
    };
    let inputs: Vec<u64> = factor.logic.sources.iter().map(value).collect();
    let values = factor.logic.net.evaluate(&inputs);
    let mut next = vec![0; state.len()];
    for (at, &lit) in factor.logic.next.iter().enumerate() {
        next[at / 64] |= (word(&values, lit) & 1) << (at % 64);
    }
    next
}

/// Whether time matters in a factor.
///
/// That is, whether its legality, its transitions or its outputs depend on facts that no move
/// changes.
pub(crate) fn matters(factor: &Factor) -> bool {
    let logic = &factor.logic;
    let own = |fact: u32| factor.facts.binary_search(&fact).is_ok();
    let next = factor.context.iter().zip(&logic.next);
    let next = next.filter(|next| own(*next.0)).map(|next| *next.1);
    let legal = logic.legal.iter().flatten().copied();
    let roots = next.chain(legal).chain(factor.outputs.iter().copied());
    let cone = logic.net.cone(roots);
    let mut context = factor.context.iter().zip(&logic.facts);
    context.any(|(&fact, lit)| !own(fact) && cone[lit.node()])
}
