//! Small games are solved outright from their first state.

use budget::Budget;
use game::{RoleId, ScalarPlayouts};
use mcts::{Config, Limits, Report, Search};
use prepare::{EngineChoice, Options, prepare};

/// Searches the first state of a fixture, or of a rulesheet, for its first role.
fn search(rules: &str, playouts: u64) -> Report {
    let options = Options {
        engine: EngineChoice::Propnet,
        ..Options::default()
    };
    let engine = prepare(rules, &options, &Budget::system())
        .expect("it plays")
        .engine;
    let plain = ScalarPlayouts::new(engine.fork(), 1, 1000);
    let initial = engine.initial();
    let (memory, config) = (512 << 20, Config::default());
    let mut search = Search::new(engine, Box::new(plain), RoleId(0), 1, 1, memory, config);
    let limits = Limits {
        playouts,
        ..Limits::default()
    };
    let found = search.choose(&initial, limits, &Budget::system(), &|_| ());
    found.expect("there are moves")
}

fn fixture(name: &str) -> String {
    let path = testkit::root().join(format!("fixtures/games/{name}.gdl"));
    std::fs::read_to_string(path).expect("it is there")
}

#[test]
fn small_games_are_solved() {
    // The result of the first role, and enough playouts for it.
    for (name, result, playouts) in [
        ("tic_tac_toe", 50, 20_000),
        ("nim", 0, 20_000),
        ("chomp", 100, 20_000),
        ("untwisty_corridor", 100, 1_000),
        ("river_crossing", 100, 1_000),
        ("sudoku_small", 100, 5_000),
    ] {
        let report = search(&fixture(name), playouts);
        assert!(report.solved, "{name}: {report:?}");
        let bounds = report.candidate.expect("there was a choice").bounds;
        assert_eq!((bounds.low, bounds.high), (result, result), "{name}");
    }
}
