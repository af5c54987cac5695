//! Moves are chosen uniformly among the legal ones, in each lane, across lanes, and
//! independently.

mod common;

use common::walker::{LANES, Walker};
use common::{Game, deviation, even, scanned};
use game::State;
use lanes::{Choice, Policy};
use netlist::{Phased, Phases};
use std::collections::HashMap;

/// Statistics beyond this many standard deviations fail. Some hundred are checked, and the
/// seeds are fixed.
const FAR: f64 = 4.5;

/// States of one phase whose legal joint moves all have different successors, so that the
/// chosen move can be identified. With each the numbers of the joint moves by their successors.
fn telling(
    game: &mut Game,
    phase: usize,
    seed: u64,
    most: usize,
) -> Vec<(State, HashMap<Vec<u64>, usize>)> {
    let phases = Phases::find(&game.logic);
    let states = game.states(seed, 40);
    let mut telling = Vec::new();
    let mut counts = Vec::new();
    for state in states {
        let holds = |fact: u32| state.words()[fact as usize / 64] >> (fact % 64) & 1 == 1;
        let joints = game.joints(&state);
        if phases.of(holds) != Some(phase) || joints.len() < 2 || counts.contains(&joints.len()) {
            continue;
        }
        let ends = joints.iter().enumerate().map(|(i, joint)| {
            let next = game.next(&state, joint);
            (next.words().to_vec(), i)
        });
        let ends: HashMap<Vec<u64>, usize> = ends.collect();
        if ends.len() == joints.len() {
            counts.push(joints.len());
            telling.push((state, ends));
        }
    }
    telling.truncate(most);
    telling
}

/// Draws repeatedly from the same state in all lanes.
fn check_one(walker: &mut Walker, name: &str, state: &State, ends: &HashMap<Vec<u64>, usize>) {
    let moves = ends.len();
    let draws = 12 * moves;
    walker.put(|_| state);
    let mut words = Vec::new();
    let mut per_lane = vec![vec![0u64; moves]; LANES];
    // How often two moves occurred together: in the next lane, in the same lane of the next
    // word, in the same lane of the next draw.
    let mut together = [(); 3].map(|()| vec![0u64; moves * moves]);
    let mut before: Vec<usize> = Vec::new();
    for _ in 0..draws {
        walker.look();
        walker.make();
        let chosen: Vec<usize> = (0..LANES)
            .map(|lane| {
                walker.next(lane, &mut words);
                ends[&words]
            })
            .collect();
        for (lane, &mv) in chosen.iter().enumerate() {
            per_lane[lane][mv] += 1;
            if lane % 2 == 0 {
                together[0][mv * moves + chosen[lane + 1]] += 1;
            }
            if lane < LANES / 2 {
                together[1][mv * moves + chosen[lane + LANES / 2]] += 1;
            }
            if let Some(&earlier) = before.get(lane) {
                together[2][earlier * moves + mv] += 1;
            }
        }
        // Draws are paired, so that each counts once.
        before = if before.is_empty() {
            chosen
        } else {
            Vec::new()
        };
    }
    let freedom = (moves - 1) as f64;
    let across: Vec<u64> = (0..moves)
        .map(|mv| per_lane.iter().map(|lane| lane[mv]).sum())
        .collect();
    let far = deviation(even(&across), freedom);
    assert!(far.abs() < FAR, "{name}: across lanes {far} {across:?}");
    let lanes: Vec<f64> = per_lane.iter().map(|counts| even(counts)).collect();
    let far = deviation(lanes.iter().sum(), freedom * LANES as f64);
    assert!(far.abs() < FAR, "{name}: all lanes by themselves {far}");
    for (lane, &chi_square) in lanes.iter().enumerate() {
        let far = deviation(chi_square, freedom);
        assert!(far < FAR, "{name}: lane {lane} {far} {:?}", per_lane[lane]);
    }
    // With few pairs of a kind, this distribution is only approximate.
    for (which, pairs) in together.iter().enumerate() {
        let far = deviation(even(pairs), (moves * moves - 1) as f64);
        assert!(far.abs() < FAR, "{name}: pairs {which} {far}");
    }
}

/// Different states in neighbouring lanes, with different numbers of moves.
fn check_mixed(walker: &mut Walker, name: &str, states: &[(State, HashMap<Vec<u64>, usize>)]) {
    walker.put(|lane| &states[lane % states.len()].0);
    let mut counts: Vec<Vec<u64>> = states.iter().map(|(_, e)| vec![0; e.len()]).collect();
    let mut words = Vec::new();
    for _ in 0..60 {
        walker.look();
        walker.make();
        for lane in 0..LANES {
            walker.next(lane, &mut words);
            let which = lane % states.len();
            counts[which][states[which].1[&words]] += 1;
        }
    }
    for counts in counts {
        let far = deviation(even(&counts), (counts.len() - 1) as f64);
        assert!(far.abs() < FAR, "{name}: {far} {counts:?}");
    }
}

#[test]
fn choices_are_uniform_and_independent() {
    // Games with turns, a puzzle, and two and three roles at once.
    let games = [
        ("tic_tac_toe", 0, 4),
        ("breakthrough_small", 1, 3),
        ("nim", 0, 3),
        ("eight_puzzle", 0, 2),
        ("hex", 0, 1),
        ("connect_four_simultaneous", 0, 2),
        ("light_cycles", 0, 1),
        ("three_player_free_for_all", 0, 2),
    ];
    for (seed, (name, phase, most)) in games.into_iter().enumerate() {
        let mut game = Game::fixture(name);
        let states = telling(&mut game, phase, seed as u64, most.max(5));
        assert!(!states.is_empty(), "{name}");
        let (plain, proved) = (Choice::plain(&game.logic), game.proved_choices());
        let ways = [scanned(&proved), plain, proved];
        for (way, choices) in ways.iter().enumerate() {
            let uniform = Policy::default();
            let mut walker = Walker::new(
                &game,
                &Phased::new(&game.logic),
                choices,
                &uniform,
                (10 * seed + way) as u64,
            );
            walker.phase = phase;
            for (state, ends) in states.iter().take(most) {
                check_one(&mut walker, name, state, ends);
            }
            check_mixed(&mut walker, name, &states);
        }
    }
}
