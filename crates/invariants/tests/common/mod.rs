//! Games as netlists, for tests.

use budget::Budget;
use datalog::Program;
use gdl_parse::{ParseOptions, parse};
use netlist::{GameLogic, lower};
use std::sync::Arc;
use std::time::Duration;

/// The logic of a rulesheet; `None` if it has no network within 20 seconds.
pub fn logic(rules: &str) -> Option<GameLogic> {
    let program = Program::from_sheet(&parse(rules, &ParseOptions::default()).sheet);
    let budget = Budget::system().with_timeout(Duration::from_secs(20));
    let network = compile::build_network(&program, &budget).ok()?.network;
    lower(&network, &budget).ok()
}

/// The logic of a fixture.
pub fn fixture(name: &str) -> GameLogic {
    let path = testkit::root().join(format!("fixtures/games/{name}.gdl"));
    logic(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The logic without what its rules show by themselves, so that all is left to be proved.
pub fn unaided(mut logic: GameLogic) -> GameLogic {
    Arc::make_mut(&mut logic.words).exclusive.clear();
    logic
}
