//! Games in which roles choose at once.

use super::{choose, search};
use crate::Bounds;
use crate::node::Kind;
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

#[test]
fn joint_moves_get_nodes_when_they_are_tried_again() {
    let payoff = |played: &[u64], role: RoleId| {
        let odd = played.iter().sum::<u64>() % 2 == 1;
        Some(if odd == (role.0 == 0) { 100 } else { 0 })
    };
    // Of 64 joint moves at most all are looked at for ends of the game.
    for moves in [5, 9] {
        let game = Matrix::new(2, moves, 4, payoff);
        let mut search = search(game.clone(), 0);
        choose(&mut search, &game.initial(), 20_000);
        let (graph, _) = search.root().expect("it was searched");
        let (mut once, mut again) = (0, 0);
        for node in graph.all() {
            let Kind::Simultaneous(joint_stats) = &node.kind else {
                continue;
            };
            let begins = node.state == game.initial();
            for edge in joint_stats.edges.iter() {
                let ends = edge.child.and_then(|child| graph.get(child));
                let ends = ends.is_some_and(|child| child.is_terminal());
                match (edge.visits, edge.child) {
                    (1, None) if !begins => once += 1,
                    (1, Some(_)) if begins || ends => {}
                    (2.., Some(_)) => again += 1,
                    (0, Some(_)) if ends => {}
                    _ => panic!("{edge:?} of {:?}", node.state),
                }
            }
            // Every visit of a joint move is one of a move of each role, and all have samples.
            let visits: u32 = joint_stats.edges.iter().map(|edge| edge.visits).sum();
            for arms in joint_stats.roles() {
                assert_eq!(arms.iter().map(|arm| arm.visits).sum::<u32>(), visits);
                assert_eq!(arms.iter().map(|arm| arm.samples()).sum::<u32>(), visits);
            }
        }
        assert!(once > 100 && again > 100, "{once} and {again}");
    }
}
