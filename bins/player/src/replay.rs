//! `rocinante replay`: checks and shows match records.

use crate::pages::Pages;
use crate::source;
use anyhow::{Context, bail, ensure};
use budget::Budget;
use game::Engine;
use gdl_parse::diagnostic::count;
use prepare::{EngineChoice, Options, prepare};
use records::{Entry, Record, Records, add_states, check_lengths, count_roles, validate};
use std::collections::BTreeMap;
use std::io::BufRead;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Arguments of `rocinante replay`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Match records, one or many in a file; `-` is the standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Only this record of a file: its number, from 1, or the id of its match
    #[arg(long = "match", value_name = "ID|N")]
    only: Option<String>,
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
    /// Show what the players thought, where the record has it
    #[arg(long, conflicts_with = "check")]
    explain: bool,
}

/// Checks records against their rules, and shows them state by state unless `check` is set. The
/// exit code is 0 if all are valid, 1 if one is not, and 2 if one cannot be read or checked.
///
/// # Errors
/// Fails if a file cannot be read, or if there is no such record in it.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut replay = Replay {
        args,
        games: Games::new(args)?,
        code: 0,
        quit: false,
    };
    for path in &args.files {
        if !replay.quit {
            replay.file(path)?;
        }
    }
    Ok(ExitCode::from(replay.code))
}

struct Replay<'a> {
    args: &'a Args,
    games: Games,
    /// The exit code so far.
    code: u8,
    /// Whether nothing more is to be shown.
    quit: bool,
}

impl Replay<'_> {
    /// All records of a file, or the one that was asked for.
    fn file(&mut self, path: &Path) -> anyhow::Result<()> {
        let name = source::name(path);
        let mut records = Records::new(source::open(path)?).with_context(|| name.clone())?;
        let mut found = false;
        let mut total = 0;
        while let Some(entry) = records.next() {
            total += 1;
            match entry {
                Ok(entry) if self.wanted(&entry) => {
                    found = true;
                    let many = records.are_many() || self.args.files.len() > 1;
                    self.record(path, entry, many)?;
                }
                Ok(_) => {}
                // Which record it would have been, only its number tells.
                Err(error) if self.args.only.is_none() => {
                    found = true;
                    self.fail(&anyhow::Error::new(error).context(name.clone()));
                }
                Err(_) => {}
            }
            if self.quit {
                break;
            }
        }
        match &self.args.only {
            Some(only) if !found => bail!(
                "{name} holds {}, and none is {only}",
                count(total, "record")
            ),
            _ => Ok(()),
        }
    }

    fn wanted(&self, entry: &Entry) -> bool {
        self.args
            .only
            .as_ref()
            .is_none_or(|only| *only == entry.record.match_id || only.parse() == Ok(entry.number))
    }

    /// Tells of a record that cannot be read or checked, and goes on with the next one.
    fn fail(&mut self, error: &anyhow::Error) {
        source::note(&format!("error: {error:#}"));
        self.code = self.code.max(2);
    }

    fn record(&mut self, path: &Path, entry: Entry, many: bool) -> anyhow::Result<()> {
        let Entry {
            number, mut record, ..
        } = entry;
        let name = match many {
            true => format!("{}, record {number}", source::name(path)),
            false => source::name(path),
        };
        let verdict = match self.games.check(&mut record) {
            Ok(verdict) => verdict,
            Err(error) => {
                self.fail(&error.context(name));
                return Ok(());
            }
        };
        if matches!(verdict, Verdict::Fails(_)) {
            self.code = self.code.max(1);
        }
        if !self.args.check {
            let game = self.games.of(&record)?;
            if many {
                source::print(&format!("{name}\n"))?;
            }
            let pages = Pages::new(&record, game, verdict, self.args.explain);
            // Input cannot be both records and answers.
            let all = self.args.all || source::is_standard(path);
            if !show(pages, all, many)? {
                self.quit = true;
            }
            return Ok(());
        }
        match verdict {
            Verdict::Holds => {
                let moves = count(record.moves.len(), "move");
                source::print(&format!("{name}: holds, {moves}\n"))
            }
            Verdict::Fails(violation) => source::print(&format!("{name}: {violation}\n")),
            Verdict::Unknown => {
                self.fail(&anyhow::anyhow!("{name} {}", no_rules(&record)));
                Ok(())
            }
        }
    }
}

/// What is known of a record.
pub enum Verdict {
    /// It describes a match that its rules allow.
    Holds,
    /// Its rules are not known. Its lists have the right lengths.
    Unknown,
    /// It does not hold, for this reason.
    Fails(String),
}

/// The message for a record that cannot be checked.
pub fn no_rules(record: &Record) -> String {
    match record.game_meta_url.is_empty() {
        true => "holds no rules; give them with --rules FILE".into(),
        false => format!(
            "holds no rules, but names {}; save them and give them with --rules FILE",
            record.game_meta_url
        ),
    }
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
            Some(path) => {
                let both = source::is_standard(path)
                    && args.files.iter().any(|path| source::is_standard(path));
                ensure!(
                    !both,
                    "rules and records cannot both come from the standard input"
                );
                Some(source::text(path)?)
            }
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

    /// Checks a record, and adds the states that it lacks if its rules are known.
    fn check(&mut self, record: &mut Record) -> anyhow::Result<Verdict> {
        let result = match self.of(record)? {
            Some(game) => {
                let result = validate(record, &mut *game.engine);
                add_states(record, &mut *game.engine);
                result.map(|()| Verdict::Holds)
            }
            None => {
                let roles = count_roles(record);
                let result = roles.map_or(Ok(()), |roles| check_lengths(record, roles));
                let states = record.states.len().max(record.moves.len() + 1);
                record.states.resize(states, String::new());
                result.map(|()| Verdict::Unknown)
            }
        };
        Ok(result.unwrap_or_else(|violation| Verdict::Fails(violation.to_string())))
    }
}

/// Shows a record; `many` if others may follow. Returns whether to go on with the next one.
fn show(mut pages: Pages<'_>, all: bool, many: bool) -> anyhow::Result<bool> {
    source::print(&pages.title())?;
    let last = pages.count() - 1;
    if all {
        for step in 0..=last {
            source::print(&pages.page(step))?;
        }
        return Ok(true);
    }
    let mut lines = std::io::stdin().lock().lines();
    let mut step = 0;
    let next = if many { "n: next record, " } else { "" };
    loop {
        source::print(&pages.page(step))?;
        source::print(&format!(
            "state {step} of {last} (Enter: next, b: back, a number, {next}q: quit) "
        ))?;
        let Some(line) = lines.next() else {
            source::print("\n")?;
            return Ok(false);
        };
        match turn(line?.trim(), step, last, many) {
            Ok(Turn::To(to)) => step = to,
            Ok(Turn::Next) => return Ok(true),
            Ok(Turn::Quit) => return Ok(false),
            Err(why) => source::print(&format!("{why}\n"))?,
        }
    }
}

/// What to show next.
#[derive(Debug, PartialEq, Eq)]
enum Turn {
    /// A state.
    To(usize),
    /// The next record.
    Next,
    /// Nothing.
    Quit,
}

fn turn(line: &str, step: usize, last: usize, many: bool) -> Result<Turn, String> {
    match line {
        "" if step == last && many => Ok(Turn::Next),
        "" if step == last => Err("this is the last state".into()),
        "" => Ok(Turn::To(step + 1)),
        "n" if many => Ok(Turn::Next),
        "b" if step == 0 => Err("this is the first state".into()),
        "b" => Ok(Turn::To(step - 1)),
        "q" | "quit" => Ok(Turn::Quit),
        number => match number.parse() {
            Ok(step) if step <= last => Ok(Turn::To(step)),
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
            ("", 3, Ok(Turn::To(4))),
            ("b", 3, Ok(Turn::To(2))),
            ("0", 3, Ok(Turn::To(0))),
            ("9", 3, Ok(Turn::To(9))),
            ("q", 3, Ok(Turn::Quit)),
            ("", 9, Err("this is the last state".into())),
            ("b", 0, Err("this is the first state".into())),
            ("10", 3, Err("there are states 0 to 9".into())),
            ("n", 3, Err("\"n\" is neither b, q nor a number".into())),
        ] {
            assert_eq!(turn(line, step, 9, false), wanted, "{line:?} at {step}");
        }
        assert_eq!(turn("n", 3, 9, true), Ok(Turn::Next));
        assert_eq!(turn("", 9, 9, true), Ok(Turn::Next));
    }
}
