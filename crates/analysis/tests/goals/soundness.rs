//! Emulated goals equal the goals, however the rules are written.

use crate::common::{Found, build, fixtures, wrong};
use crate::shared::{scrambled, sheet};
use analysis::goals::{Form, Goals};
use budget::Budget;
use game::GroundTerm;
use gdl_parse::{ParseOptions, parse};
use invariants::Groups;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

#[test]
fn emulated_goals_equal_the_goals_of_all_fixtures() {
    let (mut of_facts, mut emulated, mut finals) = (0, 0, 0);
    for (name, found) in fixtures() {
        let (wrong, compared) = wrong(found, 90, 5);
        assert_eq!(wrong, None, "{name}");
        finals += compared;
        emulated += usize::from(found.emulated.is_some());
        of_facts += found
            .conditions()
            .filter(|c| c.1.formula.is_of_facts())
            .count();
    }
    assert!(
        finals > 5000 && emulated > 2 && of_facts > 80,
        "{finals} {emulated} {of_facts}"
    );
}

/// The same over the corpus, with the number of games of each form: with
/// `ROCINANTE_LONG_TESTS=1`.
#[test]
fn emulated_goals_equal_the_goals_of_the_corpus() {
    let long = std::env::var_os("ROCINANTE_LONG_TESTS").is_some();
    let (true, Some(corpus)) = (long, testkit::corpus()) else {
        return;
    };
    let mut forms: BTreeMap<String, u32> = BTreeMap::new();
    let (mut whole, mut emulated, mut times) = (0, Vec::new(), Vec::new());
    for path in testkit::files(&corpus.join("games"), "kif") {
        let rules = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
        let sheet = parse(&rules, &ParseOptions::default()).sheet;
        let Some(logic) = build(&sheet) else { continue };
        let found = Found::of(logic, Duration::from_millis(1500));
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let (wrong, _) = wrong(&found, 120, 9);
        assert_eq!(wrong, None, "{name}");
        times.push((found.goals.report.time, name.clone()));
        for form in found
            .goals
            .forms
            .iter()
            .map(|form| format!("{form:?}"))
            .collect::<BTreeSet<_>>()
        {
            *forms.entry(form).or_default() += 1;
        }
        whole += usize::from(found.goals.forms.iter().all(|form| *form != Form::Unknown));
        emulated.extend(found.emulated.map(|e| (name, e.before, e.after, e.scope)));
    }
    times.sort();
    println!(
        "{} games, {whole} with all goals proved; {forms:?}",
        times.len()
    );
    println!(
        "median {:?}, longest {:?}",
        times[times.len() / 2].0,
        times.last()
    );
    println!("{} smaller: {emulated:?}", emulated.len());
    assert!(whole > 60);
}

/// The comparison detects a table with one wrong entry.
#[test]
fn wrong_formulas_are_detected() {
    for name in [
        "dots_and_boxes",
        "max_knights",
        "rock_paper_scissors_repeated",
    ] {
        let mut found = Found::fixture(name);
        found.emulated = None;
        assert_eq!(wrong(&found, 200, 3).0, None);
        let (_, condition) = found.goals.goals[0].last_mut().unwrap();
        for holds in &mut condition.as_mut().unwrap().formula.holds {
            *holds = holds.map(|holds| !holds);
        }
        assert!(wrong(&found, 200, 3).0.is_some(), "{name}");
    }
}

/// For each goal, the facts that it depends on, as terms.
fn described(found: &Found, name: impl Fn(&GroundTerm) -> String) -> Vec<BTreeSet<String>> {
    let initial = &found.logic.words.initial;
    let mut described: Vec<BTreeSet<String>> = found
        .conditions()
        .map(|(_, condition)| {
            let counts = condition.formula.counts.iter();
            let facts = counts.flat_map(|count| count.weights(initial).0);
            let facts = facts.map(|(fact, _)| name(&found.logic.words.facts[fact as usize]));
            facts.collect()
        })
        .collect();
    described.sort();
    described
}

#[test]
fn scrambled_rules_have_the_same_goals() {
    for name in ["max_knights", "dots_and_boxes", "river_crossing"] {
        let sheet = sheet(name);
        let plain = Found::fixture(name);
        for seed in 1..3 {
            let scrambled = scrambled(&sheet, seed);
            let other = build(&scrambled.sheet).unwrap();
            let other = Found::of(other, Duration::from_secs(20));
            let back = |term: &GroundTerm| scrambled.mapping.unscramble(term).to_string();
            assert_eq!(
                described(&other, back),
                described(&plain, GroundTerm::to_string)
            );
            let sorted = |goals: &Goals| {
                let mut forms: Vec<String> =
                    goals.forms.iter().map(|form| format!("{form:?}")).collect();
                forms.sort();
                forms
            };
            assert_eq!(sorted(&other.goals), sorted(&plain.goals), "{name}, {seed}");
        }
    }
}

#[test]
fn a_deadline_returns_partial_results() {
    let logic = build(&sheet("max_knights")).unwrap();
    let clock = std::sync::Arc::new(budget::ManualClock::default());
    let over = Budget::unlimited(clock).with_timeout(Duration::ZERO);
    let goals = Goals::find(&logic, &Groups::default(), &over);
    assert!(goals.report.exhausted.is_some());
    assert_eq!(goals.forms, [Form::Unknown]);
    assert!(goals.emulated(&logic).is_none());
}

proptest::proptest! {
    #![proptest_config(testkit::rules::config())]

    #[test]
    fn emulated_goals_equal_the_goals_of_random_games(seed in 0u64..1 << 32) {
        let rules = testkit::games::random_game(seed);
        let sheet = parse(&rules, &ParseOptions::default()).sheet;
        if let Some(logic) = build(&sheet) {
            let found = Found::of(logic, Duration::from_millis(200));
            proptest::prop_assert_eq!(wrong(&found, 60, seed).0, None, "{}", rules);
        }
    }
}
