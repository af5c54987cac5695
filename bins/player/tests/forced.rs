//! Tests of `rocinante solve --forced` as a process.

mod rig;

use std::path::Path;
use std::process::Output;

/// White is two steps from the far rank, and black's pawns are elsewhere.
const STATE: &str = "
    (control white) (true (cell 3 4 white))  ; `true` may be there or not
    (cell 1 1 white)
    (cell 1 6 black) (cell 6 6 black)";

fn run(args: &[&str], input: &str) -> (Output, String) {
    let output = rig::run(args, input);
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    (output, text)
}

fn file(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_string()
}

#[test]
fn a_forced_win_is_told_with_its_line_and_its_facts() {
    let args = [
        "solve",
        "--forced",
        "breakthrough_small.gdl",
        "--state",
        "-",
    ];
    let (output, text) = run(&args, STATE);
    assert_eq!(output.status.code(), Some(0), "{text}");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[0], "white forces at least 100 within 3 joint moves.",
        "{text}"
    );
    assert!(lines[1].starts_with("   1. white (move 3 4 "), "{text}");
    assert!(lines[2].starts_with("   2. black (move "), "{text}");
    assert!(lines[3].starts_with("   3. white (move "), "{text}");
    assert!(
        lines[4].starts_with("The same holds in every state"),
        "{text}"
    );
    assert!(lines.contains(&"  (cell 3 4 white)"), "{text}");
    assert!(lines[lines.len() - 1].ends_with(" states made."), "{text}");
}

#[test]
fn answers_come_as_json_too() {
    let folder = tempfile::tempdir().unwrap();
    let state = file(folder.path(), "state.kif", STATE);
    let args = [
        "solve",
        "--forced",
        "--json",
        "breakthrough_small.gdl",
        "--state",
        &state,
    ];
    let (output, text) = run(&args, "");
    assert_eq!(output.status.code(), Some(0), "{text}");
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["result"], "forced");
    assert_eq!(json["plies"], 3);
    assert_eq!(json["line"][0]["role"], "white");
    let facts = json["facts"].as_array().unwrap();
    assert!(facts.contains(&"(control white)".into()), "{text}");
    // A pawn that comes too late does not matter.
    assert!(!facts.contains(&"(cell 6 6 black)".into()), "{text}");

    let other = [&args[..], &["--role", "black", "--plies", "4"]].concat();
    let (output, text) = run(&other, "");
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("not_within"), "{text}");
}

#[test]
fn a_state_can_come_from_a_match_record() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("match.json");
    let record = record.to_str().unwrap();
    let args = [
        "match",
        "-q",
        "--seed",
        "3",
        "--json",
        record,
        "tic_tac_toe.gdl",
    ];
    let (output, text) = run(&[&args[..], &["-p", "random", "-p", "random"]].concat(), "");
    assert_eq!(output.status.code(), Some(0), "{text}");
    let ask = [
        "solve",
        "--forced",
        "tic_tac_toe.gdl",
        "--state",
        record,
        "--step",
        "0",
    ];
    let (output, text) = run(&ask, "");
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("can never force at least 100"), "{text}");

    let (output, _) = run(&[&ask[..6], &["99"]].concat(), "");
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("no state 99"), "{error}");
}

#[test]
fn states_and_games_that_do_not_fit_are_refused() {
    let args = [
        "solve",
        "--forced",
        "breakthrough_small.gdl",
        "--state",
        "-",
    ];
    let (output, _) = run(&args, "(cell 9 9 white) (control white)");
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("(cell 9 9 white)"), "{error}");

    let (output, _) = run(&["solve", "--forced", "hex.gdl"], "");
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("rules are recursive"), "{error}");
}
