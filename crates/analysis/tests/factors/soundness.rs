//! Recombined factors are equivalent to the whole game in random play, however the rules are
//! written.

use crate::common::{find, fixture, logic, sheet};
use analysis::Evidence;
use analysis::factors::{Factors, Input};
use budget::Budget;
use game::{Engine, MoveId, RoleId};
use gdl_parse::Rulesheet;
use invariants::Groups;
use netlist::{GameLogic, Source};
use propnet::PropnetEngine;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::time::Duration;

/// The values of all nodes in one state (bits by the position of facts), with the given moves.
fn values(logic: &GameLogic, state: &[u64], made: &[u32]) -> Vec<u64> {
    let value = |source: &Source| match *source {
        Source::Fact(fact) => state[fact as usize / 64] >> (fact % 64) & 1,
        Source::Does { role, mv } => u64::from(made.get(usize::from(role)) == Some(&mv)),
        Source::Fix(_) => 0,
    };
    let inputs: Vec<u64> = logic.sources.iter().map(value).collect();
    logic.net.evaluate(&inputs)
}

fn holds(values: &[u64], lit: netlist::Lit) -> bool {
    netlist::word(values, lit) & 1 == 1
}

/// Plays a random game on another engine, and every factor on its own beside it: the states of
/// the factors are never taken from the whole game. Returns the number of states compared.
fn side_by_side(
    engine: &mut dyn Engine,
    logic: &GameLogic,
    factors: &Factors,
    rng: &mut Xoshiro256PlusPlus,
    what: &str,
) -> usize {
    let numbers: std::collections::HashMap<_, u32> =
        (logic.words.facts.iter().cloned()).zip(0..).collect();
    let (mut here, mut there) = (engine.initial(), engine.initial());
    let words = |facts: &[u32]| {
        let mut state = vec![0u64; logic.facts.len().div_ceil(64)];
        for &fact in facts {
            state[fact as usize / 64] |= 1 << (fact % 64);
        }
        state
    };
    let initial = words(&logic.words.initial);
    let all = factors.factors.iter();
    let mut states: Vec<Vec<u64>> = all.map(|factor| factor.state(&initial)).collect();
    let mut moves = Vec::new();
    for step in 0..200 {
        // Facts that never change are in no factor.
        let mut put = initial.clone();
        for (factor, state) in factors.factors.iter().zip(&states) {
            factor.put(state, &mut put);
        }
        let facts = engine.facts(&here);
        let facts: Vec<u32> = facts.iter().map(|fact| numbers[fact]).collect();
        assert_eq!(put, words(&facts), "{what}, {step}");

        let seen = factors.factors.iter().zip(&states);
        let seen: Vec<Vec<u64>> = seen
            .map(|(f, state)| values(&f.logic, state, &[]))
            .collect();
        let combined = factors.combination.evaluate(|input| match input {
            Input::Control(fact) => put[fact as usize / 64] >> (fact % 64) & 1,
            Input::Output { factor, output } => {
                netlist::word(&seen[factor], factors.factors[factor].outputs[output])
            }
        });
        let ended = engine.terminal(&here).unwrap();
        let terminal = factors.combination.terminal;
        assert_eq!(holds(&combined, terminal), ended, "{what}, {step}");
        for (role, goals) in factors.combination.goals.iter().enumerate() {
            let mut goals = goals.iter().filter(|goal| holds(&combined, goal.1));
            let goal = goals.next().map(|goal| goal.0);
            assert!(goals.next().is_none() || !ended, "{what}, {step}");
            if let Ok(known) = engine.goal(&here, RoleId(role)) {
                assert_eq!(goal, known, "{what}, {step}");
            }
        }
        if ended {
            return step + 1;
        }
        let mut joint = Vec::new();
        for role in 0..logic.roles() {
            moves.clear();
            engine.legal(&here, RoleId(role), &mut moves).unwrap();
            let legal = (0..logic.legal[role].len() as u32).filter(|&mv| {
                let actions = factors.actions[role][mv as usize].iter();
                let mut parts = actions.zip(&factors.factors).zip(&seen);
                holds(&combined, factors.combination.permits[role][mv as usize])
                    && parts.all(|((&action, factor), seen)| {
                        holds(seen, factor.logic.legal[role][action as usize])
                    })
            });
            let mut known: Vec<u32> = moves.iter().map(|mv| mv.0).collect();
            known.sort_unstable();
            assert_eq!(legal.collect::<Vec<u32>>(), known, "{what}, {step}");
            if known.is_empty() {
                return step + 1;
            }
            joint.push(MoveId(known[rng.random_range(0..known.len())]));
        }
        for (at, (factor, state)) in factors.factors.iter().zip(&mut states).enumerate() {
            let made = joint.iter().enumerate();
            let made = made.map(|(role, mv)| factors.actions[role][mv.0 as usize][at]);
            let made: Vec<u32> = made.collect();
            let values = values(&factor.logic, state, &made);
            state.fill(0);
            for (fact, &next) in factor.logic.next.iter().enumerate() {
                state[fact / 64] |= u64::from(holds(&values, next)) << (fact % 64);
            }
        }
        engine.next(&here, &joint, &mut there).unwrap();
        std::mem::swap(&mut here, &mut there);
    }
    200
}

/// Plays some games of a rulesheet, if it decomposes, and returns the number of states compared.
/// `None` if the factors were refuted before they were returned.
fn compare(sheet: &Rulesheet, games: u64, what: &str) -> Option<usize> {
    let Some((network, logic)) = logic(sheet) else {
        return Some(0);
    };
    let factors = find(&logic, Duration::from_millis(1500));
    if factors.factors.is_empty() {
        return (!factors.report.refuted).then_some(0);
    }
    assert!(!factors.report.refuted, "{what}");
    let mut engine = PropnetEngine::new(&network, &Budget::system()).unwrap();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    let games = (0..games).map(|_| side_by_side(&mut engine, &logic, &factors, &mut rng, what));
    Some(games.sum())
}

#[test]
fn recombined_factors_equal_the_whole_game() {
    let mut states = 0;
    for path in testkit::fixtures() {
        let what = path.display().to_string();
        states += compare(&sheet(&path), 10, &what).expect(&what);
    }
    assert!(states > 1000, "{states}");
}

#[test]
fn recombined_factors_equal_the_whole_game_in_the_corpus() {
    if std::env::var_os("ROCINANTE_LONG_TESTS").is_none() {
        return;
    }
    let Some(corpus) = testkit::corpus() else {
        return;
    };
    let (mut apart, mut states, mut refuted) = (0, 0, Vec::new());
    for path in testkit::files(&corpus.join("games"), "kif") {
        let what = path.display().to_string();
        match compare(&sheet(&path), 10, &what) {
            Some(compared) => {
                apart += usize::from(compared > 0);
                states += compared;
            }
            None => refuted.push(what),
        }
    }
    println!("{apart} games fall apart, {states} states compared; refuted: {refuted:?}");
    assert!(apart >= 20, "{apart}");
}

proptest::proptest! {
    #![proptest_config(testkit::rules::config())]

    #[test]
    fn recombined_factors_equal_the_whole_game_in_random_games(seed in 0u64..1 << 32) {
        let rules = testkit::games::random_game(seed);
        let sheet = gdl_parse::parse(&rules, &gdl_parse::ParseOptions::default()).sheet;
        assert!(compare(&sheet, 20, &rules).is_some(), "{rules}");
    }
}

#[test]
fn an_exhausted_budget_gives_no_factors() {
    let (_, logic) = logic(&fixture("joint_buttons_and_lights")).unwrap();
    let clock = std::sync::Arc::new(budget::ManualClock::default());
    let over = Budget::unlimited(clock).with_timeout(Duration::ZERO);
    let factors = Factors::find(&logic, &Groups::default(), 1, &over);
    assert!(factors.report.exhausted.is_some());
    assert_eq!((factors.count(), factors.factors.len()), (1, 0));
    assert_eq!(factors.evidence, Evidence::Unknown);
}
