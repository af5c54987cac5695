//! Proved latches are never refuted in random play, however the rules are written.

use crate::common::{bits, find, ranges};
use crate::shared::{build, scrambled, sheet};
use crate::states::states;
use analysis::Evidence;
use analysis::latches::{Latches, Literal};
use budget::Budget;
use game::{Engine, GroundTerm, RoleId};
use gdl_parse::{ParseOptions, parse};
use invariants::{Groups, Play};
use netlist::GameLogic;
use propnet::PropnetEngine;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

/// The lanes whose game continues with the next step.
fn going(logic: &GameLogic, play: &Play<'_>) -> u64 {
    let legal = logic.legal.iter();
    legal.fold(!play.word(logic.terminal), |going, row| {
        going & row.iter().fold(0, |any, &lit| any | play.word(lit))
    })
}

/// Checks that no proved latch unlatches and no range widens, in 64 games in lockstep.
fn nothing_reverts(logic: &GameLogic, latches: &Latches, steps: usize, seed: u64, what: &str) {
    let mut play = Play::new(logic, seed);
    let held = |play: &Play<'_>| -> Vec<u64> {
        let proved = latches
            .latches
            .iter()
            .filter(|l| l.evidence == Evidence::Proved);
        let literal = |one: &Literal| {
            let word = play.word(logic.facts[one.fact as usize]);
            if one.holds { word } else { !word }
        };
        let all = |literals: &[Literal]| literals.iter().map(literal).fold(u64::MAX, |a, b| a & b);
        proved.map(|latch| all(&latch.literals)).collect()
    };
    let mut before = held(&play);
    let mut given: Vec<Vec<(u8, u8)>> = Vec::new();
    for step in 0..steps {
        let now: Vec<_> = states(logic, &play);
        let now: Vec<_> = now
            .iter()
            .map(|state| ranges(logic, latches, state))
            .collect();
        let going = going(logic, &play);
        play.step();
        let reached = states(logic, &play);
        let then: Vec<_> = reached
            .iter()
            .map(|state| ranges(logic, latches, state))
            .collect();
        for lane in (0..64).filter(|lane| going >> lane & 1 == 1) {
            for (role, (old, new)) in now[lane].iter().zip(&then[lane]).enumerate() {
                let mut goals = logic.goals[role].iter();
                let none = goals
                    .all(|&(value, _)| (latches.ranges).is_excluded(&reached[lane], role, value));
                // If the rules give no result at all from here, there is no range.
                let narrower = old.0 <= new.0 && new.1 <= old.1;
                assert!(none || narrower, "{what}, {step}: {old:?}, {new:?}");
            }
        }
        let after = held(&play);
        for (latch, (old, new)) in before.iter().zip(&after).enumerate() {
            assert_eq!(
                old & going & !new,
                0,
                "{what}, {step}: {:?}",
                latches.latches[latch]
            );
        }
        before = after;
        given = then;
    }
    assert!(!given.is_empty());
}

/// Plays one random game on an engine and checks that its result is within all ranges on the
/// way.
fn ends_within(
    logic: &GameLogic,
    latches: &Latches,
    engine: &mut dyn Engine,
    numbers: &HashMap<GroundTerm, u32>,
    rng: &mut Xoshiro256PlusPlus,
    what: &str,
) {
    let (mut here, mut there) = (engine.initial(), engine.initial());
    let mut bounds = vec![(0, 100); logic.roles()];
    for _ in 0..300 {
        let facts = engine.facts(&here);
        let state = bits(logic, facts.iter().map(|fact| numbers[fact]));
        for (role, range) in ranges(logic, latches, &state).into_iter().enumerate() {
            let bound: &mut (u8, u8) = &mut bounds[role];
            *bound = (bound.0.max(range.0), bound.1.min(range.1));
        }
        let ended = engine.terminal(&here).unwrap();
        for (role, bound) in bounds.iter().enumerate() {
            let goal = engine.goal(&here, RoleId(role)).unwrap();
            let within = |goal: u8| bound.0 <= goal && goal <= bound.1;
            assert!(
                !ended || goal.is_none_or(within),
                "{what}: {goal:?} in {bound:?}"
            );
        }
        if ended {
            break;
        }
        let mut moves = Vec::new();
        let joint: Option<Vec<_>> = (0..logic.roles())
            .map(|role| {
                let picked = engine.pick(&here, RoleId(role), rng.random(), &mut moves);
                picked.unwrap()
            })
            .collect();
        let Some(joint) = joint else { break };
        engine.next(&here, &joint, &mut there).unwrap();
        std::mem::swap(&mut here, &mut there);
    }
}

#[test]
fn proved_latches_hold_in_random_play_of_all_fixtures() {
    let mut proved = 0;
    for path in testkit::fixtures() {
        let what = path.display().to_string();
        let rules = std::fs::read_to_string(&path).unwrap();
        let sheet = parse(&rules, &ParseOptions::default()).sheet;
        let Some((network, logic)) = build(&sheet) else {
            continue;
        };
        // The short budget cuts some searches; the results must still be sound.
        let latches = find(&logic, Duration::from_millis(150));
        proved += latches
            .latches
            .iter()
            .filter(|l| l.evidence == Evidence::Proved)
            .count();
        nothing_reverts(&logic, &latches, 60, 77, &what);
        let numbers = (logic.words.facts.iter().cloned()).zip(0..).collect();
        let mut engine = PropnetEngine::new(&network, &Budget::system()).unwrap();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        for _ in 0..6 {
            ends_within(&logic, &latches, &mut engine, &numbers, &mut rng, &what);
        }
    }
    assert!(proved > 1000, "{proved}");
}

/// The same over the corpus, with counts of what is proved: with `ROCINANTE_LONG_TESTS=1`.
#[test]
fn proved_latches_hold_in_random_play_of_the_corpus() {
    let long = std::env::var_os("ROCINANTE_LONG_TESTS").is_some();
    let (true, Some(corpus)) = (long, testkit::corpus()) else {
        return;
    };
    let (mut times, mut bounded, mut cut) = (Vec::new(), 0, 0);
    // Latches of one fact, of two, of more; goals that latches decide.
    let mut proved = [0; 4];
    for path in testkit::files(&corpus.join("games"), "kif") {
        let rules = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
        let sheet = parse(&rules, &ParseOptions::default()).sheet;
        let Some((_, logic)) = build(&sheet) else {
            continue;
        };
        let what = path.file_stem().unwrap().to_string_lossy().into_owned();
        let latches = find(&logic, Duration::from_secs(3));
        for latch in &latches.latches {
            if latch.evidence == Evidence::Proved {
                proved[latch.literals.len().min(3) - 1] += 1;
            }
        }
        proved[3] += latches.goals.len();
        let report = latches.report;
        bounded += usize::from(report.bounded);
        cut += usize::from(report.exhausted.is_some());
        times.push((
            report.observing + report.singles + report.sets + report.goals,
            what.clone(),
        ));
        nothing_reverts(&logic, &latches, 40, 78, &what);
    }
    times.sort();
    println!(
        "{} games, {proved:?} proved, {bounded} bounded, {cut} cut",
        times.len()
    );
    println!(
        "median {:?}, longest {:?}",
        times[times.len() / 2],
        times.last()
    );
    assert!(proved[0] > 5000);
}

/// The proved latches and the goals they decide, as terms.
fn described(
    logic: &GameLogic,
    latches: &Latches,
    name: impl Fn(&GroundTerm) -> String,
) -> BTreeSet<Vec<(String, bool)>> {
    let proved = latches
        .latches
        .iter()
        .filter(|l| l.evidence == Evidence::Proved);
    let described = proved.map(|latch| {
        let literals = latch.literals.iter();
        let mut literals: Vec<_> = literals
            .map(|one| (name(&logic.words.facts[one.fact as usize]), one.holds))
            .collect();
        literals.sort();
        literals
    });
    described.collect()
}

#[test]
fn scrambled_rules_have_the_same_latches() {
    for name in [
        "tic_tac_toe",
        "untwisty_corridor",
        "sudoku_small",
        "corridor_hard",
    ] {
        let sheet = sheet(name);
        let (_, logic) = build(&sheet).unwrap();
        let plain = find(&logic, Duration::from_secs(20));
        for seed in 1..3 {
            let scrambled = scrambled(&sheet, seed);
            let (_, other) = build(&scrambled.sheet).unwrap();
            let found = find(&other, Duration::from_secs(20));
            let back = |term: &GroundTerm| scrambled.mapping.unscramble(term).to_string();
            let expected = described(&logic, &plain, GroundTerm::to_string);
            assert_eq!(described(&other, &found, back), expected, "{name}, {seed}");
        }
    }
}

#[test]
fn a_deadline_returns_partial_results() {
    let (_, logic) = build(&sheet("corridor_hard")).unwrap();
    let clock = std::sync::Arc::new(budget::ManualClock::default());
    let over = Budget::unlimited(clock).with_timeout(Duration::ZERO);
    let latches = Latches::find(&logic, &Groups::default(), 1, &over);
    assert!(latches.report.exhausted.is_some());
    assert_eq!(latches.counts(), (0, 0));
    let initial = bits(&logic, logic.words.initial.iter().copied());
    assert_eq!(latches.ranges.of(&initial, 0), (0, 100));
}

proptest::proptest! {
    #![proptest_config(testkit::rules::config())]

    #[test]
    fn proved_latches_hold_in_random_games(seed in 0u64..1 << 32) {
        let rules = testkit::games::random_game(seed);
        let sheet = parse(&rules, &ParseOptions::default()).sheet;
        if let Some((network, logic)) = build(&sheet) {
            let latches = find(&logic, Duration::from_millis(200));
            nothing_reverts(&logic, &latches, 40, seed, &rules);
            let numbers = (logic.words.facts.iter().cloned()).zip(0..).collect();
            let mut engine = PropnetEngine::new(&network, &Budget::system()).unwrap();
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
            for _ in 0..20 {
                ends_within(&logic, &latches, &mut engine, &numbers, &mut rng, &rules);
            }
        }
    }
}
