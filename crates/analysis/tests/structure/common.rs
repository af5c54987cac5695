//! Games with what is found of them, for tests.

use analysis::structure::Structure;
use budget::Budget;
use datalog::Program;
use gdl_parse::{ParseOptions, Rulesheet, parse};
use invariants::Groups;
use netlist::{GameLogic, lower};
use propnet::Network;
use std::path::PathBuf;
use std::time::Duration;

/// One of our fixtures.
pub fn sheet(name: &str) -> Rulesheet {
    let path = testkit::root().join(format!("fixtures/games/{name}.gdl"));
    parse(
        &std::fs::read_to_string(path).unwrap(),
        &ParseOptions::default(),
    )
    .sheet
}

/// Network and logic; `None` if there is none within some seconds.
pub fn build(sheet: &Rulesheet) -> Option<(Network, GameLogic)> {
    let program = Program::from_sheet(sheet);
    let budget = Budget::system().with_timeout(Duration::from_secs(20));
    let network = prepare::build_network(&program, &budget).ok()?.network;
    let logic = lower(&network, &budget).ok()?;
    Some((network, logic))
}

/// What can be proved of the facts within so much time.
pub fn groups(logic: &GameLogic, time: Duration) -> Groups {
    Groups::find(logic, 1, &Budget::system().with_timeout(time))
}

/// The structure of a game, with so much time.
pub fn find(logic: &GameLogic, time: Duration) -> Structure {
    let groups = groups(logic, time.min(Duration::from_secs(1)));
    Structure::find(logic, &groups, 1, &Budget::system().with_timeout(time))
}

/// The structure of a fixture.
pub fn fixture(name: &str) -> (GameLogic, Structure) {
    let (_, logic) = build(&sheet(name)).unwrap();
    let structure = find(&logic, Duration::from_secs(20));
    (logic, structure)
}

/// All rulesheets of the corpus if long tests are asked for.
pub fn corpus() -> Vec<PathBuf> {
    let long = std::env::var_os("ROCINANTE_LONG_TESTS").is_some_and(|value| value == "1");
    let corpus = long.then(testkit::corpus).flatten();
    corpus.map_or_else(Vec::new, |corpus| {
        testkit::files(&corpus.join("games"), "kif")
    })
}
