//! Counts the fixtures' move paths and states, and compares the counts with the records or
//! writes these.

use ::perft::{Level, Limits, Record, count};
use anyhow::{Context, ensure};
use budget::Budget;
use prepare::{EngineChoice, Options as Prepare, prepare};
use std::path::Path;
use std::time::{Duration, Instant};

#[derive(clap::Args)]
pub struct Options {
    /// Only this game
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    #[arg(long, value_name = "NAME", help = engine_help())]
    engine: Option<EngineChoice>,
    /// Maximum number of transitions for each game and engine
    #[arg(long, value_name = "N", default_value_t = 60_000)]
    transitions: u64,
    /// Maximum depth
    #[arg(long, value_name = "N", default_value_t = 40)]
    depth: usize,
    /// Write the counts to fixtures/games/NAME.perft, keeping the comments there
    #[arg(long)]
    write: bool,
}

fn engine_help() -> String {
    let names = EngineChoice::ALL.map(EngineChoice::name);
    format!("Only this engine: {}", names.join(", "))
}

pub fn run(options: &Options) -> anyhow::Result<bool> {
    let mut games = testkit::fixtures();
    games.retain(|path| {
        options
            .only
            .as_ref()
            .is_none_or(|only| path.file_stem().is_some_and(|s| s == &**only))
    });
    ensure!(!games.is_empty(), "no such fixture");
    let (mut passed, mut failed) = (0, 0);
    for game in &games {
        let name = game.file_stem().unwrap_or_default().to_string_lossy();
        match one(game, options) {
            Ok(summary) => {
                passed += 1;
                println!("{name:<32} {summary}");
            }
            Err(error) => {
                failed += 1;
                println!("{name:<32} FAILED: {error:#}");
            }
        }
    }
    println!("{passed} passed, {failed} failed");
    Ok(failed == 0)
}

/// Counts one game on every engine and checks or writes its record.
fn one(game: &Path, options: &Options) -> anyhow::Result<String> {
    let source = std::fs::read_to_string(game)?;
    let path = game.with_extension("perft");
    let record: Option<Record> = match std::fs::read_to_string(&path) {
        Ok(text) => Some(text.parse().context("the record cannot be read")?),
        Err(_) => None,
    };
    let engines = match options.engine {
        Some(engine) => vec![engine],
        None => vec![
            EngineChoice::Reasoner,
            EngineChoice::Propnet,
            EngineChoice::Scalar,
        ],
    };
    let mut counted: Option<Vec<Level>> = None;
    let mut summary = String::new();
    for choice in engines {
        let budget = Budget::system()
            .with_timeout(Duration::from_secs(30))
            .with_memory(2 << 30);
        let prepared = prepare(
            &source,
            &Prepare {
                engine: choice,
                ..Prepare::default()
            },
            &budget,
        );
        let mut engine = prepared.with_context(|| choice.name())?.playable.engine;
        let limits = Limits {
            depth: options.depth,
            transitions: options.transitions,
        };
        let start = Instant::now();
        let levels = count(&mut *engine, limits).with_context(|| choice.name())?;
        summary += &format!(
            "{} {} levels in {:.2} s  ",
            engine.name(),
            levels.len(),
            start.elapsed().as_secs_f64()
        );
        if let Some(record) = record.as_ref().filter(|_| !options.write) {
            let depth = record.contradiction(&levels);
            ensure!(
                depth.is_none(),
                "{} differs from the record at {depth:?}",
                choice.name()
            );
        }
        if let Some(other) = &counted {
            ensure!(
                *other == levels,
                "the engines differ: {other:?} and {levels:?}"
            );
        }
        counted = Some(levels);
    }
    let levels = counted.unwrap_or_default();
    if options.write {
        let comments = record.map(|record| record.comments).unwrap_or_default();
        std::fs::write(&path, Record { comments, levels }.to_string())?;
    } else {
        ensure!(
            record.is_some(),
            "there is no record; make one with --write"
        );
    }
    Ok(summary)
}
