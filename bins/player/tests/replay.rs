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
        "called off after 1 move\n    -  role 1 (A)\n    -  role 2 (B, 1 fault)\n",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let (output, _) = run(&["replay", "--check", path], "");
    assert_eq!(output.status.code(), Some(2), "nothing to check it against");
    let errors = String::from_utf8(output.stderr).unwrap();
    let advice = "but names http://games.example/t/; save them and give them with --rules FILE";
    assert!(errors.contains(advice), "{errors}");
    let (output, text) = run(
        &["replay", "--check", "--rules", "tic_tac_toe.gdl", path],
        "",
    );
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.ends_with("there.json: holds, 1 move\n"), "{text}");
}

#[test]
fn invalid_records_are_rejected() {
    for (args, why) in [
        (&["replay", "none.json"][..], "cannot read none.json"),
        (
            &["replay", "nim.gdl"],
            "nim.gdl: line 1: this is no match record: neither JSON nor XML",
        ),
        (&["replay", "a.json", "b.json"], "cannot read a.json"),
        (&["replay"], "FILE"),
    ] {
        let (output, _) = run(args, "");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(errors.contains(why), "{why} in {errors}");
    }
}

/// Rules of a game for one: a walk from 1 to 3.
const WALK: &str = "(role walker) (init (at 1)) (succ 1 2) (succ 2 3)
    (<= (legal walker (go ?y)) (true (at ?x)) (succ ?x ?y))
    (<= (next (at ?y)) (does walker (go ?y)))
    (<= terminal (true (at 3))) (goal walker 100)";

/// A file of records of walks, one on each line, in wrappers; the second is no record, and the
/// third goes somewhere else.
fn archive(folder: &Path) -> (String, String) {
    let walk = |id: &str, first: u8| {
        format!(
            "{{\"url\":\"x\",\"data\":{{\"matchId\":\"{id}\",\"moves\":[[\"( go {first} )\"],\
             [\"( go 3 )\"]],\"goalValues\":[100],\"isCompleted\":true}}}}\n"
        )
    };
    let (file, rules) = (folder.join("walks.jsonl"), folder.join("walk.gdl"));
    let lines = [
        walk("a", 2),
        "{\"x\":1}\n".into(),
        walk("c", 1),
        walk("d", 2),
    ];
    std::fs::write(&file, lines.concat()).unwrap();
    std::fs::write(&rules, WALK).unwrap();
    let text = |path: std::path::PathBuf| path.to_str().unwrap().to_string();
    (text(file), text(rules))
}

#[test]
fn every_record_of_an_archive_is_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let (file, rules) = archive(folder.path());
    let (output, text) = run(&["replay", "--check", "--rules", &rules, &file], "");
    assert_eq!(output.status.code(), Some(2));
    let verdicts: Vec<&str> = text
        .lines()
        .map(|line| &line[folder.path().to_str().unwrap().len() + 1..])
        .collect();
    let wanted = [
        "walks.jsonl, record 1: holds, 2 moves",
        "walks.jsonl, record 3: in state 0, (go 1) is no legal move of walker",
        "walks.jsonl, record 4: holds, 2 moves",
    ];
    assert_eq!(verdicts, wanted);
    let errors = String::from_utf8(output.stderr).unwrap();
    let wrong = "walks.jsonl: record 2, line 2: this is no match record: it has no matchId";
    assert!(errors.contains(wrong), "{errors}");
    // One of them, by its number or the id of its match.
    for only in ["4", "d"] {
        let args = ["replay", "--all", "--rules", &rules, "--match", only, &file];
        let (output, text) = run(&args, "");
        assert_eq!(output.status.code(), Some(0), "{text}");
        assert!(text.contains("walks.jsonl, record 4\nd\n"), "{text}");
        // The states are not recorded, and known by the rules.
        assert!(text.contains("  1. walker ( go 2 )\n\nat 2\n"), "{text}");
        assert_eq!(text.matches("over after 2 moves").count(), 1, "{text}");
    }
    let (output, _) = run(&["replay", "--rules", &rules, "--match", "e", &file], "");
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(
        errors.contains("walks.jsonl holds 4 records, and none is e"),
        "{errors}"
    );
    // From record to record.
    let args = ["replay", "--rules", &rules, &file];
    let (output, text) = run(&args, "n\n\nn\n\n\n\n");
    assert_eq!(output.status.code(), Some(2));
    for part in ["record 1\n", "record 3\n", "record 4\n", "n: next record"] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(!run(&args, "q\n").1.contains("record 3"));
    // Compressed, from the standard input.
    let packed = std::process::Command::new("gzip")
        .arg("-k")
        .arg(&file)
        .status();
    if packed.is_ok_and(|status| status.success()) {
        let (output, text) = run(
            &[
                "replay",
                "--check",
                "--rules",
                &rules,
                &format!("{file}.gz"),
            ],
            "",
        );
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(text.matches(": holds, 2 moves").count(), 2, "{text}");
    }
}

#[test]
fn bad_numbers_are_reported_without_rules_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bad.json");
    let path = path.to_str().unwrap();
    let good =
        "{\"matchId\": \"m\", \"moves\": [[\"a\", \"b\"]], \"states\": [\"( p )\", \"( q )\"]";
    for (more, why, code) in [
        ("", "not checked: it holds no rules", 0),
        (",\n\"playClock\": -5", "line 2: playClock is -5 and not", 2),
        (
            ",\n\"goalValues\": [100, 101]",
            "line 2: goalValues[1] is 101 and not",
            2,
        ),
        (
            ",\n\"startClock\": \"10\"",
            "line 2: startClock is \"10\" and not",
            2,
        ),
        (
            ", \"stateTimes\": [1]",
            "does not hold: stateTimes holds 1 entry and not 2",
            1,
        ),
        (
            ", \"errors\": [[\"\"]]",
            "does not hold: errors[0] holds 1 entry and not 2",
            1,
        ),
        (
            ", \"goalValues\": [100]",
            "does not hold: moves[0] holds 2 entries and not 1",
            1,
        ),
    ] {
        std::fs::write(path, format!("{good}{more}}}")).unwrap();
        let (output, text) = run(&["replay", "--all", path], "");
        let text = text + &String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{text}");
        assert!(text.contains(why), "{why} in {text}");
    }
}

#[test]
fn thoughts_are_shown_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let path = record(folder.path(), "tic_tac_toe", &["legal", "legal"]);
    let mut json: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    let (_, text) = run(&["replay", "--all", "--explain", &path], "");
    assert!(
        text.contains("nothing is recorded of what the players thought"),
        "{text}"
    );
    let moves = json["moves"].as_array().unwrap().len();
    let mut thoughts = vec![serde_json::json!([]); moves];
    thoughts[0] = serde_json::json!([{
        "role": "cross", "line": "the corner is as good", "value": 61.25, "playouts": 1200,
        "seconds": 0.5, "depth": 3, "expects": ["(mark 1 1)", "(mark 2 2)"]
    }]);
    thoughts[1] = serde_json::json!([{"role": "nought", "value": 50.0, "proved": true}]);
    json["thoughts"] = thoughts.into();
    std::fs::write(&path, json.to_string()).unwrap();
    let (output, text) = run(&["replay", "--all", "--explain", &path], "");
    assert_eq!(output.status.code(), Some(0), "{text}");
    for part in [
        "     cross: the corner is as good\n",
        "     cross: value 61.2, 1200 playouts, 2400 playouts/s, depth 3, \
         expects (mark 1 1) (mark 2 2)\n",
        "     nought: value 50, proved\n",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let (_, text) = run(&["replay", "--all", &path], "");
    assert!(!text.contains("expects"), "{text}");
}
