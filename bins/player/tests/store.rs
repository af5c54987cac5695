//! Tests of what is kept from one command to the next, with the real binary.

mod rig;

use gdl_parse::{ParseOptions, parse};
use gdl_scramble::{ScrambleOptions, scramble};
use redb::{Database, TableDefinition};
use rig::run;
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// A game whose states are too many for a table, which no learner could use.
const GAME: &str = "breakthrough_small.gdl";

fn text(output: &Output) -> String {
    let all = [&output.stdout[..], &output.stderr[..]].concat();
    String::from_utf8(all).unwrap()
}

fn learn(store: &str, games: &str, seed: &str) -> String {
    let arguments = [
        "learn", GAME, "--store", store, "--games", games, "--seed", seed,
    ];
    let output = run(&arguments, "");
    assert!(output.status.success(), "{}", text(&output));
    text(&output)
}

fn list(store: &str) -> Vec<Value> {
    let output = run(&["store", "list", "--json", "--store", store], "");
    assert!(output.status.success(), "{}", text(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// What a player does with the stage `learn` of a start clock.
fn plan(game: &str, store: &str) -> String {
    // Without a search the start clock ends when it has learnt.
    let player = "default:mixed,learn-games=32,no-factors,no-prepare";
    let clock = ["--start-clock", "60", "--seed", "1"];
    let arguments = ["plan", game, "--json", "--player", player, "--store", store];
    let output = run(&[&arguments[..], &clock].concat(), "");
    assert!(output.status.success(), "{}", text(&output));
    let plan: Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut decisions = plan["decisions"].as_array().unwrap().iter();
    let learn = decisions.find(|decision| decision["stage"] == "learn");
    learn.expect("it learns").to_string()
}

/// A short match of random players, and of one that keeps something.
fn play(store: &str) -> Output {
    let players = [
        "-p",
        "default:mixed,learn-games=32,no-prepare",
        "-p",
        "random",
    ];
    let clocks = ["--start-clock", "60", "--play-clock", "0.2", "--quiet"];
    let arguments = ["match", GAME, "--threads", "1", "--store", store];
    run(&[&arguments[..], &players, &clocks].concat(), "")
}

fn in_folder(test: impl FnOnce(&Path, &str)) {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("games.store");
    test(folder.path(), store.to_str().unwrap());
}

#[test]
fn what_was_learnt_is_found_under_other_names() {
    in_folder(|folder, store| {
        let said = learn(store, "64", "1");
        assert!(said.contains("kept as "), "{said}");
        let kept = list(store);
        assert_eq!(kept.len(), 1);
        let games = kept[0]["games"].as_u64().unwrap();
        assert!(games >= 64, "{games}");
        // It goes on where it was.
        let said = learn(store, "64", "1");
        assert!(
            said.contains(&format!("after {games} that were kept")),
            "{said}"
        );
        let games = list(store)[0]["games"].as_u64().unwrap();
        assert!(games >= 128, "{games}");

        let rules = std::fs::read_to_string(rig_game()).unwrap();
        let options = ScrambleOptions {
            seed: 3,
            shuffle_rules: true,
            shuffle_arguments: true,
            ..ScrambleOptions::default()
        };
        let sheet = parse(&rules, &ParseOptions::default()).sheet;
        let other = folder.join("other.gdl");
        std::fs::write(&other, scramble(&sheet, &options).to_wire()).unwrap();
        let said = plan(other.to_str().unwrap(), store);
        assert!(said.contains(&format!("after {games} games")), "{said}");
        assert_eq!(list(store).len(), 1);
        // Another game is another one.
        assert!(!plan("connect_four.gdl", store).contains("after"));
        assert_eq!(list(store).len(), 2);

        let show = run(
            &[
                "store",
                "show",
                "--store",
                store,
                kept[0]["game"].as_str().unwrap(),
            ],
            "",
        );
        assert!(
            text(&show).contains("value: learnt from "),
            "{}",
            text(&show)
        );
        let table = text(&run(&["store", "list", "--store", store], ""));
        assert!(
            table.contains("games learnt") && table.contains("\n2 games\n"),
            "{table}"
        );
        let pruned = run(&["store", "prune", "--size-mib", "0", "--store", store], "");
        assert!(
            text(&pruned).contains("2 games removed"),
            "{}",
            text(&pruned)
        );
        assert!(list(store).is_empty());
    });
}

fn rig_game() -> std::path::PathBuf {
    testkit::root().join("fixtures/games").join(GAME)
}

#[test]
fn learning_repeats_bit_by_bit() {
    let value = |seed: &str| {
        let mut exported = Value::Null;
        in_folder(|_, store| {
            learn(store, "200", seed);
            let output = run(&["store", "export", "--store", store], "");
            let line: Value = serde_json::from_slice(&output.stdout).unwrap();
            exported = line["value"].clone();
        });
        assert!(exported["weights"]["weights"].as_array().unwrap().len() > 100);
        exported
    };
    let first = value("5");
    assert!(first == value("5"));
    assert!(first != value("6"));
}

#[cfg(unix)]
#[test]
fn an_interrupt_keeps_what_was_learnt() {
    in_folder(|_, store| {
        let mut child = Command::new(env!("CARGO_BIN_EXE_rocinante"))
            .args(["learn", "--time", "10m", "--store", store])
            .arg(rig_game())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap());
        let mut said = String::new();
        while !said.contains("variables") {
            assert!(lines.read_line(&mut said).unwrap() > 0, "{said}");
        }
        std::thread::sleep(std::time::Duration::from_secs(3));
        let id = child.id().to_string();
        let sent = Command::new("kill").args(["-INT", &id]).status().unwrap();
        assert!(sent.success() && child.wait().unwrap().success());
        assert!(list(store)[0]["games"].as_u64().unwrap() > 0);
    });
}

#[test]
fn files_that_are_no_store_never_stop_a_match() {
    in_folder(|folder, store| {
        // Torn.
        learn(store, "32", "1");
        let bytes = std::fs::read(store).unwrap();
        std::fs::write(store, &bytes[..bytes.len() / 3]).unwrap();
        let output = play(store);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output));
        assert!(
            text(&output).contains("a new store is begun"),
            "{}",
            text(&output)
        );
        assert!(folder.join("games.store.aside-1").exists());
        assert_eq!(list(store).len(), 1);
        // Newer.
        let newer = Database::open(store).unwrap();
        let write = newer.begin_write().unwrap();
        let table: TableDefinition<'_, &str, u64> = TableDefinition::new("about");
        write
            .open_table(table)
            .unwrap()
            .insert("version", 99)
            .unwrap();
        write.commit().unwrap();
        drop(newer);
        let output = play(store);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output));
        assert!(
            text(&output).contains("is of version 99"),
            "{}",
            text(&output)
        );
        // In use all the time.
        let other = Database::open(store).unwrap();
        let output = play(store);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output));
        assert!(
            text(&output).contains("another process"),
            "{}",
            text(&output)
        );
        drop(other);
        // Looking at a file that is no store leaves it alone.
        std::fs::write(store, "no store").unwrap();
        let output = run(&["store", "list", "--store", store], "");
        assert_eq!(output.status.code(), Some(2), "{}", text(&output));
        assert_eq!(std::fs::read_to_string(store).unwrap(), "no store");
    });
}

#[test]
fn two_processes_share_a_store() {
    in_folder(|_, store| {
        let games = [GAME, "connect_four.gdl"];
        let children = games.map(|game| {
            Command::new(env!("CARGO_BIN_EXE_rocinante"))
                .args(["learn", "--games", "40", "--seed", "1", "--store", store])
                .arg(rig_game().with_file_name(game))
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .spawn()
                .unwrap()
        });
        for mut child in children {
            assert!(child.wait().unwrap().success());
        }
        assert_eq!(list(store).len(), 2);
    });
}

#[test]
fn nothing_is_kept_without_learning() {
    in_folder(|_, store| {
        let arguments = ["match", GAME, "--no-learning", "--store", store, "--quiet"];
        let clocks = ["--start-clock", "0.5", "--play-clock", "0.1"];
        let output = run(&[&arguments[..], &clocks].concat(), "");
        assert_eq!(output.status.code(), Some(0), "{}", text(&output));
        assert!(!Path::new(store).exists());
    });
}
