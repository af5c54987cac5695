//! Helpers for tests.

use crate::{Config, Entry, Format, Seats};

/// A tournament of players that are named by their profiles. The games are fixtures or mere
/// names.
pub(crate) fn config(players: &[&str], games: &[&str]) -> Config {
    Config {
        name: "test".into(),
        games: games
            .iter()
            .map(|game| testkit::root().join(format!("fixtures/games/{game}.gdl")))
            .collect(),
        format: Format::RoundRobin,
        seats: Seats::Each,
        rounds: 1,
        start_clock: 10.0,
        play_clock: 10.0,
        grace: 1.0,
        max_steps: 1000,
        seed: 1,
        scramble: false,
        engine: "propnet".into(),
        concurrency: 0,
        sprt: None,
        players: players
            .iter()
            .map(|name| Entry {
                name: name.replace([':', '='], "-"),
                is: (*name).to_string(),
                threads: 1,
                memory_mib: 64,
            })
            .collect(),
    }
}
