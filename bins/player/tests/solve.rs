//! Tests of `rocinante solve` as a process.

mod rig;

use rig::run;
use serde_json::Value;

#[test]
fn a_puzzle_is_answered_with_its_line() {
    let output = run(&["solve", "queens.gdl"], "");
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.starts_with("result 100, the best there is"), "{text}");
    assert!(text.contains("   8 (place "), "{text}");
    assert!(text.contains("breadth-first"), "{text}");
}

#[test]
fn json_has_the_line_and_what_is_proved() {
    let output = run(&["solve", "--json", "hanoi.gdl"], "");
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["result"], 100);
    assert_eq!(answer["proved"], true);
    assert_eq!(answer["line"].as_array().unwrap().len(), 15);
}

#[test]
fn a_folder_becomes_a_table_of_its_games_of_one_role() {
    let folder = tempfile::tempdir().unwrap();
    let games = testkit::root().join("fixtures/games");
    for name in ["lights_out.gdl", "sudoku_small.gdl", "tic_tac_toe.gdl"] {
        std::fs::copy(games.join(name), folder.path().join(name)).unwrap();
    }
    let output = run(&["solve", "--all", folder.path().to_str().unwrap()], "");
    let text = String::from_utf8(output.stdout).unwrap();
    let rows: Vec<&str> = text.lines().collect();
    assert_eq!(rows.len(), 3, "{text}");
    assert!(rows[0].starts_with("game,result,bound,proved,"), "{text}");
    assert!(rows[1].starts_with("lights_out,100,100,yes,"), "{text}");
    assert!(rows[2].starts_with("sudoku_small,100,100,yes,"), "{text}");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn games_of_more_roles_are_refused() {
    let output = run(&["solve", "tic_tac_toe.gdl"], "");
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains("games of one role"), "{error}");
}
