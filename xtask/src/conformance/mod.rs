//! Replays golden traces on the engines, and on bulk expansion.

mod bulk;

use anyhow::Context;
use budget::Budget;
use bulk::Bulk;
use compile::Playable;
use game::Engine;
use prepare::{EngineChoice, Options as Prepare, prepare};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::{Duration, Instant};

#[derive(clap::Args)]
pub struct Options {
    /// Folder of rulesheets, NAME.kif or NAME.gdl [default: games/ of the corpus]
    #[arg(long, value_name = "DIR")]
    games: Option<PathBuf>,
    /// Folder of traces, NAME.jsonl.gz [default: golden/ of the corpus]
    #[arg(long, value_name = "DIR")]
    golden: Option<PathBuf>,
    /// Only this engine: reasoner, propnet, scalar or lanes
    #[arg(long, value_name = "NAME")]
    engine: Option<Replayed>,
    /// Only this game
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// Time limit for building an engine, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0)]
    build_time: f64,
    /// Memory limit for building an engine, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 2048)]
    build_memory_mib: usize,
    /// Fail if fewer networks than this are built
    #[arg(long, value_name = "N", default_value_t = 0)]
    min_networks: usize,
}

/// What traces are replayed on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Replayed {
    /// An engine.
    Engine(EngineChoice),
    /// Bulk expansion, on logic that was reduced by invariants.
    Lanes,
}

impl Replayed {
    fn name(self) -> &'static str {
        match self {
            Replayed::Engine(engine) => engine.name(),
            Replayed::Lanes => "lanes",
        }
    }
}

impl FromStr for Replayed {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "lanes" => Ok(Replayed::Lanes),
            _ => text.parse().map(Replayed::Engine),
        }
    }
}

/// The outcome of one game on one engine.
enum Outcome {
    /// The number of steps replayed, and the seconds of building and replaying.
    Passed {
        steps: usize,
        build: f64,
        replay: f64,
    },
    /// The engine could not be built within its budget; a player would fall back to another
    /// one.
    NotBuilt {
        build: f64,
        why: String,
    },
    Failed(String),
}

pub fn run(options: &Options) -> anyhow::Result<bool> {
    let Some((games, golden)) = folders(options)? else {
        println!("no corpus, nothing to replay\n0 passed, 0 failed");
        return Ok(true);
    };
    let paths = rulesheets(&games, options)?;
    let engines = engines(options);
    let mut tally = Tally::default();
    println!(
        "{:<36} {:<9} {:>6} {:>9} {:>9}  result",
        "game", "engine", "steps", "build s", "replay s"
    );
    for path in &paths {
        let name = name_of(path);
        let trace = golden.join(format!("{name}.jsonl.gz"));
        if !trace.exists() {
            println!("{name:<36} has no trace");
            continue;
        }
        for &engine in &engines {
            let outcome = replay(path, &trace, engine, options)
                .unwrap_or_else(|error| Outcome::Failed(format!("{error:#}")));
            print!("{name:<36} {:<9} ", engine.name());
            outcome.print();
            tally.add(&outcome, engine);
        }
    }
    tally.conclude(&golden, options)
}

/// The folders of rulesheets and of traces; `None` if there is no corpus.
fn folders(options: &Options) -> anyhow::Result<Option<(PathBuf, PathBuf)>> {
    let corpus = testkit::corpus();
    let folder = |given: &Option<PathBuf>, name: &str| {
        given.clone().or_else(|| Some(corpus.as_ref()?.join(name)))
    };
    let games = folder(&options.games, "games");
    let folders = games.zip(folder(&options.golden, "golden"));
    // A corpus that $ROCINANTE_CORPUS names must exist. Otherwise there may be none.
    anyhow::ensure!(
        folders.is_some() || std::env::var_os("ROCINANTE_CORPUS").is_none(),
        "there is no corpus at $ROCINANTE_CORPUS"
    );
    Ok(folders)
}

/// The rulesheets that were asked for.
fn rulesheets(games: &Path, options: &Options) -> anyhow::Result<Vec<PathBuf>> {
    let mut paths = testkit::files(games, "kif");
    paths.extend(testkit::files(games, "gdl"));
    paths.retain(|path| {
        options
            .only
            .as_ref()
            .is_none_or(|only| name_of(path) == *only)
    });
    anyhow::ensure!(
        !paths.is_empty(),
        "no rulesheet to replay in {}",
        games.display()
    );
    Ok(paths)
}

/// What was asked for, otherwise everything.
fn engines(options: &Options) -> Vec<Replayed> {
    match options.engine {
        Some(engine) => vec![engine],
        None => vec![
            Replayed::Engine(EngineChoice::Reasoner),
            Replayed::Engine(EngineChoice::Propnet),
            Replayed::Engine(EngineChoice::Scalar),
            Replayed::Lanes,
        ],
    }
}

impl Outcome {
    /// Prints the rest of the line of a game and an engine.
    fn print(&self) {
        match self {
            Outcome::Passed {
                steps,
                build,
                replay,
            } => println!("{steps:>6} {build:>9.3} {replay:>9.3}  ok"),
            Outcome::NotBuilt { build, why } => {
                println!("{:>6} {build:>9.3} {:>9}  not built: {why}", "", "");
            }
            Outcome::Failed(problem) => {
                println!("{:>6} {:>9} {:>9}  FAILED: {problem}", "", "", "");
            }
        }
    }
}

/// The numbers of outcomes.
#[derive(Default)]
struct Tally {
    passed: usize,
    failed: usize,
    not_built: usize,
    /// The networks among those that passed.
    networks: usize,
}

impl Tally {
    fn add(&mut self, outcome: &Outcome, engine: Replayed) {
        match outcome {
            Outcome::Passed { .. } => {
                self.passed += 1;
                self.networks += usize::from(engine == Replayed::Engine(EngineChoice::Propnet));
            }
            Outcome::NotBuilt { .. } => self.not_built += 1,
            Outcome::Failed(_) => self.failed += 1,
        }
    }

    /// Prints the numbers, and tells whether all is well.
    fn conclude(&self, golden: &Path, options: &Options) -> anyhow::Result<bool> {
        let Tally {
            passed,
            failed,
            not_built,
            networks,
        } = *self;
        if not_built > 0 {
            println!(
                "{not_built} not built within {} s and {} MiB: the player falls back to the \
                 reasoner",
                options.build_time, options.build_memory_mib
            );
        }
        let enough = networks >= options.min_networks;
        if !enough {
            println!(
                "only {networks} networks, expected {} or more",
                options.min_networks
            );
        }
        anyhow::ensure!(
            passed + failed + not_built > 0,
            "no game has a trace in {}",
            golden.display()
        );
        println!("{passed} passed, {failed} failed");
        Ok(failed == 0 && enough)
    }
}

fn name_of(path: &Path) -> String {
    path.file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

fn replay(
    game: &Path,
    trace: &Path,
    replayed: Replayed,
    options: &Options,
) -> anyhow::Result<Outcome> {
    let source = std::fs::read_to_string(game).context("cannot read the rulesheet")?;
    let trace = testkit::golden::read(trace).map_err(anyhow::Error::msg)?;
    let budget = Budget::system()
        .with_timeout(Duration::from_secs_f64(options.build_time))
        .with_memory(options.build_memory_mib << 20);
    let choice = match replayed {
        Replayed::Engine(choice) => choice,
        Replayed::Lanes => EngineChoice::Propnet,
    };
    let start = Instant::now();
    let prepared = prepare(
        &source,
        &Prepare {
            engine: choice,
            ..Prepare::default()
        },
        &budget,
    );
    let mut build = start.elapsed().as_secs_f64();
    let mut engine: Box<dyn Engine> = match prepared {
        Ok(prepared) if replayed == Replayed::Lanes => {
            let Playable { engine, compiled } = prepared.playable;
            let compiled = compiled.context("cannot be lowered")?;
            let proved = prepare::proved(compiled, 0, &budget);
            let expander = prepare::expander(&proved, &budget);
            build = start.elapsed().as_secs_f64();
            Box::new(Bulk::new(engine, expander))
        }
        Ok(prepared) => prepared.playable.engine,
        Err(error) if choice != EngineChoice::Reasoner && error.is_exhausted() => {
            return Ok(Outcome::NotBuilt {
                build,
                why: error.to_string(),
            });
        }
        Err(error) => return Ok(Outcome::Failed(error.to_string())),
    };
    let start = Instant::now();
    Ok(match testkit::replay(&mut *engine, &trace) {
        Ok(steps) => Outcome::Passed {
            steps,
            build,
            replay: start.elapsed().as_secs_f64(),
        },
        Err(problem) => Outcome::Failed(problem),
    })
}
