//! Tactical positions: proves their claims, lets players solve them, mines more.

mod mine;
mod play;
mod prove;

use ::tactics::{Position, Sheet};
use anyhow::{Context, ensure};
use budget::Budget;
use compile::Playable;
use players::Spec;
use prepare::{EngineChoice, Options as Prepare, prepare};
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(clap::Args)]
pub struct Options {
    /// Prove every claim by exhaustive search instead of letting a player choose
    #[arg(long, conflicts_with = "mine")]
    prove: bool,
    /// Mine new positions of this game, a fixture, and print them
    #[arg(long, value_name = "GAME")]
    mine: Option<String>,
    /// Only these: names of games, of classes, or GAME/POSITION
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Folder of sheets, GAME.positions [default: fixtures/positions]
    #[arg(long, value_name = "DIR")]
    positions: Option<PathBuf>,
    /// The player, in the syntax of `match`, such as `baseline:playouts=1000`
    #[arg(long, value_name = "PLAYER", default_value = "baseline")]
    player: Spec,
    /// Time for each choice, in seconds [default: that of the position, or 1]
    #[arg(long, value_name = "SECONDS")]
    seconds: Option<f64>,
    /// Playouts for each choice instead of a time, for players that support it
    #[arg(long, value_name = "N", conflicts_with = "seconds")]
    playouts: Option<u64>,
    #[arg(long, value_name = "NAME", default_value = "auto", help = engine_help())]
    engine: EngineChoice,
    /// Seed of the player, or of the mined games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Write the results to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    #[command(flatten)]
    mining: mine::Mining,
}

fn engine_help() -> String {
    let names = EngineChoice::ALL.map(EngineChoice::name);
    format!("The engine to prove, play or mine on: {}", names.join(", "))
}

pub fn run(options: &Options) -> anyhow::Result<bool> {
    if let Some(game) = &options.mine {
        return mine::run(game, options);
    }
    let mut sheets = sheets(options)?;
    for sheet in &mut sheets {
        let Sheet { game, positions } = sheet;
        positions.retain(|position| wanted(game, position, &options.only));
    }
    sheets.retain(|sheet| !sheet.positions.is_empty());
    ensure!(!sheets.is_empty(), "no such position");
    match options.prove {
        true => prove::run(&sheets, options.engine),
        false => play::run(&sheets, options),
    }
}

/// All sheets of the folder.
fn sheets(options: &Options) -> anyhow::Result<Vec<Sheet>> {
    let folder = options.positions.clone();
    let folder = folder.unwrap_or_else(|| testkit::root().join("fixtures/positions"));
    let mut sheets = Vec::new();
    for path in testkit::files(&folder, "positions") {
        let text = std::fs::read_to_string(&path)?;
        let sheet = Sheet::parse(&text);
        sheets.push(sheet.with_context(|| path.display().to_string())?);
    }
    Ok(sheets)
}

fn wanted(game: &str, position: &Position, only: &[String]) -> bool {
    let full = format!("{game}/{}", position.name);
    only.is_empty()
        || only
            .iter()
            .any(|name| *name == game || *name == position.class || *name == full)
}

/// A fixture on an engine.
pub fn playable(game: &str, choice: EngineChoice) -> anyhow::Result<Playable> {
    let path = testkit::root().join(Path::new("fixtures/games").join(game));
    let path = path.with_extension("gdl");
    let text = std::fs::read_to_string(&path);
    let text = text.with_context(|| format!("cannot read {}", path.display()))?;
    playable_of(game, &text, choice)
}

/// The game of a rulesheet on an engine. `game` is its name in messages.
pub fn playable_of(game: &str, text: &str, choice: EngineChoice) -> anyhow::Result<Playable> {
    let budget = Budget::system()
        .with_timeout(Duration::from_secs(20))
        .with_memory(2 << 30);
    let prepare_options = Prepare {
        engine: choice,
        ..Prepare::default()
    };
    let prepared = prepare(text, &prepare_options, &budget);
    Ok(prepared
        .with_context(|| format!("cannot play {game}"))?
        .playable)
}
