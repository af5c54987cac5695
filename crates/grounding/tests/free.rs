//! Small rulesheets with relations of which some arguments do not matter, or seem not to.

mod support;

use proptest::prelude::*;
use std::fmt::Write;
use support::instances;

/// A walk along a line of squares, some of which are blocked. `clear` says that the way from one
/// square to another is clear if a third one is lifted from the line. Most derivations do not look
/// at that one.
const LINE: &str = "(role r) (role s) (legal s wait)
    (init (at 1)) (init (block 3)) (init (block 6)) (init (block 99))
    (<= (next (at ?b)) (does r (jump ?b ?x)))
    (<= (next (at ?a)) (true (at ?a)) (does r (push ?x)))
    (<= (next (block ?y)) (does r (push ?x)) (true (block ?x)) (succ ?x ?y))
    (<= (next (block ?x)) (true (block ?x)) (not (pushed ?x)))
    (<= (pushed ?x) (does r (push ?x)))
    (<= (clear ?a ?b ?x) (succ ?a ?b) (square ?x))
    (<= (clear ?a ?b ?x) (succ ?a ?m) (not (true (block ?m))) (clear ?m ?b ?x))
    (<= (clear ?a ?b ?m) (succ ?a ?m) (clear ?m ?b ?m))
    (<= (legal r (push ?x)) (true (block ?x))) (legal r rest)
    (<= (next (at ?a)) (true (at ?a)) (does r rest))
    (<= (goal r 100) (true (at 12))) (<= (goal r 0) (not (true (at 12))))
    (<= terminal (true (at 12)))\n";

/// The walk with more rules.
fn line(more: &str) -> String {
    let mut text = format!("{LINE}{more}\n(square 12)");
    for number in 1..12 {
        write!(text, "(succ {number} {})(square {number})", number + 1).expect("strings grow");
    }
    text
}

/// Jumps over a block that is lifted.
const JUMP: &str = "(<= (legal r (jump ?b ?x)) (true (at ?a)) (true (block ?x)) (clear ?a ?b ?x))";

#[test]
fn what_holds_for_every_value_is_derived_once() {
    let apart = instances(&line(JUMP));
    // The same with a guard that is no set, so that the argument is not free.
    let together = line(JUMP).replace("(succ ?a ?b) (square ?x))", "(succ ?a ?b) (on ?x line))");
    let squares: String = (1..13)
        .map(|square| format!("(on {square} line)"))
        .collect();
    let together = instances(&format!("{together}{squares}"));
    assert!(
        apart * 3 < together * 2,
        "{apart} instances, {together} if none is free"
    );
}

#[test]
fn negations_hold_outside_of_the_guards_too() {
    instances(&line(
        "(<= (legal r (jump ?b ?x)) (true (at ?a)) (true (block ?x)) (succ ?a ?b)
             (not (clear ?a 7 ?x)))",
    ));
    // 99 is no square.
    instances(&line(
        "(<= (legal r (jump ?b 99)) (true (at ?a)) (succ ?a ?b) (not (clear ?a 7 99)))",
    ));
}

#[test]
fn free_arguments_are_passed_on_and_projected() {
    instances(&line(
        "(<= (reaches ?b ?x) (true (at ?a)) (clear ?a ?b ?x))
         (<= (stuck ?x) (square ?x) (not (reaches 12 ?x)))
         (<= (legal r (jump ?b ?b)) (reaches ?b ?b) (stuck ?b))
         (<= (legal r (jump ?b 1)) (reaches ?b ?any) (not (stuck ?b)))",
    ));
}

#[test]
fn a_negation_of_any_value_is_understood() {
    instances(&line(
        "(<= (legal r (jump ?b ?b)) (square ?b) (true (at ?a)) (not (clear ?b ?a ?any)))",
    ));
}

#[test]
fn facts_and_other_guards_stand_beside_free_arguments() {
    instances(&line(&format!(
        "{JUMP} (odd 1) (odd 3) (odd 5)
         (<= (clear ?a ?b ?x) (succ ?m ?a) (succ ?m ?b) (true (at ?a)) (odd ?x)) (clear 2 9 4)"
    )));
}

#[test]
fn rules_that_leave_different_arguments_free_share_some() {
    let watched = |free: &str| {
        format!(
            "(<= (watched ?a ?x ?y) (clear ?a 9 ?x) (square ?y) (distinct ?a ?y))
             (<= (watched ?a ?x ?y) (clear ?a 8 ?x) (square ?y) {free})
             (<= (legal r (jump ?x ?y)) (true (block ?x)) (true (at ?y)) (succ ?y ?z)
                 (watched ?z ?x ?y))
             (<= (legal r (jump ?z ?x)) (true (at ?y)) (succ ?y ?z) (true (block ?x))
                 (not (watched ?z ?x ?x)))"
        )
    };
    instances(&line(&watched("(square ?a)")));
    instances(&line(&watched("(true (at ?y))")));
}

/// Rules that leave arguments free, pass them on or look at them, for three relations that call
/// each other and for moves. `far` alone is asked for by moves in negations, and asks in them.
const RULES: [&str; 24] = [
    "(<= (sees ?a ?x) (clear ?a ?b ?x))",
    "(<= (sees ?a ?x) (true (at ?a)) (square ?x))",
    "(<= (sees ?a ?x) (square ?a) (square ?x) (true (block 3)))",
    "(<= (sees ?a ?x) (square ?a) (odd ?x) (not (true (block ?a))))",
    "(<= (sees ?a ?x) (succ ?a ?x) (true (at ?x)))",
    "(<= (sees ?a ?x) (clear ?a 9 ?x) (odd ?x))",
    "(<= (clear ?a ?b ?x) (true (at ?a)) (true (block ?b)) (odd ?x))",
    "(<= (clear ?a ?b ?x) (succ ?a ?b) (true (block ?x)))",
    "(<= (clear ?a ?b ?x) (sees ?a ?x) (square ?b))",
    "(<= (clear ?b ?a ?x) (clear ?a ?b ?x) (true (block ?a)))",
    "(<= (far ?a ?x) (square ?a) (square ?x) (not (clear ?a 9 ?x)))",
    "(<= (far ?a ?x) (sees ?a ?x) (not (clear ?x ?a ?x)))",
    "(<= (far ?a ?x) (true (block ?x)) (square ?a) (not (sees ?a ?x)))",
    "(<= (far ?a ?x) (square ?a) (square ?x) (true (at ?a)) (not (sees ?x ?any)))",
    "(<= (far ?a ?x) (succ ?a ?b) (far ?b ?x))",
    "(<= (far ?a ?x) (square ?x) (true (block ?a)))",
    "(<= (legal r (jump ?b ?x)) (true (at ?a)) (true (block ?x)) (clear ?a ?b ?x))",
    "(<= (legal r (jump ?b ?x)) (far ?b ?x) (true (at ?b)))",
    "(<= (legal r (jump ?b ?x)) (true (at ?a)) (succ ?a ?b) (true (block ?x)) (not (far ?a ?x)))",
    "(<= (legal r (jump ?b ?x)) (clear ?b ?x ?x))",
    "(<= (legal r (jump ?a 99)) (square ?a) (sees ?a 99))",
    "(<= (legal r (jump ?a 99)) (true (at ?a)) (not (far ?a 99)))",
    "(<= (legal r (jump ?a ?x)) (far ?a ?x) (sees ?x ?a))",
    "(<= (legal r (jump 2 ?x)) (true (block ?x)) (far 1 ?x))",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_of_these_rules_agree_with_the_reasoner(chosen in 0u32..1 << RULES.len()) {
        let all = RULES.iter().enumerate();
        let chosen = all.filter(|(at, _)| chosen >> at & 1 == 1).map(|(_, rule)| *rule);
        let chosen: Vec<&str> = chosen.collect();
        instances(&line(&format!("(odd 1) (odd 3) (odd 5) {}", chosen.join("\n"))));
    }
}
