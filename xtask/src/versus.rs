//! Plays baseline against random on every fixture, from every seat.

use anyhow::Context;
use budget::Budget;
use game::Engine;
use matches::{End, Local, Outcome, Participant, Resources, Settings};
use players::Spec;
use prepare::{Options as Prepare, prepare};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

#[derive(clap::Args)]
pub struct Options {
    /// Folder of rulesheets, NAME.gdl or NAME.kif [default: fixtures/games]
    #[arg(long, value_name = "DIR")]
    games: Option<PathBuf>,
    /// Only these games, by name
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Matches from each seat
    #[arg(long, value_name = "N", default_value_t = 2)]
    rounds: u64,
    /// Playouts of baseline for each move
    #[arg(long, value_name = "N", default_value_t = 300)]
    playouts: u64,
    /// Time for each move, in seconds, whatever the playouts
    #[arg(long, value_name = "SECONDS", default_value_t = 5.0)]
    play_clock: f64,
    /// Seed of the first match; each match has its own
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// What baseline achieved in some matches.
#[derive(Default)]
struct Score {
    matches: usize,
    /// Better than every other role; as good as the best of them; worse.
    won: usize,
    drawn: usize,
    lost: usize,
    /// Sums of goals: of baseline, and of the others on average. In games of one role the other is
    /// random alone.
    own: f64,
    others: f64,
    steps: usize,
    faults: usize,
    unfinished: usize,
}

impl Score {
    fn add(&mut self, seat: usize, outcome: &Outcome, alone: Option<&Outcome>) {
        let goal = |outcome: &Outcome, role: usize| f64::from(outcome.goals[role].unwrap_or(0));
        let own = goal(outcome, seat);
        let others: Vec<f64> = match alone {
            Some(random) => vec![goal(random, 0)],
            None => (0..outcome.goals.len())
                .filter(|&role| role != seat)
                .map(|role| goal(outcome, role))
                .collect(),
        };
        let best = others.iter().copied().fold(0.0, f64::max);
        self.matches += 1;
        self.won += usize::from(own > best);
        self.drawn += usize::from(own == best);
        self.lost += usize::from(own < best);
        self.own += own;
        self.others += others.iter().sum::<f64>() / others.len().max(1) as f64;
        self.steps += outcome.steps;
        self.faults += outcome.faults.iter().sum::<usize>();
        self.unfinished += usize::from(outcome.end != End::Terminal);
    }

    fn join(&mut self, other: &Score) {
        self.matches += other.matches;
        self.won += other.won;
        self.drawn += other.drawn;
        self.lost += other.lost;
        self.own += other.own;
        self.others += other.others;
        self.steps += other.steps;
        self.faults += other.faults;
        self.unfinished += other.unfinished;
    }

    fn row(&self, name: &str, roles: &str, seconds: f64) -> String {
        let mean = |sum: f64| sum / self.matches.max(1) as f64;
        format!(
            "{name:<32} {roles:>5} {:>7} {:>4} {:>5} {:>4} {:>8.1} {:>7.1} {:>6.1} {:>6} {seconds:>7.1}",
            self.matches,
            self.won,
            self.drawn,
            self.lost,
            mean(self.own),
            mean(self.others),
            mean(self.steps as f64),
            self.faults,
        )
    }
}

/// Prints the table; `false` if a player had to be replaced or a match did not end.
pub fn run(options: &Options) -> anyhow::Result<bool> {
    let mut paths = match &options.games {
        None => testkit::fixtures(),
        Some(folder) => {
            let mut paths = testkit::files(folder, "gdl");
            paths.extend(testkit::files(folder, "kif"));
            paths
        }
    };
    paths.retain(|path| options.only.is_empty() || options.only.contains(&name_of(path)));
    anyhow::ensure!(!paths.is_empty(), "no rulesheet to play");
    println!(
        "{:<32} {:>5} {:>7} {:>4} {:>5} {:>4} {:>8} {:>7} {:>6} {:>6} {:>7}",
        "game",
        "roles",
        "matches",
        "won",
        "drawn",
        "lost",
        "baseline",
        "random",
        "moves",
        "faults",
        "seconds"
    );
    let mut total = Score::default();
    let begin = Instant::now();
    for path in &paths {
        let since = Instant::now();
        let (roles, score) = versus(path, options)?;
        let seconds = since.elapsed().as_secs_f64();
        println!("{}", score.row(&name_of(path), &roles.to_string(), seconds));
        total.join(&score);
    }
    println!("{}", total.row("all", "", begin.elapsed().as_secs_f64()));
    println!(
        "{} matches, {} won, {} drawn, {} lost, {} faults, {} unfinished",
        total.matches, total.won, total.drawn, total.lost, total.faults, total.unfinished
    );
    Ok(total.faults == 0 && total.unfinished == 0)
}

fn name_of(path: &Path) -> String {
    path.file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// All matches of one game.
fn versus(path: &Path, options: &Options) -> anyhow::Result<(usize, Score)> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let budget = Budget::system();
    let build = budget
        .clone()
        .with_timeout(Duration::from_secs(20))
        .with_memory(2 << 30);
    let prepared = prepare(&text, &Prepare::default(), &build)
        .with_context(|| format!("cannot play {}", path.display()))?;
    let mut engine = prepared.engine;
    let roles = engine.roles().len();
    let mut score = Score::default();
    for round in 0..options.rounds {
        for seat in 0..roles {
            let seed = options.seed + round;
            let outcome = one(&mut *engine, Some(seat), seed, options, &budget)?;
            let alone = match roles {
                1 => Some(one(&mut *engine, None, seed, options, &budget)?),
                _ => None,
            };
            score.add(seat, &outcome, alone.as_ref());
        }
    }
    Ok((roles, score))
}

/// One match with baseline in that seat, if any, and random in the others.
fn one(
    engine: &mut dyn Engine,
    seat: Option<usize>,
    seed: u64,
    options: &Options,
    budget: &Budget,
) -> anyhow::Result<Outcome> {
    let resources = Resources {
        threads: 1,
        memory: 256 << 20,
    };
    let ours = Spec::plain("baseline")?.with(&format!("playouts={}", options.playouts))?;
    let random = Spec::plain("random")?;
    let mut participants: Vec<Box<dyn Participant>> = Vec::new();
    for role in 0..engine.roles().len() {
        let player = if seat == Some(role) { &ours } else { &random };
        participants.push(Box::new(Local::new(
            player.build(),
            engine.fork(),
            resources,
            budget,
        )));
    }
    let clock = Duration::try_from_secs_f64(options.play_clock).context("no such clock")?;
    let settings = Settings {
        start_clock: clock,
        play_clock: clock,
        seed,
        ..Settings::default()
    };
    Ok(matches::play(
        engine,
        &mut participants,
        &settings,
        &mut (),
        budget,
    )?)
}
