//! Small rulesheets, each with one fault.

use crate::{Finding, Options, rehearse};
use budget::Budget;
use prepare::{EngineChoice, Options as Prepare, prepare};
use std::time::Duration;

fn options() -> Options {
    Options {
        playouts: 200,
        max_steps: 100,
        ..Options::default()
    }
}

fn found(rules: &str) -> Vec<Finding> {
    let budget = Budget::system().with_memory(256 << 20);
    let of = |engine| {
        let prepare_options = Prepare {
            engine,
            ..Prepare::default()
        };
        let mut game = prepare(rules, &prepare_options, &budget).expect("it can be played");
        rehearse(&mut game, &options(), &budget).findings
    };
    of(EngineChoice::Auto)
}

fn codes(rules: &str) -> Vec<&'static str> {
    found(rules).iter().map(|one| one.diagnostic.code).collect()
}

/// A walk along some squares, with the given ends and goals.
fn walk(terminal: &str, goals: &str) -> String {
    format!(
        "(role robot) (init (at 1)) (succ 1 2) (succ 2 3) (succ 3 4)
         (<= (legal robot walk) (true (at ?n)) (succ ?n ?m))
         (<= (legal robot stay) (true (at ?n)))
         (<= (next (at ?m)) (does robot walk) (true (at ?n)) (succ ?n ?m))
         (<= (next (at ?n)) (does robot stay) (true (at ?n)))
         {terminal} {goals}"
    )
}

const OVER: &str = "(<= terminal (true (at 4)))";

#[test]
fn a_good_game_has_no_findings() {
    let goals = "(<= (goal robot 100) (true (at 4))) (<= (goal robot 0) (not (true (at 4))))";
    // The same end is reached by all, but there is more than one way.
    let two_ends = "(<= terminal (true (at 4))) (<= terminal (true (at 1)) (true (late)))
        (<= (next (late)) (does robot stay))
        (<= (goal robot 100) (true (at 4))) (<= (goal robot 0) (true (at 1)))";
    assert_eq!(codes(&walk(two_ends, "")), [""; 0]);
    assert_eq!(codes(&walk(OVER, goals)), ["same-results"]);
}

#[test]
fn missing_and_several_goals_are_told_apart() {
    for (goals, code, what) in [
        (
            "(<= (goal robot 100) (true (at 1)))",
            "no-goal",
            "no goal in",
        ),
        ("(goal robot win)", "no-goal", "but win in"),
        (
            "(goal robot 50) (goal robot 60)",
            "several-goals",
            "several goals",
        ),
    ] {
        let found = found(&walk(OVER, goals));
        assert_eq!(found[0].diagnostic.code, code);
        assert!(
            found[0].diagnostic.message.contains(what),
            "{}",
            found[0].diagnostic.message
        );
        // The shortest way is to walk three times.
        let ways: Vec<String> = found[0]
            .witness
            .iter()
            .map(|joint| joint[0].to_string())
            .collect();
        assert_eq!(ways, ["walk"; 3]);
    }
}

#[test]
fn a_role_without_a_move_is_stuck() {
    let rules = "(role a) (role b) (init (at 1))
        (<= (legal a go) (true (at 1))) (<= (legal a rest) (true (at 1))) (legal b noop)
        (<= (legal a rest) (true (at 2)))
        (<= (next (at 2)) (does a rest)) (<= (next (at 3)) (does a go))
        (<= terminal (true (at 2))) (goal a 50) (goal b 50)";
    let found = found(rules);
    let stuck = &found[0];
    assert_eq!(stuck.diagnostic.code, "no-legal-move");
    assert!(stuck.diagnostic.message.starts_with("a has no legal move"));
    assert_eq!(stuck.witness[0][0].to_string(), "go");
    assert_eq!(
        &rules[stuck.diagnostic.span.start as usize..][..7],
        "(legal "
    );
}

#[test]
fn play_without_an_end_is_reported_and_growth_with_it() {
    let goals = "(goal robot 100)";
    assert_eq!(
        codes(&walk("(<= terminal (true (at 9)))", goals)),
        ["endless-play"]
    );
    let growing = "(role robot) (init (at zero)) (legal robot go)
        (<= (next (at (s ?n))) (true (at ?n)))
        (<= terminal (true (at done))) (goal robot 100)";
    assert_eq!(codes(growing), ["growing-state", "endless-play"]);
}

#[test]
fn a_game_that_is_over_at_the_start() {
    assert_eq!(
        codes(&walk("(<= terminal (true (at 1)))", "(goal robot 1)")),
        ["over-at-the-start"]
    );
}

#[test]
fn moves_that_are_never_legal_are_named() {
    let rules = walk(OVER, "(<= (goal robot 100) (true (at 4)))")
        + "(<= (legal robot fly) (true (at 2)) (true (at 3)))";
    let found = found(&rules);
    let never = found
        .iter()
        .find(|one| one.diagnostic.code == "never-legal");
    let never = never.expect("it is two places at once");
    let message = "1 move of robot was never legal in 200 playouts: fly";
    assert_eq!(never.diagnostic.message, message);
    // It points at the rule of that move, not at the first one for any.
    let place = never.diagnostic.span.text(&rules);
    assert_eq!(place, "(legal robot fly)");
}

#[test]
fn rules_that_cannot_be_evaluated_are_a_finding() {
    // There are infinitely many numbers after the first step.
    let rules = "(role robot) (init (at zero)) (legal robot go)
        (<= (next moved) (true (at zero))) (<= (next (at ?n)) (true moved) (number ?n))
        (number zero) (<= (number (s ?n)) (number ?n))
        (<= terminal (true (at never))) (goal robot 100)";
    let budget = Budget::system()
        .with_memory(64 << 20)
        .with_timeout(Duration::from_secs(20));
    let prepare_options = Prepare {
        engine: EngineChoice::QuickReasoner,
        ..Prepare::default()
    };
    let mut game = prepare(rules, &prepare_options, &budget).expect("the first position is fine");
    let played = budget.clone().with_timeout(Duration::from_secs(1));
    let findings = rehearse(&mut game, &options(), &played).findings;
    let codes: Vec<_> = findings.iter().map(|one| one.diagnostic.code).collect();
    assert!(
        codes == ["no-evaluation"] || codes == ["no-end-seen"],
        "{codes:?}"
    );
}

#[test]
fn the_seed_determines_the_findings() {
    let rules = walk(OVER, "(goal robot 50) (goal robot 60)");
    assert_eq!(found(&rules), found(&rules));
}
