//! `rocinante solve --forced`: what a role can force from a state on, and the facts that it
//! depends on.

use crate::{match_, options, source, wall};
use anyhow::{Context, bail, ensure};
use budget::{Budget, Stop};
use compile::Proved;
use game::{Engine, GroundTerm, RoleId, State};
use gdl_parse::diagnostic::count;
use gdl_parse::{Limits, Sexpr, read_all};
use localsearch::{Claim, Cube, FOREVER, Search};
use metagame::Stage;
use netlist::Phases;
use prepare::EngineChoice;
use records::{Record, add_states, parse_facts};
use serde::Serialize;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// What is asked, and of which state.
#[derive(Debug, clap::Args)]
pub struct Question {
    /// The state: its facts in KIF, or a match record; `-` is the standard input [default: the
    /// initial state]
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// The state of a match record by its number; 0 is the initial state [default: the last one]
    #[arg(long, value_name = "N", requires = "state")]
    step: Option<usize>,
    /// The role that is to force the result [default: the one that chooses]
    #[arg(long, value_name = "NAME")]
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
    wall::stop_on_interrupt(&stop)?;
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

/// What was found.
#[derive(Debug, Serialize)]
struct Answer {
    role: String,
    at_least: u8,
    #[serde(flatten)]
    result: Outcome,
    /// The line of play, if the result is forced.
    line: Vec<Move>,
    /// The facts that the answer depends on.
    facts: Vec<String>,
    /// The states made.
    states: u64,
}

#[derive(Debug, Serialize)]
struct Move {
    role: String,
    #[serde(rename = "move")]
    mv: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case", tag = "result")]
enum Outcome {
    Forced { plies: u16 },
    Never,
    NotWithin { plies: u16 },
    Open,
}

impl From<Claim> for Outcome {
    fn from(claim: Claim) -> Self {
        match claim {
            Claim::Wins(plies) => Outcome::Forced { plies },
            Claim::Fails(FOREVER) => Outcome::Never,
            Claim::Fails(plies) => Outcome::NotWithin { plies },
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (role, result) = (&self.role, self.at_least);
        match self.result {
            Outcome::Forced { plies } => writeln!(
                f,
                "{role} forces at least {result} within {}.",
                count(plies.into(), "joint move")
            )?,
            Outcome::Never => writeln!(f, "{role} can never force at least {result}.")?,
            Outcome::NotWithin { plies } => writeln!(
                f,
                "{role} cannot force at least {result} within {}; beyond that nothing is known.",
                count(plies.into(), "joint move")
            )?,
            Outcome::Open => writeln!(f, "Nothing was proved for {role} within the limits.")?,
        }
        for (number, Move { role, mv }) in self.line.iter().enumerate() {
            writeln!(f, "{:4}. {role} {mv}", number + 1)?;
        }
        if !self.facts.is_empty() {
            let many = count(self.facts.len(), "fact");
            writeln!(f, "The same holds in every state that agrees in {many}:")?;
        }
        for fact in &self.facts {
            writeln!(f, "  {fact}")?;
        }
        writeln!(f, "{} made.", count(self.states as usize, "state"))
    }
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

/// Reads a state: the facts in KIF, or a state of a match record.
fn read_state(file: &Path, step: Option<usize>, engine: &mut dyn Engine) -> anyhow::Result<State> {
    let name = source::name(file);
    let text = source::text(file)?;
    let facts = match text.trim_start().starts_with('{') {
        true => of_record(&text, step, engine),
        false if step.is_some() => bail!("{name} is no match record; leave --step out"),
        false => of_kif(&text),
    };
    let facts = facts.with_context(|| format!("cannot read {name} as a state"))?;
    let state = engine.state_of(&facts);
    Ok(state.with_context(|| format!("{name} holds no state of this game"))?)
}

fn of_record(
    text: &str,
    step: Option<usize>,
    engine: &mut dyn Engine,
) -> anyhow::Result<Vec<GroundTerm>> {
    let mut record = Record::parse(text)?;
    add_states(&mut record, engine);
    let last = record.states.len().saturating_sub(1);
    let step = step.unwrap_or(last);
    let state = record.states.get(step).filter(|state| !state.is_empty());
    let state =
        state.with_context(|| format!("the record has no state {step}; its last is {last}"))?;
    parse_facts(state).map_err(anyhow::Error::msg)
}

/// Facts one after another or in one list, with or without `true`.
fn of_kif(text: &str) -> anyhow::Result<Vec<GroundTerm>> {
    let (mut exprs, diagnostics) = read_all(text, &Limits::default());
    if let Some(problem) = diagnostics.first() {
        bail!("{}", problem.message);
    }
    if let [Sexpr::List(inner, _)] = exprs.as_slice()
        && inner.iter().all(|fact| matches!(fact, Sexpr::List(..)))
    {
        exprs = inner.clone();
    }
    let fact = |fact: &Sexpr| match fact {
        Sexpr::List(inner, _) if inner.len() == 2 && is_true(&inner[0]) => {
            GroundTerm::from_sexpr(&inner[1])
        }
        fact => GroundTerm::from_sexpr(fact),
    };
    let facts: Result<Vec<_>, _> = exprs.iter().map(fact).collect();
    Ok(facts?)
}

fn is_true(head: &Sexpr) -> bool {
    GroundTerm::from_sexpr(head).is_ok_and(|head| head.to_string() == "true")
}
