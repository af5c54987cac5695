//! Finds positions in matches of the player against itself.

use super::games::playable;
use super::judge::{Judge, Seen, Split};
use super::{Options, folder};
use crate::own_matches::{Match, Step};
use crate::stage::Stage;
use anyhow::Context;
use game::{Engine, GroundTerm, MoveId};
use players::Spec;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};
use tactics::{Moves, Place, Position, Sheet};

#[derive(clap::Args)]
pub struct Mining {
    /// With --mine: stop at that many positions in the sheet
    #[arg(long, value_name = "N", default_value_t = 60)]
    keep: usize,
    /// With --mine: how long to look, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 600.0)]
    mine_seconds: f64,
    /// With --mine: seconds for each move of the matches
    #[arg(long, value_name = "SECONDS", default_value_t = 0.05)]
    move_seconds: f64,
    /// With --mine: seconds for the proofs of each position
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0)]
    proof_seconds: f64,
    /// With --mine: choices at random before each match, at most
    #[arg(long, value_name = "N", default_value_t = 6)]
    opening: usize,
    /// With --mine: only positions in which all right moves take something: a piece hangs
    #[arg(long)]
    taking: bool,
    /// With --mine: only positions after at least that many choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    from_choice: usize,
    /// With --mine: only positions after at most that many choices
    #[arg(long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
    to_choice: usize,
}

/// Positions without an answer in a row, after which the earlier ones of a match are left alone.
const GIVE_UP: usize = 2;

/// Positions taken from a match: neighbours ask the same.
const OF_EACH: usize = 2;

/// Adds positions to the sheet of a game, which is written after each.
pub fn run(game: &str, options: &Options) -> anyhow::Result<bool> {
    let mining = &options.mining;
    let path = folder(options).join(game).with_extension("positions");
    let mut sheet = read(&path, game)?;
    let mut playable = playable(game)?;
    let mut judge = Judge::new(game, &playable);
    let spec: &Spec = &options.player[0];
    let mut stage = Stage::new(&playable, spec, &options.conditions);
    let mut known = BTreeSet::new();
    for position in &sheet.positions {
        known.insert(tactics::Scene::new(&mut *playable.engine, position)?.state);
    }
    // A restart goes on with the matches that were not played yet.
    let numbers = sheet
        .positions
        .iter()
        .filter_map(|position| number(&position.name));
    let mut number = numbers.max().unwrap_or(0);
    let end = Instant::now() + Duration::from_secs_f64(mining.mine_seconds);
    let (mut looked, mut open) = (0, 0);
    while sheet.positions.len() < mining.keep && Instant::now() < end {
        number += 1;
        let seed = options
            .conditions
            .seed
            .wrapping_mul(0x9E37_79B9)
            .wrapping_add(number);
        let rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let clock = Duration::from_secs_f64(mining.move_seconds);
        let Match { steps, terms } = Match::play(
            &mut *playable.engine,
            &mut stage,
            mining.opening,
            clock,
            rng,
        )?;
        let (mut failed, mut taken) = (0, 0);
        let within = mining.from_choice..=mining.to_choice;
        let steps = steps.iter().filter(|step| within.contains(&step.choices));
        for step in steps.rev() {
            if failed == GIVE_UP || taken == OF_EACH || Instant::now() > end {
                break;
            }
            if !known.insert(step.state.clone()) {
                continue;
            }
            looked += 1;
            let budget = options.conditions.budget(mining.proof_seconds);
            match judge.split(&step.state, step.role, false, &budget)? {
                Seen::Open => (failed, open) = (failed + 1, open + 1),
                Seen::Nothing => failed = 0,
                Seen::Question(split)
                    if mining.taking && !takes(&mut *playable.engine, step, &split.right)? =>
                {
                    failed = 0;
                }
                Seen::Question(split) => {
                    (failed, taken) = (0, taken + 1);
                    let terms = &terms[..step.choices];
                    let found = position(&mut *playable.engine, step, terms, &split, number);
                    sheet.positions.push(found);
                    crate::files::write(&path, sheet.to_string())?;
                }
            }
        }
        eprintln!(
            "{game}: match {number}, {} positions, {looked} looked at, {open} left open",
            sheet.positions.len()
        );
    }
    Ok(true)
}

/// The sheet as it is, or an empty one.
fn read(path: &Path, game: &str) -> anyhow::Result<Sheet> {
    if !path.exists() {
        let (game, positions) = (game.to_owned(), Vec::new());
        return Ok(Sheet { game, positions });
    }
    let text = std::fs::read_to_string(path)?;
    Sheet::parse(&text).with_context(|| path.display().to_string())
}

/// The number of the match in the name of a position.
fn number(name: &str) -> Option<u64> {
    name.split('-').nth(1)?.parse().ok()
}

/// Whether each of these moves leaves fewer facts: what stood there is gone.
fn takes(engine: &mut dyn Engine, step: &Step, moves: &[MoveId]) -> anyhow::Result<bool> {
    let before = engine.facts(&step.state).len();
    for &mv in moves {
        let next = step.after(engine, mv)?;
        if engine.facts(&next).len() >= before {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The position of a step, in the terms of the rules.
fn position(
    engine: &mut dyn Engine,
    step: &Step,
    terms: &[GroundTerm],
    split: &Split,
    number: u64,
) -> Position {
    let Split {
        value,
        right,
        wrong,
        states,
    } = split;
    let mut named = |moves: &[MoveId]| -> Vec<GroundTerm> {
        moves
            .iter()
            .map(|&mv| engine.move_term(step.role, mv))
            .collect()
    };
    let moves = match right.len() <= wrong.len() {
        true => Moves::Best(named(right)),
        false => Moves::Avoid(named(wrong)),
    };
    let all = right.len() + wrong.len();
    Position {
        name: format!("match-{number}-choice-{}", step.choices),
        about: format!("{} of {all} moves keep {value}", right.len()),
        class: "blunder".to_owned(),
        role: engine.roles()[step.role.0].clone(),
        place: Place::Play(terms.to_vec()),
        moves,
        forces: *value,
        within: None,
        states: *states,
        playouts: None,
        seconds: None,
    }
}
