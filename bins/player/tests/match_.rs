//! Tests of `rocinante match` and `rocinante simulate` as processes.

mod rig;

use rig::{Player, run};
use serde_json::Value;
use std::process::Output;

const FAST: [&str; 4] = ["--start-clock", "0.1", "--play-clock", "0.1"];

/// The output of a match with these further arguments, and its record.
fn watch(args: &[&str], input: &str) -> (Output, String, Value) {
    let file = tempfile::NamedTempFile::new().unwrap();
    let path = file.path().to_str().unwrap();
    let args = [
        &["match"],
        &FAST[..],
        &["--seed", "1", "--json", path],
        args,
    ]
    .concat();
    let output = run(&args, input);
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    let json = std::fs::read_to_string(path).unwrap();
    let record = serde_json::from_str(&json)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    (output, text, record)
}

#[test]
fn a_match_is_shown_and_recorded() {
    let (output, text, record) = watch(&["tic_tac_toe.gdl"], "");
    assert_eq!(output.status.code(), Some(0), "{text}");
    for part in [
        "start clock 100ms, play clock 100ms, seed 1\n",
        "  cross: default\n  nought: default\n",
        "\n3  . . .\n2  . . .\n1  . . .\n   1 2 3\n",
        "  1. cross plays (mark ",
        // The whole game is solved in a tenth of a second, or at least its last positions are.
        ": 50 % by force in ",
        " plies, expects (mark ",
        "c cross, n nought\n",
        "over after 9 moves\n   50  cross (default)\n   50  nought (default)\n",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert_eq!(record["matchId"], "tic_tac_toe.1");
    assert_eq!(record["isCompleted"], true);
    assert_eq!(record["goalValues"], serde_json::json!([50, 50]));
    assert_eq!(record["states"].as_array().unwrap().len(), 10);
    assert_eq!(record["moves"].as_array().unwrap().len(), 9);
}

#[test]
fn the_seed_determines_the_moves_of_random_players() {
    let moves = |seed| {
        let file = tempfile::NamedTempFile::new().unwrap();
        let path = file.path().to_str().unwrap();
        let args = ["match", "pentago.gdl", "-q", "-p", "random", "-p", "random"];
        let output = run(&[&args[..], &["--seed", seed, "--json", path]].concat(), "");
        assert_eq!(output.status.code(), Some(0));
        let record: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        record["moves"].clone()
    };
    assert_eq!(moves("1"), moves("1"));
    assert_ne!(moves("1"), moves("2"));
}

#[test]
fn matches_with_fixed_budgets_repeat_to_the_byte() {
    let record = |game, seed| {
        let file = tempfile::NamedTempFile::new().unwrap();
        let path = file.path().to_str().unwrap();
        let args = ["match", game, "-q", "--threads", "1", "--json", path];
        let players = ["-p", "baseline:playouts=10", "-p", "default:nodes=300"];
        let output = run(&[&args[..], &players, &["--seed", seed]].concat(), "");
        assert_eq!(output.status.code(), Some(0));
        std::fs::read_to_string(path).unwrap()
    };
    // Engines order the moves of some games differently, so the engine must be the same too.
    for game in ["pentago.gdl", "reversi.gdl", "breakthrough_small.gdl"] {
        let once = record(game, "1");
        assert_eq!(once, record(game, "1"));
        assert_ne!(once, record(game, "2"));
    }
}

#[test]
fn moves_of_humans_are_recorded() {
    let (output, text, record) = watch(
        &["tic_tac_toe.gdl", "-p", "human", "-p", "legal"],
        "(mark 2 2)\n1\nmark 2 3\n1\n1\n1\n1\n",
    );
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert_eq!(record["moves"][0][0], "(mark 2 2)");
    assert_eq!(record["isPlayerHuman"], serde_json::json!([true, false]));
}

#[test]
fn a_human_who_leaves_calls_the_match_off() {
    for input in ["(mark 2 2)\nquit\n", "(mark 2 2)\n"] {
        let (output, text, record) =
            watch(&["tic_tac_toe.gdl", "-p", "human", "-p", "legal"], input);
        assert_eq!(output.status.code(), Some(1));
        assert!(text.contains("called off after 2 moves\n"), "{text}");
        assert_eq!(record["isAborted"], true);
        assert_eq!(record["moves"].as_array().unwrap().len(), 2);
    }
}

#[test]
fn remote_players_receive_scrambled_names() {
    let there = Player::start(&["--profile", "random", "--margin-ms", "50"]);
    let address = format!("http://{}", there.address);
    let players = ["-p", &address, "-p", "random"];
    let clocks = ["--start-clock", "2", "--play-clock", "2", "--scramble"];
    let args = [&["tic_tac_toe.gdl"], &players[..], &clocks[..]].concat();
    let file = tempfile::NamedTempFile::new().unwrap();
    let path = file.path().to_str().unwrap();
    let output = run(&[&["match", "--json", path], &args[..]].concat(), "");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains(&format!("cross ({address})\n")), "{text}");
    let record: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert_eq!(record["scrambled"], true);
    let first = record["moves"][0][0].as_str().unwrap();
    assert!(first.starts_with("(mark "), "{first}");
    assert!(!there.is_busy(), "it has heard that the match is over");
}

#[test]
fn moves_of_an_absent_player_are_replaced_and_counted() {
    // A port that was free a moment ago.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let (output, text, record) = watch(&["tic_tac_toe.gdl", "-p", "legal", "-p", &address], "");
    assert_eq!(output.status.code(), Some(1));
    assert!(text.contains("nought: connection failed: "), "{text}");
    for part in [
        "nought (http://127.0.0.1:",
        ", not ready at the start, ",
        " moves replaced: ",
        " without connection)\n",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert_eq!(record["errors"][1][1], "CE");
    assert_eq!(record["isCompleted"], true);
}

#[test]
fn processes_are_started_for_a_match_and_receive_scrambled_rules() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.json");
    let path = path.to_str().unwrap();
    let command = format!(
        "exec:'{}' serve --port {{port}} --while-stdin --log error --profile random",
        env!("CARGO_BIN_EXE_rocinante")
    );
    let players = ["-p", "process:baseline:playouts=20", "-p", &command];
    let hidden = ["--scramble", "--shuffle-rules", "--shuffle-arguments"];
    let clocks = ["--start-clock", "2", "--play-clock", "2", "--grace", "20"];
    let rounds = ["--rounds", "2", "--rotate", "1", "--threads", "1"];
    let args = [&["match", "tic_tac_toe.gdl", "--json", path, "--seed", "4"][..]];
    let args = [args[0], &players, &hidden, &clocks, &rounds].concat();
    let output = run(&args, "");
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{text} {errors}");
    // Seats rotate, and files are numbered.
    for (number, cross) in [(1, &*command), (2, "process:baseline:playouts=20")] {
        let path = path.replace(".json", &format!(".{number}.json"));
        let record: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        assert_eq!(record["playerNamesFromHost"][0], cross);
        assert_eq!(record["matchId"], format!("tic_tac_toe.{}", 3 + number));
        assert_eq!(record["scrambled"], true);
        let first = record["moves"][0][0].as_str().unwrap();
        assert!(first.starts_with("(mark "), "{first}");
    }
    for part in [
        "match 2 of 2\n",
        "2 matches\n",
        "  player 1 (process:baseline:playouts=20)\n",
        "  player 2 (exec:",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

#[test]
fn programs_that_do_not_listen_are_reported() {
    for (player, why) in [
        ("exec:/no/such/program", "cannot run /no/such/program"),
        ("exec:echo hello", "echo said \"hello\""),
        ("exec:", "no command"),
        ("process:deep", "deep"),
    ] {
        let output = run(
            &["match", "tic_tac_toe.gdl", "-p", player, "-p", "legal"],
            "",
        );
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{player}");
        assert!(errors.contains(why), "{why} in {errors}");
    }
}

#[test]
fn command_line_errors_are_explained() {
    for (args, why) in [
        (&["match", "none.gdl"][..], "cannot read none.gdl"),
        (
            &["match", "tic_tac_toe.gdl", "-p", "random"],
            "once for each role (cross, nought), not 1 times",
        ),
        (&["match", "tic_tac_toe.gdl", "-p", "deep"], "baseline"),
        (
            &["match", "tic_tac_toe.gdl", "--play-clock", "soon"],
            "\"soon\" is no number",
        ),
        (
            &["match", "tic_tac_toe.gdl", "--play-clock", "0"],
            "it must be more than 0 seconds",
        ),
        (
            &["plan", "tic_tac_toe.gdl", "--start-clock", "-1"],
            "it must be more than 0 seconds, and less than 1000000",
        ),
        (
            &["simulate", "tic_tac_toe.gdl", "--seconds", "nan"],
            "it must be more than 0 seconds, and less than 1000000",
        ),
        (
            &["match", "tic_tac_toe.gdl", "--memory-mib", "99999999"],
            "this machine has ",
        ),
        (
            &["match", "tic_tac_toe.gdl", "--memory-mib", "0"],
            "it takes at least 16 MiB",
        ),
        (
            &["match", "tic_tac_toe.gdl", "--threads", "50000"],
            "threads are of use here",
        ),
        (&["serve", "--threads", "50000"], "threads: at most "),
        (
            &["serve", "--memory-mib", "1"],
            "memory-mib: it takes at least ",
        ),
        (
            &["match", "tic_tac_toe.perft"],
            "cannot play tic_tac_toe.perft",
        ),
        (&["simulate", "none.gdl"], "cannot read none.gdl"),
    ] {
        let output = run(args, "");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(errors.contains(why), "{why} in {errors}");
    }
}

#[test]
fn simulation_repeats_and_adds_up() {
    let report = |engine: &str| -> Value {
        let args = ["simulate", "nim.gdl", "--json", "--playouts", "200"];
        let output = run(
            &[&args[..], &["--seconds", "60", "--engine", engine]].concat(),
            "",
        );
        assert_eq!(output.status.code(), Some(0));
        let mut report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let numbers = report.as_object_mut().unwrap();
        for timed in ["seconds", "playouts_per_second", "states_per_second"] {
            assert!(numbers.remove(timed).unwrap().as_f64().unwrap() > 0.0);
        }
        report
    };
    let once = report("propnet");
    assert_eq!(once, report("propnet"));
    assert_eq!(once["engine"], "propnet");
    assert_eq!(once["playouts"], 200);
    let sample = &once["sample"];
    assert_eq!(sample["playouts"], 200);
    let lengths = &sample["length"];
    let (min, max) = (lengths["min"].as_u64(), lengths["max"].as_u64());
    assert!(min > Some(0) && min < max, "{lengths}");
    for role in sample["roles"].as_array().unwrap() {
        let goals = role["goals"].as_object().unwrap();
        let counted: u64 = goals.values().map(|count| count.as_u64().unwrap()).sum();
        assert_eq!(counted, 200);
    }
    assert_eq!(report("reasoner")["engine"], "reasoner");
}

#[test]
fn help_names_every_engine() {
    let output = run(&["match", "--help"], "");
    let text = String::from_utf8_lossy(&output.stdout);
    let at = text.find("Engine: ").unwrap();
    let shown = &text[at..][..text[at..].find('[').unwrap()];
    let names = shown["Engine: ".len()..].split(',').map(str::trim);
    let engines = prepare::EngineChoice::ALL.map(prepare::EngineChoice::name);
    assert!(names.eq(engines), "{text}");
}

#[test]
fn the_simulation_report_as_text() {
    let output = run(&["simulate", "tic_tac_toe.gdl", "--playouts", "50"], "");
    let text = String::from_utf8_lossy(&output.stdout);
    for part in [
        "50 playouts in ",
        " states/s\nof 50 of them: length 5 to 9",
        "cross: a choice in ",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

#[test]
fn simulation_ends_in_time_though_no_move_is_ever_made() {
    let rules = "(role a) (init over) (<= terminal (true over)) (legal a go) (goal a 100)";
    for engine in ["reasoner", "propnet", "scalar", "lanes", "table", "auto"] {
        let began = std::time::Instant::now();
        let args = [
            "simulate",
            "-",
            "--seconds",
            "0.5",
            "--json",
            "--engine",
            engine,
        ];
        let output = run(&args, rules);
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["sample"]["length"]["max"], 0, "{engine}: {report}");
        assert_eq!(report["sample"]["roles"][0]["mean_goal"], 100.0);
        assert!(began.elapsed().as_secs() < 20, "{engine}");
    }
}

/// Stops a process by Ctrl-C while it simulates endlessly short playouts.
#[cfg(unix)]
#[test]
fn simulation_ends_at_a_signal_with_what_it_has() {
    let rules = "(role a) (init over) (<= terminal (true over)) (legal a go) (goal a 100)";
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("over.gdl");
    std::fs::write(&file, rules).unwrap();
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_rocinante"))
        .args(["simulate", "--seconds", "1000", "--engine", "reasoner"])
        .arg(&file)
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_secs(2));
    let id = child.id().to_string();
    let mut kill = std::process::Command::new("kill");
    assert!(kill.args(["-INT", &id]).status().unwrap().success());
    let began = std::time::Instant::now();
    let status = child.wait().unwrap();
    assert!(
        status.success() && began.elapsed().as_secs() < 5,
        "{status}"
    );
}

/// There is no network of ever new terms.
const GROWING: &str = "(role robot) (init (at zero)) (legal robot go)
    (<= (next (at (s ?n))) (true (at ?n)))
    (<= terminal (true (at (s (s (s (s zero))))))) (goal robot 100)";

#[test]
fn what_has_no_network_is_played_on_the_reasoner_with_a_notice() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("growing.gdl");
    std::fs::write(&path, GROWING).unwrap();
    let out = folder.path().join("out");
    let (path, out) = (path.to_str().unwrap(), out.to_str().unwrap());
    let perf = |engine| {
        let prepare = ["--prepare", "0.3", "--engine", engine];
        run(&[&["perf", path, out, "0.1"][..], &prepare].concat(), "")
    };
    let output = perf("auto");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    assert_eq!(errors.matches("note: ").count(), 1, "{errors}");
    assert!(errors.contains("is played on the reasoner"), "{errors}");
    // What is asked for is an error that says what would do.
    for engine in ["propnet", "scalar", "lanes"] {
        let output = perf(engine);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(errors.contains("--engine auto"), "{errors}");
    }
}

#[test]
fn players_that_do_not_search_need_no_network() {
    let output = run(
        &["match", "reversi.gdl", "-p", "random", "-p", "random"],
        "",
    );
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.starts_with("reversi.gdl: reasoner in "), "{text}");
}
