//! Netlists by instructions, with gates as wide as rules make them, and bits for their inputs.
//!
//! Instructions are plain numbers, so that property tests shrink them.

use netlist::{Lit, Netlist};

/// How many inputs the netlists have.
pub const INPUTS: usize = 40;

/// A netlist made by instructions, and all of its signals.
///
/// Each instruction makes a gate of the kind that its first number says (0 to 8, all above like 8)
/// from signals that exist already: two picked by the other numbers, complemented where these are odd,
/// or many, counted from them.
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
            // Wide gates, over neighbours and over anything.
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

/// A bit for each input, all different, among those of `words` words (one or more): in order for
/// every third seed, else anywhere.
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
