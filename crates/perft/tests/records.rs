//! Every fixture has a record of its counts, and every engine reproduces it.

use budget::Budget;
use perft::{Level, Limits, Record, count};
use prepare::{EngineChoice, Options, prepare};
use std::fs::read_to_string;
use std::path::Path;
use std::time::Duration;

/// Number of transitions for each game and engine. The records go deeper; `cargo xtask perft`
/// checks them completely.
const TRANSITIONS: u64 = 3_000;

fn record(game: &Path) -> Record {
    let path = game.with_extension("perft");
    let text = read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}; see cargo xtask perft", path.display()));
    text.parse()
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn reproduce(choice: EngineChoice) {
    for game in testkit::fixtures() {
        let source = read_to_string(&game).unwrap();
        let budget = Budget::system().with_timeout(Duration::from_secs(60));
        let options = Options {
            engine: choice,
            ..Options::default()
        };
        let mut engine = prepare(&source, &options, &budget)
            .unwrap_or_else(|error| panic!("{}: {error}", game.display()))
            .playable
            .engine;
        let limits = Limits {
            depth: 40,
            transitions: TRANSITIONS,
        };
        let levels = count(&mut *engine, limits).unwrap();
        // At least one ply, or the comparison is void.
        assert!(levels.len() > 1, "{}", game.display());
        let record = record(&game);
        assert!(record.levels.len() >= levels.len(), "{}", game.display());
        assert_eq!(
            record.contradiction(&levels),
            None,
            "{}: {levels:?}",
            game.display()
        );
    }
}

#[test]
fn every_fixture_has_a_record_and_every_record_a_fixture() {
    let folder = testkit::root().join("fixtures/games");
    let names = |extension| -> Vec<_> {
        let paths = testkit::files(&folder, extension);
        paths
            .iter()
            .filter_map(|path| path.file_stem().map(|stem| stem.to_owned()))
            .collect()
    };
    assert_eq!(names("gdl"), names("perft"));
    assert!(!names("gdl").is_empty());
}

#[test]
fn the_reasoner_reproduces_the_records() {
    reproduce(EngineChoice::Reasoner);
}

#[test]
fn the_propnet_reproduces_the_records() {
    reproduce(EngineChoice::Propnet);
}

#[test]
fn the_scalar_engine_reproduces_the_records() {
    reproduce(EngineChoice::Scalar);
}

/// Checks counts that are known without counting.
#[test]
fn the_records_agree_with_known_counts() {
    let levels = |name: &str| -> Vec<Level> {
        record(&testkit::root().join(format!("fixtures/games/{name}.gdl"))).levels
    };
    let paths =
        |name: &str| -> Vec<u128> { levels(name).iter().map(|level| level.paths).collect() };
    let states =
        |name: &str| -> Vec<u64> { levels(name).iter().map(|level| level.states).collect() };

    let ttt = levels("tic_tac_toe");
    assert_eq!(ttt.iter().map(|level| level.states).sum::<u64>(), 5478);
    assert_eq!(ttt[5].paths, 9 * 8 * 7 * 6 * 5);
    // Games end at a win: 1440 after 5 moves, 5328 after 6, 47952 after 7, 72576 after 8.
    assert_eq!(ttt[6].paths, (ttt[5].paths - 1440) * 4);
    assert_eq!(ttt[7].paths, (ttt[6].paths - 5328) * 3);
    assert_eq!(ttt[8].paths, (ttt[7].paths - 47952) * 2);
    assert_eq!(ttt[9].paths, ttt[8].paths - 72576);
    assert_eq!(1440 + 5328 + 47952 + 72576 + ttt[9].paths, 255_168);

    // Positions after N plies: OEIS A212693.
    assert_eq!(
        states("connect_four")[..8],
        [1, 7, 49, 238, 1120, 4263, 16422, 54859]
    );
    assert_eq!(paths("connect_four")[7], 7u128.pow(7) - 7);
    // The two boards are independent.
    let on_both = states("connect_four_simultaneous");
    assert_eq!(on_both[..4], [1, 49, 49 * 49, 238 * 238]);

    // Perft of Othello as published by many programs.
    assert_eq!(
        paths("reversi")[..8],
        [1, 4, 12, 56, 244, 1396, 8200, 55092]
    );

    // Perft of English draughts; double jumps, which are two plies here, begin at the seventh.
    assert_eq!(
        paths("english_draughts")[..7],
        [1, 7, 49, 302, 1469, 7361, 36768]
    );

    let filled = |squares: u128, n: u128| (0..n).map(|i| squares - i).product::<u128>();
    assert_eq!(paths("hex")[..3], [1, 81, filled(81, 2)]);
    assert_eq!(
        paths("dots_and_boxes")[..4],
        [1, 60, filled(60, 2), filled(60, 3)]
    );
    assert_eq!(states("dots_and_boxes")[3] as u128, filled(60, 3) / 6);
    assert_eq!(paths("districts")[5], filled(15, 5));

    for (depth, level) in levels("untwisty_corridor").iter().enumerate().take(21) {
        assert_eq!(
            (level.paths, level.states),
            (4u128.pow(depth as u32), 1 + (depth > 0) as u64)
        );
    }
    // The longest games of chomp are the standard Young tableaux of a 4x5 rectangle.
    assert_eq!(paths("chomp")[20], 1_662_804);
    // The last eleven squares can be filled in any order.
    assert_eq!(paths("sudoku_small")[11], (1..=11).product::<u128>());
    assert_eq!(states("sudoku_small")[11], 1);
}
