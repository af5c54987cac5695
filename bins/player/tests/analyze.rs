//! Tests of `rocinante analyze` as a process.

mod rig;

use rig::run;
use serde_json::Value;
use std::time::{Duration, Instant};

#[test]
fn the_report_describes_the_game() {
    let output = run(&["analyze", "tic_tac_toe.gdl"], "");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}");
    assert!(text.contains("2 roles, 29 facts, 20 moves"), "{text}");
    assert!(text.contains("once true, stay true (18 proved)"), "{text}");
}

#[test]
fn the_json_output_is_complete() {
    let rules = "(role robot) (init (light off))
        (<= (legal robot press) (true (light off))) (<= (legal robot wait) (true (light on)))
        (<= (next (light on)) (does robot press)) (<= (next (light on)) (true (light on)))
        (<= terminal (true (light on))) (<= (goal robot 100) (true (light on)))";
    let output = run(&["analyze", "--json", "-"], rules);
    let all: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(all["roles"], serde_json::json!(["robot"]));
    assert_eq!(all["facts"].as_array().unwrap().len(), 2);
    assert!(
        all["groups"]["exclusive"][0]["exactly_one"]
            .as_bool()
            .unwrap()
    );
    assert_eq!(
        all["distances"]["from"]["terminal"]["(does robot press)"],
        1
    );
    assert!(!all["stages"].as_array().unwrap().is_empty());
}

#[test]
fn at_the_deadline_the_partial_result_is_printed() {
    let begun = Instant::now();
    let output = run(&["analyze", "--seconds", "3", "--json", "kalaha.gdl"], "");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    let all: Value = serde_json::from_slice(&output.stdout).unwrap();
    let stages = all["stages"].as_array().unwrap();
    assert!(
        stages.iter().any(|stage| !stage["cut"].is_null()),
        "{stages:?}"
    );
    // Far more than it takes, because the machine may be busy.
    assert!(begun.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_game_without_a_network_is_a_clear_error() {
    let output = run(
        &["analyze", "--seconds", "1", "-"],
        "(role robot) (init a) (<= (next (s ?x)) (true ?x))",
    );
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("no network within the limits"), "{error}");
}
