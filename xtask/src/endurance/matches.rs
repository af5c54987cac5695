//! Consecutive matches over HTTP between processes of the real binary.

use super::{MIB, game};
use crate::worker::memory;
use ::matches::{End, Launch, Participant, Process, Remote, Settings, Spawned, play};
use anyhow::{Context, ensure};
use budget::Budget;
use compile::Playable;
use players::Spec;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Arguments of `cargo xtask endurance matches`.
#[derive(clap::Args)]
pub struct Options {
    /// Number of matches
    #[arg(long, value_name = "N", default_value_t = 1000)]
    matches: usize,
    /// The games, in rotation
    #[arg(long = "game", value_name = "NAME", default_values = ["nim", "tic_tac_toe", "rock_paper_scissors_repeated"])]
    games: Vec<String>,
    /// The binary [default: `rocinante` beside this program]
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
    /// The player; it plays against itself
    #[arg(long, default_value = "default")]
    player: Spec,
    /// Start clock in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 1)]
    start_clock: u64,
    /// Play clock in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 1)]
    play_clock: u64,
    /// Share of each clock that the players use, in per cent
    #[arg(long = "use", value_name = "PERCENT", default_value_t = 20)]
    part: u64,
    /// Memory limit of each player
    #[arg(long, value_name = "MIB", default_value_t = 64)]
    memory_mib: u64,
    /// Maximum growth of a process between the second and the last tenth of the matches
    #[arg(long, value_name = "MIB", default_value_t = 8)]
    growth_mib: u64,
}

/// How long a process may take until it listens on its port.
const LISTEN: Duration = Duration::from_secs(30);
/// How much longer than its clocks a match may take, for the referee and for messages.
const REFEREE: Duration = Duration::from_secs(2);
/// How long the processes are observed after the last match. The next constant is the maximum
/// share of that time that they may compute.
const REST: Duration = Duration::from_secs(2);
const MOST_AT_REST: f64 = 0.05;

/// The resources of one process between two matches.
#[derive(Clone, Copy)]
struct Look {
    bytes: u64,
    threads: u64,
    files: u64,
}

impl Look {
    fn at(process: &Process) -> anyhow::Result<Look> {
        let id = process.id();
        let look = || {
            Some(Look {
                bytes: memory::resident_of(id)?,
                threads: std::fs::read_dir(format!("/proc/{id}/task")).ok()?.count() as u64,
                files: std::fs::read_dir(format!("/proc/{id}/fd")).ok()?.count() as u64,
            })
        };
        look().context("this system does not tell what a process takes")
    }
}

/// Plays the matches and observes the processes. Returns whether there were no problems.
pub fn run(options: &Options) -> anyhow::Result<bool> {
    ensure!(options.matches >= 10, "ten matches are the least");
    ensure!((1..=99).contains(&options.part), "--use is 1 to 99");
    let mut tables = Vec::new();
    for name in &options.games {
        tables.push(Table::new(name)?);
    }
    let most = tables
        .iter()
        .map(|table| table.playable.engine.roles().len())
        .max();
    let players = (0..most.unwrap_or(0)).map(|number| launch(options, number));
    let players = players.collect::<anyhow::Result<Vec<Process>>>()?;
    let mut looks: Vec<Vec<Look>> = vec![Vec::new(); players.len()];
    let (mut faults, mut moves, since) = (0, 0, Instant::now());
    for number in 0..options.matches {
        let count = tables.len();
        let table = &mut tables[number % count];
        let played = table.play(options, &players, number)?;
        moves += played.steps;
        if let Some(fault) = played.fault {
            println!("match {number}, {}: {fault}", table.name);
            faults += 1;
        }
        for (looks, player) in looks.iter_mut().zip(&players) {
            looks.push(Look::at(player)?);
        }
        if (number + 1) % (options.matches / 10) == 0 {
            let last = looks.iter().filter_map(|looks| looks.last());
            let last = last.map(|look| format!("{:.1}", look.bytes as f64 / MIB as f64));
            println!(
                "{:>6} matches {:>7.1} minutes {:>8} moves   MiB {}",
                number + 1,
                since.elapsed().as_secs_f64() / 60.0,
                moves,
                last.collect::<Vec<_>>().join(" ")
            );
        }
    }
    let mut fine = faults == 0;
    for (number, (looks, player)) in looks.iter().zip(&players).enumerate() {
        fine &= grown(number, looks, options.growth_mib * MIB);
        let part = at_work(player)?;
        println!("player {number}: {:.1} % of a core at rest", 100.0 * part);
        fine &= part <= MOST_AT_REST;
    }
    println!("{faults} of {} matches with faults", options.matches);
    Ok(fine)
}

/// Starts a player's process.
fn launch(options: &Options, number: usize) -> anyhow::Result<Process> {
    let program = match &options.program {
        Some(program) => program.clone(),
        None => {
            let own = std::env::current_exe().context("this program is nowhere")?;
            own.with_file_name(format!("rocinante{}", std::env::consts::EXE_SUFFIX))
        }
    };
    let words = ["serve", "--while-stdin", "--port", "0", "--log", "error"];
    let mut arguments = words.map(String::from).to_vec();
    for (flag, value) in [
        ("--profile", options.player.to_string()),
        ("--threads", "1".into()),
        ("--memory-mib", options.memory_mib.to_string()),
        // So large that the percentage alone determines the margin.
        ("--margin-ms", "1000000000".into()),
        ("--margin-percent", (100 - options.part).to_string()),
        ("--ponder", "true".into()),
        ("--seed", (number + 1).to_string()),
    ] {
        arguments.extend([flag.to_string(), value]);
    }
    let launch = Launch {
        program: program.to_string_lossy().into_owned(),
        arguments,
    };
    Process::start(&launch, LISTEN)
        .context("no player; `cargo build --release --bin rocinante` makes one")
}

/// A game that is played.
struct Table {
    name: String,
    rules: String,
    playable: Playable,
}

/// The result of a match.
struct Played {
    steps: usize,
    fault: Option<String>,
}

impl Table {
    fn new(name: &str) -> anyhow::Result<Table> {
        let game = game(name)?;
        let rules = std::fs::read_to_string(&game.path)
            .with_context(|| format!("cannot read {}", game.path.display()))?;
        let options = prepare::Options {
            engine: prepare::EngineChoice::Reasoner,
            ..Default::default()
        };
        let prepared = prepare::prepare(&rules, &options, &Budget::system())?;
        Ok(Table {
            name: game.name,
            rules,
            playable: prepared.playable,
        })
    }

    fn play(
        &mut self,
        options: &Options,
        players: &[Process],
        number: usize,
    ) -> anyhow::Result<Played> {
        let budget = Budget::system();
        let seat = |player: &Process| -> Box<dyn Participant> {
            let rules = self.rules.clone();
            let remote = Remote::new(player.address(), rules, None, Duration::ZERO, &budget);
            Box::new(Spawned::new("rocinante".into(), player.clone(), remote))
        };
        let seats = players.iter().take(self.playable.engine.roles().len());
        let mut participants: Vec<Box<dyn Participant>> = seats.map(seat).collect();
        // Each player gets every role equally often.
        let turn = number % participants.len().max(1);
        participants.rotate_left(turn);
        let settings = Settings {
            id: format!("endurance.{number}"),
            start_clock: Duration::from_secs(options.start_clock),
            play_clock: Duration::from_secs(options.play_clock),
            seed: number as u64,
            ..Settings::default()
        };
        let since = Instant::now();
        let outcome = play(
            &mut *self.playable.engine,
            &mut participants,
            &settings,
            &mut (),
            &budget,
        )?;
        let took = since.elapsed();
        let clocks = settings.start_clock + settings.play_clock * outcome.steps as u32;
        let mut faults: Vec<String> = outcome.counts.iter().map(ToString::to_string).collect();
        faults.retain(|fault| !fault.is_empty());
        if outcome.end != End::Terminal {
            faults.push(format!("ended as {:?}", outcome.end));
        }
        if took > clocks + REFEREE {
            faults.push(format!("took {took:?}, its clocks {clocks:?}"));
        }
        Ok(Played {
            steps: outcome.steps,
            fault: (!faults.is_empty()).then(|| faults.join("; ")),
        })
    }
}

/// Reports the growth of a process. Returns whether it is within the bound.
///
/// The first tenth of the matches is a warm-up. The second and the last tenth are compared: by
/// the medians of resident bytes, and by the minima of threads and open files, because a
/// connection of the last match may still be closing.
fn grown(number: usize, looks: &[Look], bound: u64) -> bool {
    let tenth = looks.len() / 10;
    let of = |place: fn(usize) -> usize, what: fn(&Look) -> u64| {
        [&looks[tenth..2 * tenth], &looks[looks.len() - tenth..]].map(|part| {
            let mut values: Vec<u64> = part.iter().map(what).collect();
            values.sort_unstable();
            values[place(values.len())]
        })
    };
    let bytes = of(|count| count / 2, |look| look.bytes);
    let threads = of(|_| 0, |look| look.threads);
    let files = of(|_| 0, |look| look.files);
    println!(
        "player {number}: {:.1} MiB after the second tenth, {:.1} at the end; threads {} and {}; \
         open files {} and {}",
        bytes[0] as f64 / MIB as f64,
        bytes[1] as f64 / MIB as f64,
        threads[0],
        threads[1],
        files[0],
        files[1],
    );
    bytes[1] <= bytes[0] + bound && threads[1] <= threads[0] && files[1] <= files[0]
}

/// The share of a core that a process without a match uses.
fn at_work(process: &Process) -> anyhow::Result<f64> {
    // After this, the connections of the last match are closed and its threads have ended.
    std::thread::sleep(REST / 4);
    let before = memory::processor_time_of(process.id());
    std::thread::sleep(REST);
    let after = memory::processor_time_of(process.id());
    let (before, after) = before
        .zip(after)
        .context("this system does not tell how long a process has run")?;
    Ok((after - before).as_secs_f64() / REST.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_is_detected_except_during_warm_up() {
        let look = |bytes| Look {
            bytes,
            threads: 3,
            files: 9,
        };
        let warm = (0..100).map(|at| look(if at < 10 { at } else { 50 }));
        assert!(grown(0, &warm.collect::<Vec<_>>(), 10));
        let leak: Vec<Look> = (0..100).map(look).collect();
        assert!(!grown(0, &leak, 10));
        let mut threads: Vec<Look> = (0..100).map(|_| look(50)).collect();
        threads[90..].iter_mut().for_each(|look| look.threads += 1);
        assert!(!grown(0, &threads, 10));
    }
}
