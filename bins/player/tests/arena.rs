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
    let whole = tempfile::tempdir().unwrap();
    let path = whole.path().join("gauntlet.toml");
    std::fs::copy(&config, &path).unwrap();
    let unbroken = text(&arena(&path, &["--quiet"]).output().unwrap());
    let results = |text: &str| text[..text.find("records and").unwrap()].to_string();
    assert_eq!(results(&table), results(&unbroken));
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
