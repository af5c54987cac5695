//! The records agree with hand-written simulators, which know nothing about GDL.

mod chess;
mod lines;
mod many;
mod pawns;
mod puzzles;
mod small;

use perft::{Level, Record};
use std::collections::BTreeMap;

/// The maximum number of transitions. The records are checked as deep as this allows.
const TRANSITIONS: usize = 300_000;

/// Checks the record of a game against its rules in plain Rust.
///
/// `next` lists the state after every joint move: none in a terminal state, and the same state
/// twice for two moves that lead to it. Equal states must be the same position and the same
/// step of the game.
fn check<S: Ord>(name: &str, start: S, next: impl Fn(&S) -> Vec<S>) {
    let path = testkit::root().join(format!("fixtures/games/{name}.perft"));
    let record: Record = std::fs::read_to_string(path).unwrap().parse().unwrap();
    let mut here = BTreeMap::from([(start, 1u128)]);
    let mut made = 0;
    let mut compared = 0;
    for (depth, level) in record.levels.iter().enumerate() {
        if depth > 0 {
            let mut there: BTreeMap<S, u128> = BTreeMap::new();
            for (state, paths) in &here {
                for successor in next(state) {
                    made += 1;
                    *there.entry(successor).or_default() += paths;
                }
            }
            here = there;
        }
        let counted = Level {
            paths: here.values().sum(),
            states: here.len() as u64,
        };
        assert_eq!(*level, counted, "{name} at depth {depth}");
        compared += 1;
        if made > TRANSITIONS {
            break;
        }
    }
    assert!(compared > 2, "{name}: only {compared} levels compared");
}
