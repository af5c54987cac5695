//! `rocinante store`: what is kept of games.

use crate::{options, source, wall};
use ::store::{Entry, Limits, Store};
use anyhow::{Context, bail, ensure};
use gdl_parse::diagnostic::count;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, UNIX_EPOCH};

/// The commands of `rocinante store`.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// List the games that something is kept of.
    List(List),
    /// Show what is kept of a game.
    Show(Show),
    /// Print everything as JSON, one game on each line.
    Export(Export),
    /// Remove what was not kept lately, or what takes too much.
    Prune(Prune),
}

/// The store that a command is about.
#[derive(Debug, clap::Args)]
pub struct Of {
    /// The store
    #[arg(long, value_name = "FILE")]
    store: PathBuf,
}

/// Arguments of `rocinante store list`.
#[derive(Debug, clap::Args)]
pub struct List {
    #[command(flatten)]
    of: Of,
    /// Print the list as JSON
    #[arg(long)]
    json: bool,
}

/// Arguments of `rocinante store show`.
#[derive(Debug, clap::Args)]
pub struct Show {
    /// The game as in the list, or the first digits of it
    game: String,
    #[command(flatten)]
    of: Of,
}

/// Arguments of `rocinante store export`.
#[derive(Debug, clap::Args)]
pub struct Export {
    /// The game as in the list, or the first digits of it [default: all]
    game: Option<String>,
    #[command(flatten)]
    of: Of,
}

/// Arguments of `rocinante store prune`.
#[derive(Debug, clap::Args)]
pub struct Prune {
    #[command(flatten)]
    of: Of,
    /// Remove games of which nothing was kept for so long, such as 30d
    #[arg(long, value_name = "TIME", value_parser = options::span)]
    older: Option<Duration>,
    /// Remove games until the others take no more than this, in MiB, those kept first first
    #[arg(long, value_name = "MIB")]
    size_mib: Option<u64>,
}

/// Runs a command on a store.
///
/// # Errors
/// Fails if there is no store, no such game, or the store cannot be read or written.
pub fn run(command: &Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::List(args) => list(args)?,
        Command::Show(args) => show(args)?,
        Command::Export(args) => export(args)?,
        Command::Prune(args) => prune(args)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn open(of: &Of) -> anyhow::Result<Store> {
    Store::existing(&of.store).with_context(|| cannot(&of.store))
}

fn cannot(path: &Path) -> String {
    format!("cannot read the store {}", path.display())
}

fn entries(of: &Of, store: &Store) -> anyhow::Result<Vec<Entry>> {
    store.list().with_context(|| cannot(&of.store))
}

/// The one game that begins with these digits.
fn one(of: &Of, store: &Store, game: &str) -> anyhow::Result<Entry> {
    let mut found = entries(of, store)?;
    found.retain(|entry| entry.game.starts_with(game));
    match found.len() {
        1 => Ok(found.remove(0)),
        0 => bail!("{} has no game {game}", of.store.display()),
        many => bail!("{game} begins the names of {many} games; give more digits"),
    }
}

fn list(args: &List) -> anyhow::Result<()> {
    let store = open(&args.of)?;
    let entries = entries(&args.of, &store)?;
    if args.json {
        return source::print(&(serde_json::to_string_pretty(&entries)? + "\n"));
    }
    let mut text = String::new();
    if !entries.is_empty() {
        text += "game              games learnt   positions  plan  solution  openings       KiB  kept last\n";
    }
    for entry in &entries {
        let yes = |has| if has { "yes" } else { "-" };
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "{:16}  {:>12}  {:>10}  {:4}  {:8}  {:>8}  {:>8}  {}",
            entry.game,
            entry.about.games,
            entry.about.positions,
            yes(entry.plan),
            yes(entry.solution),
            entry.openings,
            entry.bytes.div_ceil(1024),
            date(entry.about.used),
        );
    }
    text += &format!("{}\n", count(entries.len(), "game"));
    source::print(&text)
}

fn show(args: &Show) -> anyhow::Result<()> {
    let store = open(&args.of)?;
    let entry = one(&args.of, &store, &args.game)?;
    let game = u64::from_str_radix(&entry.game, 16)?;
    let mut text = format!(
        "game {}\nkept first {}, last {}; {} KiB\n",
        entry.game,
        date(entry.about.since),
        date(entry.about.used),
        entry.bytes.div_ceil(1024),
    );
    let without = || cannot(&args.of.store);
    if let Some(learnt) = store.learnt(game).with_context(without)? {
        let data = learnt.value.features.data();
        text += &format!(
            "value: learnt from {} of {}; {} in {}, {} in each of {}\n",
            count(learnt.positions as usize, "position"),
            count(learnt.games as usize, "game"),
            count(data.sizes.len(), "variable"),
            count(data.tuples.len(), "tuple"),
            count(learnt.value.features.entries(), "weight"),
            count(learnt.value.features.sets(), "set"),
        );
    }
    if let Some(plan) = store.plan(game).with_context(without)? {
        text += &format!("plan:\n{plan}\n");
    }
    if let Some(solution) = store.solution(game).with_context(without)? {
        text += &format!(
            "solution: {} in {}{}\n",
            solution.goal,
            count(solution.moves.len(), "move"),
            if solution.best {
                ", the best there is"
            } else {
                ""
            }
        );
    }
    for opening in store.openings(game).with_context(without)? {
        text += &format!(
            "opening {:?}: played {}, points {:?}\n",
            opening.moves,
            count(opening.matches as usize, "time"),
            opening.points
        );
    }
    source::print(&text)
}

fn export(args: &Export) -> anyhow::Result<()> {
    let store = open(&args.of)?;
    let entries = match &args.game {
        Some(game) => vec![one(&args.of, &store, game)?],
        None => entries(&args.of, &store)?,
    };
    for entry in &entries {
        let line = store.export(entry);
        source::print(&(line.with_context(|| cannot(&args.of.store))? + "\n"))?;
    }
    Ok(())
}

fn prune(args: &Prune) -> anyhow::Result<()> {
    ensure!(
        args.older.is_some() || args.size_mib.is_some(),
        "say what is to go: --older TIME, --size-mib MIB, or both"
    );
    let store = open(&args.of)?;
    let now = wall::unix_millis() / 1000;
    let removed = store.prune(Limits {
        before: args.older.map(|older| now.saturating_sub(older.as_secs())),
        bytes: args.size_mib.map(|mib| mib.saturating_mul(1 << 20)),
    });
    let removed = removed.with_context(|| format!("cannot prune {}", args.of.store.display()))?;
    for game in &removed {
        source::print(&format!("{game:016x}\n"))?;
    }
    source::print(&format!("{} removed\n", count(removed.len(), "game")))
}

/// A time of day in words.
fn date(seconds: u64) -> String {
    humantime::format_rfc3339_seconds(UNIX_EPOCH + Duration::from_secs(seconds)).to_string()
}
