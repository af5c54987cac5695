//! Tests of `rocinante check --play`.

mod rig;

use rig::run;

/// `a` may go to where it has no move.
const STUCK: &str = "(role a) (role b) (init (at 1))
    (<= (legal a go) (true (at 1))) (<= (legal a rest) (true (at 1))) (legal b noop)
    (<= (next (at 2)) (does a rest)) (<= (next (at 3)) (does a go))
    (<= terminal (true (at 2))) (goal a 50) (goal b 50)";

#[test]
fn play_finds_what_reading_does_not() {
    let output = run(&["check", "--play", "--playouts", "100", "-"], STUCK);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(2), "{text}");
    for part in [
        "error[no-legal-move]: a has no legal move in a position that is not terminal",
        "-:2:9",
        "after 1 move: go noop",
        ", after 100 playouts\n",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let output = run(&["check", "--play", "--json", "-"], STUCK);
    let reports: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let findings = reports[0]["findings"].as_array().unwrap();
    let stuck = findings.iter().find(|one| one["code"] == "no-legal-move");
    assert_eq!(
        stuck.unwrap()["witness"],
        serde_json::json!([["go", "noop"]])
    );
}

#[test]
fn good_games_pass_the_rehearsal() {
    for game in [
        "tic_tac_toe.gdl",
        "nim.gdl",
        "rock_paper_scissors_repeated.gdl",
    ] {
        let output = run(&["check", "--play", "--playouts", "300", game], "");
        let text = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(0), "{text}");
    }
}
