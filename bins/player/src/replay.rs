//! `rocinante replay`: checks and shows a match record.

use crate::pages::{NO_RULES, Pages};
use crate::source;
use anyhow::{Context, bail};
use budget::Budget;
use game::Engine;
use prepare::{EngineChoice, Options, prepare};
use records::{Record, validate};
use std::collections::BTreeMap;
use std::io::BufRead;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Arguments of `rocinante replay`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The match record; with --check, any number of them
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The rules of the game, for records without rules
    #[arg(long, value_name = "FILE")]
    rules: Option<PathBuf>,
    /// Convert all names of the rules to lower case
    #[arg(long)]
    fold_case: bool,
    /// Print all states without waiting for input
    #[arg(short, long, conflicts_with = "check")]
    all: bool,
    /// Only report whether the records are valid by the rules
    #[arg(long)]
    check: bool,
}

/// Checks records against their rules, and shows them state by state unless `check` is set. The
/// exit code is 0 if they are valid, otherwise 1.
///
/// # Errors
/// Fails if a file cannot be read, or if there are no rules to check it against.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut games = Games::new(args)?;
    if !args.check {
        let [path] = args.files.as_slice() else {
            bail!("several records can only be checked; see --check");
        };
        return show(path, args.all, &mut games);
    }
    let mut valid = true;
    for path in &args.files {
        let record = read(path)?;
        let game = games.of(&record)?;
        let game = game.with_context(|| format!("{} {NO_RULES}", path.display()))?;
        let verdict = match validate(&record, &mut *game.engine) {
            Ok(()) => format!("holds, {} moves", record.moves.len()),
            Err(violation) => {
                valid = false;
                violation.to_string()
            }
        };
        source::print(&format!("{}: {verdict}\n", path.display()))?;
    }
    Ok(ExitCode::from(u8::from(!valid)))
}

fn read(path: &Path) -> anyhow::Result<Record> {
    let text = std::fs::read_to_string(path);
    let text = text.with_context(|| format!("cannot read {}", path.display()))?;
    Record::from_json(&text).with_context(|| format!("in {}", path.display()))
}

/// The games of the records, prepared once for records of the same rules.
struct Games {
    rules: Option<String>,
    fold_case: bool,
    made: BTreeMap<String, Game>,
}

/// The game of a record.
pub struct Game {
    /// The reference engine.
    pub engine: Box<dyn Engine>,
    /// Chains of constants that the rules define, for drawing boards.
    pub chains: Vec<Vec<String>>,
}

impl Games {
    fn new(args: &Args) -> anyhow::Result<Games> {
        let rules = match &args.rules {
            Some(path) => Some(String::from_utf8_lossy(&source::read(path)?).into_owned()),
            None => None,
        };
        Ok(Games {
            rules,
            fold_case: args.fold_case,
            made: BTreeMap::new(),
        })
    }

    /// The game of a record, on the reference engine; `None` if the rules are unknown.
    fn of(&mut self, record: &Record) -> anyhow::Result<Option<&mut Game>> {
        let rules = self.rules.as_deref().unwrap_or(&record.rulesheet);
        if rules.is_empty() {
            return Ok(None);
        }
        if !self.made.contains_key(rules) {
            let options = Options {
                fold_case: self.fold_case,
                engine: EngineChoice::Reasoner,
            };
            let made = prepare(rules, &options, &Budget::system())
                .with_context(|| format!("cannot play the rules of {}", record.match_id))?;
            let game = Game {
                engine: made.playable.engine,
                chains: show::chains(&made.sheet),
            };
            self.made.insert(rules.to_string(), game);
        }
        Ok(self.made.get_mut(rules))
    }
}

/// Checks one record and shows it.
fn show(path: &Path, all: bool, games: &mut Games) -> anyhow::Result<ExitCode> {
    let record = read(path)?;
    let mut pages = Pages::new(&record, games.of(&record)?);
    source::print(&pages.title())?;
    let last = record.states.len().saturating_sub(1);
    if all || record.states.is_empty() {
        for step in 0..record.states.len() {
            source::print(&pages.page(step))?;
        }
    } else {
        let mut lines = std::io::stdin().lock().lines();
        let mut step = 0;
        while step <= last {
            source::print(&pages.page(step))?;
            source::print(&format!(
                "state {step} of {last} (Enter: next, b: back, a number, q: quit) "
            ))?;
            let Some(line) = lines.next() else {
                source::print("\n")?;
                break;
            };
            match turn(line?.trim(), step, last) {
                Ok(Some(to)) => step = to,
                Ok(None) => break,
                Err(why) => source::print(&format!("{why}\n"))?,
            }
        }
    }
    Ok(ExitCode::from(u8::from(pages.verdict.is_err())))
}

/// The state to show next; `None` to end.
fn turn(line: &str, step: usize, last: usize) -> Result<Option<usize>, String> {
    match line {
        "" if step == last => Err("this is the last state".into()),
        "" => Ok(Some(step + 1)),
        "b" if step == 0 => Err("this is the first state".into()),
        "b" => Ok(Some(step - 1)),
        "q" | "quit" => Ok(None),
        number => match number.parse() {
            Ok(step) if step <= last => Ok(Some(step)),
            Ok(_) => Err(format!("there are states 0 to {last}")),
            Err(_) => Err(format!("{number:?} is neither b, q nor a number")),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn input_lines_select_pages() {
        for (line, step, wanted) in [
            ("", 3, Ok(Some(4))),
            ("b", 3, Ok(Some(2))),
            ("0", 3, Ok(Some(0))),
            ("9", 3, Ok(Some(9))),
            ("q", 3, Ok(None)),
            ("", 9, Err("this is the last state".into())),
            ("b", 0, Err("this is the first state".into())),
            ("10", 3, Err("there are states 0 to 9".into())),
            ("x", 3, Err("\"x\" is neither b, q nor a number".into())),
        ] {
            assert_eq!(turn(line, step, 9), wanted, "{line:?} at {step}");
        }
    }
}
