//! `cargo xtask forced`: how deep proof cubes see, and whether players play the wins there are.
//!
//! Positions come from matches of a player against itself. Each is searched by proof cubes alone,
//! from scratch and on one thread, with ever more joint moves: the table says how many were
//! completed without a win, or how long the shortest win is and when it was found. Where it takes
//! neither too few moves nor too many, players choose, and their moves are proved to keep a forced
//! win or not.

mod report;
mod search;

use crate::blunders::playable;
use crate::own_matches::{Match, Step};
use crate::stage::{Conditions, Stage};
use anyhow::Context;
use compile::Playable;
use game::GroundTerm;
use players::{BestMove, Spec};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use report::Row;
use search::{Cubes, Depth};
use std::path::PathBuf;
use std::time::Duration;

#[derive(clap::Args)]
pub struct Options {
    /// The games: fixtures, or their names with another size of the board
    #[arg(value_name = "GAME", required = true)]
    games: Vec<String>,
    /// Positions of each game, one of each match
    #[arg(long, value_name = "N", default_value_t = 50)]
    positions: usize,
    /// The part of a match that positions are taken from
    #[arg(
        long,
        value_name = "FROM,TO",
        value_delimiter = ',',
        default_value = "0.25,0.75"
    )]
    part: Vec<f64>,
    /// Take them with so many choices left instead, at least and at most
    #[arg(
        long,
        value_name = "LEAST,MOST",
        value_delimiter = ',',
        conflicts_with = "part"
    )]
    left: Vec<usize>,
    /// Seconds for the cubes of each position
    #[arg(long, value_name = "SECONDS", default_value_t = 15.0)]
    seconds: f64,
    /// Joint moves of the wins that players are asked for, at least and at most
    #[arg(
        long,
        value_name = "LEAST,MOST",
        value_delimiter = ',',
        default_value = "5,13"
    )]
    wins: Vec<u16>,
    /// Only positions with such wins count
    #[arg(long)]
    only_wins: bool,
    /// The players, in the syntax of `match`; they take turns at every position
    #[arg(long, value_name = "PLAYER")]
    player: Vec<Spec>,
    /// Seconds for each of their choices
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0)]
    play_clock: f64,
    /// The player of the matches
    #[arg(long, value_name = "PLAYER", default_value = "default")]
    matches: Spec,
    /// Seconds for each move of the matches
    #[arg(long, value_name = "SECONDS", default_value_t = 0.05)]
    move_seconds: f64,
    /// Choices at random before each match, at most
    #[arg(long, value_name = "N", default_value_t = 6)]
    opening: usize,
    #[command(flatten)]
    conditions: Conditions,
    /// Write a row for each position to this file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

/// Measures the games and prints a summary of each.
///
/// # Errors
/// Fails if there is no such game, or it does not suit proof cubes.
pub fn run(options: &Options) -> anyhow::Result<bool> {
    let [from, to] = options.part[..] else {
        anyhow::bail!("--part takes two numbers, 0.25,0.75");
    };
    let [least, most] = options.wins[..] else {
        anyhow::bail!("--wins takes two numbers, 5,13");
    };
    anyhow::ensure!(
        (0.0..=1.0).contains(&from) && (from..=1.0).contains(&to),
        "--part takes parts of a match, 0.25,0.75"
    );
    let left = match options.left[..] {
        [] => None,
        [least, most] if (1..=most).contains(&least) => Some([least, most]),
        _ => anyhow::bail!("--left takes two numbers, 5,13"),
    };
    let mut rows = Vec::new();
    for game in &options.games {
        let measure = Measure {
            options,
            part: [from, to],
            left,
            wins: [least, most],
        };
        let first = rows.len();
        measure.game(game, &mut rows)?;
        println!(
            "{}",
            report::summary(game, &rows[first..], &options.player, [least, most])
        );
    }
    Ok(true)
}

/// What is measured, with the options read.
struct Measure<'a> {
    options: &'a Options,
    part: [f64; 2],
    left: Option<[usize; 2]>,
    wins: [u16; 2],
}

impl Measure<'_> {
    /// Measures a game. Rows are written after each position.
    fn game(&self, game: &str, rows: &mut Vec<Row>) -> anyhow::Result<()> {
        let options = self.options;
        let mut playable = playable(game)?;
        let mut cubes = Cubes::new(&playable).with_context(|| game.to_owned())?;
        let stage = |spec| Stage::new(&playable, spec, &options.conditions);
        let mut of_matches = stage(&options.matches);
        let mut contestants: Vec<Stage> = options.player.iter().map(stage).collect();
        let (first, mut number) = (rows.len(), 0);
        while rows.len() - first < options.positions && number < 20 * options.positions as u64 {
            number += 1;
            let seed = options.conditions.seed.wrapping_mul(0x9E37_79B9);
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed.wrapping_add(number));
            let clock = Duration::from_secs_f64(options.move_seconds);
            let of_match = Match::play(
                &mut *playable.engine,
                &mut of_matches,
                options.opening,
                clock,
                rng.clone(),
            )?;
            let steps = &of_match.steps;
            let place = |part: f64| (steps.len() as f64 * part) as usize;
            let range = match self.left {
                Some([least, most]) => {
                    let before = |left: usize| steps.len().saturating_sub(left);
                    before(most)..before(least - 1)
                }
                None => place(self.part[0])..place(self.part[1]),
            };
            if range.is_empty() {
                continue;
            }
            let at = rng.random_range(range);
            let step = &steps[at];
            let budget = options.conditions.budget(options.seconds);
            let depth = cubes.deepen(&mut *playable.engine, step, &budget)?;
            let asks = matches!(depth, Depth { win: Some(plies), .. }
                if (self.wins[0]..=self.wins[1]).contains(&plies));
            if options.only_wins && !asks {
                continue;
            }
            let mut kept = Vec::new();
            if asks {
                for stage in &mut contestants {
                    kept.push(self.plays(stage, &mut playable, &mut cubes, step)?);
                }
            }
            let line: Vec<String> = of_match.terms[..step.choices]
                .iter()
                .map(GroundTerm::to_string)
                .collect();
            rows.push(Row {
                game: game.to_owned(),
                number,
                role: playable.engine.roles()[step.role.0].to_string(),
                left: steps.len() - at,
                depth,
                kept,
                line: line.join(" "),
            });
            if let Some(path) = &options.csv {
                crate::files::write(path, report::csv(rows, &options.player)?)?;
            }
            eprintln!("{game}: match {number}, {} positions", rows.len() - first);
        }
        Ok(())
    }

    /// Whether a player's move keeps a forced win; `None` if cubes cannot tell.
    fn plays(
        &self,
        stage: &mut Stage,
        playable: &mut Playable,
        cubes: &mut Cubes,
        step: &Step,
    ) -> anyhow::Result<Option<bool>> {
        let clock = Duration::from_secs_f64(self.options.play_clock);
        let mv = stage.choose(&step.state, step.role, &BestMove::default(), clock)?;
        let budget = self.options.conditions.budget(self.options.seconds);
        cubes.keeps(&mut *playable.engine, step, mv, &budget)
    }
}
