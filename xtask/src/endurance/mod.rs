//! `cargo xtask endurance`: whether memory stays within its limit in a long search, and whether
//! hundreds of matches over HTTP leave anything behind.

mod matches;
mod search;

use crate::games::{Game, all};
use anyhow::Context;

/// What `cargo xtask endurance` may be told.
#[derive(clap::Args)]
pub struct Options {
    #[command(subcommand)]
    test: Test,
}

#[derive(clap::Subcommand)]
enum Test {
    /// One search of many minutes; fails if the process takes more than the limit and an overhead.
    Search(search::Options),
    /// Matches one after the other over HTTP against the real binary; fails if it grows, is late,
    /// answers what is not legal, or a match does not end in its time.
    Matches(matches::Options),
}

/// Bytes in a MiB.
const MIB: u64 = 1 << 20;

/// Runs the test; whether it was passed.
///
/// # Errors
/// If it could not be run.
pub fn run(options: &Options) -> anyhow::Result<bool> {
    match &options.test {
        Test::Search(options) => search::run(options),
        Test::Matches(options) => matches::run(options),
    }
}

/// A game of fixtures or corpus by its name; a fixture, if there are both.
fn game(name: &str) -> anyhow::Result<Game> {
    let mut games = all(&[]).into_iter();
    let found = games.find(|game| game.is(name));
    found.with_context(|| format!("there is no game {name}"))
}
