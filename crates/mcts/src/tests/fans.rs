//! Moves that are evaluated together.

use super::{builder_for, choose, search_with};
use crate::{Bounds, Config, Proofs, Search};
use game::RoleId;
use testkit::fans::OneByOne;
use testkit::toys::TakeAway;

#[test]
fn evaluating_moves_together_changes_nothing() {
    let game = TakeAway::new(2, 101, 5);
    for proofs in [0.0, 1.0] {
        let config = Config {
            sum: Some(100),
            proofs: Proofs {
                states: proofs,
                ..Proofs::default()
            },
            foresight: false,
            ..Config::default()
        };
        let fans = OneByOne::of(&game);
        let mut without = search_with(game.clone(), 0, config.clone());
        let mut with = builder_for(game.clone(), 0, config)
            .fans(Some(&fans))
            .build();
        for tokens in [101, 95, 90] {
            let state = game.state(tokens, RoleId(0));
            let [one, other] = [&mut without, &mut with].map(|search| choose(search, &state, 600));
            assert_eq!(one, other);
        }
        assert!(fans.asked() > 100);
    }
}

/// A search of take-away, up to three of 21 tokens at a time, for the role that moves first.
fn take_away(foresight: bool) -> (TakeAway, Search) {
    let game = TakeAway::new(2, 21, 3);
    let config = Config {
        sum: Some(100),
        foresight,
        ..Config::default()
    };
    let fans = OneByOne::of(&game);
    let search = builder_for(game.clone(), 0, config)
        .fans(Some(&fans))
        .build();
    (game, search)
}

#[test]
fn foreseen_wins_are_right_and_save_playouts() {
    let mut playouts = [0, 0];
    for tokens in 2..=21 {
        for foresight in [false, true] {
            let (game, mut search) = take_away(foresight);
            let report = choose(&mut search, &game.state(tokens, RoleId(0)), 3000);
            assert!(report.solved, "{tokens} tokens: {report:?}");
            let won = tokens % 4 != 0;
            let known = report.candidate.map(|candidate| candidate.bounds);
            assert_eq!(known, Some(Bounds::exactly(if won { 100 } else { 0 })));
            if won {
                assert_eq!(u64::from(report.best.0), tokens % 4, "{tokens} tokens");
            }
            playouts[usize::from(foresight)] += report.playouts;
        }
    }
    assert!(playouts[1] < playouts[0], "{playouts:?}");
}

#[test]
fn lost_moves_at_the_root_have_depths() {
    let (game, mut search) = take_away(true);
    // The later states were searched in the earlier ones.
    for tokens in [13, 9, 8, 5, 4] {
        let report = choose(&mut search, &game.state(tokens, RoleId(0)), 600);
        let lost = report.candidates.iter();
        let mut lost = lost.filter(|candidate| candidate.bounds.high == 0);
        assert!(report.solved, "{tokens} tokens: {report:?}");
        assert!(
            lost.all(|candidate| candidate.depth.is_some()),
            "{report:?}"
        );
    }
}
