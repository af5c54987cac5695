//! Whole playouts by policies: exact means, the same moves as one by one, the same for a seed.

mod common;

use bitcode::{Code, Evaluator, Interpreter};
use budget::{Budget, ManualClock};
use common::Game;
use game::{Engine, MoveId, Playouts, RoleId, Start, State, Tally};
use lanes::{Choice, Declined, Guide, Guided, LanePlayouts, Policy};
use netlist::Phased;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

const W: usize = 2;

fn interpreted(code: &Code) -> Box<dyn Evaluator<W>> {
    Box::new(Interpreter::new(code))
}

fn lanes(game: &Game, policy: &Policy, seed: u64, budget: &Budget) -> LanePlayouts<W> {
    let choices = Choice::plain(&game.logic);
    LanePlayouts::with(
        &Phased::new(&game.logic),
        &choices,
        policy,
        interpreted,
        seed,
        1000,
        budget,
    )
}

fn run(playouts: &mut LanePlayouts<W>, state: &State, times: u64) -> Tally {
    let start = Start {
        state,
        playouts: times,
    };
    let mut tallies = Vec::new();
    playouts
        .run(&[start], &mut tallies, &Budget::system())
        .expect("a sound game");
    tallies.remove(0)
}

fn decisive(role: usize) -> Policy {
    Policy {
        decisive: vec![role],
        ..Policy::default()
    }
}

fn guided(game: &Game, mixed: bool) -> Policy {
    let roles = 0..game.roles();
    Policy {
        guided: roles.map(|role| Guided { role, mixed }).collect(),
        ..Policy::default()
    }
}

/// The exact mean result of role 0, if the roles of `decisive` win where they can.
fn mean(
    game: &mut Game,
    state: &State,
    decisive: &[usize],
    known: &mut HashMap<State, f64>,
) -> f64 {
    if let Some(&mean) = known.get(state) {
        return mean;
    }
    let goal = |game: &mut Game, state: &State, role| {
        let goal = game.engine.goal(state, RoleId(role)).unwrap();
        goal.unwrap_or(0)
    };
    if game.engine.terminal(state).unwrap() {
        return f64::from(goal(game, state, 0));
    }
    let joints = game.joints(state);
    let mover = (0..game.roles())
        .find(|&role| joints.iter().any(|joint| joint[role] != joints[0][role]))
        .unwrap_or(0);
    let mut ends: Vec<State> = joints.iter().map(|joint| game.next(state, joint)).collect();
    if decisive.contains(&mover) {
        let mut wins = ends.clone();
        wins.retain(|end| game.engine.terminal(end).unwrap() && goal(game, end, mover) == 100);
        if !wins.is_empty() {
            ends = wins;
        }
    }
    let means = ends.iter().map(|end| mean(game, end, decisive, known));
    let mean = means.sum::<f64>() / ends.len() as f64;
    known.insert(state.clone(), mean);
    mean
}

#[test]
fn decisive_roles_have_the_exact_mean() {
    let mut game = Game::fixture("tic_tac_toe");
    let initial = game.engine.initial();
    let mut before = f64::INFINITY;
    for roles in [vec![0], vec![0, 1], vec![], vec![1]] {
        let expected = mean(&mut game, &initial, &roles, &mut HashMap::new());
        assert!(expected < before, "these are in order");
        before = expected;
        let policy = Policy {
            decisive: roles,
            ..Policy::default()
        };
        let mut lanes = lanes(&game, &policy, 5, &Budget::system());
        let tally = run(&mut lanes, &initial, 100_000);
        let count = tally.finished as f64;
        let (mean, squares) = (
            tally.goals[0] as f64 / count,
            tally.squares[0] as f64 / count,
        );
        let error = ((squares - mean * mean) / count).sqrt();
        assert!((mean - expected).abs() < 4.0 * error, "{mean} {expected}");
    }
}

#[test]
fn lists_are_followed_to_the_end() {
    for name in ["tic_tac_toe", "breakthrough_small", "chomp", "reversi"] {
        let mut game = Game::fixture(name);
        let initial = game.engine.initial();
        let mut lanes = lanes(&game, &guided(&game, false), 1, &Budget::system());
        // One by one, the greatest number first; for the last role, by the order of its moves.
        let (mut state, mut moves) = (initial.clone(), Vec::new());
        let last = game.roles() - 1;
        while !game.engine.terminal(&state).unwrap() {
            let joint = (0..game.roles()).map(|role| {
                let engine = &mut game.engine;
                engine.legal(&state, RoleId(role), &mut moves).unwrap();
                let first = if role == last {
                    moves.iter().min()
                } else {
                    moves.iter().max()
                };
                *first.expect("a move")
            });
            let joint: Vec<MoveId> = joint.collect();
            state = game.next(&state, &joint);
        }
        for role in 0..last {
            let moves = game.logic.does[role].len() as u32;
            let list = (0..moves).rev().collect();
            let guide = Guide {
                lists: vec![list],
                follow: 1.0,
            };
            lanes.guide(role, &guide);
        }
        for lanes in [&mut lanes.fork(2), &mut lanes] {
            let tally = run(lanes, &initial, 500);
            assert_eq!(tally.finished, 500);
            for role in 0..game.roles() {
                let goal = game.engine.goal(&state, RoleId(role)).unwrap();
                let goal = u64::from(goal.expect("a result"));
                assert_eq!(tally.goals[role], 500 * goal, "{name} {role}");
            }
        }
    }
}

#[test]
fn roles_without_a_list_choose_uniformly() {
    let mut game = Game::fixture("tic_tac_toe");
    let initial = game.engine.initial();
    let expected = mean(&mut game, &initial, &[], &mut HashMap::new());
    let list = Guide {
        lists: vec![(0..9).collect()],
        follow: 0.0,
    };
    let none = Guide {
        lists: vec![Vec::new()],
        follow: 1.0,
    };
    // Equal weights are uniform, too, but lanes of a step choose alike.
    let luce = Guide::luce(&[1.0; 10], 5000, 1);
    for (guide, near) in [(list, 0.6), (none, 0.6), (luce, 3.0)] {
        let mut lanes = lanes(&game, &guided(&game, true), 1, &Budget::system());
        (0..2).for_each(|role| lanes.guide(role, &guide));
        let tally = run(&mut lanes, &initial, 100_000);
        let mean = tally.goals[0] as f64 / tally.finished as f64;
        assert!((mean - expected).abs() < near, "{mean} {expected}");
    }
}

#[test]
fn policies_repeat_from_a_seed() {
    let game = Game::fixture("connect_four");
    let initial = game.engine.initial();
    let policy = Policy {
        decisive: vec![0],
        guided: vec![Guided {
            role: 1,
            mixed: true,
        }],
        ..Policy::default()
    };
    let moves = game.logic.does[1].len();
    let weights: Vec<f64> = (0..moves).map(|mv| 1.0 + mv as f64).collect();
    let guide = Guide {
        follow: 0.75,
        ..Guide::luce(&weights, 20, 4)
    };
    let mut tallies = [7, 7, 8].map(|seed| {
        let mut lanes = lanes(&game, &policy, seed, &Budget::system());
        lanes.guide(1, &guide);
        run(&mut lanes, &initial, 3000)
    });
    assert_eq!(tallies[0], tallies[1]);
    assert_ne!(tallies[0], tallies[2]);
    let mut again = lanes(&game, &policy, 1, &Budget::system());
    again.guide(1, &guide);
    again.reseed(7);
    tallies[1] = run(&mut again, &initial, 3000);
    assert_eq!(tallies[0], tallies[1]);
}

#[test]
fn declined_parts_are_left_out_and_reported() {
    for (name, why) in [
        ("hex", Declined::Recursive),
        ("reversi", Declined::TooLarge),
    ] {
        let game = Game::fixture(name);
        let lanes = lanes(&game, &decisive(0), 1, &Budget::system());
        let outcomes = lanes.applied().map(|(_, applied)| applied.outcome);
        assert!(
            outcomes.eq([Err(why), Err(Declined::NoChoice)]),
            "{:?}",
            Vec::from_iter(lanes.applied())
        );
    }

    let clock = Arc::new(ManualClock::default());
    let exhausted = Budget::unlimited(clock).with_timeout(Duration::ZERO);
    let game = Game::fixture("tic_tac_toe");
    let initial = game.engine.initial();
    let mut left_out = lanes(&game, &decisive(0), 1, &exhausted);
    let outcomes = left_out.applied().map(|(_, applied)| applied.outcome);
    assert!(outcomes.eq([Err(Declined::Exhausted), Err(Declined::NoChoice)]));
    let mut uniform = lanes(&game, &Policy::default(), 1, &exhausted);
    assert_eq!(uniform.applied().count(), 0);
    let tallies = [&mut left_out, &mut uniform].map(|lanes| run(lanes, &initial, 1000));
    assert_eq!(tallies[0], tallies[1]);
}
