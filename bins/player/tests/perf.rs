//! Tests of `rocinante perf`, run as the framework gdl-perf runs it.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};

/// Runs the command; returns its output and the entries of the result file.
fn perf(rules: &Path, seconds: &str, options: &[&str]) -> (Output, BTreeMap<String, String>) {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("result");
    let output = Command::new(env!("CARGO_BIN_EXE_rocinante"))
        .arg("perf")
        .args(options)
        .args([rules, &out, Path::new(seconds)])
        .output()
        .unwrap();
    let text = std::fs::read_to_string(&out).unwrap();
    let pairs = text.lines().map(|line| line.split_once('=').unwrap());
    let pairs = pairs.map(|(name, value)| (name.to_owned(), value.to_owned()));
    (output, pairs.collect())
}

#[test]
fn every_engine_counts_its_playouts() {
    // Every match of it has nine joint moves at most and five at least.
    let rules = testkit::root().join("fixtures/games/tic_tac_toe.gdl");
    for engine in ["auto", "reasoner", "propnet", "lanes", "table"] {
        let (output, result) = perf(&rules, "0.3", &["--engine", engine]);
        assert!(output.status.success(), "{engine}: {output:?}");
        let names: Vec<&str> = result.keys().map(String::as_str).collect();
        let expected = [
            "millisecondsTaken",
            "numRollouts",
            "numStateChanges",
            "version",
        ];
        assert_eq!(names, expected, "{engine}");
        let number = |name: &str| result[name].parse::<u64>().unwrap();
        let (taken, rollouts) = (number("millisecondsTaken"), number("numRollouts"));
        assert!((250..20_000).contains(&taken), "{engine}: {taken} ms");
        assert!(rollouts > 0, "{engine}");
        let mean = number("numStateChanges") as f64 / rollouts as f64;
        assert!((5.0..=9.0).contains(&mean), "{engine}: {mean} steps");
        if engine != "auto" {
            assert!(result["version"].ends_with(engine), "{result:?}");
        }
    }
}

#[test]
fn an_unplayable_game_is_an_error_in_the_result() {
    let folder = tempfile::tempdir().unwrap();
    let empty = folder.path().join("empty.gdl");
    std::fs::write(&empty, "; nothing\n").unwrap();
    for (rules, part) in [
        (empty.as_path(), "holds no rules"),
        (&folder.path().join("none.gdl"), "cannot read"),
    ] {
        let (output, result) = perf(rules, "0.1", &[]);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let names: Vec<&str> = result.keys().map(String::as_str).collect();
        assert_eq!(names, ["errorMessage", "version"]);
        assert!(result["errorMessage"].contains(part), "{result:?}");
    }
}
