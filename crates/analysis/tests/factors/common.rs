//! Games with their factors, for tests.

use analysis::factors::Factors;
use budget::Budget;
use datalog::Program;
use gdl_parse::{ParseOptions, Rulesheet, parse};
use invariants::Groups;
use netlist::{GameLogic, lower};
use propnet::Network;
use std::path::Path;
use std::time::Duration;

/// Parses a rulesheet.
pub fn sheet(path: &Path) -> Rulesheet {
    let rules = std::fs::read_to_string(path).unwrap();
    parse(&rules, &ParseOptions::default()).sheet
}

/// A fixture.
pub fn fixture(name: &str) -> Rulesheet {
    sheet(&testkit::root().join(format!("fixtures/games/{name}.gdl")))
}

/// Network and logic; `None` if they are not built within 20 seconds.
pub fn logic(sheet: &Rulesheet) -> Option<(Network, GameLogic)> {
    let budget = Budget::system().with_timeout(Duration::from_secs(20));
    let program = Program::from_sheet(sheet);
    let network = compile::build_network(&program, &budget).ok()?.network;
    let logic = lower(&network, &budget).ok()?;
    Some((network, logic))
}

/// The factors, found in `time`; the groups in 200 milliseconds.
pub fn find(logic: &GameLogic, time: Duration) -> Factors {
    let short = Budget::system().with_timeout(Duration::from_millis(200));
    let groups = Groups::find(logic, 1, &short);
    Factors::find(logic, &groups, 1, &Budget::system().with_timeout(time))
}
