//! Tests of `rocinante doctor`, and of what the shell and the manual get.

mod rig;

use rig::run;
use serde_json::Value;

#[test]
fn the_doctor_looks_at_this_machine() {
    let output = run(&["doctor", "--seconds", "0.02", "--port", "0"], "");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.code().is_some_and(|code| code < 2), "{text}");
    for part in [
        "cores ",
        "SIMD ",
        " MiB free\n",
        "  under load ",
        "  connect four ",
        "port 0 is free",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(
        text.lines().all(|line| line.chars().count() <= 80),
        "{text}"
    );
}

#[test]
fn a_port_that_is_taken_is_a_problem() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    let output = run(
        &["doctor", "--seconds", "0.01", "--port", &port, "--json"],
        "",
    );
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["port"]["state"], "closed");
    assert_eq!(report["port"]["in_use"], true);
    assert!(report["machine"]["cores"].as_u64() >= Some(1));
    assert_eq!(report["speeds"].as_array().unwrap().len(), 3);
    let advice = report["advice"].as_array().unwrap().iter();
    let problems: Vec<&Value> = advice.filter(|one| one["level"] == "problem").collect();
    assert!(
        problems
            .iter()
            .any(|one| one["text"].as_str().unwrap().contains("is in use")),
        "{problems:?}"
    );
}

/// Keys of our own JSON; those that are facts or goals are data.
fn keys(value: &Value, all: &mut Vec<String>) {
    match value {
        Value::Object(object) => object.iter().for_each(|(key, value)| {
            all.push(key.clone());
            keys(value, all);
        }),
        Value::Array(values) => values.iter().for_each(|value| keys(value, all)),
        _ => {}
    }
}

#[test]
fn json_has_one_spelling() {
    for args in [
        &["simulate", "nim.gdl", "--playouts", "20"][..],
        &["check", "nim.gdl"],
        &["check", "--play", "--playouts", "20", "nim.gdl"],
        &["analyze", "tic_tac_toe.gdl"],
        &["plan", "nim.gdl", "--start-clock", "0.5"],
        &["doctor", "--seconds", "0.01", "--port", "0"],
    ] {
        let output = run(&[args, &["--json"]].concat(), "");
        let json: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|_| panic!("{args:?}: {}", String::from_utf8_lossy(&output.stderr)));
        let mut all = Vec::new();
        keys(&json, &mut all);
        assert!(!all.is_empty(), "{args:?}");
        for key in all.iter().filter(|key| !key.contains([' ', '('])) {
            let snake = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
            assert!(key.chars().all(snake), "{args:?}: {key}");
        }
    }
}

#[test]
fn shells_complete_and_the_manual_is_a_page() {
    for shell in ["bash", "zsh", "fish"] {
        let output = run(&["completions", shell], "");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains("play-clock"), "{shell}");
    }
    let output = run(&["man"], "");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains(".TH rocinante 1"), "{text}");
    assert!(text.contains(".SH DOCTOR"), "{text}");
}
