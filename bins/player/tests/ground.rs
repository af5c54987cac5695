//! Tests of `rocinante ground` as a process.

use std::process::Command;

/// The number of gates for one step of play (legality and next state) in a line about the
/// netlist.
fn step(line: &str) -> Option<usize> {
    let (_, rest) = line.split_once("both ")?;
    rest.split(',').next()?.parse().ok()
}

#[test]
fn the_statistics_of_every_pass_are_shown() {
    let output = Command::new(env!("CARGO_BIN_EXE_rocinante"))
        .args(["ground", "--stats", "games/eight_puzzle.gdl"])
        .current_dir(testkit::root().join("fixtures"))
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}");
    for pass in netlist::passes::ALL {
        let line = text.lines().find(|line| line.starts_with(pass.name));
        assert!(line.and_then(step).is_some(), "{} in {text}", pass.name);
    }
    let steps: Vec<usize> = text.lines().filter_map(step).collect();
    assert!(
        steps.is_sorted_by(|before, after| before >= after),
        "{text}"
    );
    assert!(steps[0] > steps[steps.len() - 1], "{text}");
}
