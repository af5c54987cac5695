//! Short matches over connections with faults: what a player does when messages are delayed,
//! repeated, mangled and lost, and when processes are stopped and killed.
//!
//! The referee is that of the crate `matches`. Between it and each player is a [`proxy`] that
//! troubles the messages by a seeded script; [`judge`] then compares the faults in the record
//! with what was done to the messages. A tournament that is killed and begun again is played
//! beside ([`arena`]).

mod arena;
mod judge;
mod proxy;
mod seat;
mod trouble;

use super::serving::{Serving, Table, tables};
use super::watch::{Growth, Watch};
use ::matches::{End, Participant, Remote, Settings, play};
use anyhow::{Context, ensure};
use budget::Budget;
use judge::Tally;
use proxy::{Proxy, Script};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use seat::Seat;
use std::sync::Arc;
use std::time::{Duration, Instant};
use trouble::Trouble;

/// Arguments of `cargo xtask endurance faults`.
#[derive(clap::Args)]
pub struct Options {
    /// Number of matches
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    matches: usize,
    /// The games, in rotation
    #[arg(long = "game", value_name = "NAME", default_values = [
        "nim", "tic_tac_toe", "rock_paper_scissors_repeated", "buttons_and_lights",
        "connect_four_small", "bidding_tic_tac_toe",
    ])]
    games: Vec<String>,
    /// Start clock in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 600)]
    start_clock: u64,
    /// Play clock in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 400)]
    play_clock: u64,
    /// How many messages have trouble, in per cent
    #[arg(long, value_name = "PERCENT", default_value_t = 25)]
    trouble: u32,
    /// Seed of the troubles and matches
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How often a tournament is killed before it may end
    #[arg(long, value_name = "N", default_value_t = 20)]
    arena_kills: usize,
    #[command(flatten)]
    serving: Serving,
}

/// How many matches a process must have played before its growth is judged: after a kill it
/// has yet to meet every game.
const YOUNG: usize = 100;

/// A player behind its proxy.
struct Player {
    seat: Arc<Seat>,
    proxy: Proxy,
    watch: Watch,
}

/// What the matches brought.
#[derive(Default)]
struct Results {
    tally: Tally,
    moves: usize,
    /// Matches that did not reach an end, and processes that ended by themselves.
    broken: usize,
    crashes: usize,
    killed: usize,
    /// The growth of every player's process that lived through enough matches.
    growth: Vec<Growth>,
    steady: bool,
}

/// Plays the matches. Returns whether every fault has its explanation, and nothing grew.
///
/// # Errors
/// Fails if the players cannot be started or observed.
pub fn run(options: &Options) -> anyhow::Result<bool> {
    ensure!(options.matches >= 10, "ten matches are the least");
    options.serving.check()?;
    let mut tables = tables(&options.games)?;
    let serving = Arc::new(options.serving.clone());
    let most = tables.iter().map(Table::roles).max().unwrap_or(0);
    let mut players = (0..most)
        .map(|number| Player::new(&serving, number))
        .collect::<anyhow::Result<Vec<Player>>>()?;
    let mut own = Watch::new(std::process::id());
    let mut results = Results {
        steady: true,
        ..Results::default()
    };
    let since = Instant::now();
    for number in 0..options.matches {
        let count = tables.len();
        let table = &mut tables[number % count];
        for problem in match_over(table, options, &players, number, &mut results)? {
            println!("match {number}, {}: {problem}", table.name);
        }
        for (at, player) in players.iter_mut().enumerate() {
            player.look(at, &serving, &mut results)?;
        }
        own.look()?;
        if (number + 1) % (options.matches / 10) == 0 {
            let last: Vec<String> = players.iter().map(|player| player.watch.last()).collect();
            println!(
                "{:>6} matches {:>7.1} minutes {:>8} moves   MiB {}",
                number + 1,
                since.elapsed().as_secs_f64() / 60.0,
                results.moves,
                last.join(" ")
            );
        }
    }
    for (number, player) in players.iter().enumerate() {
        let name = format!("player {number}");
        results.settle(&player.watch, &name, &serving);
        results.steady &= player.watch.rests(&name)?;
    }
    results.steady &= Growth::are_steady(&results.growth, serving.growth());
    let growth = own.growth(0).context("too few matches to judge growth")?;
    println!("the referee: {growth}");
    results.steady &= growth.is_steady(serving.growth());
    let arena = arena::killed(&serving, options.seed, options.arena_kills)?;
    print!("\n{}\n{arena}\n", results.tally);
    println!("{}", results.line(options.matches));
    Ok(results.is_fine() && arena.is_fine())
}

impl Player {
    fn new(serving: &Arc<Serving>, number: usize) -> anyhow::Result<Player> {
        let seat = Arc::new(Seat::new(serving.clone(), number)?);
        Ok(Player {
            proxy: Proxy::new(seat.clone()).context("there is no port for a proxy")?,
            watch: Watch::new(seat.id().context("it has ended")?),
            seat,
        })
    }

    /// Looks at the process after a match. One that has ended is started again.
    fn look(
        &mut self,
        number: usize,
        serving: &Serving,
        results: &mut Results,
    ) -> anyhow::Result<()> {
        if let Some(how) = self.seat.ended() {
            println!("player {number} has ended: {how}");
            results.crashes += 1;
            self.seat.restart()?;
        }
        let id = self.seat.id().context("it has ended")?;
        if id != self.watch.process() {
            results.settle(
                &self.watch,
                &format!("player {number}, since killed"),
                serving,
            );
            self.watch = Watch::new(id);
        }
        self.watch.look()
    }
}

/// Plays one match. Returns a sentence for each problem.
fn match_over(
    table: &mut Table,
    options: &Options,
    players: &[Player],
    number: usize,
    results: &mut Results,
) -> anyhow::Result<Vec<String>> {
    let clocks = [options.start_clock, options.play_clock].map(Duration::from_millis);
    let roles = table.roles();
    let mut seats: Vec<&Player> = players.iter().take(roles).collect();
    // Each player gets every role equally often.
    seats.rotate_left(number % roles.max(1));
    let budget = Budget::system();
    let mut participants: Vec<Box<dyn Participant>> = Vec::new();
    for (role, player) in seats.iter().enumerate() {
        let seed = options.seed ^ (number as u64) << 8 ^ role as u64;
        player.proxy.begin(Script {
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            percent: options.trouble,
            clocks,
        });
        let (address, rules) = (player.proxy.address().into(), table.rules.clone());
        let remote = Remote::new(address, rules, None, Duration::ZERO, &budget);
        participants.push(Box::new(remote));
    }
    let settings = Settings {
        id: format!("faults.{number}"),
        start_clock: clocks[0],
        play_clock: clocks[1],
        seed: options.seed ^ number as u64,
        ..Settings::default()
    };
    let engine = &mut *table.playable.engine;
    let outcome = play(engine, &mut participants, &settings, &mut (), &budget)?;
    results.moves += outcome.steps;
    let mut problems = Vec::new();
    if outcome.end != End::Terminal {
        results.broken += 1;
        problems.push(format!("ended as {:?}", outcome.end));
    }
    for (role, player) in seats.iter().enumerate() {
        let sent = player.proxy.end();
        let killed = sent.iter().filter(|sent| sent.trouble == Trouble::Kill);
        results.killed += killed.count();
        let errors = outcome.record.errors.iter();
        let faults: Vec<&str> = errors
            .map(|errors| errors.get(role).map_or("", String::as_str))
            .collect();
        let wrong = results.tally.judge(&sent, &faults);
        if !wrong.is_empty() {
            let history: Vec<String> = sent.iter().map(|sent| sent.trouble.to_string()).collect();
            let (wrong, history) = (wrong.join("; "), history.join(", "));
            problems.push(format!("role {role}: {wrong} (messages: {history})"));
        }
    }
    Ok(problems)
}

impl Results {
    /// Judges the resources of a player's process that has ended, or is about to.
    fn settle(&mut self, watch: &Watch, name: &str, serving: &Serving) {
        if let Some(growth) = watch.growth(YOUNG) {
            println!("{name}: {growth}");
            self.growth.push(growth);
        }
        if watch.peak() > serving.memory() {
            println!(
                "{name}: {} bytes, which is more than it may take",
                watch.peak()
            );
            self.steady = false;
        }
    }

    fn is_fine(&self) -> bool {
        self.tally.is_fine() && self.broken == 0 && self.crashes == 0 && self.steady
    }

    /// The closing line.
    fn line(&self, matches: usize) -> String {
        let wrong = |code: &str| self.tally.wrong.get(code).copied().unwrap_or(0);
        let counts = self.tally.counts.iter();
        let troubles: usize = counts
            .filter(|(trouble, _)| **trouble != Trouble::Calm)
            .map(|(_, count)| count.messages)
            .sum();
        format!(
            "{matches} matches, {} joint moves, {troubles} troubled messages, {} players killed; \
             where the trouble left time: {} late, {} illegal, {} without connection, {} \
             contradictions; {} matches without an end, {} crashes; resources {}",
            self.moves,
            self.killed,
            wrong("TO"),
            wrong("IL"),
            wrong("CE"),
            wrong("contradiction"),
            self.broken,
            self.crashes,
            if self.steady { "constant" } else { "grew" },
        )
    }
}
