//! Whole searches on games whose right moves are known.

mod amaf;
mod batches;
mod fans;
mod proofs;

use crate::{Bounds, Builder, Config, Limits, Report, Search, SearchError};
use budget::{Budget, ManualClock};
use game::{Engine, MoveId, Playouts, RoleId, ScalarPlayouts, State};
use std::sync::Arc;
use std::time::Duration;
use testkit::toys::{Matrix, TakeAway};

const MEMORY: usize = 64 << 20;

fn search_with(engine: impl Engine + 'static, role: usize, config: Config) -> Search {
    search_by(1, engine, role, config)
}

/// A search of so many threads.
fn search_by(threads: usize, engine: impl Engine + 'static, role: usize, config: Config) -> Search {
    let search = plain(engine, role, config);
    search.threads(threads).build()
}

/// A search with plain playouts, before it is built.
fn plain(engine: impl Engine + 'static, role: usize, config: Config) -> Builder {
    let playouts = ScalarPlayouts::new(engine.fork(), 3, 1000);
    let search = builder(Box::new(engine), Box::new(playouts), MEMORY);
    search.role(RoleId(role)).config(config)
}

/// The same with other playouts and in so many bytes.
fn builder(engine: Box<dyn Engine>, playouts: Box<dyn Playouts>, memory: usize) -> Builder {
    Search::builder(engine, playouts).seed(7).memory(memory)
}

fn search(engine: impl Engine + 'static, role: usize) -> Search {
    search_with(engine, role, Config::default())
}

fn choose(search: &mut Search, state: &State, playouts: u64) -> Report {
    let limits = Limits {
        playouts,
        ..Limits::default()
    };
    search
        .choose(state, limits, &Budget::system(), &|_| ())
        .expect("a legal move")
}

#[test]
fn take_away_is_solved_from_every_position() {
    all_take_away(Config::default(), 3000);
}

#[test]
fn batches_prove_the_same() {
    all_take_away(batches(), 100_000);
}

/// The search in batches.
fn batches() -> Config {
    Config {
        batch: 64,
        playouts: 8,
        ..Config::default()
    }
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
fn a_win_is_found_without_proofs_and_transpositions_too() {
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
fn equal_states_are_one_node() {
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
    // The only way to 100 is 3, 1, 4 (the last words); everything else is worth 10.
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
fn rock_paper_scissors_is_mixed_evenly() {
    // What beats what, one round.
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
fn a_dilemma_has_one_answer() {
    // Defecting (1) is better whatever the other does.
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
fn threads_prove_the_same_together() {
    let game = TakeAway::new(2, 60, 3);
    for tokens in [40, 41, 59, 60] {
        let config = Config {
            sum: Some(100),
            ..Config::default()
        };
        let mut search = search_by(4, game.clone(), 0, config);
        let state = game.state(tokens, RoleId(0));
        let report = choose(&mut search, &state, 1_000_000);
        let won = if tokens % 4 == 0 { 0 } else { 100 };
        let known = report.candidate.map(|candidate| candidate.bounds);
        assert_eq!(known, Some(Bounds::exactly(won)), "{tokens} tokens");
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
        let mut search = search_by(threads, game.clone(), 0, config);
        let report = choose(&mut search, &game.initial(), 5000);
        let visits: u32 = report.candidates.iter().map(|own| own.visits).sum();
        assert_eq!(u64::from(visits) * each, report.playouts);
        assert_eq!(report.failures, 0);
        // The next search goes on with it.
        let again = choose(&mut search, &game.initial(), 1000);
        assert_eq!(u64::from(again.known) * each, report.playouts);
    }
}

#[test]
fn threads_keep_to_a_small_memory_too() {
    let game = TakeAway::new(2, 10_000, 9);
    let playouts = ScalarPlayouts::new(game.fork(), 3, 20);
    let memory = 100_000;
    let search = builder(game.fork(), Box::new(playouts), memory);
    let mut search = search.threads(3).build();
    let report = choose(&mut search, &game.initial(), 20_000);
    assert!(report.bytes <= memory, "{}", report.bytes);
    assert!(report.nodes > 20);
    assert!(report.playouts >= 20_000, "{}", report.playouts);
}

#[test]
fn a_small_memory_is_kept_to() {
    let game = TakeAway::new(2, 10_000, 9);
    let playouts = ScalarPlayouts::new(game.fork(), 3, 20);
    let config = Config {
        transpositions: false,
        ..Config::default()
    };
    let memory = 50_000;
    let search = builder(game.fork(), Box::new(playouts), memory);
    let mut search = search.config(config).build();
    let report = choose(&mut search, &game.initial(), 3000);
    assert!(report.bytes <= memory, "{}", report.bytes);
    assert!(report.nodes > 20);
    assert_eq!(report.playouts, 3000);
}

#[test]
fn without_time_there_is_a_legal_move_all_the_same() {
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
fn whoever_has_no_move_is_told() {
    let game = TakeAway::new(2, 21, 3);
    let over = game.state(0, RoleId(0));
    let answer = search(game, 0).choose(&over, Limits::default(), &Budget::system(), &|_| ());
    assert_eq!(answer.unwrap_err(), SearchError::NoLegalMove);
}

#[test]
fn whoever_has_decided_makes_no_other_move_while_it_waits() {
    // The second role sees its own best reply to each move of the first.
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
fn after_a_move_of_ours_the_search_goes_on_with_what_follows() {
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
fn a_search_ends_early_only_if_it_is_told_to_and_has_a_deadline_alone() {
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

#[test]
fn what_is_sure_is_proved_where_roles_choose_at_once() {
    // The first wins for sure with 1, whatever the other makes; 0 may win as well, or lose.
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
fn what_others_will_not_do_counts_for_nothing() {
    // 1 is better for the second whatever the first makes, so that the first may count on it: then 0
    // is right, though 1 would be better against 0. With three roles, the third looks on.
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

/// A game in which only a mixture is right is not taken for solved.
#[test]
fn where_a_mixture_is_right_nothing_is_proved() {
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
fn each_of_three_roles_plays_for_itself() {
    // With its second move the first role gets all if both others play for themselves, which they do with
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
