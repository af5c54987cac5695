//! Games in which roles choose at once.

use super::{choose, search};
use crate::Bounds;
use game::{Engine, MoveId, RoleId};
use testkit::toys::Matrix;

#[test]
fn rock_paper_scissors_is_mixed_evenly() {
    // One round: each move beats the one before it.
    let payoff = |played: &[u64], role: RoleId| {
        let (own, other) = match role.0 {
            0 => (played[0], played[1]),
            _ => (played[1], played[0]),
        };
        Some(match (3 + own - other) % 3 {
            0 => 50,
            1 => 100,
            _ => 0,
        })
    };
    let game = Matrix::new(2, 3, 1, payoff);
    let mut search = search(game.clone(), 0);
    let report = choose(&mut search, &game.initial(), 2_000);
    for candidate in &report.candidates {
        assert!((candidate.chance - 1.0 / 3.0).abs() < 0.02, "{report:?}");
    }
}

#[test]
fn dominated_moves_are_not_chosen() {
    // Defecting (1) dominates.
    let payoff = |played: &[u64], role: RoleId| {
        let (own, other) = (played[role.0], played[1 - role.0]);
        Some(match (own, other) {
            (0, 0) => 60,
            (0, 1) => 0,
            (1, 0) => 100,
            _ => 20,
        })
    };
    let game = Matrix::new(2, 2, 1, payoff);
    let mut search = search(game.clone(), 1);
    let report = choose(&mut search, &game.initial(), 2000);
    assert_eq!(report.best, MoveId(1), "{report:?}");
    assert!(report.candidates[1].chance > 0.9, "{report:?}");
}

#[test]
fn dominant_moves_are_proved() {
    // Move 1 always wins for the first role; the others win or lose.
    let payoff = |played: &[u64], role: RoleId| {
        let won = played[0] == 1 || played[0] == played[1];
        Some(if won == (role.0 == 0) { 100 } else { 0 })
    };
    let game = Matrix::new(2, 3, 1, payoff);
    for role in 0..2 {
        let report = choose(&mut search(game.clone(), role), &game.initial(), 2000);
        assert!(report.solved, "{report:?}");
        assert!(report.playouts < 20, "{report:?}");
        if role == 0 {
            assert_eq!(report.best, MoveId(1));
            let known = report.candidate.map(|candidate| candidate.bounds);
            assert_eq!(known, Some(Bounds::exactly(100)));
        }
    }
}

#[test]
fn dominated_moves_of_others_are_eliminated() {
    // Move 1 of the second role dominates, whatever the first plays. Given that, 0 is right for
    // the first role, though 1 would be better against 0. With three roles, the third has no
    // influence.
    let payoff = |played: &[u64], role: RoleId| {
        Some(match (role.0, played[0], played[1]) {
            (0, 0, 0) => 0,
            (0, 1, 0) => 90,
            (0, 0, 1) => 60,
            (0, 1, 1) => 30,
            (1, _, 0) => 10,
            (1, _, 1) => 40,
            _ => 50,
        })
    };
    for roles in 2..=3 {
        let game = Matrix::new(roles, 2, 1, payoff);
        let report = choose(&mut search(game.clone(), 0), &game.initial(), 2000);
        assert_eq!(report.best, MoveId(0), "{report:?}");
        let known = report.candidate.map(|candidate| candidate.bounds);
        assert_eq!(known, Some(Bounds::exactly(60)), "{report:?}");
    }
}

#[test]
fn mixed_equilibria_are_not_taken_for_solved() {
    let payoff = |played: &[u64], role: RoleId| {
        let same = played[0] == played[1];
        Some(if same == (role.0 == 0) { 100 } else { 0 })
    };
    let game = Matrix::new(2, 2, 1, payoff);
    let report = choose(&mut search(game.clone(), 0), &game.initial(), 2000);
    assert!(!report.solved);
    for candidate in &report.candidates {
        assert_eq!(candidate.bounds, Bounds::OPEN);
        assert!((candidate.chance - 0.5).abs() < 0.05, "{report:?}");
    }
}
