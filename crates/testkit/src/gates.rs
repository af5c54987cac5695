//! Netlists built from instructions, with gates as wide as in real rules, and bits for their
//! inputs.
//!
//! Instructions are plain numbers, so that property tests can shrink them.

use netlist::{Lit, Netlist};

/// The number of inputs of the netlists.
pub const INPUTS: usize = 40;

/// Builds a netlist from instructions and returns it with all of its signals.
///
/// The first number of an instruction is the kind of gate (0 to 8, larger numbers as 8). The
/// gate reads existing signals: either two, picked by the other numbers and complemented if
/// these are odd, or many, counted from them.
pub fn netlist(gates: &[(u8, u16, u16)]) -> (Netlist, Vec<Lit>) {
    let mut net = Netlist::new();
    let mut lits: Vec<Lit> = (0..INPUTS).map(|_| net.input()).collect();
    for &(kind, a, b) in gates {
        let pick = |i: u16| lits[i as usize / 2 % lits.len()] ^ (i % 2 == 1);
        let (a, b) = (pick(a), pick(b));
        let lit = match kind {
            0..=4 => net.and(a, b),
            5 => net.xor(a, b),
            6 => net.mux(a, b, lits[0]),
            // Wide gates, over neighbours and over distant signals.
            7 => {
                let from = a.node() % lits.len();
                let some = lits[from..].iter().take(20);
                let negate = b.is_negated();
                net.and_all(some.map(|&lit| lit ^ negate).collect::<Vec<_>>())
            }
            _ => {
                let step = 1 + b.node() % 5;
                let some: Vec<Lit> = lits.iter().copied().step_by(step).collect();
                net.or_all(some)
            }
        };
        lits.push(lit);
    }
    (net, lits)
}

/// A distinct bit for each input, within `words` words (at least one). The bits are in order
/// for every third seed, otherwise random.
pub fn bits(words: usize, seed: u64) -> Vec<usize> {
    let mut free: Vec<usize> = (0..words * 64).collect();
    let mut state = seed | 1;
    (0..INPUTS)
        .map(|i| {
            if seed.is_multiple_of(3) {
                return i;
            }
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            free.swap_remove((state >> 33) as usize % free.len())
        })
        .collect()
}
