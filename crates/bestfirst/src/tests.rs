//! Games with known results, played with a value that knows nothing or lies.

use super::*;
use budget::Budget;
use dfpn::ProofSearch;
use game::{Engine, MoveId, RoleId, State};
use heuristics::{Features, Outputs, Value, Weights};
use std::sync::Arc;
use testkit::layered::Layered;
use testkit::toys::{Matrix, TakeAway};

/// A value that takes every state for even.
fn blank(outputs: Outputs) -> Value {
    let features = Arc::new(Features::new(Default::default()));
    let weights = Weights::new(&features, outputs.count());
    Value {
        weights: Arc::new(weights),
        features,
        outputs,
    }
}

fn search(engine: &dyn Engine, role: usize, proofs: bool) -> Search {
    let outputs = Outputs::new(engine.roles().len(), true);
    let prover = || dfpn::Prover::new(engine.fork(), RoleId(role), 1 << 20, 0);
    Search::new(
        engine.fork(),
        None,
        proofs.then(|| Box::new(prover()) as Box<dyn ProofSearch>),
        blank(outputs),
        RoleId(role),
        4 << 20,
    )
}

fn choose(search: &mut Search, state: &State, descents: u64) -> Report {
    let report = search.choose(state, descents, &Budget::system(), &|_| ());
    report.expect("the role has moves")
}

#[test]
fn results_are_proved_by_a_value_that_knows_nothing() {
    for proofs in [false, true] {
        for tokens in 2..=14 {
            let game = TakeAway::new(2, tokens, 3);
            let mut search = search(&game, 0, proofs);
            let report = choose(&mut search, &game.initial(), 100_000);
            let wins = tokens % 4 != 0;
            let result = report.proved.map(|(result, _)| result);
            assert_eq!(result, Some(if wins { 100 } else { 0 }), "{tokens} tokens");
            if wins {
                assert_eq!(report.best, MoveId((tokens % 4) as u32), "{tokens} tokens");
            }
        }
    }
}

#[test]
fn a_move_that_is_known_to_lose_is_not_played_while_another_stands() {
    // Every move but one loses, and all of them look alike without a visit.
    let game = TakeAway::new(2, 14, 3);
    let mut search = search(&game, 0, false);
    search.avoid(&game.initial(), &[(MoveId(1), 9), (MoveId(3), 9)]);
    let report = choose(&mut search, &game.initial(), 0);
    assert_eq!(report.best, MoveId(2));
    search.avoid(&game.initial(), &[(MoveId(2), 7)]);
    let report = choose(&mut search, &game.initial(), 0);
    assert_eq!(report.proved, Some((0, 10)), "all lose, and this one last");
}

#[test]
fn the_plies_of_a_proved_result_are_those_of_the_shortest_win() {
    let game = TakeAway::new(2, 5, 3);
    let mut search = search(&game, 0, false);
    let report = choose(&mut search, &game.initial(), 100_000);
    // One token, then whatever is left after the answer.
    assert_eq!(report.proved, Some((100, 3)));
    let line: Vec<usize> = report.expected.iter().map(|&(role, _)| role).collect();
    assert_eq!(line, [0, 1, 0]);
}

#[test]
fn results_agree_with_exhaustive_search() {
    let mut checked = 0;
    for seed in 0..250 {
        let game = Layered::new(2, seed, 6).in_turn();
        let state = game.initial();
        for role in 0..2 {
            let mut moves = Vec::new();
            let mut engine = game.fork();
            engine.legal(&state, RoleId(role), &mut moves).unwrap();
            if moves.len() < 2 {
                continue;
            }
            // Results do not add up, so that each role has its own.
            let outputs = Outputs::Each { roles: 2 };
            let value = blank(outputs);
            let prover = dfpn::Prover::new(game.fork(), RoleId(role), 1 << 20, 0);
            let prover: Option<Box<dyn ProofSearch>> = Some(Box::new(prover));
            let mut search = Search::new(game.fork(), None, prover, value, RoleId(role), 4 << 20);
            let report = choose(&mut search, &state, 20_000);
            assert!(moves.contains(&report.best));
            let Some((result, _)) = report.proved else {
                continue;
            };
            let mut solver =
                exhaustive::Solver::new(&mut *engine, RoleId(role), Default::default());
            let values = solver.intervals(&state, &Budget::system()).unwrap();
            let at = moves.iter().position(|&mv| mv == report.best).unwrap();
            // The other role plays for itself here, and against this role there.
            assert!(values[at].lower <= result, "{seed} {role}");
            checked += 1;
        }
    }
    assert!(checked >= 30, "{checked}");
}

#[test]
fn searches_repeat_with_a_number_of_descents() {
    let game = TakeAway::new(2, 60, 5);
    let run = || {
        let mut search = search(&game, 0, true);
        let first = choose(&mut search, &game.initial(), 500);
        (first, choose(&mut search, &game.state(53, RoleId(0)), 500))
    };
    assert_eq!(run(), run());
}

#[test]
fn little_memory_is_enough() {
    let game = TakeAway::new(2, 200_000, 40);
    let value = blank(Outputs::Opposed);
    const MEMORY: usize = 1 << 20;
    let mut search = Search::new(game.fork(), None, None, value, RoleId(0), MEMORY);
    let mut most = 0;
    for _ in 0..40 {
        let report = choose(&mut search, &game.initial(), 500);
        most = most.max(report.bytes);
    }
    assert!(most > MEMORY / 4, "the bound was never near: {most}");
    assert!(most <= MEMORY, "{most}");
}

#[test]
fn moves_at_once_are_refused() {
    let game = Matrix::new(2, 3, 1, |moves, _| Some(moves[0] as u8));
    let mut search = search(&game, 0, false);
    let found = search.choose(&game.initial(), 10, &Budget::system(), &|_| ());
    assert_eq!(found, Err(SearchError::Simultaneous));
}

#[test]
fn a_budget_that_is_over_still_brings_a_legal_move() {
    let game = TakeAway::new(2, 50, 3);
    let mut search = search(&game, 0, true);
    let over = Budget::system().with_timeout(std::time::Duration::ZERO);
    let report = search
        .choose(&game.initial(), u64::MAX, &over, &|_| ())
        .unwrap();
    assert!((1..=3).contains(&report.best.0));
}

#[test]
fn the_tree_is_kept_between_moves() {
    let game = TakeAway::new(2, 4000, 5);
    let mut search = search(&game, 0, false);
    let first = choose(&mut search, &game.initial(), 200);
    assert!(first.visits[1] >= 200, "{first:?}");
    let again = choose(&mut search, &game.initial(), 10);
    assert!(again.visits[1] >= 210, "{again:?}");
}
