//! Games of one role, and of roles that take turns.

use super::{batches, builder_for, choose, search, search_with};
use crate::{Bounds, Config};
use game::{Engine, MoveId, RoleId, State};
use testkit::toys::{Matrix, TakeAway};

#[test]
fn take_away_is_solved_from_every_position() {
    all_take_away(Config::default(), 3000);
}

#[test]
fn batches_solve_every_position_too() {
    all_take_away(batches(), 100_000);
}

fn all_take_away(config: Config, playouts: u64) {
    let game = TakeAway::new(2, 21, 3);
    for tokens in 2..=21 {
        for turn in 0..2 {
            let state = game.state(tokens, RoleId(turn));
            let config = Config {
                sum: Some(100),
                ..config.clone()
            };
            let mut search = search_with(game.clone(), turn, config);
            let report = choose(&mut search, &state, playouts);
            assert!(report.solved, "{tokens} tokens: {report:?}");
            let known = report.candidate.map(|candidate| candidate.bounds);
            let won = tokens % 4 != 0;
            assert_eq!(known, Some(Bounds::exactly(if won { 100 } else { 0 })));
            if won {
                assert_eq!(u64::from(report.best.0), tokens % 4, "{tokens} tokens");
            }
        }
    }
}

#[test]
fn wins_are_found_without_solving_and_transpositions() {
    let game = TakeAway::new(2, 21, 3);
    let plain = Config {
        solve: false,
        transpositions: false,
        ..Config::default()
    };
    for tokens in [5, 6, 7, 9, 10, 11] {
        let state = game.state(tokens, RoleId(0));
        let mut search = search_with(game.clone(), 0, plain.clone());
        let report = choose(&mut search, &state, 3000);
        assert_eq!(u64::from(report.best.0), tokens % 4, "{tokens} tokens");
        assert!(!report.solved);
    }
}

#[test]
fn transpositions_share_a_node() {
    let game = TakeAway::new(2, 40, 3);
    let state = game.state(40, RoleId(0));
    let config = Config {
        solve: false,
        ..Config::default()
    };
    let nodes = |config| choose(&mut search_with(game.clone(), 0, config), &state, 5000).nodes;
    let shared = nodes(config.clone());
    assert!(shared <= 80, "{shared}");
    let apart = nodes(Config {
        transpositions: false,
        ..config
    });
    assert!(apart > 1000, "{apart}");
}

#[test]
fn a_puzzle_is_solved() {
    // Only the moves 3, 1, 4 give 100; everything else gives 10.
    let payoff = |played: &[u64], _| Some(if played == [3, 1, 4] { 100 } else { 10 });
    let game = Matrix::new(1, 6, 3, payoff);
    let mut search = search(game.clone(), 0);
    let mut state = game.initial();
    for wanted in [3, 1, 4] {
        let report = choose(&mut search, &state, 1500);
        assert_eq!(report.best, MoveId(wanted));
        let mut next = State::default();
        let mut engine = game.clone();
        engine.next(&state, &[report.best], &mut next).unwrap();
        state = next;
    }
}

#[test]
fn several_threads_prove_the_same() {
    let game = TakeAway::new(2, 60, 3);
    for tokens in [40, 41, 59, 60] {
        let config = Config {
            sum: Some(100),
            ..Config::default()
        };
        let mut search = builder_for(game.clone(), 0, config).threads(4).build();
        let state = game.state(tokens, RoleId(0));
        let report = choose(&mut search, &state, 1_000_000);
        let won = if tokens % 4 == 0 { 0 } else { 100 };
        let known = report.candidate.map(|candidate| candidate.bounds);
        assert_eq!(known, Some(Bounds::exactly(won)), "{tokens} tokens");
    }
}

#[test]
fn each_of_three_roles_maximises_its_own_result() {
    // With its second move the first role gets 100 if both others play for themselves, which are
    // their first moves, and less for each that does not.
    let payoff = |played: &[u64], role: RoleId| {
        let against = (played[1] + played[2]) as u8;
        Some(match (role.0, played[0]) {
            (0, 0) => 0,
            (0, _) => 100 - 50 * against,
            (other, _) => 50 - 10 * played[other] as u8,
        })
    };
    let game = Matrix::new(3, 2, 1, payoff).in_turn();
    let config = Config {
        solve: false,
        ..Config::default()
    };
    let mut search = search_with(game.clone(), 0, config);
    let report = choose(&mut search, &game.initial(), 20_000);
    let expected = report.candidates[1].value.expect("it was tried");
    assert!(expected > 90.0, "{expected}");
    let report = choose(&mut self::search(game.clone(), 0), &game.initial(), 20_000);
    assert_eq!(report.candidates[1].value, Some(100.0), "{report:?}");
}
