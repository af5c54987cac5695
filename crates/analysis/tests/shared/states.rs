//! States of random play for the tests of several analyses.

use invariants::Play;
use netlist::GameLogic;

/// The states of all lanes.
pub fn states(logic: &GameLogic, play: &Play<'_>) -> Vec<Vec<u64>> {
    let mut states = vec![vec![0u64; logic.facts.len().div_ceil(64)]; 64];
    for (fact, &lit) in logic.facts.iter().enumerate() {
        let word = play.word(lit);
        for (lane, state) in states.iter_mut().enumerate() {
            state[fact / 64] |= (word >> lane & 1) << (fact % 64);
        }
    }
    states
}
