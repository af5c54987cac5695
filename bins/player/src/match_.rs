//! `rocinante match`: one match in this process, watched at the terminal.

use crate::human::Human;
use crate::source;
use crate::terminal::{Screen, complain};
use crate::wall;
use anyhow::{Context, bail};
use budget::{Budget, Stop};
use game::GroundTerm;
use gdl_scramble::{ScrambleOptions, Scrambled, scramble};
use matches::{Address, End, Local, Outcome, Participant, Remote, Resources, Settings};
use players::{Spec, SpecError};
use prepare::{EngineChoice, Options, Prepared, prepare};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// What `rocinante match` may be told.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The rulesheet
    game: PathBuf,
    /// Who plays, once for each role in order: default, baseline, random, legal, perhaps with options
    /// (default:no-reuse,playouts=500), human, or http://host:port [default: default for all]
    #[arg(short, long = "player", value_name = "PLAYER")]
    players: Vec<Who>,
    /// Time to prepare, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "2", value_parser = wall::seconds)]
    start_clock: Duration,
    /// Time for each move, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "0.5", value_parser = wall::seconds)]
    play_clock: Duration,
    /// How late answers over HTTP may be, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = wall::seconds)]
    grace: Duration,
    /// Seed of all random choices [default: from the time of day]
    #[arg(long)]
    seed: Option<u64>,
    /// Write the match record to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Search threads of each player [default: one for each core]
    #[arg(long)]
    threads: Option<usize>,
    /// Memory of each player's search, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 256)]
    memory_mib: usize,
    #[arg(long, default_value = "auto", help = engine_help())]
    engine: EngineChoice,
    /// Read all names as lower case
    #[arg(long)]
    fold_case: bool,
    /// Send players over HTTP rules with invented names
    #[arg(long)]
    scramble: bool,
    /// Show only the result
    #[arg(short, long)]
    quiet: bool,
}

/// A player as it is named on the command line.
#[derive(Debug, Clone)]
enum Who {
    Player(Spec),
    Human,
    Remote(Address),
}

impl std::str::FromStr for Who {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "human" {
            Ok(Who::Human)
        } else if text.contains("://") {
            text.parse().map(Who::Remote)
        } else {
            let spec = text.parse().map(Who::Player);
            spec.map_err(|error: SpecError| format!("{error} (or human, or http://host:port)"))
        }
    }
}

/// Plays the match and shows it. The exit code is 0 if it came to its end and nobody had to be
/// replaced, else 1.
///
/// # Errors
/// If the match could not begin, or its record not be written.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let stop = Stop::default();
    wall::stop_on_interrupt(&stop)?;
    let budget = Budget::system().with_stop(stop.clone());
    let game = load(&args.game, args.engine, args.fold_case, &budget)?;
    let mut engine = game.engine;
    let roles = engine.roles().to_vec();
    let players = who(&args.players, &roles)?;
    let seed = args.seed.unwrap_or_else(wall::seed);
    let scrambled = args.scramble.then(|| {
        let options = ScrambleOptions {
            seed,
            ..ScrambleOptions::default()
        };
        scramble(&game.sheet, &options)
    });
    let mut screen = Screen::new(&mut *engine, &game.sheet, &budget, args.quiet);
    let wire = scrambled
        .as_ref()
        .map_or_else(|| game.sheet.to_wire(), Scrambled::to_wire);
    let resources = Resources {
        threads: args.threads.unwrap_or_else(wall::cores).max(1),
        memory: args.memory_mib << 20,
    };
    let mut participants: Vec<Box<dyn Participant>> = Vec::new();
    for player in players {
        participants.push(match player {
            Who::Player(spec) => {
                Box::new(Local::new(spec.build(), engine.fork(), resources, &budget))
            }
            Who::Human => Box::new(Human::new(stop.clone())),
            Who::Remote(address) => {
                let mapping = scrambled
                    .as_ref()
                    .map(|scrambled| scrambled.mapping.clone());
                Box::new(Remote::new(
                    address,
                    wire.clone(),
                    mapping,
                    args.grace,
                    &budget,
                ))
            }
        });
    }
    let settings = Settings {
        id: format!("{}.{seed}", wall::stem(&args.game)),
        game: args.game.display().to_string(),
        rulesheet: game.sheet.to_string(),
        start_clock: args.start_clock,
        play_clock: args.play_clock,
        seed,
        start_time: wall::unix_millis(),
        scrambled: scrambled.is_some(),
        ..Settings::default()
    };
    // Before the match: nobody wants to play one and then lose its record.
    if let Some(path) = &args.json {
        matches::check_writable(path)
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    screen.opening(
        &args.game,
        &game.report,
        game.diagnostics.len(),
        &settings,
        &participants,
    );
    let outcome = matches::play(
        &mut *engine,
        &mut participants,
        &settings,
        &mut screen,
        &budget,
    )?;
    screen.result(&outcome);
    if let Some(path) = &args.json {
        let written = outcome.record.write(path);
        written.with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(exit_code(&outcome))
}

/// What `--engine` may be.
pub fn engine_help() -> String {
    let names = EngineChoice::ALL.map(EngineChoice::name);
    format!("Engine: {}", names.join(", "))
}

/// Reads and prepares a game.
///
/// # Errors
/// If the file cannot be read or holds no game.
pub fn load(
    path: &Path,
    engine: EngineChoice,
    fold_case: bool,
    budget: &Budget,
) -> anyhow::Result<Prepared> {
    /// Long enough for nearly all games; the rest falls back to the reasoner.
    const LONGEST: Duration = Duration::from_secs(10);
    const MOST: usize = 2 << 30;
    let bytes = source::read(path)?;
    let text = String::from_utf8_lossy(&bytes);
    let options = Options { fold_case, engine };
    let budget = budget.clone().with_timeout(LONGEST).with_memory(MOST);
    let game = prepare(&text, &options, &budget)
        .with_context(|| format!("cannot play {}", path.display()))?;
    complain(path, &game.diagnostics);
    Ok(game)
}

/// A player for each role.
fn who(given: &[Who], roles: &[GroundTerm]) -> anyhow::Result<Vec<Who>> {
    if given.is_empty() {
        return Ok(vec![Who::Player(Spec::default()); roles.len()]);
    }
    if given.len() != roles.len() {
        let names: Vec<String> = roles.iter().map(ToString::to_string).collect();
        bail!(
            "--player must be given once for each role ({}), not {} times",
            names.join(", "),
            given.len()
        );
    }
    Ok(given.to_vec())
}

fn exit_code(outcome: &Outcome) -> ExitCode {
    let clean = outcome.end == End::Terminal && outcome.faults.iter().all(|&count| count == 0);
    ExitCode::from(u8::from(!clean))
}
