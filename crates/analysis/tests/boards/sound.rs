//! Properties of boards hold in random play.

use crate::common::{Found, described, read};
use analysis::Evidence;
use analysis::boards::{Boards, Layer};
use budget::Budget;
use invariants::{Groups, Play};
use std::collections::BTreeMap;
use std::time::Duration;

/// Checks that facts of one cell exclude each other, and facts of one unique piece, wherever
/// that is proved.
fn holds(found: &Found, steps: usize, seed: u64, what: &str) -> usize {
    let proved = |evidence: Evidence| evidence == Evidence::Proved;
    let mut classes: BTreeMap<(usize, usize, bool, u32), Vec<u32>> = BTreeMap::new();
    for (number, board) in found.boards.boards.iter().enumerate() {
        for (index, piece) in (0..).zip(&board.pieces) {
            let layer: &Layer = &board.layers[piece.layer];
            for &(cell, fact) in &piece.facts {
                if proved(layer.exclusive) {
                    let class = (number, piece.layer, true, cell);
                    classes.entry(class).or_default().push(fact);
                }
                if layer.unique.is_some_and(proved) {
                    let class = (number, piece.layer, false, index);
                    classes.entry(class).or_default().push(fact);
                }
            }
        }
    }
    let mut play = Play::new(&found.logic, seed);
    for _ in 0..steps {
        for facts in classes.values() {
            let mut any = 0;
            for &fact in facts {
                let word = play.word(found.logic.facts[fact as usize]);
                assert_eq!(any & word, 0, "{what}: {facts:?}");
                any |= word;
            }
        }
        play.step();
    }
    classes.len()
}

/// Checks that all numbers in the result are in range and consistent.
fn fits(found: &Found, what: &str) {
    for board in &found.boards.boards {
        let cells = board.cells.len() as u32;
        assert!(board.cells.is_sorted(), "{what}");
        for (number, cell) in (0..).zip(&board.cells) {
            assert_eq!(board.cell(cell.grid, &cell.at), Some(number), "{what}");
            assert!(!board.name(number).is_empty());
        }
        for piece in &board.pieces {
            assert!(piece.facts.is_sorted() && piece.facts.iter().all(|fact| fact.0 < cells));
        }
        for link in &board.links {
            assert!(
                link.cells[0] < link.cells[1] && link.cells[1] < cells,
                "{what}: {link:?}"
            );
        }
    }
}

#[test]
fn proved_exclusion_holds_in_random_play_of_all_fixtures() {
    let mut classes = 0;
    for path in testkit::fixtures() {
        let what = path.display().to_string();
        let Some(found) = Found::of(&read(&path)) else {
            continue;
        };
        fits(&found, &what);
        classes += holds(&found, 60, 5, &what);
    }
    assert!(classes > 1000, "{classes}");
}

#[test]
fn a_deadline_returns_partial_results() {
    let found = Found::fixture("reversi");
    let clock = std::sync::Arc::new(budget::ManualClock::default());
    let over = Budget::unlimited(clock).with_timeout(Duration::ZERO);
    let boards = Boards::find(&found.logic, &Groups::default(), 1, &over);
    assert!(boards.report.exhausted.is_some());
    assert_eq!(boards.boards.len(), 0);
    assert_eq!(boards.moves.len(), 2);
}

/// The same over the whole corpus; prints the results. Takes minutes.
#[test]
fn proved_exclusion_holds_in_random_play_of_the_corpus() {
    if std::env::var_os("ROCINANTE_LONG_TESTS").is_none() {
        return;
    }
    let Some(corpus) = testkit::corpus() else {
        return;
    };
    let (mut games, mut with, mut times) = (0, 0, Vec::new());
    for path in testkit::files(&corpus.join("games"), "kif") {
        let what = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let Some(found) = Found::of(&read(&path)) else {
            continue;
        };
        games += 1;
        with += usize::from(!found.boards.boards.is_empty());
        times.push(found.boards.report.time);
        println!(
            "{what}: {:?}\n{}",
            found.boards.report.time,
            described(&found)
        );
        fits(&found, &what);
        holds(&found, 60, 5, &what);
    }
    times.sort();
    println!(
        "{with} of {games} games with a board; time: median {:?}, most {:?}",
        times[times.len() / 2],
        times[times.len() - 1]
    );
}
