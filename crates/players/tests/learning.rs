//! Values of states are learnt during the search.

use budget::Budget;
use game::ScalarPlayouts;
use mcts::{Config, Limits, Report, Search};
use prepare::{EngineChoice, Options, prepare};

/// Searches the first state of a fixture with an engine.
fn search(name: &str, engine: EngineChoice, learning: f64) -> Report {
    let path = testkit::root().join(format!("fixtures/games/{name}.gdl"));
    let rules = std::fs::read_to_string(path).expect("it is there");
    let options = Options {
        engine,
        ..Options::default()
    };
    let engine = prepare(&rules, &options, &Budget::system());
    let engine = engine.expect("it plays").playable.engine;
    let playouts = ScalarPlayouts::new(engine.fork(), 1, 1000);
    let initial = engine.initial();
    let mut config = Config::default();
    config.learning.visits = learning;
    config.playouts = 8;
    let search = Search::builder(engine, Box::new(playouts)).seed(1);
    let mut search = search.memory(64 << 20).config(config).build();
    let limits = Limits {
        playouts: 40_000,
        ..Limits::default()
    };
    let found = search.choose(&initial, limits, &Budget::system(), &|_| ());
    found.expect("there are moves")
}

#[test]
fn results_are_predicted_and_predictions_matter() {
    // In hex the value of a stone depends most on where it lies.
    let learnt = search("hex", EngineChoice::Scalar, 4.0);
    let foretold = learnt.foretold.expect("it learns");
    assert!(foretold > 0.2, "{foretold}");
    let again = search("hex", EngineChoice::Scalar, 4.0);
    assert_eq!(learnt, again, "it repeats");
    let plain = search("hex", EngineChoice::Scalar, 0.0);
    assert_eq!(plain.foretold, None);
    assert_ne!(learnt.candidates, plain.candidates, "it matters");
}

#[test]
fn without_facts_nothing_is_learnt() {
    let report = search("tic_tac_toe", EngineChoice::Reasoner, 4.0);
    assert_eq!(report.foretold, None);
}
