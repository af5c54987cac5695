//! Tests of `rocinante replay` as a process.

mod rig;

use std::path::Path;
use std::process::Output;

/// Runs `rocinante` with these arguments and this standard input; its output, also as text.
fn run(args: &[&str], input: &str) -> (Output, String) {
    let output = rig::run(args, input);
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    (output, text)
}

/// Writes the record of a match between players that do not search.
fn record(folder: &Path, game: &str, players: &[&str]) -> String {
    let path = folder.join(format!("{game}.json"));
    let path = path.to_str().unwrap().to_string();
    let rules = format!("{game}.gdl");
    let mut args = vec!["match", "-q", "--seed", "1", "--json", &path, &rules];
    for player in players {
        args.extend(["-p", player]);
    }
    let (output, text) = run(&args, "");
    assert_eq!(output.status.code(), Some(0), "{text}");
    path
}

/// Replaces a text in a file.
fn edit(path: &str, from: &str, to: &str) {
    let text = std::fs::read_to_string(path).unwrap();
    assert!(text.contains(from), "{from} in {text}");
    std::fs::write(path, text.replacen(from, to, 1)).unwrap();
}

#[test]
fn a_record_is_shown_as_the_match_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = record(folder.path(), "tic_tac_toe", &["legal", "legal"]);
    // Times differ from run to run.
    let mut json: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    for times in json["answerTimes"].as_array_mut().unwrap() {
        *times = serde_json::json!([120, 0]);
    }
    json["errors"][0][1] = "TO".into();
    json["errors"][2][1] = "IL (mark 9 9)".into();
    std::fs::write(&path, json.to_string()).unwrap();
    let (output, text) = run(&["replay", "--all", &path], "");
    assert_eq!(output.status.code(), Some(0), "{text}");
    insta::assert_snapshot!(text);
}

#[test]
fn input_selects_pages() {
    let folder = tempfile::tempdir().unwrap();
    let path = record(folder.path(), "tic_tac_toe", &["legal", "legal"]);
    let (output, text) = run(&["replay", &path], "\nb\n7\n\nx\n1\nq\n");
    assert_eq!(output.status.code(), Some(0));
    let prompts: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("state "))
        .map(|line| line.split_once(" (").unwrap().0)
        .collect();
    let wanted = [
        "0 of 7", "1 of 7", "0 of 7", "7 of 7", "7 of 7", "7 of 7", "1 of 7",
    ];
    assert_eq!(prompts, wanted, "{text}");
    for part in [
        "this is the last state",
        "\"x\" is neither",
        "over after 7 moves",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    // The end of the input ends the command.
    let (output, _) = run(&["replay", &path], "");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn several_records_are_checked_in_one_run() {
    let folder = tempfile::tempdir().unwrap();
    let good = record(folder.path(), "tic_tac_toe", &["random", "random"]);
    let many = record(folder.path(), "three_player_free_for_all", &["random"; 3]);
    let (output, text) = run(&["replay", "--check", &good, &many], "");
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert_eq!(text.matches(": holds, ").count(), 2, "{text}");
    edit(&many, "\"isCompleted\": true", "\"isCompleted\": false");
    edit(&good, "(control cross) )", "(control nought) )");
    let (output, text) = run(&["replay", "--check", &good, &many], "");
    assert_eq!(output.status.code(), Some(1));
    for part in [
        "state 0 holds (control nought) instead of (control cross)",
        "goalValues holds 3 entries and not 0",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    // It is shown nevertheless, with a warning.
    let (output, text) = run(&["replay", "--all", &good], "");
    assert_eq!(output.status.code(), Some(1));
    assert!(text.contains("does not hold against the rules: state 0"));
    assert!(text.contains("over after "));
}

#[test]
fn files_of_other_servers_are_shown_and_checked_with_rules() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("there.json");
    let path = path.to_str().unwrap();
    let cells: String = (0..9)
        .map(|at| format!("( cell {} {} empty ) ", at / 3 + 1, at % 3 + 1))
        .collect();
    let begin = format!("( ( control cross ) {cells})");
    let then = format!("( {cells}( control nought ) )").replace("2 2 empty", "2 2 cross");
    let json = serde_json::json!({
        "matchId": "there.1", "gameMetaURL": "http://games.example/t/", "startTime": 1,
        "states": [begin, then], "moves": [["( mark 2 2 )", "noop"]],
        "isCompleted": false, "isAborted": true, "previewClock": -1,
        "playerNamesFromHost": ["A", "B"], "errors": [["", "CE"]], "scrambled": true,
    });
    std::fs::write(path, json.to_string()).unwrap();
    let (output, text) = run(&["replay", "--all", path], "");
    assert_eq!(output.status.code(), Some(0));
    for part in [
        "  role 2: B\n",
        "not checked",
        "  1. role 1 ( mark 2 2 )\n     role 2 noop\n     role 2: no connection",
        "2  . c .",
        "called off after 1 moves\n    -  role 1 (A)\n    -  role 2 (B, 1 fault)\n",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let (output, _) = run(&["replay", "--check", path], "");
    assert_eq!(output.status.code(), Some(2), "nothing to check it against");
    let (output, text) = run(
        &["replay", "--check", "--rules", "tic_tac_toe.gdl", path],
        "",
    );
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.ends_with("there.json: holds, 1 moves\n"), "{text}");
}

#[test]
fn invalid_records_are_rejected() {
    for (args, why) in [
        (&["replay", "none.json"][..], "cannot read none.json"),
        (
            &["replay", "nim.gdl"],
            "in nim.gdl: this is no match record",
        ),
        (&["replay", "a.json", "b.json"], "--check"),
        (&["replay"], "FILE"),
    ] {
        let (output, _) = run(args, "");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(errors.contains(why), "{why} in {errors}");
    }
}
