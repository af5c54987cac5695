//! Scrambled rules have the same profile, up to names.

use budget::Budget;
use compile::Compiled;
use datalog::Program;
use gdl_parse::{GroundTerm, ParseOptions, Rulesheet, parse};
use gdl_scramble::{ScrambleOptions, scramble};
use profile::Profile;
use serde_json::{Map, Value};
use std::time::Duration;

/// Keys whose values differ from run to run, depend on random play, or depend on order: which of
/// two facts that are always equal stands for the other. The axes of boards, the sums behind
/// goals, and the choice of generators have tests of their own.
const OF_ANOTHER_RUN: [&str; 13] = [
    "boards",
    "generators",
    "condition",
    "equal",
    "seconds",
    "stages",
    "play",
    "observed",
    "pairs",
    "seen",
    "stride_seen",
    "largest_seen",
    "moves_counted",
];

fn profile(sheet: &Rulesheet) -> Value {
    let budget = Budget::system().with_timeout(Duration::from_secs(60));
    let program = Program::from_sheet(sheet);
    let compiled = Compiled::of_program(&program, &budget).unwrap();
    let profile = Profile::find(compiled, 1, &budget, &mut |_| {});
    assert!(profile.is_complete(), "{:?}", profile.stages);
    profile_report::json(&profile)
}

/// The same with other names, and all arrays sorted by their text.
fn sorted(value: Value, name: &dyn Fn(&str) -> String) -> Value {
    match value {
        Value::String(text) => Value::String(name(&text)),
        Value::Array(items) => {
            // Observed items depend on random play.
            let chance = |item: &Value| item.get("evidence").is_some_and(|sure| sure != "proved");
            let items = items.into_iter().filter(|item| !chance(item));
            let items = items.map(|item| sorted(item, name));
            let mut items: Vec<Value> = items.collect();
            items.sort_by_key(ToString::to_string);
            Value::Array(items)
        }
        Value::Object(items) => {
            let items = items
                .into_iter()
                .filter(|(key, _)| !OF_ANOTHER_RUN.contains(&key.as_str()))
                .map(|(key, item)| (name(&key), sorted(item, name)));
            Value::Object(items.collect::<Map<_, _>>())
        }
        other => other,
    }
}

#[test]
fn names_and_order_do_not_matter() {
    for name in [
        "tic_tac_toe",
        "breakthrough_small",
        "joint_buttons_and_lights",
        "max_knights",
        "rock_paper_scissors_repeated",
        "untwisty_corridor",
    ] {
        let path = testkit::root().join(format!("fixtures/games/{name}.gdl"));
        let text = std::fs::read_to_string(path).unwrap();
        let sheet = parse(&text, &ParseOptions::default()).sheet;
        let plain = sorted(profile(&sheet), &str::to_string);
        for seed in 1..3 {
            let options = ScrambleOptions {
                seed,
                shuffle_rules: true,
                ..ScrambleOptions::default()
            };
            let scrambled = scramble(&sheet, &options);
            let back = |text: &str| match text.parse::<GroundTerm>() {
                Ok(term) => scrambled.mapping.unscramble(&term).to_string(),
                Err(_) => text.to_string(),
            };
            let other = sorted(profile(&scrambled.sheet), &back);
            if other != plain {
                let [plain, other] = [&plain, &other].map(|value| format!("{value:#}"));
                let differs = plain.lines().zip(other.lines()).find(|(a, b)| a != b);
                panic!("{name}, seed {seed}: {differs:?}");
            }
        }
    }
}
