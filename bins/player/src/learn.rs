//! `rocinante learn`: what positions of a game are worth, learnt at leisure and kept.

use crate::progress::Working;
use crate::{archive, interrupt, match_, options, source, wall};
use anyhow::{Context, bail};
use budget::{Budget, ManualClock, Stop};
use game::RoleId;
use gdl_parse::diagnostic::count;
use players::{Earlier, Lesson, Pupil, Setup, StartClock};
use prepare::EngineChoice;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The time without a limit of games.
const TIME: Duration = Duration::from_secs(600);
/// Games between two looks at the clock and two pictures.
const GAMES: u64 = 16;
/// What was learnt is kept this often, so that little is lost if the machine goes off.
const KEEP: Duration = Duration::from_secs(60);

/// Arguments of `rocinante learn`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The rulesheet; `-` is the standard input
    game: PathBuf,
    /// The file in which to keep what was learnt; what is there already is learnt on from
    #[arg(long, value_name = "FILE")]
    store: PathBuf,
    /// Time, such as 90s, 10m or 2h [default: 10m, or as long as --games takes]
    #[arg(long, value_name = "TIME", value_parser = options::span)]
    time: Option<Duration>,
    /// Number of games after which to stop; those that end in the same round count as well. Without
    /// --time and with the same seed, an empty store is then the same after every run
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
    /// Seed of all random choices [default: from the time of day]
    #[arg(long)]
    seed: Option<u64>,
    /// Memory limit of the weights, in MiB
    #[arg(long, value_name = "MIB", default_value_t = options::mib(1024), value_parser = options::memory)]
    memory_mib: usize,
    /// Convert all names to lower case
    #[arg(long)]
    fold_case: bool,
}

/// Learns until the time or the games end, or on Ctrl-C, and keeps what was learnt.
///
/// # Errors
/// Fails if the game cannot be learnt, or the store not be written.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let stop = Stop::default();
    interrupt::stop_on_interrupt(&stop)?;
    // If nothing is to depend on time, the clock stands still.
    let fixed = args.games.is_some() && args.time.is_none();
    let budget = match fixed {
        true => Budget::unlimited(Arc::new(ManualClock::default())),
        false => Budget::system().with_timeout(args.time.unwrap_or(TIME)),
    };
    let budget = budget.with_stop(stop);
    // Learning has an engine of its own, made from the network. This one is always of its kind.
    let game = match_::load(&args.game, EngineChoice::Scalar, args.fold_case, &budget)?;
    let store = archive::store(&args.store, source::note)?;
    let setup = Setup {
        playable: game.playable,
        role: RoleId(0),
        seed: args.seed.unwrap_or_else(wall::seed),
        threads: 1,
        memory: args.memory_mib << 20,
    };
    let (working, watched) = Working::on(source::name(&args.game), &budget);
    let Pupil { searchable, form } = players::pupil(setup, &mut StartClock::new(&watched));
    let form = form.with_context(|| {
        format!(
            "it cannot be told in time which game {} is, so that nothing could be found again",
            source::name(&args.game)
        )
    })?;
    let learnt = store.learnt(form.certificate).unwrap_or_else(|error| {
        let path = args.store.display();
        source::note(&format!("{path}: what was learnt is not read: {error}"));
        None
    });
    let earlier = learnt.and_then(|learnt| Earlier::of(&learnt, &form));
    let lesson = Lesson::begin(&searchable, earlier.as_ref(), &watched);
    drop(working);
    let mut lesson = lesson.with_context(|| format!("{} cannot be learnt", args.game.display()))?;
    let keep = |lesson: &Lesson| {
        let kept = store.keep_learnt(form.certificate, &lesson.learnt(&form));
        kept.with_context(|| format!("in {}", args.store.display()))
    };

    introduce(args, &lesson);
    let begin = Instant::now();
    let most = args.games.unwrap_or(u64::MAX);
    learn(&mut lesson, most, &budget, &keep)?;
    let better = keep(&lesson)?;
    source::print(&format!(
        "{}\n{}\n",
        line(&lesson, begin.elapsed()),
        match better {
            true => format!(
                "kept as {:016x} in {}",
                form.certificate,
                args.store.display()
            ),
            false => "not kept: meanwhile another process has learnt from more games".to_owned(),
        }
    ))?;
    Ok(ExitCode::SUCCESS)
}

/// Says what is to be learnt, and from how many games it was learnt before.
fn introduce(args: &Args, lesson: &Lesson) {
    let data = lesson.features().data();
    source::note(&format!(
        "{}: {} in {}, which share {}; {}",
        source::name(&args.game),
        count(data.sizes.len(), "variable"),
        count(data.tuples.len(), "tuple"),
        count(data.tables.len(), "table"),
        match lesson.games_before() {
            0 => "nothing was learnt of it before".to_owned(),
            before => format!(
                "{} of it were learnt before",
                count(before as usize, "game")
            ),
        }
    ));
}

/// Learns from at most so many games until the budget ends, and keeps what was learnt now and then.
///
/// # Errors
/// Fails if no game was played to its end, or what was learnt cannot be kept.
fn learn(
    lesson: &mut Lesson,
    most: u64,
    budget: &Budget,
    keep: &dyn Fn(&Lesson) -> anyhow::Result<bool>,
) -> anyhow::Result<()> {
    let working = Working::line(String::new());
    let (begin, mut kept) = (Instant::now(), Instant::now());
    while budget.check().is_ok() && lesson.progress().games < most {
        let left = most - lesson.progress().games;
        lesson
            .learn(left.min(GAMES), budget)
            .context("the rules could not be evaluated")?;
        working.say(line(lesson, begin.elapsed()));
        if kept.elapsed() >= KEEP {
            keep(lesson)?;
            kept = Instant::now();
        }
    }
    drop(working);
    if lesson.progress().games == 0 {
        bail!(
            "no game was played to its end in {:.1} s, so that nothing was learnt",
            begin.elapsed().as_secs_f64()
        );
    }
    Ok(())
}

/// What was learnt so far: `2.1 s: 1800 games after 400 that were kept (900 a second), ...`
fn line(lesson: &Lesson, time: Duration) -> String {
    let progress = lesson.progress();
    let before = match lesson.games_before() {
        0 => String::new(),
        before => format!(" after {before} that were kept"),
    };
    let seconds = time.as_secs_f64();
    format!(
        "{seconds:.1} s: {}{before} ({:.0} a second), {}",
        count(progress.games as usize, "game"),
        progress.games as f64 / seconds.max(1e-3),
        count(progress.examples as usize, "position"),
    )
}
