//! Every stage of the start clock keeps to its slot, and facts are proved once.

mod common;

use budget::Budget;
use common::{fixture, profile, setup};
use metagame::{Method, StartClock, TIMETABLE, prepare};
use std::time::Duration;

/// How much longer than its share a stage may take: budgets are checked only now and then.
const GRACE: Duration = Duration::from_millis(300);

const GAMES: [&str; 10] = [
    "skirmish",
    "joint_buttons_and_lights",
    "hex",
    "tic_tac_toe",
    "breakthrough",
    "connect_four",
    "reversi",
    "bidding_tic_tac_toe",
    "three_player_free_for_all",
    "dual_connect_four",
];

/// The games that are tried with a start clock of so many seconds: all of them with a short one or
/// with `ROCINANTE_LONG_TESTS=1`.
fn games(seconds: u64) -> &'static [&'static str] {
    let long = std::env::var_os("ROCINANTE_LONG_TESTS").is_some_and(|value| value == "1");
    match seconds {
        60.. if !long => &GAMES[2..3],
        20.. if !long => &GAMES[..3],
        _ => &GAMES,
    }
}

/// The stages of one start clock, and the time of each. Learning takes all of its share only if
/// it is to; otherwise the test would take minutes.
fn stages(game: &str, seconds: u64, learns_long: bool) -> Vec<(String, Duration)> {
    let setup = setup(fixture(game));
    let mut profile = profile();
    if !learns_long {
        profile.learn_games = Some(50);
        profile.method = Some(Method::Mixed);
    }
    let budget = Budget::system().with_timeout(Duration::from_secs(seconds));
    let mut clock = StartClock::new(&budget);
    prepare(setup, &profile, None, &mut clock);
    let decisions = clock.into_decisions().into_iter();
    decisions
        .map(|decision| (decision.stage, Duration::from_millis(decision.ms)))
        .collect()
}

/// Checks games with a start clock of this length.
fn keep_to_their_slots(seconds: u64) {
    let all = Duration::from_secs(seconds);
    for &game in games(seconds) {
        let learns_long = seconds == 5 && ["breakthrough", "skirmish"].contains(&game);
        let ran = stages(game, seconds, learns_long);
        let facts = ran.iter().filter(|(name, _)| name == "facts").count();
        assert_eq!(facts, 1, "{game}: {ran:?}");
        let mut total = Duration::ZERO;
        for (name, took) in &ran {
            let slot = TIMETABLE.iter().find(|slot| slot.name == *name);
            let slot = slot.expect("it is in the timetable");
            let share = all * slot.percent / 100;
            // Several kinds of playouts are made, each within the share.
            let kinds = if *name == "playouts" { 4 } else { 1 };
            let share = slot.most.map_or(share, |most| share.min(most)) * kinds;
            assert!(
                *took <= share + GRACE,
                "{game}, {seconds} s: {name} {took:?}"
            );
            total += *took;
        }
        assert!(total <= all + GRACE, "{game}, {seconds} s: {total:?}");
    }
}

#[test]
fn stages_end_in_time_with_a_start_clock_of_5_seconds() {
    keep_to_their_slots(5);
}

#[test]
fn stages_end_in_time_with_a_start_clock_of_20_seconds() {
    keep_to_their_slots(20);
}

#[test]
fn stages_end_in_time_with_a_start_clock_of_60_seconds() {
    keep_to_their_slots(60);
}
