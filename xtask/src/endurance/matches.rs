//! Consecutive matches over HTTP between processes of the real binary.

use super::serving::{Serving, Table, tables};
use super::watch::Watch;
use ::matches::{End, Participant, Process, Remote, Settings, Spawned, play};
use anyhow::{Context, ensure};
use budget::Budget;
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
    /// Start clock in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 1)]
    start_clock: u64,
    /// Play clock in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 1)]
    play_clock: u64,
    #[command(flatten)]
    serving: Serving,
}

/// How much longer than its clocks a match may take, for the referee and for messages.
const REFEREE: Duration = Duration::from_secs(2);

/// Plays the matches and observes the processes. Returns whether there were no problems.
pub fn run(options: &Options) -> anyhow::Result<bool> {
    ensure!(options.matches >= 10, "ten matches are the least");
    options.serving.check()?;
    let mut tables = tables(&options.games)?;
    let most = tables.iter().map(Table::roles).max();
    let players = (0..most.unwrap_or(0)).map(|number| options.serving.launch(number));
    let players = players.collect::<anyhow::Result<Vec<Process>>>()?;
    let mut watches: Vec<Watch> = players
        .iter()
        .map(|player| Watch::new(player.id()))
        .collect();
    let (mut faults, mut moves, since) = (0, 0, Instant::now());
    for number in 0..options.matches {
        let count = tables.len();
        let table = &mut tables[number % count];
        let played = play_one(table, options, &players, number)?;
        moves += played.steps;
        if let Some(fault) = played.fault {
            println!("match {number}, {}: {fault}", table.name);
            faults += 1;
        }
        for watch in &mut watches {
            watch.look()?;
        }
        if (number + 1) % (options.matches / 10) == 0 {
            let last: Vec<String> = watches.iter().map(Watch::last).collect();
            println!(
                "{:>6} matches {:>7.1} minutes {:>8} moves   MiB {}",
                number + 1,
                since.elapsed().as_secs_f64() / 60.0,
                moves,
                last.join(" ")
            );
        }
    }
    let mut fine = faults == 0;
    for (number, watch) in watches.iter().enumerate() {
        let name = format!("player {number}");
        let growth = watch.growth(0).context("too few matches to judge growth")?;
        println!("{name}: {growth}");
        fine &= growth.is_steady(options.serving.growth());
        fine &= watch.rests(&name)?;
    }
    println!("{faults} of {} matches with faults", options.matches);
    Ok(fine)
}

/// The result of a match.
struct Played {
    steps: usize,
    fault: Option<String>,
}

/// Plays one match.
fn play_one(
    table: &mut Table,
    options: &Options,
    players: &[Process],
    number: usize,
) -> anyhow::Result<Played> {
    let budget = Budget::system();
    let seat = |player: &Process| -> Box<dyn Participant> {
        let rules = table.rules.clone();
        let remote = Remote::new(player.address(), rules, None, Duration::ZERO, &budget);
        Box::new(Spawned::new("rocinante".into(), player.clone(), remote))
    };
    let seats = players.iter().take(table.playable.engine.roles().len());
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
        &mut *table.playable.engine,
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
