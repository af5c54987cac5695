//! Tests of `rocinante analyze --heuristics` as a process.

mod rig;

use rig::run;
use serde_json::Value;
use std::time::{Duration, Instant};

/// Learns few games in more time than that takes.
fn learn(more: &[&str], game: &str, rules: &str) -> String {
    let mut arguments = vec![
        "analyze",
        "--heuristics",
        "--games",
        "600",
        "--seconds",
        "300",
    ];
    arguments.extend(more);
    arguments.push(game);
    let output = run(&arguments, rules);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_worth_of_pieces_is_printed_and_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let text = learn(&["--svg", path], "breakthrough_small.gdl", "");
    assert!(text.contains(" games against itself"), "{text}");
    assert!(text.contains("Bonferroni"), "{text}");
    assert!(text.contains(" is worth +"), "{text}");
    let pictures = std::fs::read_dir(folder.path()).unwrap();
    let pictures: Vec<String> = pictures
        .map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap())
        .collect();
    assert!(!pictures.is_empty());
    // The ground and 36 squares.
    assert!(
        pictures
            .iter()
            .all(|svg| svg.matches("<rect").count() == 37)
    );
}

#[test]
fn pawns_of_breakthrough_are_worth_more_the_further_they_are() {
    let text = learn(&["--json"], "breakthrough_small.gdl", "");
    let all: Value = serde_json::from_str(&text).unwrap();
    let pieces = all["worth"]["pieces"].as_array().unwrap();
    assert_eq!(pieces.len(), 2, "{pieces:?}");
    for piece in pieces {
        assert!(piece["worth"].as_f64().unwrap() > 0.0, "{piece}");
        assert_eq!(piece["significant"], true, "{piece}");
    }
    let findings = all["findings"].as_array().unwrap();
    let significant = |one: &Value, play: &str| one[play]["significant"] == true;
    assert!(findings.iter().any(|one| one["subject"]["kind"] == "piece"));
    assert!(
        findings
            .iter()
            .all(|one| significant(one, "random") || significant(one, "learnt"))
    );
}

#[test]
fn a_game_of_one_role_is_learnt_too() {
    let text = learn(&[], "gold_digger.gdl", "");
    assert!(text.contains("subjects in"), "{text}");
}

#[test]
fn where_nothing_can_matter_nothing_is_reported() {
    let rules = "(role robot) (init (step 1)) (succ 1 2) (succ 2 3) (side heads) (side tails)
        (<= (legal robot (show ?s)) (side ?s))
        (<= (next (shown ?s)) (does robot (show ?s)))
        (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
        (<= terminal (true (step 3))) (goal robot 50)";
    let text = learn(&[], "-", rules);
    assert!(text.contains("nothing is beyond chance"), "{text}");
    assert!(!text.contains("is worth"), "{text}");
}

#[test]
fn a_short_clock_ends_in_time_with_a_report() {
    let begun = Instant::now();
    let output = run(
        &["analyze", "--heuristics", "--seconds", "3", "reversi.gdl"],
        "",
    );
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("judged by"), "{text}");
    // Far more than it takes, because the machine may be busy.
    assert!(begun.elapsed() < Duration::from_secs(30));
}
