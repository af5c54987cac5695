//! Proof-number search beside the playouts.

use super::{builder_for, choose, search_with};
use crate::{Bounds, Config, Limits, Proofs, Results};
use budget::{Budget, Clock};
use game::{Engine, RoleId};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use testkit::toys::TakeAway;

fn proving(states: f64) -> Config {
    Config {
        sum: Some(100),
        proofs: Proofs {
            states,
            ..Proofs::default()
        },
        ..Config::default()
    }
}

#[test]
fn proof_search_solves_what_playouts_do_not() {
    let game = TakeAway::new(2, 101, 3);
    let solved = |proofs: f64| {
        let mut search = search_with(game.clone(), 0, proving(proofs));
        let report = choose(&mut search, &game.initial(), 300);
        assert!(!report.solved || report.best.0 == 1);
        report.solved
    };
    assert!(solved(64.0));
    assert!(!solved(0.0));
}

#[test]
fn proved_wins_are_played_out() {
    for threads in [1, 2] {
        let game = TakeAway::new(2, 61, 3);
        let mut search = builder_for(game.clone(), 0, proving(64.0))
            .threads(threads)
            .build();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
        let mut tokens = 61;
        while tokens > 0 {
            let report = choose(&mut search, &game.state(tokens, RoleId(0)), 300);
            let took = u64::from(report.best.0);
            assert_eq!((tokens - took) % 4, 0, "{took} of {tokens}: {report:?}");
            tokens -= took;
            if tokens > 0 {
                tokens -= rng.random_range(1..=3);
            }
        }
    }
}

#[test]
fn bounds_of_a_root_are_proved_for_a_move() {
    let game = TakeAway::new(2, 61, 3);
    let state = game.initial();
    let mut search = search_with(game, 0, proving(1.0));
    choose(&mut search, &state, 1);
    // As if the state were proved to be won without a move that wins.
    if let Some((graph, root)) = search.root() {
        let mut graph = graph.handle();
        let mut node = graph.get_mut(root).expect("it is there");
        node.stats[0].bounds = Bounds::exactly(100);
        node.stats[1].bounds = Bounds::exactly(0);
    }
    let report = choose(&mut search, &state, 1);
    assert_eq!(report.best.0, 1, "{report:?}");
    let bounds = report.candidate.map(|own| own.bounds);
    assert_eq!(bounds, Some(Bounds::exactly(100)));
}

/// A clock that advances whenever it is read.
#[derive(Default)]
struct Looks(AtomicU64);

impl Clock for Looks {
    fn now(&self) -> Duration {
        Duration::from_micros(20 * self.0.fetch_add(1, Ordering::Relaxed))
    }
}

#[test]
fn proofs_stay_within_their_part_of_the_time() {
    let game = TakeAway::new(2, 201, 3);
    let passed = |proofs: f64, proof_time: f64| {
        let mut config = proving(proofs);
        config.proofs.time = proof_time;
        let mut search = search_with(game.clone(), 0, config);
        let budget = Budget::unlimited(Arc::new(Looks::default()));
        let budget = budget.with_timeout(Duration::from_millis(200));
        let report = search.choose(&game.initial(), Limits::default(), &budget, &|_| ());
        let report = report.expect("a legal move");
        report.passed as f64 / report.playouts as f64
    };
    // Proofs pass states, and read the clock a little more often.
    let [none, some, all] = [0.0, 0.12, 1.0].map(|part| passed(64.0, part));
    assert!(
        none * 1.05 < some && some * 1.05 < all,
        "{none} {some} {all}"
    );
    let without = passed(0.0, 1.0);
    assert!(none < 1.3 * without, "{none} {without}");
}

fn asking(states: f64) -> Config {
    let mut config = proving(0.0);
    config.questions.time = 0.5;
    config.questions.states = states;
    config.questions.reach = f64::INFINITY;
    config
}

#[test]
fn questions_about_the_root_solve_what_playouts_do_not() {
    let game = TakeAway::new(2, 101, 3);
    for batched in [false, true] {
        let asked = |states: f64| {
            let mut config = asking(states);
            config.questions.batched = batched;
            let mut search = search_with(game.clone(), 0, config);
            choose(&mut search, &game.initial(), 300)
        };
        let report = asked(64.0);
        assert!(report.solved && report.best.0 == 1, "{report:?}");
        assert!(report.questions.iter().any(|own| own.answer == Some(true)));
        // Without states to spend, nothing is asked.
        let report = asked(0.0);
        assert!(!report.solved && report.questions.is_empty());
    }
}

#[test]
fn a_question_between_two_results_is_one_about_the_better() {
    let game = TakeAway::new(2, 200, 3);
    let asked = |results| {
        let mut config = asking(64.0);
        config.results = results;
        let mut search = search_with(game.clone(), 0, config);
        let report = choose(&mut search, &game.initial(), 300);
        let of_state = report.questions.iter().filter(|own| own.mv.is_none());
        of_state.map(|own| own.at_least).collect::<Vec<u8>>()
    };
    let mut any = asked(Results::ALL);
    any.sort_unstable();
    assert_eq!(any, [1, 100]);
    assert_eq!(asked([0, 100].into_iter().collect()), [100]);
}

#[test]
fn nothing_is_asked_where_the_end_is_out_of_reach() {
    let asked = |tokens| {
        let game = TakeAway::new(2, tokens, 3);
        let mut config = asking(16.0);
        config.questions.reach = 1.0;
        let mut search = search_with(game.clone(), 0, config);
        choose(&mut search, &game.initial(), 300).questions.len()
    };
    // Some 25 and 100 plies to the end of playouts: about 1,000 and a million million states.
    assert!(asked(51) > 0);
    assert_eq!(asked(201), 0);
}

#[test]
fn the_moves_that_lead_are_questioned() {
    let game = TakeAway::new(2, 200, 3);
    for batched in [false, true] {
        let mut config = asking(64.0);
        config.questions.first_states = 32;
        config.questions.batched = batched;
        let mut search = search_with(game.clone(), 0, config.clone());
        let report = choose(&mut search, &game.initial(), 300);
        let moves = report.questions.iter().filter(|own| own.mv.is_some());
        assert!(moves.count() >= 2, "{report:?}");
        // With limits, everything repeats.
        let mut again = search_with(game.clone(), 0, config);
        assert_eq!(choose(&mut again, &game.initial(), 300), report);
    }
}
