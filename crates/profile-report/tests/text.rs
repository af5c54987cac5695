//! The text reports on three small games.

use budget::Budget;
use compile::Compiled;
use datalog::Program;
use gdl_parse::{ParseOptions, parse};
use profile::Profile;

fn profile(name: &str) -> Profile {
    let path = testkit::root().join(format!("fixtures/games/{name}.gdl"));
    let text = std::fs::read_to_string(path).unwrap();
    let sheet = parse(&text, &ParseOptions::default()).sheet;
    let budget = Budget::system();
    let compiled = Compiled::of_program(&Program::from_sheet(&sheet), &budget).unwrap();
    let profile = Profile::find(compiled, 1, &budget, &mut |_| {});
    assert!(profile.is_complete(), "{:?}", profile.stages);
    profile
}

/// The report without times.
fn report(name: &str) -> String {
    let report = profile_report::text(&profile(name));
    let (before, _) = report.split_once("\ntime ").unwrap();
    before.to_string()
}

#[test]
fn a_board_game() {
    insta::assert_snapshot!(report("tic_tac_toe"));
}

#[test]
fn a_puzzle_in_parts() {
    insta::assert_snapshot!(report("joint_buttons_and_lights"));
}

#[test]
fn a_game_of_choices_at_once() {
    insta::assert_snapshot!(report("rock_paper_scissors_repeated"));
}

#[test]
fn skipped_searches_are_reported_as_unknown() {
    let mut profile = profile("tic_tac_toe");
    profile.factors.report.bounded = true;
    for stage in &mut profile.stages {
        stage.bounded = stage.name == "factors";
    }
    let text = profile_report::text(&profile);
    assert!(
        text.contains("it is not known whether the game falls apart"),
        "{text}"
    );
    assert_eq!(
        text.matches("what takes more effort was not tried").count(),
        1
    );
    assert_eq!(profile_report::json(&profile)["stages"][6]["bounded"], true);
}
