//! Time, memory, threads, and searches without a move to choose.

use super::{MEMORY, batches, builder_for, choose, search, search_with, seeded};
use crate::{Config, Limits, SearchError};
use budget::{Budget, Clock, ManualClock};
use game::{Engine, MoveId, RoleId, ScalarPlayouts};
use std::sync::Arc;
use std::time::Duration;
use testkit::Slow;
use testkit::toys::{Matrix, TakeAway};

#[test]
fn the_same_seed_gives_the_same_search() {
    let game = TakeAway::new(2, 200, 5);
    for config in [Config::default(), batches()] {
        let search = || search_with(game.clone(), 0, config.clone());
        let reports = [0; 2].map(|_| choose(&mut search(), &game.initial(), 800));
        assert_eq!(reports[0], reports[1]);
        assert_eq!(reports[0].playouts, 800);
    }
}

#[test]
fn every_visit_of_every_thread_counts_once() {
    let game = TakeAway::new(2, 400, 5);
    for (threads, config, each) in [
        (4, Config::default(), 1),
        (1, batches(), 8),
        (4, batches(), 8),
    ] {
        let config = Config {
            solve: false,
            ..config
        };
        let mut search = builder_for(game.clone(), 0, config)
            .threads(threads)
            .build();
        let report = choose(&mut search, &game.initial(), 5000);
        let visits: u32 = report.candidates.iter().map(|own| own.visits).sum();
        assert_eq!(u64::from(visits) * each, report.playouts);
        assert_eq!(report.failures, 0);
        // The next search continues with these visits.
        let again = choose(&mut search, &game.initial(), 1000);
        assert_eq!(u64::from(again.known) * each, report.playouts);
    }
}

#[test]
fn several_threads_stay_within_the_memory() {
    let game = TakeAway::new(2, 10_000, 9);
    let playouts = ScalarPlayouts::new(game.fork(), 3, 20);
    let memory = 100_000;
    let search = seeded(game.fork(), Box::new(playouts), memory);
    let mut search = search.threads(3).build();
    let report = choose(&mut search, &game.initial(), 20_000);
    assert!(report.bytes <= memory, "{}", report.bytes);
    assert!(report.nodes > 20);
    assert!(report.playouts >= 20_000, "{}", report.playouts);
}

#[test]
fn one_thread_stays_within_the_memory() {
    let game = TakeAway::new(2, 10_000, 9);
    let playouts = ScalarPlayouts::new(game.fork(), 3, 20);
    let config = Config {
        transpositions: false,
        ..Config::default()
    };
    let memory = 50_000;
    let search = seeded(game.fork(), Box::new(playouts), memory);
    let mut search = search.config(config).build();
    let report = choose(&mut search, &game.initial(), 3000);
    assert!(report.bytes <= memory, "{}", report.bytes);
    assert!(report.nodes > 20);
    assert_eq!(report.playouts, 3000);
}

#[test]
fn an_expired_budget_still_gives_a_legal_move() {
    let game = TakeAway::new(2, 21, 3);
    let clock = Arc::new(ManualClock::default());
    let budget = Budget::unlimited(clock.clone()).with_timeout(Duration::ZERO);
    clock.advance(Duration::from_secs(1));
    let report =
        search(game.clone(), 0).choose(&game.initial(), Limits::default(), &budget, &|_| ());
    let report = report.unwrap();
    assert!((1..=3).contains(&report.best.0));
    assert_eq!(report.playouts, 0);
}

#[test]
fn a_state_of_very_many_moves_does_not_outlast_the_clock() {
    let clock = Arc::new(ManualClock::default());
    let cost = Duration::from_millis(1);
    for (moves, config) in [
        (60_000, Config::default()),
        (60_000, batches()),
        // Few enough to be checked at the second visit, which takes longer than there is.
        (500, batches()),
    ] {
        let game = TakeAway::new(2, 10 * moves, moves);
        let slow = Slow::new(game.fork(), clock.clone(), cost);
        let playouts = ScalarPlayouts::new(game.fork(), 3, 20);
        let search = seeded(Box::new(slow), Box::new(playouts), MEMORY);
        let mut search = search.config(config).build();
        let (state, began) = (game.initial(), clock.now());
        for _ in 0..3 {
            let time = Duration::from_millis(200);
            let budget = Budget::unlimited(clock.clone()).with_timeout(time);
            let report = search.choose(&state, Limits::default(), &budget, &|_| ());
            assert!(u64::from(report.expect("a legal move").best.0) <= moves);
            // The same search goes on: what was interrupted has left nothing behind.
        }
        let took = clock.now() - began;
        assert!(took >= 3 * Duration::from_millis(200), "{took:?}");
        assert!(took < 3 * Duration::from_millis(300), "{took:?}");
    }
}

#[test]
fn a_terminal_state_is_an_error() {
    let game = TakeAway::new(2, 21, 3);
    let over = game.state(0, RoleId(0));
    let answer = search(game, 0).choose(&over, Limits::default(), &Budget::system(), &|_| ());
    assert_eq!(answer.unwrap_err(), SearchError::NoLegalMove);
}

#[test]
fn ponder_after_searches_only_the_move_that_was_decided() {
    // The second role has its own best reply to each move of the first.
    let game = Matrix::new(2, 3, 1, |joint, role| {
        Some(if joint[0] == joint[1] {
            100 * role.0 as u8
        } else {
            50
        })
    });
    let mut search = search(game.clone(), 0);
    let state = game.initial();
    let limits = Limits {
        playouts: 300,
        ..Limits::default()
    };
    let made = search.ponder_after(&state, MoveId(2), limits, &Budget::system());
    assert_eq!(made, Ok(300));
    let report = choose(&mut search, &state, 1);
    assert!(report.known >= 300);
    for candidate in &report.candidates {
        let held = candidate.mv == MoveId(2);
        assert_eq!(candidate.visits >= 300, held, "{candidate:?}");
    }
}

#[test]
fn ponder_after_prepares_the_states_that_follow() {
    let game = TakeAway::new(2, 60, 3);
    let config = Config {
        solve: false,
        ..Config::default()
    };
    let mut search = search_with(game.clone(), 0, config);
    let limits = Limits {
        playouts: 500,
        ..Limits::default()
    };
    let state = game.initial();
    let made = search.ponder_after(&state, MoveId(2), limits, &Budget::system());
    assert_eq!(made, Ok(500));
    // The other role has replied.
    let report = choose(&mut search, &game.state(57, RoleId(0)), 1);
    assert!(report.known > 50, "{}", report.known);
}

#[test]
fn early_needs_the_option_and_no_limits() {
    let game = TakeAway::new(2, 2, 3);
    let state = game.initial();
    let made = |early, millis, limits: Limits| {
        let config = Config {
            solve: false,
            early,
            ..Config::default()
        };
        let budget = Budget::system().with_timeout(Duration::from_millis(millis));
        let clock = budget.clock().clone();
        let since = clock.now();
        let mut search = search_with(game.clone(), 0, config);
        let report = search.choose(&state, limits, &budget, &|_| ());
        assert_eq!(report.map(|report| report.best), Ok(MoveId(2)));
        clock.now() - since < Duration::from_millis(millis)
    };
    assert!(made(Some(1.0), 1000, Limits::default()));
    assert!(!made(None, 100, Limits::default()));
    let limits = Limits {
        playouts: u64::MAX - 1,
        ..Limits::default()
    };
    assert!(!made(Some(1.0), 100, limits));
}
