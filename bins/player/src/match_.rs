//! `rocinante match`: matches with this process as the referee, shown at the terminal.

use crate::archive::{self, Plans};
use crate::options;
use crate::progress::Working;
use crate::source;
use crate::summary::Summary;
use crate::terminal::{Screen, complain, notice, unplayable};
use crate::who::{Bench, KINDS, Who};
use crate::{interrupt, wall};
use anyhow::bail;
use budget::{Budget, ManualClock, Stop};
use game::GroundTerm;
use gdl_scramble::{ScrambleOptions, Scrambled, scramble};
use matches::{End, Entrant, Outcome, Resources, Settings};
use players::{Archive, Spec};
use prepare::{EngineChoice, Options, Prepared, prepare};
use records::Record;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

/// Arguments of `rocinante match`.
#[derive(Debug, clap::Args)]
#[command(after_long_help = options_of_players())]
pub struct Args {
    /// The rulesheet; `-` is the standard input
    game: PathBuf,
    #[arg(short, long = "player", value_name = "PLAYER", help = players_help())]
    players: Vec<Who>,
    /// Start clock in seconds
    #[arg(long, value_name = "SECONDS", default_value = "2", allow_negative_numbers = true, value_parser = options::clock)]
    start_clock: Duration,
    /// Play clock in seconds
    #[arg(long, value_name = "SECONDS", default_value = "0.5", allow_negative_numbers = true, value_parser = options::clock)]
    play_clock: Duration,
    /// How late answers over HTTP may be, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "1", allow_negative_numbers = true, value_parser = options::seconds)]
    grace: Duration,
    /// Seed of all random choices [default: from the time of day]; with --threads 1 and players
    /// that have fixed budgets (baseline:playouts=500), the same seed gives the same record
    #[arg(long)]
    seed: Option<u64>,
    /// Write the match record to this file; with several rounds, one numbered file for each. With
    /// `-`, records are all that is printed, one on each line
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Search threads of each player [default: one for each core]
    #[arg(long, value_name = "N", value_parser = options::threads)]
    threads: Option<usize>,
    /// Memory limit of each player's search, in MiB
    #[arg(long, value_name = "MIB", default_value_t = options::mib(256), value_parser = options::memory)]
    memory_mib: usize,
    #[arg(long, value_name = "ENGINE", default_value = "auto", help = engine_help())]
    engine: EngineChoice,
    /// Convert all names to lower case
    #[arg(long)]
    fold_case: bool,
    /// Send rules with invented names to players over HTTP
    #[arg(long)]
    scramble: bool,
    /// Shuffle the rules and their conditions before sending them
    #[arg(long)]
    shuffle_rules: bool,
    /// Shuffle the arguments of relations and functions before sending them
    #[arg(long)]
    shuffle_arguments: bool,
    /// Seed of the scrambling [default: that of the match]
    #[arg(long, value_name = "SEED")]
    scramble_seed: Option<u64>,
    /// Maximum number of joint moves, after which the match is abandoned
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    max_steps: usize,
    /// Number of matches; from match to match players rotate by one role and seeds increase by
    /// one
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    rounds: u64,
    /// Rotate the players by this number of roles at the start
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u64).range(..=1_000_000))]
    rotate: u64,
    /// Keep what is found out about games in this file, and use what is there
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// Learn nothing before play (default:no-knowledge), and leave the store alone
    #[arg(long)]
    no_learning: bool,
    /// What became of it is told
    #[arg(long, value_name = "DIR", hide = true)]
    plans: Option<Plans>,
    /// Show only the result
    #[arg(short, long)]
    quiet: bool,
}

impl Args {
    /// The path of a match's record. With several rounds, its number precedes the extension.
    fn record(&self, round: u64) -> Option<PathBuf> {
        let path = self.json.as_ref()?;
        if self.rounds == 1 || source::is_standard(path) {
            return Some(path.clone());
        }
        let mut name = format!("{}.{}", wall::stem(path), round + 1);
        if let Some(extension) = path.extension() {
            name = format!("{name}.{}", extension.to_string_lossy());
        }
        Some(path.with_file_name(name))
    }

    /// Writes the record of a match, if it is to be kept; one on each line of the standard output.
    fn keep(&self, round: u64, record: &Record) -> anyhow::Result<()> {
        match self.record(round) {
            None => Ok(()),
            Some(path) if source::is_standard(&path) => source::print(&(record.to_line() + "\n")),
            Some(path) => source::write(&path, (record.to_json() + "\n").as_bytes()),
        }
    }

    /// Whether records go where the match would be shown.
    fn records_are_shown(&self) -> bool {
        self.json.as_deref().is_some_and(source::is_standard)
    }

    /// How the rules are scrambled for players over HTTP, if at all.
    fn scrambled(&self, seed: u64, round: u64) -> Option<ScrambleOptions> {
        let any = self.scramble || self.shuffle_rules || self.shuffle_arguments;
        any.then(|| ScrambleOptions {
            seed: self
                .scramble_seed
                .map_or(seed, |seed| seed.wrapping_add(round)),
            rename: self.scramble,
            shuffle_rules: self.shuffle_rules,
            shuffle_arguments: self.shuffle_arguments,
            ..ScrambleOptions::default()
        })
    }
}

/// Plays the matches and shows them. The exit code is 0 if all of them reached a terminal state
/// and no move was replaced, otherwise 1.
///
/// # Errors
/// Fails if a match could not begin, or its record could not be written.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let stop = Stop::default();
    interrupt::stop_on_interrupt(&stop)?;
    let budget = Budget::system()
        .with_stop(stop.clone())
        .with_stop(source::closed());
    // Checked before the matches, so that no record is lost after its match.
    for path in (0..args.rounds).filter_map(|round| args.record(round)) {
        source::check(&path)?;
    }
    let clean = Table::lay(args, stop, &budget)?.play_all(&budget)?;
    source::still_read()?;
    Ok(ExitCode::from(u8::from(!clean)))
}

/// What all matches of a run share.
struct Table<'a> {
    args: &'a Args,
    game: Prepared,
    bench: Bench,
    /// Whether the records are a function of the seed.
    repeatable: bool,
    /// The seed of the first match.
    seed: u64,
    archive: Option<Arc<dyn Archive>>,
    budget: Budget,
}

impl<'a> Table<'a> {
    /// Reads the game, and gathers the players.
    fn lay(args: &'a Args, stop: Stop, budget: &Budget) -> anyhow::Result<Table<'a>> {
        let resources = Resources {
            threads: args.threads.unwrap_or_else(wall::cores),
            memory: args.memory_mib << 20,
        };
        let repeats = |who: &Who| who.repeats(resources.threads);
        let repeatable = !args.players.is_empty() && args.players.iter().all(repeats);
        let searches = args.players.is_empty() || args.players.iter().any(Who::searches);
        let engine = match args.engine {
            // Rules are evaluated only some hundred times. The reasoner is ready at once.
            EngineChoice::Auto if !searches && args.rounds == 1 => EngineChoice::Reasoner,
            engine if repeatable => engine.repeatable(),
            engine => engine,
        };
        let game = load(&args.game, engine, args.fold_case, budget)?;
        let seed = args.seed.unwrap_or_else(wall::seed);
        let mut players = who(&args.players, game.playable.engine.roles())?;
        if args.no_learning {
            players = players.into_iter().map(Who::without_knowledge).collect();
        }
        let bench = Bench::new(players, &stop, resources, seed)?;
        let store = args.store.as_deref().filter(|_| !args.no_learning);
        Ok(Table {
            // If no player depends on time, the clock is stopped, so that two runs give equal
            // records.
            budget: match repeatable {
                true => Budget::unlimited(Arc::new(ManualClock::default()))
                    .with_stop(stop)
                    .with_stop(source::closed()),
                false => budget.clone(),
            },
            repeatable,
            args,
            game,
            bench,
            seed,
            archive: archive::open(store, source::note)?,
        })
    }

    /// Plays all matches, shows them, and keeps their records. Returns whether all of them reached
    /// a terminal state and no move was replaced.
    fn play_all(&mut self, budget: &Budget) -> anyhow::Result<bool> {
        let args = self.args;
        let shown = !args.records_are_shown();
        let quiet = args.quiet || !shown;
        let engine = &mut *self.game.playable.engine;
        let mut screen = Screen::new(engine, &self.game.sheet, budget, quiet);
        let mut summary = Summary::new(self.bench.len());
        let (mut clean, mut counted) = (true, 0);
        for round in 0..args.rounds {
            if args.rounds > 1 && shown {
                screen.round(round, args.rounds);
            }
            let outcome = self.play(round, &mut screen)?;
            if shown {
                screen.result(&outcome);
            }
            args.keep(round, &outcome.record)?;
            clean &= outcome.end == End::Terminal && outcome.faults.iter().all(|&count| count == 0);
            // A match that was called off says nothing about its players.
            if outcome.end == End::CalledOff {
                break;
            }
            summary.add(self.shift(round), &outcome);
            counted += 1;
        }
        if args.rounds > 1 && counted > 0 && shown {
            screen.summary(&summary);
        }
        Ok(clean)
    }

    /// The number of roles by which the players are rotated in a round.
    fn shift(&self, round: u64) -> usize {
        (self.args.rotate + round) as usize % self.bench.len().max(1)
    }

    /// Plays one match.
    fn play(&mut self, round: u64, screen: &mut Screen) -> anyhow::Result<Outcome> {
        let (args, game) = (self.args, &mut self.game);
        let seed = self.seed.wrapping_add(round);
        let scrambled = args.scrambled(seed, round);
        let scrambled = scrambled.map(|options| scramble(&game.sheet, &options));
        let wire = scrambled
            .as_ref()
            .map_or_else(|| game.sheet.to_wire(), Scrambled::to_wire);
        let watch = screen.watch();
        let mut participants = self.bench.seat(
            (args.rotate + round) as usize,
            &matches::Table {
                grace: args.grace,
                playable: &game.playable,
                wire: &wire,
                mapping: scrambled.as_ref().map(|scrambled| &scrambled.mapping),
                archive: self.archive.as_ref(),
                budget: &self.budget,
                watch: Some(&watch),
            },
            screen.seen(),
        );
        let settings = Settings {
            id: format!("{}.{seed}", wall::stem(&args.game)),
            game: args.game.display().to_string(),
            rulesheet: game.sheet.to_string(),
            start_clock: args.start_clock,
            play_clock: args.play_clock,
            seed,
            max_steps: args.max_steps,
            start_time: match self.repeatable {
                true => 0,
                false => wall::unix_millis(),
            },
            scrambled: scrambled.is_some(),
            ..Settings::default()
        };
        let findings = game.diagnostics.len();
        screen.opening(&args.game, &game.report, findings, &settings, &participants);
        Ok(matches::play(
            &mut *game.playable.engine,
            &mut participants,
            &settings,
            screen,
            &self.budget,
        )?)
    }
}

/// The help text of `--engine`.
pub fn engine_help() -> String {
    let names = EngineChoice::ALL.map(EngineChoice::name);
    format!("Engine: {}", names.join(", "))
}

/// The help text of `--player`.
fn players_help() -> String {
    let profiles = players::PROFILES.join(", ");
    format!(
        "Who plays, once for each role in order: {profiles}, perhaps with options \
         (default:no-reuse,playouts=500); {KINDS} [default: default for all]"
    )
}

/// What can be switched off and on in `default`.
fn options_of_players() -> String {
    let features = players::FEATURES.iter().map(|one| (one.name, one.what));
    let extras = players::EXTRAS.iter().map(|one| (one.name, one.what));
    format!(
        "What default does, each switched off by no-NAME, as in default:no-amaf,playouts=2000:\n{}\n\
         What it does only if asked, as in default:wide-root:\n{}",
        described(features),
        described(extras)
    )
}

/// Names with what they stand for.
fn described<'a>(all: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    all.map(|(name, what)| format!("  {name}\n      {what}\n"))
        .collect()
}

/// Reads and prepares a game.
///
/// # Errors
/// Fails if the file cannot be read or contains no game.
pub fn load(
    path: &Path,
    engine: EngineChoice,
    fold_case: bool,
    budget: &Budget,
) -> anyhow::Result<Prepared> {
    /// The time limit of preparation, enough for nearly all games. Other games run on the
    /// reasoner.
    const LONGEST: Duration = Duration::from_secs(20);
    /// The time limit of preparation if the result must not depend on time. It only bounds the
    /// wait.
    const PATIENCE: Duration = Duration::from_secs(300);
    /// The memory limit of preparation, in bytes.
    const MOST: usize = 2 << 30;
    /// The same if the result must not depend on time: it decides when a network is given up.
    const FIXED: usize = 512 << 20;
    let (time, memory) = match engine {
        EngineChoice::Steady => (PATIENCE, FIXED),
        _ => (LONGEST, MOST),
    };
    let text = source::text(path)?;
    let options = Options { fold_case, engine };
    let budget = budget.clone().with_timeout(time).with_memory(memory);
    let (_working, budget) = Working::on(source::name(path), &budget);
    let game = prepare(&text, &options, &budget).map_err(|error| unplayable(path, &error))?;
    complain(path, &game.diagnostics, &game.sheet);
    notice(path, &game.report);
    Ok(game)
}

/// Checks that there is one player for each role; the default player if none is given.
fn who(given: &[Who], roles: &[GroundTerm]) -> anyhow::Result<Vec<Who>> {
    if given.is_empty() {
        return Ok(vec![
            Who::Entrant(Entrant::Here(Spec::default()));
            roles.len()
        ]);
    }
    if given.len() != roles.len() {
        let names: Vec<String> = roles.iter().map(ToString::to_string).collect();
        bail!(
            "--player must be given once for each role ({}), not {} times",
            names.join(", "),
            given.len()
        );
    }
    for (at, who) in given.iter().enumerate() {
        if let Who::Entrant(Entrant::Remote(address)) = who {
            let same =
                |other: &Who| matches!(other, Who::Entrant(Entrant::Remote(a)) if a == address);
            if given[..at].iter().any(same) {
                bail!("{address} is one player, which can have one role of a match and not two");
            }
        }
    }
    Ok(given.to_vec())
}
