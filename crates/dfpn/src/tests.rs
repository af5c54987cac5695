//! The prover against exhaustive search. `pnsearch` and `alphabeta` run the same tests on their own
//! provers.

use crate::{Answer, ProofSearch, Prover};
use budget::Budget;
use exhaustive::{Limits, Reading, Solver, Verdict};
use game::{Engine, MoveId, RoleId, State};
use heuristics::{
    Blank, Evaluator, FeatureSet, Features, Outputs, Reference, Table, Tuple, Value, Weights,
};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::Arc;
use testkit::fans::OneByOne;
use testkit::layered::Layered;
use testkit::toys::{Matrix, TakeAway};

const GOALS: [u8; 4] = [1, 26, 51, 100];

pub(crate) fn prover(engine: &dyn Engine, role: usize, memory: usize) -> Prover {
    Prover::new(engine.fork(), RoleId(role), memory, 0)
}

pub(crate) fn fixture(name: &str) -> reasoner::Reasoner {
    let path = testkit::root().join(format!("fixtures/games/{name}.gdl"));
    let text = std::fs::read_to_string(path).unwrap();
    let parsed = gdl_parse::parse(&text, &gdl_parse::ParseOptions::default());
    reasoner::Reasoner::new(&parsed.sheet, &Budget::system()).unwrap()
}

/// A prover that detects wins that are one move away.
pub(crate) fn foreseeing(
    engine: &dyn Engine,
    role: usize,
    memory: usize,
    sum: Option<u32>,
) -> Prover {
    let mut prover = prover(engine, role, memory);
    prover.fan_out(Box::new(OneByOne::of(engine)));
    prover.foresee(sum);
    prover
}

/// Whether an answer agrees with exhaustive search, whose bounds are exact: a yes promises no
/// more than the role gets, a no no less.
pub(crate) fn agrees(answer: Answer, true_value: u8, asked: u8) -> bool {
    match answer {
        Answer::Yes { at_least, .. } => at_least >= asked && true_value >= at_least,
        Answer::No { at_most, .. } => at_most < asked && true_value <= at_most,
        Answer::Open => false,
    }
}

/// A value of states like this one that knows nothing: random weights for the bits of its words.
fn prejudice(state: &State, roles: usize, seed: u64) -> Value {
    let bits = 64 * state.words().len() as u32;
    let set = FeatureSet {
        bits: (0..bits).map(|bit| Some((bit, 1))).collect(),
        sizes: vec![2; bits as usize],
        tables: vec![
            Table {
                sizes: vec![2],
                blank: Blank::Nothing
            };
            bits as usize
        ],
        tuples: (0..bits)
            .map(|bit| Tuple {
                table: bit,
                variables: vec![Some(bit)],
            })
            .collect(),
        ..FeatureSet::default()
    };
    let outputs = Outputs::Each { roles };
    let features = Arc::new(Features::new(set.clone()));
    let mut weights = Weights::new(&features, outputs.count());
    let (mut evaluator, mut reference) =
        (Evaluator::new(features.clone()), Reference::new(&features));
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    for _ in 0..200 {
        let words: Vec<u64> = state.words().iter().map(|_| rng.random()).collect();
        let targets: Vec<f32> = (0..roles)
            .map(|_| f32::from(u8::from(rng.random::<bool>())))
            .collect();
        evaluator.set(&mut reference, &words);
        weights.learn(&mut evaluator, &mut reference, &targets, 1.0);
    }
    Value::of(set, weights, outputs).unwrap()
}

/// The result of a role from a state, if all others play against it and no two choose at the
/// same time.
pub(crate) fn true_value(engine: &mut dyn Engine, state: &State, role: RoleId) -> u8 {
    if engine.terminal(state).unwrap() {
        return engine.goal(state, role).unwrap().unwrap_or(0);
    }
    let mut own = Vec::new();
    engine.legal(state, role, &mut own).unwrap();
    let mut solver = Solver::new(engine, role, Limits::default());
    let values = solver.intervals(state, &Budget::system()).unwrap();
    assert!(values.iter().all(|value| value.lower == value.upper));
    values.iter().map(|value| value.upper).max().unwrap()
}

proptest! {
    #[test]
    fn answers_are_those_of_exhaustive_search(seed: u64, roles in 1usize..4, layers in 1u64..8, small: bool) {
        let mut engine = Layered::new(roles, seed, layers).in_turn();
        let state = engine.initial();
        for role in 0..roles {
            let value = true_value(&mut engine, &state, RoleId(role));
            // A table that forgets nearly everything takes longer but gives the same answer.
            let memory = if small { 0 } else { 1 << 16 };
            for mut prover in [prover(&engine, role, memory), foreseeing(&engine, role, memory, None)] {
                for asked in GOALS {
                    let answer = prover.ask(&state, asked, 1_000_000, &Budget::system()).unwrap();
                    prop_assert!(agrees(answer, value, asked), "{answer:?} of {value}, asked for {asked}");
                }
            }
        }
    }

    #[test]
    fn whatever_guides_a_search_its_answers_are_the_same(seed: u64, roles in 1usize..4, layers in 1u64..8, plunges: bool) {
        let mut engine = Layered::new(roles, seed, layers).in_turn();
        let state = engine.initial();
        let value = prejudice(&state, roles, seed);
        for role in 0..roles {
            let right = true_value(&mut engine, &state, RoleId(role));
            for guided in [false, true] {
                let mut prover = prover(&engine, role, 1 << 16);
                prover.subject.guide = guided.then(|| value.clone().into());
                prover.subject.plunges = plunges;
                for asked in GOALS {
                    let answer = prover.ask(&state, asked, 1_000_000, &Budget::system()).unwrap();
                    prop_assert!(agrees(answer, right, asked), "{answer:?} of {right}, asked for {asked}");
                }
            }
        }
    }

    #[test]
    fn simultaneous_choices_lead_to_no_false_proofs(seed: u64, layers in 1u64..5) {
        let mut engine = Layered::new(2, seed, layers);
        let state = engine.initial();
        for asked in GOALS {
            let answer = prover(&engine, 0, 1 << 16).ask(&state, asked, 100_000, &Budget::system()).unwrap();
            let ended = engine.terminal(&state).unwrap();
            let reading = match answer {
                Answer::Yes { .. } => Reading::Guaranteed,
                Answer::No { .. } => Reading::Conceded,
                Answer::Open => continue,
            };
            let mut solver = Solver::new(&mut engine, RoleId(0), Limits::default());
            let outcome = solver.at_least(&state, asked, reading, &Budget::system()).unwrap();
            let yes = outcome.answers.iter().any(|answer| answer.verdict.is_yes());
            let no = outcome.answers.iter().all(|answer| answer.verdict.is_no());
            match answer {
                Answer::Yes { .. } => prop_assert!(ended || yes),
                _ => prop_assert!(ended || no),
            }
        }
    }
}

#[test]
fn positions_of_real_games_match_exhaustive_search() {
    let mut known = 0;
    for (name, plies) in [
        ("tic_tac_toe", 2),
        ("connect_four_small", 6),
        ("nim", 1),
        ("chomp", 1),
    ] {
        let mut engine = fixture(name);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
        for _ in 0..4 {
            let state = played(&mut engine, plies, &mut rng);
            for role in [0, 1] {
                let asked = [50, 100][usize::from(rng.random_bool(0.5))];
                let mut prover = match rng.random_bool(0.5) {
                    true => prover(&engine, role, 1 << 20),
                    false => foreseeing(&engine, role, 1 << 20, Some(100)),
                };
                let answer = prover.ask(&state, asked, 200_000, &Budget::system());
                let mut solver = Solver::new(&mut engine, RoleId(role), Limits::default());
                let outcome =
                    solver.at_least(&state, asked, Reading::Guaranteed, &Budget::system());
                let outcome = outcome.unwrap().answers;
                let says = |wanted: fn(Verdict) -> bool| {
                    outcome.iter().map(move |own| wanted(own.verdict))
                };
                match answer.unwrap() {
                    Answer::Yes { .. } => {
                        assert!(outcome.is_empty() || says(Verdict::is_yes).any(|yes| yes))
                    }
                    Answer::No { .. } => assert!(says(Verdict::is_no).all(|no| no)),
                    Answer::Open => continue,
                }
                known += 1;
            }
        }
    }
    assert!(known >= 24, "{known} of 32");
}

/// The state after up to `plies` random joint moves.
pub(crate) fn played(engine: &mut dyn Engine, plies: usize, rng: &mut Xoshiro256PlusPlus) -> State {
    let mut state = engine.initial();
    for _ in 0..plies {
        if engine.terminal(&state).unwrap() {
            break;
        }
        let mut joint = Vec::new();
        for role in (0..engine.roles().len()).map(RoleId) {
            let mut moves = Vec::new();
            engine.legal(&state, role, &mut moves).unwrap();
            joint.push(moves[rng.random_range(0..moves.len())]);
        }
        let mut next = State::default();
        engine.next(&state, &joint, &mut next).unwrap();
        state = next;
    }
    state
}

#[test]
fn a_question_continues_and_its_moves_have_answers() {
    // The role that takes the last token wins: multiples of four are lost.
    let game = TakeAway::new(2, 41, 3);
    let state = game.initial();
    let mut prover = prover(&game, 0, 1 << 16);
    let mut asked = 0;
    while prover.ask(&state, 100, 100, &Budget::system()).unwrap() == Answer::Open {
        asked += 1;
        assert!(asked < 1_000, "it gets nowhere");
    }
    assert!(asked > 1, "it was no question");
    let taken = |count| [MoveId(count), MoveId(0)];
    let leaves_forty = prover.after(&state, &taken(1)).unwrap();
    assert!(matches!(leaves_forty, Answer::Yes { at_least: 100, plies } if plies >= 20));
    assert!(!matches!(
        prover.after(&state, &taken(2)).unwrap(),
        Answer::Yes { .. }
    ));
}

#[test]
fn a_budget_that_ends_leaves_the_question_open() {
    let game = TakeAway::new(2, 400, 3);
    let budget = Budget::system().with_timeout(std::time::Duration::ZERO);
    let mut prover = prover(&game, 0, 1 << 16);
    let answer = prover.ask(&game.initial(), 100, u64::MAX, &budget);
    assert_eq!(answer, Ok(Answer::Open));
    assert!(prover.states() < 10);
}

#[test]
fn simultaneous_choices_stay_open() {
    let game = Matrix::new(2, 2, 1, |moves, role| {
        Some(if (moves[0] == moves[1]) == (role.0 == 0) {
            100
        } else {
            0
        })
    });
    let state = game.initial();
    let mut prover = prover(&game, 0, 1 << 16);
    for asked in [1, 100] {
        let answer = prover.ask(&state, asked, 1_000, &Budget::system());
        assert_eq!(answer, Ok(Answer::Open));
    }
}

#[test]
fn outlooks_are_right_and_save_states() {
    let game = fixture("tic_tac_toe");
    let state = game.initial();
    let mut looks = Vec::new();
    for foresees in [false, true] {
        let mut prover = match foresees {
            false => prover(&game, 0, 1 << 16),
            true => foreseeing(&game, 0, 1 << 16, Some(100)),
        };
        let answer = prover.ask(&state, 100, 100_000, &Budget::system());
        assert!(matches!(answer, Ok(Answer::No { at_most: 50, .. })));
        looks.push(prover.states());
    }
    assert!(8 * looks[1] < 7 * looks[0], "{looks:?}");
    // After a question, the moves decided by outlooks have answers.
    let game = TakeAway::new(2, 21, 3);
    let state = game.state(4, RoleId(0));
    let mut prover = foreseeing(&game, 0, 1 << 16, Some(100));
    let answer = prover.ask(&state, 100, 100_000, &Budget::system());
    assert!(matches!(answer, Ok(Answer::No { at_most: 0, .. })));
    for count in 1..=3 {
        let answer = prover.after(&state, &[MoveId(count), MoveId(0)]);
        assert!(matches!(answer, Ok(Answer::No { at_most: 0, .. })));
    }
}
