//! `cargo xtask endurance`: checks that a long search stays within its memory limit, and that
//! hundreds of matches over HTTP leak nothing.

mod faults;
mod matches;
mod search;
mod serving;
mod watch;

use crate::games::{Game, all};
use anyhow::Context;

/// Arguments of `cargo xtask endurance`.
#[derive(clap::Args)]
pub struct Options {
    #[command(subcommand)]
    test: Test,
}

#[derive(clap::Subcommand)]
enum Test {
    /// One search of many minutes; fails if the process exceeds the memory limit plus an
    /// overhead.
    Search(search::Options),
    /// Consecutive matches over HTTP against the real binary; fails if it grows, is late, gives
    /// an illegal answer, or if a match does not end in time.
    Matches(matches::Options),
    /// Short matches over connections with faults, and processes that are stopped and killed;
    /// fails if a fault of a player has no explanation.
    Faults(faults::Options),
}

/// Bytes in a MiB.
const MIB: u64 = 1 << 20;

/// Runs the test. Returns whether it was passed.
///
/// # Errors
/// Fails if the test could not be run.
pub fn run(options: &Options) -> anyhow::Result<bool> {
    match &options.test {
        Test::Search(options) => search::run(options),
        Test::Matches(options) => matches::run(options),
        Test::Faults(options) => faults::run(options),
    }
}

/// The game of this name among fixtures and corpus; the fixture if both have it.
fn game(name: &str) -> anyhow::Result<Game> {
    let mut games = all(&[]).into_iter();
    let found = games.find(|game| game.is(name));
    found.with_context(|| format!("there is no game {name}"))
}
