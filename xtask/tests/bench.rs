//! Tests of `cargo xtask bench` and `growth` as processes, on small games and for short times.

use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// Runs xtask with these arguments; returns its output.
fn xtask(args: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_xtask"))
        .args(args)
        // Without the corpus, the figures of other programs do not affect the test.
        .env("ROCINANTE_CORPUS", "/nowhere")
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {error}");
    String::from_utf8(output.stdout).unwrap()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn a_run_is_measured_saved_shown_and_compared() {
    let folder = tempfile::tempdir().unwrap();
    let (json, csv, svg) = (
        folder.path().join("run.json"),
        folder.path().join("run.csv"),
        folder.path().join("run.svg"),
    );
    let printed = xtask(&[
        "bench",
        "--only",
        "tic_tac_toe",
        "--engine",
        "reasoner",
        "--engine",
        "propnet",
        "--seconds",
        "0.1",
        "--warm-up",
        "0.02",
        "--rounds",
        "2",
        "--builds",
        "2",
        "--threads",
        "1,2",
        "--json",
        text(&json),
        "--csv",
        text(&csv),
        "--svg",
        text(&svg),
    ]);
    let run: Value = serde_json::from_str(&std::fs::read_to_string(&json).unwrap()).unwrap();
    let rows = run["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 4, "{printed}");
    for row in rows {
        assert_eq!(row["game"], "fixtures/tic_tac_toe");
        assert_eq!(row["problem"], Value::Null, "{row}");
        assert_eq!(row["build"]["all"].as_array().unwrap().len(), 2);
        let speed = &row["speed"];
        assert_eq!(speed["rounds"].as_array().unwrap().len(), 2);
        // A match has five to nine steps.
        let length = speed["mean_length"].as_f64().unwrap();
        assert!((5.0..=9.0).contains(&length), "{row}");
        let rates = ["states_per_second", "playouts_per_second"];
        let [states, playouts] = rates.map(|rate| speed[rate].as_f64().unwrap());
        assert!((5.0..=9.0).contains(&(states / playouts)), "{row}");
        if cfg!(target_os = "linux") {
            assert!(speed["peak_bytes"].as_u64().unwrap() > 1 << 20, "{row}");
        }
    }
    assert!(run["machine"]["rustc"].as_str().unwrap().contains("rustc"));
    assert_eq!(std::fs::read_to_string(&csv).unwrap().lines().count(), 5);
    assert!(std::fs::read_to_string(&svg).unwrap().starts_with("<svg"));

    let again = xtask(&["bench", "--from", text(&json), "--compare", text(&json)]);
    let table = |text: &str| {
        let lines = text.lines().filter(|line| line.starts_with("fixtures/"));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(table(&again)[..4], table(&printed)[..]);
    assert!(again.contains("1.000 times as fast in the geometric mean of 1 games"));
}

#[test]
fn two_builds_are_measured_in_turns() {
    let this = env!("CARGO_BIN_EXE_xtask");
    let printed = xtask(&[
        "bench",
        "--only",
        "buttons_and_lights",
        "--engine",
        "propnet",
        "--seconds",
        "0.05",
        "--warm-up",
        "0",
        "--rounds",
        "1",
        "--against",
        this,
    ]);
    assert!(printed.contains("old propnet"), "{printed}");
    let mut lines = printed.lines();
    let ratio: f64 = lines
        .find_map(|line| line.strip_prefix("propnet, 1 thr: ")?.split(' ').next())
        .and_then(|ratio| ratio.parse().ok())
        .unwrap_or_else(|| panic!("{printed}"));
    // The same program twice; a busy machine may still show a difference.
    assert!((0.1..10.0).contains(&ratio), "{printed}");
}

#[test]
fn growth_reports_stages() {
    let folder = tempfile::tempdir().unwrap();
    let csv = folder.path().join("growth.csv");
    let printed = xtask(&[
        "growth",
        "--cells",
        "42",
        "--rounds",
        "1",
        "--csv",
        text(&csv),
    ]);
    assert!(printed.contains("breakthrough     6x6"), "{printed}");
    let figures = std::fs::read_to_string(&csv).unwrap();
    for stage in ["all", "parse", "ground", "network", "optimise"] {
        for family in ["breakthrough,6,6", "connect_four,7,6"] {
            let line = figures
                .lines()
                .find(|line| line.starts_with(family) && line.contains(&format!(",{stage},")));
            let cells: Vec<&str> = line
                .unwrap_or_else(|| panic!("{figures}"))
                .split(',')
                .collect();
            assert!(cells[3].parse::<usize>().unwrap() > 100, "{figures}");
            assert!(cells[5].parse::<f64>().unwrap() > 0.0, "{figures}");
        }
    }
}
