//! `cargo xtask blunders`: how often a player gives away what it could force.
//!
//! The positions come from the player's own matches, are proved by long searches, and are hard: at
//! least half of the moves give the result away, and nothing is decided within three plies. So a
//! few minutes tell more about the search than a night of matches. `--mine` finds them, the
//! default measures, `--trace` shows one of them.

mod four;
mod games;
mod judge;
mod measure;
mod mine;
mod race;
mod trace;

use crate::stage::Conditions;
use anyhow::{Context, ensure};
pub use games::playable;
use players::Spec;
use std::path::PathBuf;
use std::time::Duration;
use tactics::Sheet;

#[derive(clap::Args)]
pub struct Options {
    /// Find more positions of this game, a fixture, and add them to its sheet
    #[arg(long, value_name = "GAME", conflicts_with = "trace")]
    mine: Option<String>,
    /// Show how a player comes to its choice in this position, GAME/POSITION
    #[arg(long, value_name = "GAME/POSITION")]
    trace: Option<String>,
    /// Prove all positions again, and fail if one is wrong
    #[arg(long, conflicts_with_all = ["mine", "trace"])]
    prove: bool,
    /// Compare the proof searches: time to answer of every position and some of its moves, at most
    /// so many seconds each
    #[arg(long, value_name = "SECONDS", conflicts_with_all = ["mine", "trace", "prove"])]
    race: Option<f64>,
    /// With --race: also a team of so many threads, all in time on the wall
    #[arg(long, value_name = "N", default_value_t = 1, hide_default_value = true)]
    team: usize,
    /// With --race: also depth-first proof numbers that are guided by a value, learnt for so many
    /// seconds in each game
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = 0.0,
        hide_default_value = true
    )]
    learn: f64,
    /// Only these games, or GAME/POSITION
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// At most that many positions of each game
    #[arg(long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
    most: usize,
    /// Times for each choice, in seconds
    #[arg(
        long,
        value_name = "SECONDS",
        value_delimiter = ',',
        default_value = "0.1,1,5"
    )]
    seconds: Vec<f64>,
    /// Playouts for each choice instead of times, which repeats
    #[arg(
        long,
        value_name = "N",
        value_delimiter = ',',
        conflicts_with = "seconds"
    )]
    playouts: Vec<u64>,
    /// The players, in the syntax of `match`; they take turns at every position
    #[arg(long, value_name = "PLAYER", default_value = "default")]
    player: Vec<Spec>,
    /// Also `default` without each of these features
    #[arg(long, value_name = "FEATURE")]
    without: Vec<String>,
    #[command(flatten)]
    conditions: Conditions,
    /// Folder of sheets, GAME.positions [default: fixtures/blunders]
    #[arg(long, value_name = "DIR")]
    positions: Option<PathBuf>,
    /// Write the results to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    #[command(flatten)]
    mining: mine::Mining,
}

/// Measures, mines or traces.
///
/// # Errors
/// Fails if a sheet or a game cannot be read, or a position is not one of its game.
pub fn run(options: &Options) -> anyhow::Result<bool> {
    if let Some(game) = &options.mine {
        return mine::run(game, options);
    }
    let sheets = sheets(options)?;
    if let Some(seconds) = options.race {
        let race = race::Race {
            most: seconds,
            team: options.team,
            learn: Duration::try_from_secs_f64(options.learn)?,
            json: options.json.as_deref(),
        };
        return race::run(&sheets, &race);
    }
    match (&options.trace, options.prove) {
        (Some(name), _) => trace::run(name, &sheets, options),
        (None, true) => judge::check(&sheets, &options.conditions),
        (None, false) => measure::run(&sheets, options),
    }
}

/// The folder of sheets.
fn folder(options: &Options) -> PathBuf {
    let folder = options.positions.clone();
    folder.unwrap_or_else(|| testkit::root().join("fixtures/blunders"))
}

/// The sheets that are asked for.
fn sheets(options: &Options) -> anyhow::Result<Vec<Sheet>> {
    let mut sheets = Vec::new();
    let only = |name: &str| options.only.is_empty() || options.only.iter().any(|own| own == name);
    for path in testkit::files(&folder(options), "positions") {
        let text = std::fs::read_to_string(&path)?;
        let sheet = Sheet::parse(&text).with_context(|| path.display().to_string())?;
        let Sheet { game, positions } = sheet;
        let positions = positions
            .into_iter()
            .filter(|position| only(&game) || only(&format!("{game}/{}", position.name)));
        let positions = positions.take(options.most).collect();
        sheets.push(Sheet { game, positions });
    }
    sheets.retain(|sheet| !sheet.positions.is_empty());
    ensure!(!sheets.is_empty(), "no such position; --mine finds some");
    Ok(sheets)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tactics::Scene;

    #[test]
    fn sheets_are_of_their_games_and_at_least_half_of_the_moves_are_wrong() {
        let mut positions = 0;
        let folders =
            ["blunders", "hanging"].map(|name| testkit::root().join("fixtures").join(name));
        let sheets = folders.iter();
        for path in sheets.flat_map(|folder| testkit::files(folder, "positions")) {
            let text = std::fs::read_to_string(&path).expect("it can be read");
            let sheet = Sheet::parse(&text).expect("a sheet");
            let mut playable = games::playable(&sheet.game).expect("a game");
            let mut seen = std::collections::BTreeSet::new();
            for position in &sheet.positions {
                let scene = Scene::new(&mut *playable.engine, position).expect("a position");
                let name = format!("{}/{}", sheet.game, position.name);
                assert!(scene.right.len() <= scene.wrong.len(), "{name}");
                assert!(position.forces > 0, "{name}");
                assert!(seen.insert(scene.state), "{name} is there twice");
                positions += 1;
            }
        }
        assert!(positions > 0);
    }
}
