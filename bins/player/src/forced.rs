//! `rocinante solve --forced`: what a role can force from a state on, and the facts that it
//! depends on.

mod answer;
mod state;

use crate::{interrupt, match_, source};
use answer::{Answer, Move, Outcome};
use anyhow::{Context, ensure};
use budget::{Budget, Stop};
use compile::Proved;
use game::{Engine, GroundTerm, RoleId, State};
use localsearch::{Cube, Search};
use metagame::Stage;
use netlist::Phases;
use prepare::EngineChoice;
use state::read_state;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// What is asked, and of which state.
#[derive(Debug, clap::Args)]
pub struct Question {
    /// The state: its facts in KIF, or a match record; `-` is the standard input [default: the
    /// initial state]
    #[arg(long, value_name = "FILE", requires = "forced")]
    state: Option<PathBuf>,
    /// The state of a match record by its number; 0 is the initial state [default: the last one]
    #[arg(long, value_name = "N", requires = "state")]
    step: Option<usize>,
    /// The role that is to force the result [default: the one that chooses]
    #[arg(long, value_name = "NAME", requires = "forced")]
    role: Option<String>,
    /// The least result that is to be forced
    #[arg(long, value_name = "RESULT", default_value_t = 100, value_parser = clap::value_parser!(u8).range(1..=100))]
    at_least: u8,
    /// The most joint moves that are looked ahead
    #[arg(long, value_name = "N", default_value_t = 99, value_parser = clap::value_parser!(u16).range(1..=999))]
    plies: u16,
}

/// The limits of the search.
#[derive(Debug, Clone, Copy)]
pub struct Within {
    /// The time, including the construction of the network.
    pub time: Duration,
    /// The memory in bytes.
    pub memory: usize,
    /// The seed of the play that suggests what to prove.
    pub seed: u64,
}

/// Prints what the role can force. The exit code is 0 if it is a forced result or none ever,
/// otherwise 1.
///
/// # Errors
/// Fails if the game or the state cannot be read, or does not suit the search.
pub fn run(
    path: &Path,
    question: &Question,
    within: Within,
    fold_case: bool,
    json: bool,
) -> anyhow::Result<ExitCode> {
    let stop = Stop::default();
    interrupt::stop_on_interrupt(&stop)?;
    let budget = Budget::system()
        .with_stop(stop)
        .with_timeout(within.time)
        .with_memory(within.memory);
    let begun = Stage::Engine.share(&budget);
    let mut game = match_::load(path, EngineChoice::Network, fold_case, &begun)?;
    let engine = &mut *game.playable.engine;
    let state = match &question.state {
        Some(file) => read_state(file, question.step, engine)?,
        None => engine.initial(),
    };
    let role = match &question.role {
        Some(name) => named(name, engine)?,
        None => chooser(&state, engine)?,
    };
    let compiled = game
        .playable
        .compiled
        .context("there is no network of the game")?;
    let mut facts = State::default();
    ensure!(
        engine.bits(&state, &mut facts),
        "the engine has no facts in order"
    );
    let proved = Proved::find(compiled, within.seed, &Stage::Facts.share(&budget));
    let mut search = Search::new(&proved, role, question.at_least, within.memory, &budget)
        .with_context(|| format!("{} does not suit local search", source::name(path)))?;
    let proof = search.deepen(&facts, question.plies, u64::MAX, &budget);
    let line = match &proof {
        Some(proof) if proof.cube.claim.wins() => {
            search.line(&facts, proof.cube.claim.plies(), u64::MAX, &budget)
        }
        _ => Vec::new(),
    };
    let words = &proved.compiled.logic.words;
    let answer = Answer {
        role: words.roles[role.0].to_string(),
        at_least: question.at_least,
        result: proof
            .as_ref()
            .map_or(Outcome::Open, |proof| proof.cube.claim.into()),
        line: line
            .iter()
            .map(|&(role, mv)| Move {
                role: words.roles[role.0].to_string(),
                mv: words.moves[role.0][mv.0 as usize].to_string(),
            })
            .collect(),
        facts: proof.map_or_else(Vec::new, |proof| {
            literals(&proof.cube, &proved.compiled.phased.phases, &words.facts)
        }),
        states: search.states(),
    };
    source::print(&match json {
        true => serde_json::to_string_pretty(&answer)? + "\n",
        false => answer.to_string(),
    })?;
    let decided = !matches!(answer.result, Outcome::Open | Outcome::NotWithin { .. });
    Ok(ExitCode::from(u8::from(!decided)))
}

/// The facts that a proof depends on, those of the phase among them, as KIF.
fn literals(cube: &Cube, phases: &Phases, words: &[GroundTerm]) -> Vec<String> {
    let phase = phases
        .facts
        .iter()
        .copied()
        .zip(phases.values[cube.phase].iter().copied());
    let cube = cube
        .literals
        .iter()
        .map(|literal| (literal.fact(), literal.holds()));
    let mut all: Vec<(u32, bool)> = phase.chain(cube).collect();
    all.sort_by_key(|&(fact, holds)| (!holds, fact));
    let text = |(fact, holds): (u32, bool)| match holds {
        true => words[fact as usize].to_string(),
        false => format!("(not {})", words[fact as usize]),
    };
    all.into_iter().map(text).collect()
}

/// The role with this name.
fn named(name: &str, engine: &dyn Engine) -> anyhow::Result<RoleId> {
    let roles: Vec<String> = engine.roles().iter().map(ToString::to_string).collect();
    let found = roles.iter().position(|role| role == name);
    let all = || format!("there is no role {name}; there are {}", roles.join(", "));
    found.map(RoleId).with_context(all)
}

/// The role that chooses in a state, or the first one if none does.
fn chooser(state: &State, engine: &mut dyn Engine) -> anyhow::Result<RoleId> {
    let mut moves = Vec::new();
    for role in (0..engine.roles().len()).map(RoleId) {
        engine.legal(state, role, &mut moves)?;
        if moves.len() > 1 {
            return Ok(role);
        }
    }
    Ok(RoleId(0))
}
