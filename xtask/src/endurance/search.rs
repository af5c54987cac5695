//! One long search in this process, with its memory observed by another thread.

use super::{MIB, game};
use crate::worker::memory::resident;
use anyhow::{Context, ensure};
use budget::Budget;
use game::RoleId;
use players::{BestMove, Setup, Spec};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Arguments of `cargo xtask endurance search`.
#[derive(clap::Args)]
pub struct Options {
    /// Duration of the search
    #[arg(long, value_name = "MINUTES", default_value_t = 60.0)]
    minutes: f64,
    /// The game, searched from its initial state; it must not be solved within the time
    #[arg(long, value_name = "NAME", default_value = "breakthrough")]
    game: String,
    /// The player
    #[arg(long, default_value = "default")]
    player: Spec,
    /// Search threads
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Memory limit of the search
    #[arg(long, value_name = "MIB", default_value_t = 256)]
    memory_mib: u64,
    /// Additional memory that the process may use
    #[arg(long, value_name = "MIB", default_value_t = 0)]
    overhead_mib: u64,
}

/// The start clock.
const START: Duration = Duration::from_secs(10);
/// The interval between samples of the memory.
const LOOK: Duration = Duration::from_millis(50);
/// The interval between reports.
const TELL: Duration = Duration::from_secs(60);

/// Runs the search and observes its memory.
pub fn run(options: &Options) -> anyhow::Result<bool> {
    let game = game(&options.game)?;
    let rules = std::fs::read_to_string(&game.path)
        .with_context(|| format!("cannot read {}", game.path.display()))?;
    let budget = Budget::system();
    let prepared = prepare::prepare(&rules, &Default::default(), &budget)?;
    let mut playable = prepared.playable;
    let engine = &mut *playable.engine;
    let state = engine.initial();
    let mut moves = Vec::new();
    let role = (0..engine.roles().len()).map(RoleId).find(|&role| {
        // A role whose legal moves cannot be evaluated counts as one without a choice.
        engine.legal(&state, role, &mut moves).is_ok() && moves.len() > 1
    });
    let role = role.context("nobody has a choice in the first position")?;
    let before = resident().context("this system does not tell what memory is resident")?;
    let mut player = options.player.build();
    let setup = Setup {
        playable,
        role,
        seed: 1,
        threads: options.threads,
        memory: (options.memory_mib * MIB) as usize,
    };
    let allowed = (options.memory_mib + options.overhead_mib) * MIB;
    println!(
        "{} in {}: {} MiB and {} MiB beside allowed; {} MiB before it begins",
        options.player,
        game.name,
        options.memory_mib,
        options.overhead_mib,
        before / MIB
    );
    let time = Duration::from_secs_f64(60.0 * options.minutes);
    let done = AtomicBool::new(false);
    let since = Instant::now();
    let (searched, seen) = std::thread::scope(|scope| {
        let watch = scope.spawn(|| watch(&done, since));
        let searched = player
            .start(setup, &budget.clone().with_timeout(START))
            .and_then(|()| {
                let best = BestMove::default();
                player.choose(&state, &best, &budget.clone().with_timeout(time))
            });
        done.store(true, Ordering::Release);
        (searched, watch.join())
    });
    searched?;
    let took = since.elapsed();
    let most = seen.ok().context("the watch failed")?;
    println!("{}", player.explain().unwrap_or_default());
    println!(
        "at most {:.1} MiB in {:.1} minutes, {:.1} of them allowed",
        most as f64 / MIB as f64,
        took.as_secs_f64() / 60.0,
        allowed as f64 / MIB as f64
    );
    ensure!(
        took >= time,
        "the position was solved, which says nothing of a long search"
    );
    Ok(most <= allowed)
}

/// Samples the resident memory until the search is done. Returns the maximum.
fn watch(done: &AtomicBool, since: Instant) -> u64 {
    let (mut most, mut told) = (0, Duration::ZERO);
    while !done.load(Ordering::Acquire) {
        let now = resident().unwrap_or(u64::MAX);
        most = most.max(now);
        if since.elapsed() >= told {
            println!(
                "{:>6.1} minutes {:>8.1} MiB",
                since.elapsed().as_secs_f64() / 60.0,
                now as f64 / MIB as f64
            );
            told += TELL;
        }
        std::thread::sleep(LOOK);
    }
    most
}
