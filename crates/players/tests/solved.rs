//! Small games are solved outright from their first state.

use budget::Budget;
use game::ScalarPlayouts;
use mcts::{Config, Limits, Report, Search};
use prepare::{EngineChoice, Options, prepare};

/// Searches the first state of a fixture, or of a rulesheet, for its first role.
fn search(rules: &str, playouts: u64) -> Report {
    search_within(rules, playouts, 1 << 30)
}

/// The same with this many bytes of memory.
fn search_within(rules: &str, playouts: u64, memory: usize) -> Report {
    let options = Options {
        engine: EngineChoice::Propnet,
        ..Options::default()
    };
    let engine = prepare(rules, &options, &Budget::system())
        .expect("it plays")
        .playable
        .engine;
    let plain = ScalarPlayouts::new(engine.fork(), 1, 1000);
    let initial = engine.initial();
    let mut config = Config::default();
    // The results of two roles in these games add up to 100.
    config.sum = (engine.roles().len() == 2).then_some(100);
    let search = Search::builder(engine, Box::new(plain)).seed(1);
    let mut search = search.memory(memory).config(config).build();
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
    // The result of the first role, and enough playouts to prove it.
    for (name, result, playouts) in [
        ("tic_tac_toe", 50, 20_000),
        ("nim", 0, 20_000),
        ("chomp", 100, 20_000),
        ("untwisty_corridor", 100, 1_000),
        ("river_crossing", 100, 1_000),
        ("sudoku_small", 100, 5_000),
        ("pentago_small", 100, 100_000),
    ] {
        is_solved(name, &fixture(name), result, playouts);
    }
}

/// Checks that the search proves the result of the first role.
fn is_solved(name: &str, rules: &str, result: u8, playouts: u64) {
    let report = search(rules, playouts);
    assert!(report.solved, "{name}: {report:?}");
    let bounds = report.candidate.expect("there was a choice").bounds;
    assert_eq!((bounds.low, bounds.high), (result, result), "{name}");
}

/// Connect four on a board with this many columns and rows.
fn connect_four(columns: usize, rows: usize) -> String {
    let list = |name: &str, count: usize| -> String {
        (1..=count).map(|at| format!("({name} {at}) ")).collect()
    };
    let most = columns.max(rows);
    let succ: String = (1..most)
        .map(|at| format!("(succ {at} {}) ", at + 1))
        .collect();
    let lines = fixture("connect_four_small");
    let lines = lines.lines().map(|line| match line {
        _ if line.starts_with("(column 1)") => list("column", columns),
        _ if line.starts_with("(row 1)") => list("row", rows),
        _ if line.starts_with("(top 4)") => format!("(top {rows})"),
        _ if line.starts_with("(succ 1 2)") => succ.clone(),
        _ => line.to_string(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn connect_four_on_small_boards_is_solved() {
    is_solved("4x4", &fixture("connect_four_small"), 50, 150_000);
    if std::env::var_os("ROCINANTE_LONG_TESTS").is_some() {
        is_solved("5x4", &connect_four(5, 4), 50, 2_000_000);
    }
}

#[test]
fn proofs_are_kept_when_their_states_are_dropped() {
    // This memory holds fewer than a tenth of the states needed to solve the game.
    let memory = 3 << 20;
    let report = search_within(&fixture("connect_four_small"), 400_000, memory);
    assert!(report.bytes <= memory && report.solved, "{report:?}");
}

/// The fixture with another number of steps.
fn corridor(steps: usize) -> String {
    let doors = ["north", "east", "south", "west"];
    let mut rules: Vec<String> = Vec::new();
    for line in fixture("untwisty_corridor").lines() {
        // Drops the facts that list the places, and keeps the rules that use them.
        if !line.starts_with("(leads_on ") && !line.starts_with("(succ ") {
            rules.push(line.replace("20)", &format!("{steps})")));
        }
    }
    for at in 0..steps {
        rules.push(format!("(leads_on {at} {})", doors[at * at % 7 % 4]));
        rules.push(format!("(succ {at} {})", at + 1));
    }
    rules.join("\n")
}

#[test]
fn nodes_of_untwisty_corridors_are_linear_in_their_length() {
    for steps in [10, 20, 40, 80] {
        let report = search(&corridor(steps), 1_000_000);
        assert!(report.solved, "{steps} steps: {report:?}");
        // The places of the corridor, as many of the cellar, and its end.
        assert!(
            report.nodes <= 2 * steps + 1,
            "{} of {steps} steps",
            report.nodes
        );
    }
}
