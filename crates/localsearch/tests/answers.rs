//! Answers against proof-number search, and what bounds the search.

mod common;

use budget::Budget;
use common::Game;
use dfpn::{Answer, ProofSearch, Prover};
use game::{RoleId, State};
use localsearch::{Claim, FOREVER, Search, Unsuitable};
use rand::RngExt;
use testkit::steps;

const MEMORY: usize = 64 << 20;

#[test]
fn final_answers_agree_with_proof_number_search() {
    let mut decided = 0;
    for name in [
        "tic_tac_toe",
        "connect_four_small",
        "nim",
        "breakthrough_small",
    ] {
        let mut game = Game::fixture(name);
        for role in 0..2 {
            let budget = Budget::system();
            let mut search = Search::new(&game.proved, RoleId(role), 100, MEMORY, &budget).unwrap();
            let mut prover = Prover::new(game.engine.fork(), RoleId(role), MEMORY, 0);
            for _ in 0..10 {
                let length = game.rng.random_range(3..60);
                let state = game.random_state(length);
                let bits = game.bits(&state);
                let proof = search.deepen(&bits, 60, 20_000, &budget);
                let yes = match proof.map(|proof| proof.cube.claim) {
                    Some(Claim::Wins(_)) => true,
                    Some(Claim::Fails(FOREVER)) => false,
                    _ => continue,
                };
                let answer = prover.ask(&state, 100, 200_000, &budget).unwrap();
                if answer != Answer::Open {
                    decided += 1;
                    assert_eq!(matches!(answer, Answer::Yes { .. }), yes, "{name}");
                }
            }
        }
    }
    assert!(decided > 20, "{decided}");
}

#[test]
fn a_won_line_ends_in_the_result() {
    let mut game = Game::fixture("breakthrough_small");
    let budget = Budget::system();
    let mut search = Search::new(&game.proved, RoleId(0), 100, MEMORY, &budget).unwrap();
    let mut long = 0;
    for _ in 0..40 {
        let length = game.rng.random_range(6..30);
        let mut state = game.random_state(length);
        let bits = game.bits(&state);
        let Some(proof) = search.deepen(&bits, 9, 20_000, &budget) else {
            continue;
        };
        let Claim::Wins(plies) = proof.cube.claim else {
            continue;
        };
        let line = search.line(&bits, plies, 20_000, &budget);
        assert!(line.len() <= usize::from(plies));
        long += usize::from(line.len() > 3);
        for (role, mv) in line {
            let mut joint = Vec::new();
            for other in (0..2).map(RoleId) {
                let mut moves = Vec::new();
                game.engine.legal(&state, other, &mut moves).unwrap();
                let term = &game.compiled.logic.words.moves[role.0][mv.0 as usize];
                joint.push(match other == role {
                    true => game.engine.find_move(role, term).unwrap(),
                    false => moves[0],
                });
                assert!(moves.contains(&joint[other.0]));
            }
            let mut next = State::default();
            game.engine.next(&state, &joint, &mut next).unwrap();
            state = next;
        }
        assert!(game.engine.terminal(&state).unwrap());
        assert_eq!(game.engine.goal(&state, RoleId(0)).unwrap(), Some(100));
    }
    assert!(long > 0);
}

#[test]
fn a_win_that_comes_with_a_move_of_the_other_has_a_line() {
    // Who must take the last square loses, so that the game ends by a move of the loser.
    let game = Game::fixture("chomp");
    let budget = Budget::system();
    let bits = game.bits(&game.engine.initial());
    let mut search = Search::new(&game.proved, RoleId(0), 100, MEMORY, &budget).unwrap();
    let proof = search.deepen(&bits, 99, u64::MAX, &budget).unwrap();
    let Claim::Wins(plies) = proof.cube.claim else {
        panic!("{:?}", proof.cube.claim)
    };
    assert_eq!(plies % 2, 0);
    let mut search = Search::new(&game.proved, RoleId(0), 100, MEMORY, &budget).unwrap();
    let proof = search.deepen(&bits, plies, u64::MAX, &budget).unwrap();
    assert_eq!(proof.cube.claim, Claim::Wins(plies));
    let line = search.line(&bits, plies, u64::MAX, &budget);
    assert!(line.len() > 3, "{line:?}");
}

#[test]
fn budgets_and_states_bound_the_search() {
    let game = Game::fixture("breakthrough");
    let mut search = Search::new(&game.proved, RoleId(0), 100, MEMORY, &Budget::system()).unwrap();
    let bits = game.bits(&game.engine.initial());
    // The budget is looked at before every generation of children.
    assert_eq!(search.ask(&bits, 31, u64::MAX, &steps(3)), None);
    assert!(search.states() < 300, "{}", search.states());
    let before = search.states();
    assert_eq!(search.ask(&bits, 31, 1000, &Budget::system()), None);
    assert!(search.states() - before < 1100);
    // With hardly any memory it gives up, and does not fail.
    let mut small = Search::new(&game.proved, RoleId(0), 100, 1000, &Budget::system()).unwrap();
    assert_eq!(small.ask(&bits, 31, u64::MAX, &Budget::system()), None);
}

#[test]
fn games_that_do_not_suit_are_told_apart() {
    let why = |name: &str, role: usize| {
        let game = Game::fixture(name);
        let budget = Budget::system();
        Search::new(&game.proved, RoleId(role), 100, MEMORY, &budget).err()
    };
    assert_eq!(why("hex", 0), Some(Unsuitable::Recursive));
    assert_eq!(why("tic_tac_toe", 2), Some(Unsuitable::NoRole));
    assert_eq!(why("tic_tac_toe", 1), None);
}
