//! What holds of every player.

use crate::{Baseline, BestMove, PROFILES, Player, PlayerError, Setup, by_name};
use budget::Budget;
use game::{Engine, RoleId};
use std::time::Duration;
use testkit::toys::TakeAway;

fn setup(game: &TakeAway, role: usize) -> Setup {
    Setup {
        engine: game.fork(),
        role: RoleId(role),
        seed: 3,
        threads: 1,
        memory: 1 << 20,
    }
}

#[test]
fn every_profile_plays_legal_moves_and_publishes_them() {
    let game = TakeAway::new(2, 21, 3);
    for profile in PROFILES {
        let budget = || Budget::system().with_timeout(Duration::from_millis(5));
        let mut player = by_name(profile).expect("it is listed");
        assert_eq!(player.name(), *profile);
        let best = BestMove::default();
        let early = player.choose(&game.initial(), &best, &budget());
        assert_eq!(early, Err(PlayerError::NotStarted));
        player.start(setup(&game, 1), &budget()).expect("it starts");
        for tokens in 1..=21 {
            let state = game.state(tokens, RoleId(1));
            let mv = player
                .choose(&state, &best, &budget())
                .expect("there are moves");
            assert!((1..=3.min(tokens)).contains(&u64::from(mv.0)), "{profile}");
            assert_eq!(best.get(), Some(mv), "{profile}");
        }
        let over = player.choose(&game.state(0, RoleId(1)), &best, &budget());
        assert_eq!(over, Err(PlayerError::NoLegalMove));
    }
}

#[test]
fn baseline_wins_and_says_why() {
    let game = TakeAway::new(2, 21, 3);
    let mut player = Baseline::with_playouts(2000);
    player
        .start(setup(&game, 0), &Budget::system())
        .expect("it starts");
    let best = BestMove::default();
    let state = game.state(7, RoleId(0));
    let mv = player.choose(&state, &best, &Budget::system());
    assert_eq!(mv.map(|mv| mv.0), Ok(3));
    let why = player.explain().expect("it searched");
    assert!(why.contains("; 2000 playouts, "), "{why}");
}
