//! Goals with known answers.

use crate::common::Found;
use analysis::goals::{Form, Scope};

#[test]
fn reversi_compares_numbers_of_discs() {
    let game = Found::fixture("reversi");
    assert_eq!(game.goals.forms, [Form::More, Form::More]);
    for (_, condition) in game.conditions() {
        assert_eq!(condition.scope, Scope::Everywhere);
        let [count] = &condition.formula.counts[..] else {
            panic!("one difference")
        };
        let (weights, _) = count.weights(&game.logic.words.initial);
        // Plus one for every disc of one colour, minus one for every disc of the other.
        assert_eq!(weights.len(), 128);
        let colour = |fact: u32| game.logic.words.facts[fact as usize].to_string();
        let sign = |name: &str| {
            let mut own = weights.iter().filter(|w| colour(w.0).ends_with(name));
            let first = own.clone().next().unwrap().1;
            assert!(own.all(|w| w.1 == first) && first.abs() == 1);
            first
        };
        assert_eq!(sign("black)"), -sign("white)"));
    }
    let emulated = game.emulated.unwrap();
    assert!(emulated.after * 10 < emulated.before, "{}", emulated.after);
}

#[test]
fn dots_and_boxes_compares_two_counters() {
    let game = Found::fixture("dots_and_boxes");
    assert_eq!(game.goals.forms, [Form::More, Form::More]);
    // Play ends when all lines are drawn.
    let terminal = game.goals.terminal.as_ref().unwrap();
    let count = &terminal.formula.counts[0];
    assert_eq!((count.terms.len(), count.size()), (60, 61));
    assert_eq!(
        terminal
            .formula
            .holds
            .iter()
            .filter(|h| **h == Some(true))
            .count(),
        1
    );
    for name in ["rock_paper_scissors_repeated", "skirmish"] {
        let game = Found::fixture(name);
        assert_eq!(game.goals.forms, [Form::More, Form::More], "{name}");
    }
}

#[test]
fn knights_are_counted_and_gold_is_read() {
    let knights = Found::fixture("max_knights");
    assert_eq!(knights.goals.forms, [Form::Cardinality]);
    for (_, condition) in knights.conditions() {
        let (weights, _) = condition.formula.counts[0].weights(&knights.logic.words.initial);
        assert_eq!(weights.len(), 64);
        let fact = |fact: u32| knights.logic.words.facts[fact as usize].to_string();
        assert!(weights.iter().all(|w| fact(w.0).ends_with("knight)")));
    }
    let emulated = knights.emulated.unwrap();
    assert!(emulated.after * 5 < emulated.before, "{}", emulated.after);

    let digger = Found::fixture("gold_digger");
    assert_eq!(digger.goals.forms, [Form::Counter]);
    let crossing = Found::fixture("river_crossing");
    assert_eq!(crossing.goals.forms, [Form::Threshold]);
}

#[test]
fn lines_are_not_counts() {
    for name in ["connect_four", "pentago", "hex"] {
        let game = Found::fixture(name);
        assert!(game.goals.forms.iter().all(|form| *form == Form::Unknown));
    }
}
