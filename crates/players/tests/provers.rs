//! The proof searches race in the start clock.

use budget::Budget;
use game::RoleId;
use players::{Setup, Spec};
use std::time::Duration;

/// What was decided about proofs in a start clock that leaves the race its two seconds.
fn decided(game: &str, spec: &str) -> Option<String> {
    let path = testkit::root().join(format!("fixtures/games/{game}.gdl"));
    let text = std::fs::read_to_string(path).unwrap();
    let budget = Budget::system();
    let prepared = prepare::prepare(&text, &prepare::Options::default(), &budget).unwrap();
    let setup = Setup {
        playable: prepared.playable,
        role: RoleId(0),
        seed: 1,
        threads: 1,
        memory: 64 << 20,
    };
    let mut player = spec.parse::<Spec>().unwrap().build();
    let clock = budget.with_timeout(Duration::from_secs(20));
    player.start(setup, &clock).unwrap();
    let decisions = &player.plan().unwrap().decisions;
    let prover = decisions
        .iter()
        .find(|decision| decision.stage == "prover")?;
    Some(format!("{}: {}", prover.decided, prover.why))
}

#[test]
fn all_are_asked_the_same() {
    let plain = decided("kalaha", "default:no-knowledge,no-prepare").unwrap();
    assert!(plain.contains("positions of random games take"), "{plain}");
    assert!(!plain.contains("guided"), "{plain}");
    let methods = ["depth first:", "deep before wide:", "in batches:"];
    assert!(methods.iter().any(|one| plain.starts_with(one)), "{plain}");
}

#[test]
fn there_is_no_race_where_play_has_to_repeat_or_nothing_is_proved() {
    for spec in [
        "default:no-provers,no-knowledge,no-prepare",
        "default:playouts=1",
    ] {
        assert_eq!(decided("kalaha", spec), None, "{spec}");
    }
    assert_eq!(decided("eight_puzzle", "default:no-prepare"), None);
}
