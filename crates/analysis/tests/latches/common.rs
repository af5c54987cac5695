//! Games with their latches, for tests.

use analysis::latches::Latches;
use budget::Budget;
use invariants::Groups;
use netlist::GameLogic;
use std::time::Duration;

/// Finds groups, then latches, with `time` for each.
pub fn find(logic: &GameLogic, time: Duration) -> Latches {
    let groups = Groups::find(logic, 1, &Budget::system().with_timeout(time));
    Latches::find(logic, &groups, 1, &Budget::system().with_timeout(time))
}

/// Facts as a state.
pub fn bits(logic: &GameLogic, facts: impl Iterator<Item = u32>) -> Vec<u64> {
    let mut words = vec![0; logic.facts.len().div_ceil(64)];
    for fact in facts {
        words[fact as usize / 64] |= 1 << (fact % 64);
    }
    words
}

/// The ranges of all roles.
pub fn ranges(logic: &GameLogic, latches: &Latches, state: &[u64]) -> Vec<(u8, u8)> {
    let roles = 0..logic.roles();
    roles.map(|role| latches.ranges.of(state, role)).collect()
}
