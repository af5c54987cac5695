//! `rocinante solve`: the best line of a game of one role, with proof where it can be had, or what
//! a role can force in any game.

mod answer;

use crate::progress::Working;
use crate::{forced, interrupt, match_, options, source, terminal, wall};
use answer::Answer;
use anyhow::{Context, ensure};
use budget::{Budget, Stop};
use compile::{Proved, Report, Rules};
use metagame::Stage;
use prepare::EngineChoice;
use puzzle::Portfolio;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Arguments of `rocinante solve`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The rulesheet; `-` is the standard input
    #[arg(required_unless_present = "all")]
    game: Option<PathBuf>,
    /// Solve every game of one role in this folder and print a table as CSV
    #[arg(long, value_name = "DIR")]
    #[arg(conflicts_with_all = ["game", "json"])]
    all: Option<PathBuf>,
    /// Find a forced result of one role, whatever the others do
    #[arg(long, requires = "game", conflicts_with = "all")]
    forced: bool,
    #[command(flatten)]
    question: forced::Question,
    /// Time limit in seconds for each game, including the construction of the network
    #[arg(long, value_name = "SECONDS", default_value = "30", allow_negative_numbers = true, value_parser = options::clock)]
    seconds: Duration,
    /// Threads [default: one for each core]
    #[arg(long, value_name = "N", value_parser = options::threads)]
    threads: Option<usize>,
    /// Memory limit in MiB
    #[arg(long, value_name = "MIB", default_value_t = options::mib(2048), value_parser = options::memory)]
    memory_mib: usize,
    /// Seed of everything random
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print the answer as JSON
    #[arg(long)]
    json: bool,
    /// Convert all names to lower case
    #[arg(long)]
    fold_case: bool,
}

/// Solves one game or all games of a folder, or tells what can be forced. The exit code is 0 if
/// every answer is proved, otherwise 1.
///
/// # Errors
/// Fails if a game cannot be read, or has several roles.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if let (true, Some(game)) = (args.forced, &args.game) {
        let within = forced::Within {
            time: args.seconds,
            memory: args.memory_mib << 20,
            seed: args.seed,
        };
        return forced::run(game, &args.question, within, args.fold_case, args.json);
    }
    let stop = Stop::default();
    interrupt::stop_on_interrupt(&stop)?;
    let budget = Budget::system().with_stop(stop).with_stop(source::closed());
    let mut proved = true;
    match (&args.game, &args.all) {
        (_, Some(folder)) => {
            source::print(answer::HEAD)?;
            for path in rulesheets(folder)? {
                if budget.check().is_err() {
                    break;
                }
                if !has_one_role(args, &path, &budget) {
                    continue;
                }
                match solve(args, &path, &budget) {
                    Ok(Some(answer)) => {
                        proved &= answer.is_proved();
                        source::print(&answer.row(&wall::stem(&path)))?;
                    }
                    Ok(None) => {}
                    Err(error) => terminal::error(&format!("{error:#}")),
                }
            }
        }
        (Some(path), None) => {
            let answer = solve(args, path, &budget)?;
            let name = source::name(path);
            let answer = answer.with_context(|| {
                format!(
                    "{name} has several roles; solve knows games of one role, and what one of several \
                     roles can force with --forced"
                )
            })?;
            proved = answer.is_proved();
            source::print(&match args.json {
                true => serde_json::to_string_pretty(&answer)? + "\n",
                false => answer.to_string(),
            })?;
        }
        (None, None) => {}
    }
    source::still_read()?;
    Ok(ExitCode::from(u8::from(!proved)))
}

/// Whether the rules name one role, which is known long before there is an engine. What cannot
/// be read is an error when it is solved.
fn has_one_role(args: &Args, path: &Path, budget: &Budget) -> bool {
    let text = source::text(path).unwrap_or_default();
    let rules = Rules::read(&text, args.fold_case, &mut Report::new(budget));
    rules.is_ok_and(|rules| rules.program.roles().len() == 1)
}

/// The answer for a game; `None` if it has several roles.
fn solve(args: &Args, path: &Path, budget: &Budget) -> anyhow::Result<Option<Answer>> {
    let begun = budget.clock().now();
    let whole = (budget.clone())
        .with_timeout(args.seconds)
        .with_memory(args.memory_mib << 20);
    let engine = Stage::Engine.share(&whole);
    let mut game = match_::load(path, EngineChoice::Auto, args.fold_case, &engine)?;
    if game.playable.engine.roles().len() != 1 {
        return Ok(None);
    }
    let (working, whole) = Working::on(path.display().to_string(), &whole);
    whole.begins("proving");
    let compiled = game.playable.compiled.clone();
    let facts = Stage::Facts.share(&whole);
    let proved = compiled.map(|compiled| Proved::find(compiled, args.seed, &facts));
    let engine = &mut *game.playable.engine;
    let bytes = args.memory_mib << 20;
    let portfolio = Portfolio::new(engine, proved.as_ref(), args.seed, bytes, &whole);
    let portfolio = portfolio.context("the game has one role")?;
    whole.begins("solving");
    portfolio.work(args.threads.unwrap_or_else(wall::cores), &whole);
    drop(working);
    let time = budget.clock().now().saturating_sub(begun);
    Ok(Some(Answer::new(&portfolio, engine, time)))
}

/// The rulesheets in a folder, by name.
fn rulesheets(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder)
        .with_context(|| format!("cannot read the folder {}", folder.display()))?;
    let is_one = |path: &PathBuf| {
        let extension = path.extension().and_then(|extension| extension.to_str());
        matches!(extension, Some("gdl" | "kif"))
    };
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut paths: Vec<PathBuf> = paths.filter(is_one).collect();
    paths.sort();
    ensure!(
        !paths.is_empty(),
        "{} has no rulesheets (.gdl or .kif)",
        folder.display()
    );
    Ok(paths)
}
