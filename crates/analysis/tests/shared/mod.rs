//! Games for the tests of several analyses.

use budget::Budget;
use datalog::Program;
use gdl_parse::{ParseOptions, Rulesheet, parse};
use gdl_scramble::{ScrambleOptions, Scrambled, scramble};
use netlist::{GameLogic, lower};
use propnet::Network;
use std::time::Duration;

/// A fixture.
pub fn sheet(name: &str) -> Rulesheet {
    let path = testkit::root().join(format!("fixtures/games/{name}.gdl"));
    let text = std::fs::read_to_string(path).unwrap();
    parse(&text, &ParseOptions::default()).sheet
}

/// Network and logic; `None` if they are not built within 20 seconds.
pub fn build(sheet: &Rulesheet) -> Option<(Network, GameLogic)> {
    let program = Program::from_sheet(sheet);
    let budget = Budget::system().with_timeout(Duration::from_secs(20));
    let network = compile::build_network(&program, &budget).ok()?.network;
    let logic = lower(&network, &budget).ok()?;
    Some((network, logic))
}

/// The same game with scrambled names and reordered rules.
pub fn scrambled(sheet: &Rulesheet, seed: u64) -> Scrambled {
    let options = ScrambleOptions {
        seed,
        shuffle_rules: true,
        ..ScrambleOptions::default()
    };
    scramble(sheet, &options)
}
