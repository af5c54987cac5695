//! Evaluators besides lanes: tables, and the choice of the fastest.

use crate::evaluators::{Settings, Simulator};
use crate::in_lanes::{better_lanes, initial};
use crate::optimised::proved;
use crate::trial::in_words;
use crate::{PrepareError, Prepared};
use budget::Budget;
use compile::Report;
use game::{Engine, EngineError, Playouts, ScalarPlayouts, Start, State};
use stategraph::{Limits, StateGraph, TableEngine, TablePlayouts};
use std::time::Duration;

/// The time for measuring each candidate.
const TRIAL: Duration = Duration::from_millis(25);
/// The time for exploring states for a table when it is one candidate of several.
const EXPLORE: Duration = Duration::from_millis(100);

/// One playout after the other on the engine.
pub(crate) fn scalar(prepared: Prepared, settings: &Settings) -> Simulator {
    let engine = prepared.playable.engine;
    Simulator {
        initial: engine.initial(),
        roles: engine.roles().to_vec(),
        playouts: Box::new(ScalarPlayouts::new(
            engine,
            settings.seed,
            settings.max_steps,
        )),
        report: prepared.report,
    }
}

/// All states in a table, or an error.
pub(crate) fn table(
    mut prepared: Prepared,
    settings: &Settings,
    budget: &Budget,
) -> Result<Simulator, PrepareError> {
    let engine = &mut *prepared.playable.engine;
    let made = explore(engine, settings, budget);
    let (playouts, initial) = made.map_err(|error| PrepareError::Engine {
        stage: "table",
        error: EngineError::Rules(error.to_string()),
    })?;
    prepared.report.engine = playouts.name();
    Ok(Simulator {
        playouts: Box::new(playouts),
        initial,
        roles: prepared.playable.engine.roles().to_vec(),
        report: prepared.report,
    })
}

/// The evaluator that is fastest at this game, by a short measurement of each.
pub(crate) fn best(prepared: Prepared, settings: &Settings, budget: &Budget) -> Simulator {
    let mut engine = prepared.playable.engine;
    let mut report = prepared.report;
    let roles = engine.roles().to_vec();
    let mut candidates = Vec::new();
    if let Some(compiled) = prepared.playable.compiled {
        report.restart();
        let initial = initial(&compiled.logic);
        let proved = proved(compiled, settings.seed, budget);
        report.stage("proofs", proved.to_string());
        let lanes = better_lanes(&proved, settings, budget, &mut report);
        candidates.push(Candidate::new(lanes, initial));
    }
    let bound = budget.share(4).with_timeout(EXPLORE);
    match explore(&mut *engine, settings, &bound) {
        Ok((table, initial)) => candidates.push(Candidate::new(Box::new(table), initial)),
        Err(error) => report.stage("table", error.to_string()),
    }
    let (name, initial) = (engine.name(), engine.initial());
    let scalar = ScalarPlayouts::new(engine, settings.seed, settings.max_steps);
    let playouts = Box::new(scalar);
    candidates.push(Candidate {
        name,
        playouts,
        initial,
    });
    let fastest = match candidates.len() {
        // Skip the trial: in a game that nothing else fits, a step may take seconds.
        1 => 0,
        _ => trial(&mut candidates, settings, budget, &mut report),
    };
    let Candidate {
        name,
        playouts,
        initial,
    } = candidates.swap_remove(fastest);
    report.engine = name;
    Simulator {
        playouts,
        initial,
        roles,
        report,
    }
}

/// An evaluator that may be the fastest.
struct Candidate {
    /// Its name; that of the engine, if it makes one playout after the other.
    name: &'static str,
    playouts: Box<dyn Playouts>,
    /// The initial state, in the form that it uses.
    initial: State,
}

impl Candidate {
    fn new(playouts: Box<dyn Playouts>, initial: State) -> Candidate {
        Candidate {
            name: playouts.name(),
            playouts,
            initial,
        }
    }
}

/// Measures the candidates. Returns the position of the fastest; the first one if there is no time
/// to measure any.
fn trial(
    candidates: &mut [Candidate],
    settings: &Settings,
    budget: &Budget,
    report: &mut Report,
) -> usize {
    let mut rates = Vec::new();
    for candidate in &mut *candidates {
        let playouts = &mut *candidate.playouts;
        rates.push(rate(playouts, &candidate.initial, budget));
        playouts.reseed(settings.seed);
    }
    let names = candidates.iter().map(|candidate| candidate.name);
    report.stage("trial", in_words(names.zip(rates.iter().copied())));
    let places = (0..rates.len()).rev();
    let fastest = places.max_by(|&a, &b| rates[a].total_cmp(&rates[b]));
    fastest.unwrap_or(0)
}

/// States per second.
fn rate(playouts: &mut dyn Playouts, initial: &State, budget: &Budget) -> f64 {
    let clock = budget.clock().clone();
    let (begin, mut steps, mut tallies) = (clock.now(), 0, Vec::new());
    let mut pace = game::Pace::default();
    loop {
        let spent = clock.now().saturating_sub(begin);
        let left = TRIAL.saturating_sub(spent).as_secs_f64();
        let Some(count) = pace.playouts(playouts.width(), TRIAL.as_secs_f64(), left) else {
            return steps as f64 / spent.as_secs_f64().max(1e-9);
        };
        let bound = budget.clone().with_timeout(TRIAL);
        let start = Start {
            state: initial,
            playouts: count,
        };
        let done = playouts.run(&[start], &mut tallies, &bound);
        steps += tallies.first().map_or(0, |tally| tally.steps);
        let now = clock.now().saturating_sub(begin);
        if done.is_err() {
            return steps as f64 / now.as_secs_f64().max(1e-9);
        }
        pace.note(count, now.saturating_sub(spent).as_secs_f64());
    }
}

fn explore(
    engine: &mut dyn Engine,
    settings: &Settings,
    budget: &Budget,
) -> Result<(TablePlayouts, State), stategraph::GraphError> {
    let graph = StateGraph::explore(engine, &Limits::default(), budget)?;
    let initial = TableEngine::new(graph.clone(), engine.fork()).initial();
    let most = settings.max_steps as u64;
    Ok((TablePlayouts::new(graph, settings.seed, most), initial))
}
