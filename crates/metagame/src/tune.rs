//! Finding the settings to play with, by a race.

use crate::Settings;
use crate::race::{Contestant, Effort, NoRace, Race, Searches, race};
use crate::timetable::{Stage, StartClock};
use std::fmt::Write;
use std::time::Duration;

/// In less time than this no difference can be detected.
const LEAST: Duration = Duration::from_secs(1);
/// The most races. After each won race, the others may challenge the winner.
const ROUNDS: u64 = 3;

/// Settings that are significantly better than those given, or those given.
///
/// The race takes `percent` of the time left. Also returns whether there was a race at all.
pub fn tune(
    given: &Settings,
    searches: &mut dyn Searches,
    percent: u32,
    seed: u64,
    clock: &mut StartClock,
) -> (Settings, bool) {
    let budget = clock.begin(Stage::Tune);
    let Some(left) = budget.remaining() else {
        clock.decide(Stage::Tune, "not at all", "no clock says how long");
        return (given.clone(), false);
    };
    let time = left / 100 * percent.min(100);
    if time < LEAST {
        let why = format!("{:.1} s are too short to tell", time.as_secs_f64());
        clock.decide(Stage::Tune, "not at all", why);
        return (given.clone(), false);
    }
    let budget = budget.with_timeout(time);
    let mut settings = given.clone();
    for round in 0..ROUNDS {
        if round > 0 && budget.check().is_err() {
            break;
        }
        let mut others = settings.others();
        others.retain(|other| other != given);
        let effort = Effort::within(&budget, others.len());
        let seed = seed.wrapping_add(round);
        let race = match race(&settings, &others, searches, effort, seed, &budget) {
            Ok(race) => race,
            Err(why) => {
                let why = match why {
                    NoRace::AtOnce => "roles choose at once, and no move is best by itself",
                    NoRace::Failed => "the game could not be played",
                };
                clock.decide(Stage::Tune, "not at all", why);
                return (settings, false);
            }
        };
        let winner = race.winner().map(|winner| winner.settings.clone());
        let decided = match &winner {
            Some(winner) => winner.unlike(&settings),
            None => "nothing is changed".to_owned(),
        };
        let numbers = [
            ("positions", race.positions as f64),
            ("disputed", race.disputed as f64),
            ("trial_ms", race.trial.as_secs_f64() * 1e3),
        ];
        clock.measured(Stage::Tune, decided, summary(&race, &settings), numbers);
        match winner {
            Some(winner) => settings = winner,
            None => break,
        }
    }
    (settings, true)
}

/// The outcome of all settings in one line.
fn summary(race: &Race, first: &Settings) -> String {
    let mut text = format!(
        "{} positions, {} disputed, {:.0} ms a move; points won for each dispute",
        race.positions,
        race.disputed,
        race.trial.as_secs_f64() * 1e3
    );
    let mut contestants: Vec<&Contestant> = race.contestants.iter().collect();
    contestants.sort_by(|a, b| b.gain().0.total_cmp(&a.gain().0));
    for (at, contestant) in contestants.into_iter().enumerate() {
        let (mean, error) = contestant.gain();
        let mark = if at == 0 { ":" } else { "," };
        // Writing to a string does not fail.
        let _ = write!(
            text,
            "{mark} {} {mean:+.1} ±{error:.1} of {}{}",
            contestant.settings.unlike(first),
            contestant.gains.len(),
            if contestant.running { "" } else { " (out)" }
        );
    }
    text
}
