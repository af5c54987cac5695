//! Latches with known answers.

use crate::common::{bits, find, ranges};
use crate::shared::{build, sheet};
use crate::states::states;
use analysis::latches::Latches;
use invariants::Play;
use netlist::GameLogic;
use std::collections::BTreeSet;
use std::time::Duration;

/// A game with its latches.
struct Found {
    logic: GameLogic,
    latches: Latches,
}

impl Found {
    fn new(name: &str) -> Found {
        let (_, logic) = build(&sheet(name)).unwrap();
        let latches = find(&logic, Duration::from_secs(20));
        Found { logic, latches }
    }

    fn fact(&self, text: &str) -> u32 {
        let mut facts = self.logic.words.facts.iter();
        facts.position(|fact| fact.to_string() == text).unwrap() as u32
    }

    fn role(&self, text: &str) -> usize {
        let mut roles = self.logic.words.roles.iter();
        roles.position(|role| role.to_string() == text).unwrap()
    }

    fn state(&self, facts: &[&str]) -> Vec<u64> {
        bits(&self.logic, facts.iter().map(|text| self.fact(text)))
    }

    /// The ranges of all roles in a state with these facts.
    fn ranges(&self, facts: &[&str]) -> Vec<(u8, u8)> {
        ranges(&self.logic, &self.latches, &self.state(facts))
    }

    /// The ranges in the initial state with some facts removed and some added.
    fn changed(&self, gone: &[&str], come: &[&str]) -> Vec<(u8, u8)> {
        let mut facts: BTreeSet<u32> = self.logic.words.initial.iter().copied().collect();
        for text in gone {
            assert!(facts.remove(&self.fact(text)), "{text}");
        }
        facts.extend(come.iter().map(|text| self.fact(text)));
        let state = bits(&self.logic, facts.into_iter());
        ranges(&self.logic, &self.latches, &state)
    }
}

#[test]
fn a_wrong_step_in_a_corridor_fixes_the_result() {
    let hard = Found::new("corridor_hard");
    assert_eq!(hard.ranges(&["(at (corridor 7))", "(step 7)"]), [(0, 100)]);
    let cave = "(at (cave 3 b entrance))";
    assert_eq!(hard.ranges(&[cave, "(step 4)"]), [(0, 0)]);
    // The corridor is one latch of all its places, though no single place is a latch.
    let long = hard.latches.latches.iter().filter(|l| l.literals.len() > 1);
    let long: Vec<usize> = long.map(|latch| latch.literals.len()).collect();
    assert_eq!(long, [25]);

    let untwisty = Found::new("untwisty_corridor");
    assert_eq!(untwisty.changed(&[], &[]), [(0, 100)]);
    assert_eq!(untwisty.latches.counts(), (1, 2));
}

#[test]
fn capturing_a_king_narrows_both_ranges() {
    let escort = Found::new("escort_latch_breakthrough");
    assert_eq!(escort.changed(&[], &[]), [(0, 100), (0, 100)]);
    let white = "(king_lost white)";
    let black = "(king_lost black)";
    assert_eq!(escort.changed(&[], &[white]), [(0, 50), (50, 100)]);
    assert_eq!(escort.changed(&[], &[black]), [(50, 100), (0, 50)]);
    assert_eq!(escort.changed(&[], &[white, black]), [(50, 50), (50, 50)]);
    assert_eq!(escort.latches.counts().0, 2);
    assert_eq!(escort.latches.goals.len(), 4);
}

#[test]
fn a_line_with_an_enemy_stone_is_dead() {
    let game = Found::new("tic_tac_toe");
    // Every square latches with either stone, and the absence of an empty square latches once it
    // is filled.
    assert_eq!(game.latches.counts(), (18, 9));
    let stone = |x: u32, y: u32, who: &str| format!("(cell {x} {y} {who})");
    let cross = game.role("cross");
    let crosses = |squares: &[(u32, u32)]| {
        let crosses = squares.iter().map(|&(x, y)| stone(x, y, "cross"));
        let crosses: Vec<String> = crosses.collect();
        let texts: Vec<&str> = crosses.iter().map(String::as_str).collect();
        game.ranges(&texts)[cross]
    };
    // Noughts have only the diagonal through 2 2 left, then nothing.
    assert_eq!(crosses(&[(1, 1), (2, 3), (3, 2)]), (0, 100));
    assert_eq!(crosses(&[(1, 1), (2, 3), (3, 2), (2, 2)]), (50, 100));
    // A complete line stays complete.
    assert_eq!(crosses(&[(1, 1), (2, 2), (3, 3)]).1, 100);
    assert!(crosses(&[(1, 1), (2, 2), (3, 3)]).0 > 50);
    // Both sides block each other: a draw, with three squares still empty.
    let board = [
        "cross cross nought",
        "nought nought cross",
        "cross cross nought",
    ];
    let stones = board.iter().zip(1..).flat_map(|(row, y)| {
        let row = row.split(' ').zip(1..);
        row.map(move |(who, x)| stone(x, y, who))
            .collect::<Vec<_>>()
    });
    let mut stones: Vec<String> = stones.collect();
    stones.remove(1);
    let texts: Vec<&str> = stones.iter().map(String::as_str).collect();
    assert_eq!(game.ranges(&texts), [(50, 50), (50, 50)]);

    let four = Found::new("connect_four");
    assert_eq!(four.latches.counts(), (84, 0));
    assert_eq!(four.changed(&[], &[]), [(0, 100), (0, 100)]);
    // Red stones in every line, but no four of them.
    let squares = (1..8).flat_map(|x| (1..7).map(move |y| (x, y)));
    let red = squares.filter(|(x, y)| (x + 2 * y) % 4 < 2);
    let red: Vec<String> = red.map(|(x, y)| stone(x, y, "red")).collect();
    let mut texts: Vec<&str> = red.iter().map(String::as_str).collect();
    let red = four.role("red");
    assert_eq!(four.ranges(&texts)[red], (50, 100));
    assert_eq!(four.ranges(&texts)[1 - red], (0, 50));
    // Squares below a stone are out of reach, so the lines of the lowest row stay dead.
    let (low, top) = (texts.clone(), &mut texts);
    top.retain(|text| !text.ends_with(" 6 red)"));
    let low: Vec<&str> = low
        .into_iter()
        .filter(|text| !text.ends_with(" 1 red)"))
        .collect();
    assert_eq!(four.ranges(&low)[red], (50, 100));
    // The lines of the highest row are open without the stones there.
    assert_eq!(four.ranges(&texts)[red], (0, 100));
}

#[test]
fn a_sudoku_square_without_a_digit_fixes_the_result() {
    let sudoku = Found::new("sudoku_small");
    assert_eq!(sudoku.changed(&[], &[]), [(0, 100)]);
    // Some digits that fit now leave another square without any digit.
    let mut play = Play::new(&sudoku.logic, 7);
    let mut pinned = 0;
    for _ in 0..64 {
        for state in states(&sudoku.logic, &play) {
            pinned += u32::from(ranges(&sudoku.logic, &sudoku.latches, &state) == [(0, 0)]);
        }
        play.step();
    }
    assert!(pinned > 0);
}
