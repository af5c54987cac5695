//! Tests of `rocinante arena` as a process.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

const GAMES: [&str; 10] = [
    "tic_tac_toe",
    "nim",
    "chomp",
    "blocker",
    "buttons_and_lights",
    "bidding_tic_tac_toe",
    "rock_paper_scissors_repeated",
    "three_player_free_for_all",
    "connect_four",
    "light_cycles",
];

/// Writes the configuration of a gauntlet over ten games.
fn config(folder: &Path, playouts: usize, rounds: usize) -> std::path::PathBuf {
    let games: Vec<String> = GAMES
        .iter()
        .map(|game| {
            let path = testkit::root().join(format!("fixtures/games/{game}.gdl"));
            format!("{:?}", path.display().to_string())
        })
        .collect();
    let text = format!(
        "name = \"gauntlet\"\nformat = \"gauntlet\"\nrounds = {rounds}\ngames = [{}]\n\n\
         [[player]]\nname = \"baseline\"\nis = \"baseline:playouts={playouts}\"\n\n\
         [[player]]\nname = \"random\"\nis = \"random\"\n\n\
         [[player]]\nname = \"legal\"\nis = \"legal\"\n",
        games.join(", ")
    );
    let path = folder.join("gauntlet.toml");
    std::fs::write(&path, text).unwrap();
    path
}

fn arena(config: &Path, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rocinante"));
    command.arg("arena").arg(config).args(more);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// The numbers of the matches that have been played.
fn numbers(folder: &Path) -> Vec<usize> {
    let Ok(entries) = std::fs::read_dir(folder.join("gauntlet/matches")) else {
        return Vec::new();
    };
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let records = names.filter(|name| name.ends_with(".json"));
    records
        .map(|name| name.split('.').next().unwrap().parse().unwrap())
        .collect()
}

/// Kills the process as soon as `matches` matches have been played.
fn kill_after(mut child: Child, folder: &Path, matches: usize) {
    let begin = Instant::now();
    while numbers(folder).len() < matches {
        assert!(
            begin.elapsed() < Duration::from_secs(60),
            "it does not get on"
        );
        assert!(child.try_wait().unwrap().is_none(), "it ended too early");
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn a_gauntlet_survives_being_killed() {
    let folder = tempfile::tempdir().unwrap();
    let config = config(folder.path(), 20, 2);
    let mut before = 0;
    for more in [3, 10, 25] {
        kill_after(
            arena(&config, &[]).spawn().unwrap(),
            folder.path(),
            before + more,
        );
        before = numbers(folder.path()).len();
    }
    let output = arena(&config, &[]).output().unwrap();
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let table = text(&output);

    let numbers = numbers(folder.path());
    let distinct: BTreeSet<usize> = numbers.iter().copied().collect();
    assert_eq!(distinct.len(), numbers.len(), "no match twice");
    assert_eq!(distinct, (0..numbers.len()).collect(), "and none missing");
    let count = format!("{0} of {0} matches\n", numbers.len());
    assert!(table.starts_with(&count), "{table}");

    // Equal to a tournament that was never killed.
    assert_eq!(results(&table), unbroken(&config));
    let report = text(&arena(&config, &["--report"]).output().unwrap());
    assert_eq!(table, report);
    for file in [
        "results.json",
        "results.csv",
        "matches.csv",
        "ladder.svg",
        "arena.toml",
    ] {
        assert!(folder.path().join("gauntlet").join(file).exists(), "{file}");
    }
}

/// Sends a signal to a process.
#[cfg(unix)]
fn signal(child: &Child, name: &str) {
    let id = child.id().to_string();
    let sent = Command::new("kill").args([name, &id]).status().unwrap();
    assert!(sent.success());
}

/// Waits until something holds.
fn wait(what: &str, holds: impl Fn() -> bool) {
    let begin = Instant::now();
    while !holds() {
        assert!(begin.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The table of a tournament that was never interrupted.
fn unbroken(config: &Path) -> String {
    let whole = tempfile::tempdir().unwrap();
    let path = whole.path().join("gauntlet.toml");
    std::fs::copy(config, &path).unwrap();
    results(&text(&arena(&path, &["--quiet"]).output().unwrap()))
}

/// The table, without the line that names the folder.
fn results(text: &str) -> String {
    text[..text.find("records and").unwrap()].to_string()
}

/// Killed once all matches have been played, while the results are being written.
#[cfg(unix)]
#[test]
fn results_survive_that_the_arena_is_killed_while_it_writes_them() {
    let folder = tempfile::tempdir().unwrap();
    let config = config(folder.path(), 1, 1);
    let out = folder.path().join("gauntlet");
    std::fs::create_dir(&out).unwrap();
    // Writing to a pipe that nobody reads goes on for ever.
    let pipe = out.join("results.csv");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let mut child = arena(&config, &[]).spawn().unwrap();
    let written = out.join("results.json");
    wait("it writes results", || written.exists());
    assert!(child.try_wait().unwrap().is_none(), "it is not done");
    child.kill().unwrap();
    child.wait().unwrap();
    std::fs::remove_file(&pipe).unwrap();
    let played = numbers(folder.path()).len();
    let output = arena(&config, &[]).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(
        numbers(folder.path()).len(),
        played,
        "nothing was played again"
    );
    assert_eq!(results(&text(&output)), unbroken(&config));
    assert!(std::fs::read_to_string(&pipe).unwrap().lines().count() > 1);
}

/// Killed at many moments of short matches, of which writing the record is a large part.
#[test]
fn records_survive_that_the_arena_is_killed_while_it_writes_them() {
    let folder = tempfile::tempdir().unwrap();
    let config = config(folder.path(), 1, 4);
    let unbroken = unbroken(&config);
    let before = || numbers(folder.path()).len();
    for round in 0..8 {
        let (begun, mut child) = (before(), arena(&config, &[]).spawn().unwrap());
        wait("it gets on", || before() > begun || before() == 180);
        std::thread::sleep(Duration::from_micros(700 * round));
        // It may have ended.
        let _ = child.kill();
        child.wait().unwrap();
        // What is there is whole.
        let report = arena(&config, &["--check"]).output().unwrap();
        let errors = String::from_utf8_lossy(&report.stderr);
        assert!(text(&report).contains(" right\n"), "{errors}");
    }
    let output = arena(&config, &[]).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(results(&text(&output)), unbroken);
    let matches = std::fs::read_dir(folder.path().join("gauntlet/matches")).unwrap();
    let hidden = matches.filter(|entry| {
        let name = entry.as_ref().unwrap().file_name();
        name.to_string_lossy().starts_with('.')
    });
    assert_eq!(hidden.count(), 0, "what was half written is gone");
}

#[cfg(unix)]
#[test]
fn only_one_arena_plays_in_a_folder_and_it_may_be_stopped_for_a_while() {
    let folder = tempfile::tempdir().unwrap();
    let config = config(folder.path(), 3, 2);
    let mut first = arena(&config, &[]).spawn().unwrap();
    wait("it gets on", || numbers(folder.path()).len() >= 3);
    signal(&first, "-STOP");
    let refused = |when: &str| {
        let output = arena(&config, &[]).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{when}");
        assert!(
            errors.contains("gauntlet is in use by another process"),
            "{when}: {errors}"
        );
        // Reading alone needs no lock.
        let report = arena(&config, &["--report"]).output().unwrap();
        assert_eq!(report.status.code(), Some(1), "{when}");
    };
    refused("while the first one is stopped");
    let stopped = numbers(folder.path()).len();
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(numbers(folder.path()).len(), stopped, "it is stopped");
    signal(&first, "-CONT");
    wait("it goes on", || numbers(folder.path()).len() > stopped);
    let output = first.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(results(&text(&output)), unbroken(&config));
    // The lock of a killed process is free.
    let folder = tempfile::tempdir().unwrap();
    let config = self::config(folder.path(), 3, 2);
    first = arena(&config, &[]).spawn().unwrap();
    kill_after(first, folder.path(), 2);
    assert_eq!(arena(&config, &[]).output().unwrap().status.code(), Some(0));
}

#[test]
fn an_invalid_tournament_is_rejected_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bad.toml");
    for (text, says) in [
        ("", "missing field"),
        (
            "name = \"x\"\ngames = []\nplayer = []\n",
            "there are no games",
        ),
        (
            "name = \"x\"\ngames = [\"none.gdl\"]\n[[player]]\nname = \"a\"\nis = \"random\"\n\
             [[player]]\nname = \"b\"\nis = \"legal\"\n",
            "none.gdl",
        ),
        ("name = \"x\"\ngame = []\n", "line 2"),
    ] {
        std::fs::write(&path, text).unwrap();
        let output = arena(&path, &[]).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains(says), "{error}");
        assert!(!folder.path().join("bad/matches").exists());
    }
}

#[test]
fn players_may_be_processes_that_receive_scrambled_rules() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("processes.toml");
    let games = ["tic_tac_toe", "bidding_tic_tac_toe"].map(|game| {
        let path = testkit::root().join(format!("fixtures/games/{game}.gdl"));
        format!("{:?}", path.display().to_string())
    });
    let serve = format!(
        "exec:{} serve --port {{port}} --profile legal",
        env!("CARGO_BIN_EXE_rocinante")
    );
    let text = format!(
        "name = \"processes\"\ngames = [{}]\nscramble = true\nstart_clock = 1\nplay_clock = 1\n\
         [[player]]\nname = \"a\"\nis = \"process:baseline:playouts=50\"\n\
         [[player]]\nname = \"b\"\nis = {serve:?}\n",
        games.join(", ")
    );
    std::fs::write(&path, text).unwrap();
    let output = arena(&path, &[]).output().unwrap();
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let results = std::fs::read_to_string(folder.path().join("processes/results.json")).unwrap();
    let results: serde_json::Value = serde_json::from_str(&results).unwrap();
    assert_eq!(results["played"], 4);
    for player in results["players"].as_array().unwrap() {
        for fault in ["late", "illegal", "failed"] {
            assert_eq!(player[fault], 0, "{player}");
        }
        assert!(player["answers"].as_u64().unwrap() > 10);
    }
}
