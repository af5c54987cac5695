//! Proved properties hold in games on another engine, however the rules are written.

use crate::common::{corpus, find, find_in_steps};
use crate::relevance::play_is_the_same;
use crate::shared::{build, scrambled, sheet};
use analysis::Evidence;
use budget::Budget;
use game::{Engine, GroundTerm, RoleId, State};
use gdl_parse::{ParseOptions, parse};
use netlist::GameLogic;
use profile::structure::{Order, Structure, Sum};
use propnet::{Network, PropnetEngine};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::time::Duration;

/// Plays random games and compares every step with all proved properties.
fn nothing_is_wrong(
    network: &Network,
    logic: &GameLogic,
    structure: &Structure,
    games: u64,
    what: &str,
) {
    let facts = logic.words.facts.iter().cloned();
    let numbers: HashMap<GroundTerm, u32> = facts.zip(0..).collect();
    let mut engine = PropnetEngine::new(network, &Budget::system()).unwrap();
    let (control, turns, ends) = (&structure.control, &structure.turns, &structure.ends);
    let mut moves = Vec::new();
    for seed in 0..games {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let (mut here, mut there) = (engine.initial(), engine.initial());
        for step in 0..300 {
            let holding = engine.facts(&here);
            let holding: Vec<u32> = holding.iter().map(|fact| numbers[fact]).collect();
            if let Some(said) = control.at(step) {
                let found: BTreeSet<u32> = holding
                    .iter()
                    .copied()
                    .filter(|&fact| control.contains(fact))
                    .collect();
                assert!(
                    found.iter().eq(said),
                    "{what}, step {step}: {found:?}, {said:?}"
                );
            }
            let terminal = engine.terminal(&here).unwrap();
            assert!(
                !terminal || step >= ends.least as usize,
                "{what}: over at {step}"
            );
            assert!(
                terminal || ends.most.is_none_or(|most| step < most as usize),
                "{what}"
            );
            if terminal {
                goals_are_as_said(&mut engine, &here, structure, what);
                if let (Some(fixed), Evidence::Proved) = (ends.fixed, ends.evidence) {
                    assert_eq!(step, fixed as usize, "{what}");
                }
                break;
            }
            let mut choosing = Vec::new();
            let joint: Option<Vec<_>> = (0..logic.roles())
                .map(|role| {
                    engine.legal(&here, RoleId(role), &mut moves).unwrap();
                    if moves.len() > 1 {
                        choosing.push(role);
                    }
                    let pick = rng.random_range(0..moves.len().max(1));
                    moves.get(pick).copied()
                })
                .collect();
            if turns.order == Order::Alternating && turns.evidence == Evidence::Proved {
                assert!(choosing.len() <= 1, "{what}: {choosing:?} choose");
            }
            for &role in &choosing {
                let said = turns.roles[role];
                assert!(
                    said.chooses || said.evidence != Evidence::Proved,
                    "{what}: {role}"
                );
            }
            let Some(joint) = joint else { break };
            engine.next(&here, &joint, &mut there).unwrap();
            std::mem::swap(&mut here, &mut there);
        }
    }
}

/// Checks the results of a terminal state.
fn goals_are_as_said(engine: &mut PropnetEngine, state: &State, structure: &Structure, what: &str) {
    let goals = &structure.goals;
    let roles = 0..goals.roles.len();
    let results = roles.map(|role| engine.goal(state, RoleId(role)).unwrap());
    let Some(results) = results.collect::<Option<Vec<u8>>>() else {
        return;
    };
    for (role, value) in goals.roles.iter().zip(&results) {
        assert!(role.values.contains(value), "{what}: {results:?}");
    }
    if goals.evidence == Evidence::Proved {
        let sum: u32 = results.iter().map(|&value| u32::from(value)).sum();
        let same = results.iter().all(|&value| value == results[0]);
        match goals.sum {
            Sum::Constant(constant) => assert_eq!(sum, constant, "{what}"),
            Sum::Same => assert!(same, "{what}: {results:?}"),
            Sum::Alone | Sum::Various | Sum::Unknown => {}
        }
    }
}

/// Checks one game. Whether it has a network, and how many of its turns are proved.
fn check(path: &Path, find: &dyn Fn(&GameLogic) -> Structure, games: u64) -> Option<usize> {
    let rules = std::fs::read_to_string(path).unwrap();
    let sheet = parse(&rules, &ParseOptions::default()).sheet;
    let (network, logic) = build(&sheet)?;
    let structure = find(&logic);
    let what = path.display().to_string();
    nothing_is_wrong(&network, &logic, &structure, games, &what);
    play_is_the_same(&logic, &structure.relevance, 7, &what);
    if !structure.relevance.is_whole() {
        println!("{what}: {:?}", structure.relevance.saved(&logic));
    }
    let control = structure.control.chains.len();
    Some(control + usize::from(structure.goals.evidence == Evidence::Proved))
}

#[test]
fn proofs_hold_in_the_fixtures() {
    let (mut games, mut found) = (0, 0);
    for path in testkit::fixtures() {
        // The small budget cuts some searches; the results must still be sound.
        if let Some(proved) = check(&path, &|logic| find_in_steps(logic, 4_000), 4) {
            (games, found) = (games + 1, found + proved);
        }
    }
    assert!(games > 40 && found > 60, "{found} proofs in {games} games");
}

#[test]
fn proofs_hold_in_the_corpus() {
    for path in corpus() {
        check(&path, &|logic| find(logic, Duration::from_secs(2)), 10);
    }
}

#[test]
fn scrambled_rules_have_the_same_structure() {
    let names = [
        "tic_tac_toe",
        "connect_four_simultaneous",
        "rock_paper_scissors_repeated",
    ];
    for name in names {
        let sheet = sheet(name);
        let (_, logic) = build(&sheet).unwrap();
        let plain = find(&logic, Duration::from_secs(20));
        let described =
            |logic: &GameLogic, found: &Structure, name: &dyn Fn(&GroundTerm) -> String| {
                let term = |&fact: &u32| name(&logic.words.facts[fact as usize]);
                let chains = found.control.chains.iter();
                let chains: BTreeSet<(Vec<String>, bool)> = chains
                    .map(|chain| {
                        let mut facts: Vec<String> = chain.facts.iter().map(term).collect();
                        // The rules do not determine where a cycle begins.
                        if chain.round {
                            facts.sort();
                        }
                        (facts, chain.round)
                    })
                    .collect();
                let roles: BTreeSet<(String, u32, bool)> = (0..logic.roles())
                    .map(|role| {
                        let turns = found.turns.roles[role];
                        (name(&logic.words.roles[role]), turns.moves, turns.chooses)
                    })
                    .collect();
                let (turns, ends) = (&found.turns, found.ends);
                (
                    chains,
                    roles,
                    turns.order,
                    turns.iterated,
                    ends.fixed,
                    ends.least,
                    ends.most,
                )
            };
        for seed in 1..3 {
            let scrambled = scrambled(&sheet, seed);
            let (_, other) = build(&scrambled.sheet).unwrap();
            let found = find(&other, Duration::from_secs(20));
            let back = |term: &GroundTerm| scrambled.mapping.unscramble(term).to_string();
            let expected = described(&logic, &plain, &GroundTerm::to_string);
            assert_eq!(described(&other, &found, &back), expected, "{name}, {seed}");
        }
    }
}

#[test]
fn a_deadline_returns_partial_results() {
    let (network, logic) = build(&sheet("reversi")).unwrap();
    let clock = std::sync::Arc::new(budget::ManualClock::default());
    let over = Budget::unlimited(clock).with_timeout(Duration::ZERO);
    let structure = Structure::find(&logic, &Default::default(), 1, &over);
    assert!(structure.report.exhausted.is_some());
    nothing_is_wrong(&network, &logic, &structure, 2, "reversi");
}

proptest::proptest! {
    #![proptest_config(testkit::rules::config())]

    #[test]
    fn proofs_hold_in_random_games(seed in 0u64..1 << 32) {
        let rules = testkit::games::random_game(seed);
        let sheet = parse(&rules, &ParseOptions::default()).sheet;
        if let Some((network, logic)) = build(&sheet) {
            let structure = find(&logic, Duration::from_millis(200));
            nothing_is_wrong(&network, &logic, &structure, 20, &rules);
            play_is_the_same(&logic, &structure.relevance, seed, &rules);
        }
    }
}
