//! Quantities in the state: known answers, soundness, and the corpus.

use analysis::Evidence;
use analysis::numbers::{Direction, Kind, Numbers, Quantity};
use budget::Budget;
use gdl_parse::{ParseOptions, Rulesheet, parse};
use invariants::{Groups, Play};
use netlist::{GameLogic, lower};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

fn build(sheet: &Rulesheet) -> Option<GameLogic> {
    let program = datalog::Program::from_sheet(sheet);
    let budget = Budget::system().with_timeout(Duration::from_secs(20));
    let network = compile::build_network(&program, &budget).ok()?.network;
    lower(&network, &budget).ok()
}

/// Looks at the clock that each analysis has.
const STEPS: u64 = 4_000;

fn read(path: &Path) -> Rulesheet {
    parse(
        &std::fs::read_to_string(path).unwrap(),
        &ParseOptions::default(),
    )
    .sheet
}

fn sheet(name: &str) -> Rulesheet {
    read(&testkit::root().join(format!("fixtures/games/{name}.gdl")))
}

fn find(logic: &GameLogic, time: Duration) -> (Groups, Numbers) {
    let budget = || Budget::system().with_timeout(time);
    let groups = Groups::find(logic, 1, &budget());
    let numbers = Numbers::find(logic, &groups, 1, &budget());
    (groups, numbers)
}

/// The same, bounded by steps, so that every machine finds the same.
fn find_in_steps(logic: &GameLogic) -> (Groups, Numbers) {
    let groups = Groups::find(logic, 1, &testkit::steps(STEPS));
    let numbers = Numbers::find(logic, &groups, 1, &testkit::steps(STEPS));
    (groups, numbers)
}

fn names(logic: &GameLogic, quantity: &Quantity) -> Vec<String> {
    let facts = quantity.facts.iter();
    facts
        .map(|&fact| logic.words.facts[fact as usize].to_string())
        .collect()
}

/// The quantities of a fixture with their names.
fn fixture(name: &str) -> Vec<(Vec<String>, Quantity)> {
    let logic = build(&sheet(name)).unwrap();
    let (_, found) = find(&logic, Duration::from_secs(5));
    let quantities = found.quantities.into_iter();
    quantities
        .map(|quantity| (names(&logic, &quantity), quantity))
        .collect()
}

fn count(what: &str, to: u32) -> Vec<String> {
    (0..=to).map(|n| format!("({what} {n})")).collect()
}

#[test]
fn scores_and_rounds_are_quantities() {
    let found = fixture("rock_paper_scissors_repeated");
    assert_eq!(found.len(), 3);
    for (name, owner, control) in [
        ("score left", Some(0), false),
        ("score right", Some(1), false),
        ("round", None, true),
    ] {
        let expected = count(name, 10);
        let (_, quantity) = found.iter().find(|(names, _)| *names == expected).unwrap();
        assert_eq!(
            (quantity.owner, quantity.control),
            (owner, control),
            "{name}"
        );
        assert_eq!(
            (quantity.direction, quantity.evidence),
            (Direction::Forward, Evidence::Proved)
        );
        assert_eq!((quantity.stride, quantity.initial), (1, Some(0)));
        assert_eq!(quantity.exclusive, Evidence::Proved);
    }
}

#[test]
fn a_purse_may_grow_by_different_amounts() {
    let found = fixture("gold_digger");
    let purse: Vec<String> = (0..=10).map(|n| format!("(purse {})", 10 * n)).collect();
    let (_, quantity) = found.iter().find(|(names, _)| *names == purse).unwrap();
    // Only the goals show the owner.
    assert_eq!((quantity.owner, quantity.stride), (Some(0), 3));
    assert_eq!(
        (quantity.direction, quantity.evidence),
        (Direction::Forward, Evidence::Proved)
    );
}

#[test]
fn boxes_have_owners_and_heaps_only_shrink() {
    let boxes = fixture("dots_and_boxes");
    assert_eq!(boxes.len(), 2);
    assert!(
        boxes
            .iter()
            .any(|(names, q)| *names == count("boxes red", 25) && q.owner == Some(0))
    );
    let heaps = fixture("nim");
    assert!(!heaps.is_empty());
    for (names, quantity) in heaps {
        assert_eq!(quantity.direction, Direction::Forward);
        assert!(names[names.len() - 1].ends_with(" 0)"), "{names:?}");
    }
}

#[test]
fn coins_change_in_both_directions() {
    let rules =
        "(role robot) (init (coins 2)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
        (succ 5 6) (init (day 0))
        (<= (legal robot earn) (true (coins ?n)) (succ ?n ?m))
        (<= (legal robot spend) (true (coins ?n)) (succ ?m ?n))
        (<= (next (coins ?m)) (does robot earn) (true (coins ?n)) (succ ?n ?m))
        (<= (next (coins ?m)) (does robot spend) (true (coins ?n)) (succ ?m ?n))
        (<= (next (day ?m)) (true (day ?n)) (succ ?n ?m))
        (<= terminal (true (day 6)))
        (<= (goal robot 100) (true (coins 6))) (<= (goal robot 0) (not (true (coins 6))))";
    let logic = build(&parse(rules, &ParseOptions::default()).sheet).unwrap();
    let (groups, found) = find(&logic, Duration::from_secs(5));
    let coins = found
        .quantities
        .iter()
        .find(|quantity| !quantity.control)
        .unwrap();
    assert_eq!(names(&logic, coins), count("coins", 6));
    assert_eq!(
        (coins.direction, coins.evidence),
        (Direction::Both, Evidence::Proved)
    );
    assert_eq!((coins.owner, coins.initial), (Some(0), Some(2)));
    assert_eq!(found.kinds.len(), groups.groups.len());
    assert!(
        found
            .kinds
            .iter()
            .any(|kind| matches!(kind, Kind::Number(_)))
    );
}

#[test]
fn squares_are_not_quantities() {
    for name in [
        "tic_tac_toe",
        "reversi",
        "breakthrough_small",
        "pentago",
        "sudoku_small",
    ] {
        let found = fixture(name);
        assert!(found.is_empty(), "{name}: {found:?}");
    }
    let logic = build(&sheet("tic_tac_toe")).unwrap();
    let (_, found) = find(&logic, Duration::from_secs(5));
    let cells = found
        .kinds
        .iter()
        .filter(|&&kind| kind == Kind::Cell)
        .count();
    assert_eq!((cells, found.kinds.len()), (9, 10));
    assert!(found.kinds.contains(&Kind::Control));
}

/// Checks in random play that no two values hold together and none decreases, where that is
/// proved.
fn nothing_is_wrong(logic: &GameLogic, numbers: &Numbers, what: &str) {
    let mut play = Play::new(logic, 99);
    let words = |play: &Play<'_>, quantity: &Quantity| -> Vec<u64> {
        let facts = quantity.facts.iter();
        facts
            .map(|&fact| play.word(logic.facts[fact as usize]))
            .collect()
    };
    for _ in 0..150 {
        let before: Vec<Vec<u64>> = numbers.quantities.iter().map(|q| words(&play, q)).collect();
        let able = logic
            .legal
            .iter()
            .map(|row| row.iter().fold(0, |any, &l| any | play.word(l)));
        let going = able.fold(!play.word(logic.terminal), |going, able| going & able);
        play.step();
        for (quantity, before) in numbers.quantities.iter().zip(&before) {
            let after = words(&play, quantity);
            let (mut any, mut beyond) = (0u64, 0u64);
            for (value, &word) in after.iter().enumerate().rev() {
                if quantity.exclusive == Evidence::Proved {
                    assert_eq!(any & word, 0, "{what}: {:?}", names(logic, quantity));
                }
                any |= word;
                // The lanes that had a later value than this one.
                beyond |= before.get(value + 1).copied().unwrap_or(0);
                let proved = quantity.evidence == Evidence::Proved;
                if quantity.direction == Direction::Forward && proved {
                    assert_eq!(
                        beyond & word & going,
                        0,
                        "{what}: {:?}",
                        names(logic, quantity)
                    );
                }
            }
        }
    }
}

#[test]
fn proofs_hold_in_random_play_of_fixtures() {
    let mut found = 0;
    for path in testkit::fixtures() {
        let Some(logic) = build(&read(&path)) else {
            continue;
        };
        let (_, numbers) = find_in_steps(&logic);
        nothing_is_wrong(&logic, &numbers, &path.display().to_string());
        found += numbers.quantities.len();
    }
    assert!(found > 20, "{found} quantities were checked");
}

#[test]
fn proofs_hold_in_random_play_of_the_corpus() {
    let long = std::env::var_os("ROCINANTE_LONG_TESTS").is_some_and(|value| value == "1");
    let Some(corpus) = long.then(testkit::corpus).flatten() else {
        return;
    };
    let mut times = Vec::new();
    for path in testkit::files(&corpus.join("games"), "kif") {
        let Some(logic) = build(&read(&path)) else {
            continue;
        };
        let (_, numbers) = find(&logic, Duration::from_secs(2));
        let name = path.file_stem().unwrap().to_string_lossy().to_string();
        nothing_is_wrong(&logic, &numbers, &name);
        for quantity in &numbers.quantities {
            let values = names(&logic, quantity);
            println!(
                "{name}: {} .. {} ({}), owner {:?}, {:?} {:?}, stride {}, {}",
                values[0],
                values[values.len() - 1],
                values.len(),
                quantity.owner,
                quantity.direction,
                quantity.evidence,
                quantity.stride,
                if quantity.control { "control" } else { "" },
            );
        }
        times.push((numbers.report.time, name));
    }
    times.sort();
    println!(
        "median {:.0?}, most {:?}",
        times[times.len() / 2],
        &times[times.len() - 5..]
    );
}

#[test]
fn scrambled_rules_have_the_same_quantities() {
    let sheet = sheet("rock_paper_scissors_repeated");
    let logic = build(&sheet).unwrap();
    let (_, plain) = find(&logic, Duration::from_secs(5));
    let expected: BTreeSet<Vec<String>> = plain
        .quantities
        .iter()
        .map(|quantity| names(&logic, quantity))
        .collect();
    for seed in 1..3 {
        let options = gdl_scramble::ScrambleOptions {
            seed,
            shuffle_rules: true,
            ..Default::default()
        };
        let scrambled = gdl_scramble::scramble(&sheet, &options);
        let other = build(&scrambled.sheet).unwrap();
        let (_, found) = find(&other, Duration::from_secs(5));
        let name = |fact: &u32| {
            scrambled
                .mapping
                .unscramble(&other.words.facts[*fact as usize])
                .to_string()
        };
        let found = found
            .quantities
            .iter()
            .map(|quantity| quantity.facts.iter().map(name).collect());
        assert_eq!(found.collect::<BTreeSet<Vec<String>>>(), expected, "{seed}");
    }
}

#[test]
fn a_deadline_returns_partial_results() {
    let logic = build(&sheet("dots_and_boxes")).unwrap();
    let clock = std::sync::Arc::new(budget::ManualClock::default());
    let over = Budget::unlimited(clock).with_timeout(Duration::ZERO);
    let numbers = Numbers::find(&logic, &Groups::default(), 1, &over);
    assert!(numbers.report.exhausted.is_some());
    assert!(numbers.quantities.is_empty());
}
