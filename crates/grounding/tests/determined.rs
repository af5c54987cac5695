//! Small rulesheets in which the state determines what conditions are about, or seems to.

mod support;

use proptest::prelude::*;
use std::fmt::Write;
use support::instances;

/// A king on a line of squares, and blocks that are pushed along it. The king is at one place,
/// which `at` shows by itself and `piece` by its name: there are two pawns. A ghost is at one
/// place or none.
const LINE: &str = "(role r) (role s) (legal s wait)
    (init (at 2)) (init (block 3)) (init (block 5)) (init (marked 2 4)) (init (marked 6 1))
    (init (piece king 2)) (init (piece pawn 1)) (init (piece pawn 6))
    (<= (next (at ?y)) (does r (step ?x ?y)))
    (<= (next (at ?x)) (true (at ?x)) (not steps))
    (init (ghost 4)) (<= (next (ghost ?y)) (true (ghost ?x)) (succ ?x ?y) (does r rest))
    (<= (after ?x ?y) (true (block ?x)) (succ ?x ?y))
    (<= (next (piece king ?y)) (does r (step ?x ?y)))
    (<= (next (piece king ?x)) (true (piece king ?x)) (not steps))
    (<= (next (piece pawn ?x)) (true (piece pawn ?x)))
    (<= steps (does r (step ?x ?y)))
    (<= (next (block ?y)) (does r (go ?x ?y)))
    (<= (next (block ?x)) (true (block ?x)) (not (left ?x)))
    (<= (left ?x) (does r (go ?x ?y)))
    (<= (next (marked ?y ?x)) (does r (go ?x ?y)))
    (<= (next (marked ?x ?y)) (true (marked ?x ?y)))
    (<= (legal r (step ?x ?y)) (true (at ?x)) (succ ?x ?y)) (legal r rest)
    (<= (near ?k ?x) (succ ?k ?x) (true (block ?x)))
    (<= (near ?k ?x) (succ ?x ?k))
    (<= (far ?k ?x) (true (block ?k)) (succ ?k ?y) (succ ?y ?x))
    (<= (far ?k ?x) (true (marked ?x ?k)))
    (<= (goal r 100) (true (at 7))) (<= (goal r 0) (not (true (at 7))))
    (<= terminal (true (at 7))) (odd 1) (odd 3) (odd 5) (odd 7)\n";

fn line(more: &str, squares: u32) -> String {
    let mut text = format!("{LINE}{more}\n(square {squares})");
    for number in 1..squares {
        write!(text, "(succ {number} {})(square {number})", number + 1).expect("strings grow");
    }
    text
}

/// A move that concerns the king's square in three ways, with its place said in one.
fn threats(place: &str) -> String {
    format!(
        "(<= (legal r (go ?x ?y)) (true (block ?x)) (square ?y) {place} (not (near ?k ?x))
             (not (far ?k ?y)) (not (true (marked ?k ?y))))"
    )
}

#[test]
fn conditions_on_one_place_are_asked_apart() {
    // The place may be two, as far as is known.
    let unknown = "(<= (next (ghost 1)) (true (blocked))) (<= (next (at 1)) (true (blocked))) (<= (next (piece king 1)) (true (blocked)))
                   (<= (next (blocked)) (does r (go 99 99)))";
    for place in [
        "(true (at ?k))",
        "(true (piece king ?k))",
        "(true (ghost ?k))",
    ] {
        let rules = threats(place);
        let apart = instances(&line(&rules, 12));
        let together = instances(&line(&format!("{rules}{unknown}"), 12));
        assert!(
            apart * 3 < together * 2,
            "{apart} instances, {together} together for {place}"
        );
    }
}

#[test]
fn conditions_on_one_of_several_places_are_asked_together() {
    instances(&line(&threats("(true (piece pawn ?k))"), 12));
    instances(&line(&threats("(true (piece ?any ?k))"), 12));
    let named = threats("(true (piece ?name ?k)) (name ?name)");
    instances(&line(&format!("{named}(name king)(name pawn)"), 12));
    let named = "(<= (legal r (go ?x ?y)) (name ?name) (square ?x) (square ?y)
        (true (piece ?name ?k)) (not (far ?k ?x)) (not (far ?k ?y)) (true (block ?name)))";
    instances(&line(
        &format!("{named}(name king)(name pawn)(init (block pawn))"),
        12,
    ));
    instances(&line(&threats("(true (block ?k))"), 12));
}

#[test]
fn a_relation_of_one_rule_determines_what_its_rule_does() {
    let of = "(<= (home ?name ?k) (true (piece ?name ?k)) (name ?name)) (name king)";
    let rules = threats("(home ?name ?k)");
    instances(&line(&format!("{of}{rules}"), 12));
    instances(&line(&format!("{of}{rules}(name pawn)"), 12));
    let other = "(<= (home ?name ?k) (true (block ?k)) (name ?name))";
    instances(&line(&format!("{of}{rules}{other}"), 12));
    instances(&line(
        &format!("{of}{rules}(<= (home king ?k) (true (block ?k)))"),
        7,
    ));
}

/// Conditions on a place and on two squares of a move.
const CONDITIONS: [&str; 16] = [
    "(not (near ?k ?x))",
    "(not (far ?k ?x))",
    "(not (far ?y ?k))",
    "(not (near ?y ?k))",
    "(near ?k ?y)",
    "(far ?k ?x)",
    "(not (true (block ?k)))",
    "(not (far ?k ?y))",
    "(distinct ?k 3)",
    "(true (marked ?k ?x))",
    "(not (true (marked ?k ?y)))",
    "(not (odd ?k))",
    "(true (marked ?z ?k))",
    "(not (near ?z ?k))",
    "(not (true (marked ?k ?z)))",
    "(true (block ?z))",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn any_conditions_asked_apart_agree_with_the_reasoner(
        chosen in prop::collection::vec(0..CONDITIONS.len(), 3..6),
        place in prop::sample::select(vec![
            "(true (at ?k))", "(true (piece king ?k))", "(true (piece pawn ?k))",
            "(true (piece ?n ?k)) (true (at ?k))", "(true (block ?k))", "(true (ghost ?k))",
            "(after ?z ?k)",
        ]),
        mv in prop::sample::select(vec!["(go ?x ?y)", "(go ?k ?y)", "(go ?x ?k)"]),
        negated in any::<bool>(),
    ) {
        let conditions: Vec<&str> = chosen.iter().map(|&at| CONDITIONS[at]).collect();
        let conditions = format!("{place} (square ?z) {}", conditions.join(" "));
        let rules = match negated {
            false => format!("(<= (legal r {mv}) (square ?x) (square ?y) {conditions})"),
            true => format!(
                "(<= (barred ?x ?y) (square ?x) (square ?y) {conditions})
                 (<= (legal r (go ?x ?y)) (true (block ?x)) (square ?y) (not (barred ?x ?y)))"
            ),
        };
        instances(&line(&rules, 12));
    }
}
