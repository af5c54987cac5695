//! Tests of `rocinante plan` as a process.

mod rig;

use rig::run;
use serde_json::Value;

#[test]
fn a_plan_contains_decisions_and_reasons() {
    let arguments = ["plan", "--start-clock", "0.3", "tic_tac_toe.gdl"];
    let output = run(&arguments, "");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}");
    assert!(
        text.contains("\nparts ") && text.contains("exploration 0.70"),
        "{text}"
    );
    let output = run(&[&arguments[..], &["--json"]].concat(), "");
    let plan: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(plan["version"], 3);
    assert!(!plan["decisions"].as_array().unwrap().is_empty());
}

#[test]
fn players_without_search_have_no_plan() {
    let output = run(&["plan", "--player", "random", "tic_tac_toe.gdl"], "");
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains("makes no plans"), "{error}");
}

#[test]
fn plans_are_stored_and_reused() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("games.store");
    let store = store.to_str().unwrap();
    let plan = |player: &str| {
        let arguments = [
            "plan",
            "--player",
            player,
            "--start-clock",
            "3",
            "--store",
            store,
        ];
        let output = run(&[&arguments[..], &["connect_four_small.gdl"]].concat(), "");
        String::from_utf8(output.stdout).unwrap()
    };
    let first = plan("default:no-knowledge,tune=60");
    assert!(first.contains("there is no plan"), "{first}");
    let again = plan("default:no-knowledge");
    assert!(again.contains("there is a plan"), "{again}");
}

#[test]
fn a_folder_of_plans_is_refused_with_advice() {
    for arguments in [
        &["plan", "--plans", "plans", "tic_tac_toe.gdl"][..],
        &["match", "--plans", "plans", "tic_tac_toe.gdl"],
        &["serve", "--plans", "plans"],
    ] {
        let output = run(arguments, "");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(error.contains("give --store PATH instead"), "{error}");
    }
}
