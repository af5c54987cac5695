//! Learning in real games: it repeats, it ends in time, and what it learns beats random play.

use budget::Budget;
use features::Kinds;
use game::{Engine, MoveId, RoleId, State};
use heuristics::{Evaluator, Reference, Value};
use prepare::{EngineChoice, MadeLearner, Options, Prepared, prepare};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use selfplay::Config;
use std::time::Duration;

fn made(name: &str, opposed: bool) -> (Prepared, MadeLearner) {
    let path = testkit::root().join(format!("fixtures/games/{name}.gdl"));
    let rules = std::fs::read_to_string(path).expect("the fixture");
    let budget = Budget::system();
    let options = Options {
        engine: EngineChoice::Scalar,
        ..Options::default()
    };
    let prepared = prepare(&rules, &options, &budget).expect("it has a network");
    let compiled = prepared
        .playable
        .compiled
        .clone()
        .expect("it has a network");
    let proved = compile::Proved::find(compiled, 1, &budget);
    let (kinds, config) = (Kinds::default(), Config::default());
    // More time than it takes, so that the features are the same each time.
    let within = budget.with_timeout(Duration::from_secs(600));
    let engine = &*prepared.playable.engine;
    let learner = prepare::learner(engine, &proved, opposed, kinds, config, 1, &within);
    (
        prepared,
        learner.unwrap_or_else(|why| panic!("{name}: {why}")),
    )
}

fn learn(made: &mut MadeLearner, games: u64) -> Value {
    let progress = made
        .learner
        .learn(games, &Budget::system())
        .expect("it plays");
    assert!(progress.games >= games && progress.examples > games);
    made.learner.value().reordered(&made.order)
}

/// The mean result of a role that plays the best successor, against random play, 0 to 100.
fn greedy(engine: &mut dyn Engine, value: &Value, role: usize, matches: u64) -> f64 {
    let mut evaluator = Evaluator::new(value.features.clone());
    let mut total = 0.0;
    for seed in 0..matches {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut reference = Reference::new(&value.features);
        let (mut state, mut next) = (engine.initial(), State::default());
        while !engine.terminal(&state).expect("it plays") {
            let mut legal: Vec<Vec<MoveId>> = Vec::new();
            for role in 0..engine.roles().len() {
                let mut moves = Vec::new();
                engine
                    .legal(&state, RoleId(role), &mut moves)
                    .expect("it plays");
                legal.push(moves);
            }
            let mut joint: Vec<MoveId> = legal
                .iter()
                .map(|moves| moves[rng.random_range(0..moves.len())])
                .collect();
            evaluator.set(&mut reference, state.words());
            let mut most = f32::MIN;
            for &mv in &legal[role] {
                let mut tried = joint.clone();
                tried[role] = mv;
                engine.next(&state, &tried, &mut next).expect("it plays");
                let mut values = Vec::new();
                match engine.terminal(&next).expect("it plays") {
                    true => {
                        let goal = engine.goal(&next, RoleId(role)).expect("it plays");
                        values.push(f32::from(goal.unwrap_or(0)) - 50.0);
                    }
                    false => {
                        evaluator.values(&mut reference, &value.weights, next.words(), &mut values);
                        values[0] = value.outputs.worth(&values, role);
                    }
                }
                if values[0] > most {
                    (most, joint[role]) = (values[0], mv);
                }
            }
            engine.next(&state, &joint, &mut next).expect("it plays");
            std::mem::swap(&mut state, &mut next);
        }
        let goal = engine.goal(&state, RoleId(role)).expect("it plays");
        total += f64::from(goal.unwrap_or(0));
    }
    total / matches as f64
}

#[test]
fn what_was_learnt_beats_random_play() {
    for (name, games, at_least) in [
        ("tic_tac_toe", 1500, 85.0),
        ("connect_four_small", 1500, 75.0),
    ] {
        let (prepared, mut made) = made(name, true);
        let mut engine = prepared.playable.engine.fork();
        let before = made.learner.value().reordered(&made.order);
        let value = learn(&mut made, games);
        for role in 0..2 {
            let [random, learnt] =
                [&before, &value].map(|value| greedy(&mut *engine, value, role, 60));
            println!("{name}, role {role}: {random} before, {learnt} after");
            assert!(
                learnt > at_least && learnt > random,
                "{name} {role}: {learnt}"
            );
        }
    }
}

/// Makes the state after random moves of both roles.
fn random_step(
    engine: &mut dyn Engine,
    state: &State,
    next: &mut State,
    rng: &mut Xoshiro256PlusPlus,
) {
    let mut joint = Vec::new();
    for role in 0..2 {
        let mut moves = Vec::new();
        engine.legal(state, RoleId(role), &mut moves).unwrap();
        joint.push(moves[rng.random_range(0..moves.len())]);
    }
    engine.next(state, &joint, next).unwrap();
}

#[test]
fn learning_repeats_to_the_bit() {
    let weights = || {
        let (_, mut made) = made("breakthrough_small", true);
        let value = learn(&mut made, 40);
        (made.learner.progress(), (*value.weights).clone())
    };
    let (one, other) = (weights(), weights());
    assert_eq!(one.0, other.0);
    assert!(one.1 == other.1, "weights differ");
}

#[test]
fn all_kinds_of_games_are_learnt() {
    for (name, outputs) in [
        ("eight_puzzle", 1),
        ("three_player_free_for_all", 3),
        ("connect_four_simultaneous", 2),
        ("rock_paper_scissors_repeated", 2),
    ] {
        let (prepared, mut made) = made(name, false);
        let value = learn(&mut made, 40);
        assert_eq!(value.weights.outputs(), outputs, "{name}");
        let initial = prepared.playable.engine.initial();
        let mut reference = Reference::new(&value.features);
        let mut evaluator = Evaluator::new(value.features.clone());
        evaluator.set(&mut reference, initial.words());
        let mut values = Vec::new();
        evaluator.values(&mut reference, &value.weights, initial.words(), &mut values);
        assert!(
            values.iter().all(|value| value.is_finite()),
            "{name}: {values:?}"
        );
        assert!(value.weights.examples() > 0, "{name}");
    }
}

#[test]
fn values_beside_a_reference_are_those_from_scratch() {
    let (prepared, mut made) = made("breakthrough_small", true);
    let value = learn(&mut made, 60);
    let mut engine = prepared.playable.engine.fork();
    let mut evaluator = Evaluator::new(value.features.clone());
    let mut beside = Reference::new(&value.features);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let (mut state, mut next, mut seen) = (engine.initial(), State::default(), Vec::new());
    for _ in 0..30 {
        if engine.terminal(&state).unwrap() {
            break;
        }
        random_step(&mut *engine, &state, &mut next, &mut rng);
        evaluator.set(&mut beside, state.words());
        let near = evaluator.value(&mut beside, &value.weights, next.words(), 0);
        let mut there = Reference::new(&value.features);
        evaluator.set(&mut there, next.words());
        let alone = evaluator.value(&mut there, &value.weights, next.words(), 0);
        assert!((near - alone).abs() < 1e-3, "{near} {alone}");
        seen.push(near.to_bits());
        std::mem::swap(&mut state, &mut next);
    }
    seen.dedup();
    assert!(seen.len() > 10, "{} different values", seen.len());
}

#[test]
fn sides_that_may_be_exchanged_are_worth_the_same() {
    let (prepared, mut made) = made("breakthrough_small", true);
    learn(&mut made, 60);
    let value = made.learner.value();
    let compiled = prepared.playable.compiled.as_ref().expect("a network");
    let (network, logic) = (compiled.network.as_ref().expect("one"), &compiled.logic);
    let boards = analysis::boards::Boards::default();
    let budget = Budget::system();
    let symmetries = profile::symmetries::Symmetries::find(network, logic, &boards, 1, &budget);
    let mut exchange = symmetries.generators.iter();
    let exchange = exchange
        .find(|one| !one.fixes_roles())
        .expect("there is one");
    let mut engine = prepared.playable.engine.fork();
    let mut evaluator = Evaluator::new(value.features.clone());
    let mut reference = Reference::new(&value.features);
    let mut worth = |facts: &State| {
        evaluator.set(&mut reference, facts.words());
        evaluator.value(&mut reference, &value.weights, facts.words(), 0)
    };
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
    let (mut state, mut next, mut seen) = (engine.initial(), State::default(), Vec::new());
    while !engine.terminal(&state).unwrap() {
        let mut facts = State::default();
        assert!(engine.bits(&state, &mut facts));
        let mut image = vec![0; facts.words().len()];
        for (fact, &to) in exchange.facts.iter().enumerate() {
            if facts.words()[fact / 64] >> (fact % 64) & 1 == 1 {
                image[to as usize / 64] |= 1 << (to % 64);
            }
        }
        let (own, other) = (worth(&facts), worth(&State::from_words(image)));
        assert!((own + other).abs() < 1e-3, "{own} {other}");
        seen.push(own.to_bits());
        random_step(&mut *engine, &state, &mut next, &mut rng);
        std::mem::swap(&mut state, &mut next);
    }
    seen.dedup();
    assert!(seen.len() > 10, "{} different values", seen.len());
}

#[test]
fn learning_ends_with_its_budget() {
    let (_, mut made) = made("reversi", true);
    let budget = testkit::steps(40);
    let progress = made.learner.learn(u64::MAX, &budget).expect("it plays");
    assert!(progress.games < 1000, "{progress:?}");
}
