//! Tests of what all commands have in common: standard streams, and how they fail.

mod rig;

use rig::run;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const GAME: &str = "tic_tac_toe.gdl";

/// The folder of fixtures, in which commands run.
fn fixtures() -> std::path::PathBuf {
    testkit::root().join("fixtures/games")
}

/// Writes a match record and a tournament into a folder.
fn prepare(folder: &Path) -> (String, String) {
    let record = folder.join("record.json");
    let record = record.to_str().unwrap().to_string();
    let players = ["-p", "legal", "-p", "legal", "--seed", "1"];
    let output = run(
        &[&["match", "-q", "--json", &record, GAME], &players[..]].concat(),
        "",
    );
    assert_eq!(output.status.code(), Some(0));
    let tournament = folder.join("tournament.toml");
    std::fs::write(&tournament, config(&fixtures().join(GAME))).unwrap();
    (record, tournament.to_str().unwrap().to_string())
}

/// A tournament of two matches.
fn config(game: &Path) -> String {
    format!(
        "name = \"short\"\ngames = [{:?}]\n[[player]]\nname = \"a\"\nis = \"legal\"\n\
         [[player]]\nname = \"b\"\nis = \"random\"\n",
        game.to_str().unwrap()
    )
}

#[test]
fn output_that_nobody_reads_ends_a_command_quietly() {
    let folder = tempfile::tempdir().unwrap();
    let (record, tournament) = prepare(folder.path());
    let random = ["-p", "random", "-p", "random"];
    let endless = [&["match", GAME, "--rounds", "1000000"], &random[..]].concat();
    let records = [
        &["match", GAME, "--json", "-", "--rounds", "1000000"],
        &random[..],
    ]
    .concat();
    for args in [
        &["help"][..],
        &["check", GAME],
        &["check", "--json", GAME],
        &["scramble", GAME],
        &["analyze", GAME],
        &["analyze", "--json", GAME],
        &["ground", GAME],
        &["ground", "--stats", GAME],
        &["ground", "--dot", "-", GAME],
        &["plan", "--start-clock", "0.3", GAME],
        &["plan", "--start-clock", "0.3", "--json", GAME],
        &["simulate", "--seconds", "0.1", GAME],
        &["perf", GAME, "-", "0.1"],
        &endless,
        &records,
        &["replay", &record],
        &["replay", "--all", &record],
        &["replay", "--check", &record],
        &["arena", &tournament],
        &["arena", "--report", &tournament],
        &["arena", "--check", &tournament],
        &["serve", "--print-config"],
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = Command::new(env!("CARGO_BIN_EXE_rocinante"))
            .args(args)
            .current_dir(fixtures())
            .stdin(Stdio::null())
            .stdout(writer)
            .stderr(Stdio::piped())
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{args:?}: {errors}");
        assert_eq!(errors, "", "{args:?}");
    }
}

#[test]
fn a_hyphen_is_the_standard_input_wherever_a_file_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let (record, _) = prepare(folder.path());
    let rules = std::fs::read_to_string(fixtures().join(GAME)).unwrap();
    let json = std::fs::read_to_string(&record).unwrap();
    let tournament = config(Path::new(GAME));
    let out = folder.path().join("out");
    let out = out.to_str().unwrap();
    for (args, input, says) in [
        (&["check", "-"][..], &rules, "-: nothing found"),
        (&["scramble", "-"], &rules, "(role "),
        (&["analyze", "-"], &rules, "turns"),
        (&["ground", "-"], &rules, "grounding derived"),
        (&["plan", "-", "--start-clock", "0.3"], &rules, "plays with"),
        (&["simulate", "-", "--seconds", "0.1"], &rules, "states"),
        (&["perf", "-", "-", "0.1"], &rules, "numRollouts="),
        (
            &["match", "-", "-q", "-p", "legal", "-p", "legal"],
            &rules,
            "over after 7 moves",
        ),
        (
            &["replay", "-", "--check"],
            &json,
            "the standard input: holds, 7 moves",
        ),
        (&["replay", "-"], &json, "over after 7 moves"),
        (
            &["replay", "--check", "--rules", "-", &record],
            &rules,
            "record.json: holds, 7 moves",
        ),
        (&["arena", "-", "--out", out], &tournament, "2 of 2 matches"),
        (
            &["serve", "--print-config", "--config", "-"],
            &"port = 1234\n".into(),
            "port = 1234",
        ),
    ] {
        let output = run(args, input);
        let text = String::from_utf8_lossy(&output.stdout);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{args:?}: {errors}");
        assert!(text.contains(says), "{args:?}: {text}");
    }
}

#[test]
fn records_are_written_to_the_standard_output_one_a_line() {
    let players = ["-p", "random", "-p", "random", "--seed", "1"];
    let rounds = ["match", GAME, "--json", "-", "--rounds", "3"];
    let output = run(&[&rounds, &players[..]].concat(), "");
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(text.lines().count(), 3, "{text}");
    let output = run(&["replay", "--check", "-"], &text);
    let verdicts = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{verdicts}");
    for number in 1..=3 {
        let verdict = format!("the standard input, record {number}: holds, ");
        assert!(verdicts.contains(&verdict), "{verdict} in {verdicts}");
    }
}

/// Checks that a command fails with a message in which nothing is said twice.
fn check_failure(args: &[&str], output: &Output) {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {errors}");
    let first = errors.lines().next().unwrap_or_default();
    let message = first.strip_prefix("error: ");
    let message = message.unwrap_or_else(|| panic!("{args:?}: {errors}"));
    for word in ["panicked", "1 errors", "1 moves", "1 records", "1 entries"] {
        assert!(!errors.contains(word), "{args:?}: {errors}");
    }
    let parts: Vec<&str> = message.split(": ").map(str::trim).collect();
    for (at, part) in parts.iter().enumerate() {
        let again = parts[at + 1..].iter().any(|other| other.contains(part));
        assert!(!again, "{args:?} says {part:?} twice: {message}");
    }
}

#[test]
fn every_command_fails_with_a_message_that_says_nothing_twice() {
    let folder = tempfile::tempdir().unwrap();
    let (record, _) = prepare(folder.path());
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_string()
    };
    let dir = folder.path().to_str().unwrap();
    let empty = file("empty.gdl", "");
    let infix = file("infix.gdl", "role(x)\nlegal(x, a) :- true(p)\n");
    // No network of it can be made, and no list of its moves.
    let endless = file(
        "endless.gdl",
        "(role a) (init (n z)) (<= (next (n (s ?x))) (true (n ?x)))\n\
         (<= (legal a (go ?x)) (big ?x)) (big z) (<= (big (s ?x)) (big ?x))\n\
         (<= terminal (true never)) (goal a 0)",
    );
    let bad_record = file("bad.json", "{\"matchId\": \"m\",\n\"playClock\": -1}");
    let half = file("half.json", "{\"matchId\": \"m\",");
    let bare = file("bare.json", "{\"matchId\": \"m\", \"moves\": [[\"a\"]]}");
    let bad_rules = file(
        "rules.json",
        "{\"matchId\": \"m\", \"moves\": [[\"a\"]], \"rulesheet\": \"role(x)\"}",
    );
    let key = file("key.toml", "name = \"x\"\ngame = []\n");
    let nothing = file(
        "nothing.toml",
        "name = \"x\"\ngames = [\"none.gdl\"]\n[[player]]\nname = \"a\"\nis = \"legal\"\n",
    );
    let deep = file(
        "deep.toml",
        &config(&fixtures().join(GAME)).replace("\"legal\"", "\"deep\""),
    );
    let unplayable = file("unplayable.toml", &config(Path::new(&empty)));
    let none = format!("{dir}/none/x");
    let legal = ["-p", "legal", "-p", "legal"];
    let with = |args: &[&'static str]| -> Vec<String> {
        args.iter().chain(&legal).map(ToString::to_string).collect()
    };
    let mut commands: Vec<Vec<String>> = vec![
        with(&["match", "none.gdl"]),
        with(&["match", GAME, "-p", "legal"]),
        with(&["match", GAME, "--play-clock", "soon"]),
        with(&["match", GAME, "--engine", "none"]),
        with(&["match", "nim.perft"]),
        with(&["match", GAME])
            .into_iter()
            .chain(["--json".into(), none.clone()])
            .collect(),
    ];
    for args in [
        &["match", GAME, "-p", "exec:/no/such/program", "-p", "legal"][..],
        &["match", GAME, "-p", "exec:false", "-p", "legal"],
        &["match", GAME, "-p", "deep", "-p", "legal"],
        &["match", GAME, "-p", "http://", "-p", "legal"],
        &["match", &empty],
        &["match", &infix],
        &["check", "none.gdl"],
        &["check", dir],
        &["scramble", "none.gdl"],
        &["scramble", &empty],
        &["analyze", "none.gdl"],
        &["analyze", &empty],
        &["analyze", &endless, "--seconds", "0.2"],
        &["analyze", GAME, "--svg", &record],
        &["ground", "none.gdl"],
        &["ground", &empty],
        &["ground", &endless, "--seconds", "0.2"],
        &["ground", GAME, "--dot", &none],
        &["plan", "none.gdl"],
        &["plan", &empty],
        &["plan", GAME, "--player", "legal", "--start-clock", "0.1"],
        &["plan", GAME, "--store", dir],
        &["learn", "none.gdl", "--store", &none],
        &["learn", GAME, "--store", dir],
        &["store", "list", "--store", &none],
        &["store", "show", "0", "--store", &record],
        &["store", "prune", "--store", &record],
        &["simulate", "none.gdl"],
        &["simulate", &empty],
        &["simulate", &infix],
        &["simulate", GAME, "--engine", "none"],
        &["perf", "none.gdl", "-", "1"],
        &["perf", GAME, &none, "0.1"],
        &["replay", "none.json"],
        &["replay", dir],
        &["replay", GAME],
        &["replay", &bad_record],
        &["replay", &half],
        &["replay", "--check", &bare],
        &["replay", &bad_rules],
        &["replay", "--match", "9", &record],
        &["replay", "--rules", "none.gdl", &record],
        &["replay", "--rules", "-", "-"],
        &["arena", "none.toml"],
        &["arena", dir],
        &["arena", &key],
        &["arena", &nothing],
        &["arena", &deep],
        &["arena", &unplayable],
        &["arena", "-"],
        &["serve", "--config", "none.toml"],
        &["serve", "--config", &key],
        &["serve", "--config", "-", "--while-stdin"],
        &["serve", "--bind", "192.0.2.1", "--port", "0"],
        &["serve", "--store", dir],
        &["nothing"],
        &[],
    ] {
        commands.push(args.iter().map(ToString::to_string).collect());
    }
    for command in commands {
        let args: Vec<&str> = command.iter().map(String::as_str).collect();
        let output = run(&args, "");
        // Help is what one gets who says nothing.
        if !args.is_empty() {
            check_failure(&args, &output);
        }
    }
}
