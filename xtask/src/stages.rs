//! `cargo xtask stages`: where the time of a visit goes, game by game.
//!
//! Each game is searched by the graph search of a player, from its first position or after random
//! moves, without learnt values. Time is wall time, so the machine should be quiet.

use crate::games::{self, Game};
use anyhow::{Context, ensure};
use budget::Budget;
use compile::Playable;
use game::{Engine, RoleId, State};
use mcts::{Limits, Stage};
use metagame::{Setup, StartClock};
use players::Spec;
use rand::RngExt;
use rand::SeedableRng;
use rand::rngs::StdRng;
use std::time::Duration;

#[derive(clap::Args)]
pub struct Options {
    /// Only this game; may be repeated [default: all fixtures]
    #[arg(long, value_name = "GAME")]
    only: Vec<String>,
    /// The player whose search is measured
    #[arg(long, value_name = "PLAYER", default_value = "default:no-knowledge")]
    player: Spec,
    /// Seconds of search in each game
    #[arg(long, value_name = "SECONDS", default_value_t = 2.0)]
    seconds: f64,
    /// Seconds of the start clock, in which playouts and proofs are chosen
    #[arg(long, value_name = "SECONDS", default_value_t = 2.0)]
    start_clock: f64,
    /// Random moves before the search
    #[arg(long, value_name = "N", default_value_t = 0)]
    plies: usize,
    /// Threads of the search
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// Memory of the search, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 1024)]
    memory_mib: usize,
    /// Seed of the moves and of the search
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// What a search did.
struct Measured {
    visits: f64,
    /// Descents in a second.
    rate: f64,
    /// Percent of the time in each stage.
    shares: Vec<f64>,
    /// Proof searches, and those with an answer.
    proofs: [u64; 2],
}

/// Measures the games and prints a line for each.
///
/// # Errors
/// Fails if there is no such game.
pub fn run(options: &Options) -> anyhow::Result<bool> {
    let mut games = games::all(&[]);
    let wanted = |game: &Game| options.only.iter().any(|name| game.is(name));
    let fixture = |game: &Game| game.name.starts_with("fixtures/");
    games.retain(|game| match options.only.is_empty() {
        true => fixture(game),
        false => wanted(game),
    });
    ensure!(!games.is_empty(), "there is no such game");
    let names = Stage::ALL.map(Stage::name).join(",");
    println!("game,visits,visits_per_s,{names},proofs_asked,answered");
    let (mut logs, mut measured) = (0.0, 0.0);
    for game in &games {
        let name = &game.name;
        match measure(game, options) {
            Ok(Some(found)) => {
                let shares: Vec<String> = found.shares.iter().map(|p| format!("{p:.0}")).collect();
                let shares = shares.join(",");
                let (visits, rate, [asked, answered]) = (found.visits, found.rate, found.proofs);
                println!("{name},{visits:.0},{rate:.0},{shares},{asked},{answered}");
                logs += found.rate.ln();
                measured += 1.0;
            }
            Ok(None) => eprintln!("{name}: solved or over before there was anything to measure"),
            Err(error) => eprintln!("{name}: {error:#}"),
        }
    }
    if measured > 0.0 {
        let mean = f64::exp(logs / measured);
        eprintln!("{mean:.0} visits a second in the geometric mean over {measured} games");
    }
    Ok(true)
}

/// Searches one game. `None` if that ends at once.
fn measure(game: &Game, options: &Options) -> anyhow::Result<Option<Measured>> {
    let text = std::fs::read_to_string(&game.path)?;
    let memory = options.memory_mib << 20;
    let budget = Budget::system().with_memory(2 << 30);
    let build = budget.clone().with_timeout(Duration::from_secs(60));
    let mut playable = prepare::prepare(&text, &prepare::Options::default(), &build)?.playable;
    let Some((state, role)) = position(&mut playable, options)? else {
        return Ok(None);
    };
    let setup = Setup {
        playable,
        role,
        seed: options.seed,
        threads: options.threads,
        memory,
    };
    let start = Duration::try_from_secs_f64(options.start_clock)?;
    let mut clock = StartClock::new(&budget.clone().with_timeout(start));
    let switches = options.player.switches();
    let prepared = metagame::prepare(setup, &switches, None, &mut clock);
    let mut search = prepared.searchable.search(None);
    search.measure_stages();
    let time = Duration::try_from_secs_f64(options.seconds)?;
    let report = search.choose(
        &state,
        Limits::default(),
        &budget.with_timeout(time),
        &|_| (),
    )?;
    let sum = search.stages().sum().as_secs_f64();
    // A search that proved its result in between has little to say.
    if sum < options.seconds / 10.0 {
        return Ok(None);
    }
    let visits = report.candidates.iter().map(|one| f64::from(one.visits));
    let visits: f64 = visits.sum();
    let shares = Stage::ALL.map(|stage| 100.0 * search.stages().of(stage).as_secs_f64() / sum);
    Ok(Some(Measured {
        visits,
        rate: visits / sum,
        shares: shares.to_vec(),
        proofs: report.proofs,
    }))
}

/// The state after so many random joint moves, or the first one behind it in which a role has a
/// choice, with that role. `None` if the game ends before.
fn position(playable: &mut Playable, options: &Options) -> anyhow::Result<Option<(State, RoleId)>> {
    let engine: &mut dyn Engine = &mut *playable.engine;
    let mut rng = StdRng::seed_from_u64(options.seed);
    let mut state = engine.initial();
    let roles = engine.roles().len();
    let mut moves = Vec::new();
    for ply in 0..10_000 {
        if engine.terminal(&state)? {
            return Ok(None);
        }
        let mut joint = Vec::new();
        for role in (0..roles).map(RoleId) {
            engine.legal(&state, role, &mut moves)?;
            if moves.len() > 1 && ply >= options.plies {
                return Ok(Some((state, role)));
            }
            ensure!(!moves.is_empty(), "a role has no legal move");
            joint.push(moves[rng.random_range(0..moves.len())]);
        }
        let mut next = State::default();
        engine.next(&state, &joint, &mut next)?;
        state = next;
    }
    None.context("no role ever has a choice")
}
