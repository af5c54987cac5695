//! Evaluators that are made from the network: lanes, tables, and the best of all for a game.

use crate::evaluators::{Settings, Simulator};
use crate::optimised::{Optimised, optimised};
use crate::{EngineChoice, NetworkError, Options, PrepareError, Report, build_network, prepare};
use bitcode::{Code, Evaluator, Interpreter};
use budget::Budget;
use datalog::Program;
use game::{Engine, EngineError, Playouts, ScalarPlayouts, Start, State};
use lanes::{Choice, LanePlayouts};
use native::Native;
use netlist::{GameLogic, Phased};
use stategraph::{Limits, StateGraph, TableEngine, TablePlayouts};
use std::time::Duration;

/// How long each candidate is measured.
const TRIAL: Duration = Duration::from_millis(25);
/// The most machine code for one program.
const CODE_BYTES: usize = 64 << 20;
/// How long states may be explored for a table when it is one candidate of several.
const EXPLORE: Duration = Duration::from_millis(100);

/// Hundreds of playouts side by side, whatever else would be better.
pub(crate) fn lanes(
    source: &str,
    settings: &Settings,
    budget: &Budget,
) -> Result<Simulator, PrepareError> {
    let mut report = Report::new(budget);
    let (_, program) = crate::read(source, settings.fold_case, &mut report)?;
    let logic = plain_logic(&program, budget, &mut report).map_err(PrepareError::Network)?;
    let (initial, roles) = (initial(&logic), logic.words.roles.clone());
    let playouts = make_lanes(&logic, settings, budget, &mut report);
    report.engine = playouts.name();
    Ok(Simulator {
        playouts,
        initial,
        roles,
        report,
    })
}

/// All states in a table, or an error.
pub(crate) fn table(
    source: &str,
    settings: &Settings,
    budget: &Budget,
) -> Result<Simulator, PrepareError> {
    let options = Options {
        fold_case: settings.fold_case,
        engine: EngineChoice::Auto,
    };
    let mut prepared = prepare(source, &options, budget)?;
    let made = explore(&mut *prepared.engine, settings, budget);
    let (playouts, initial) = made.map_err(|error| PrepareError::Engine {
        stage: "table",
        error: EngineError::Rules(error.to_string()),
    })?;
    prepared.report.engine = playouts.name();
    Ok(Simulator {
        playouts: Box::new(playouts),
        initial,
        roles: prepared.engine.roles().to_vec(),
        report: prepared.report,
    })
}

/// The evaluator that is fastest at this game, by a short measurement of each.
pub(crate) fn best(
    source: &str,
    settings: &Settings,
    budget: &Budget,
) -> Result<Simulator, PrepareError> {
    let options = Options {
        fold_case: settings.fold_case,
        engine: EngineChoice::Auto,
    };
    let prepared = prepare(source, &options, budget)?;
    let mut engine = prepared.engine;
    let mut report = prepared.report;
    let roles = engine.roles().to_vec();
    let mut candidates: Vec<(Box<dyn Playouts>, State)> = Vec::new();
    if let Some(network) = &prepared.network {
        match netlist::lower(network, budget) {
            Ok(logic) => {
                report.stage("netlist", logic.sizes().to_string());
                let initial = initial(&logic);
                candidates.push((make_lanes(&logic, settings, budget, &mut report), initial));
            }
            Err(error) => report.stage("netlist", error.to_string()),
        }
    }
    let share = budget
        .remaining()
        .map_or(EXPLORE, |left| EXPLORE.min(left / 4));
    let bound = budget.clone().with_timeout(share);
    match explore(&mut *engine, settings, &bound) {
        Ok((table, initial)) => candidates.push((Box::new(table), initial)),
        Err(error) => report.stage("table", error.to_string()),
    }
    let initial = engine.initial();
    let scalar = ScalarPlayouts::new(engine, settings.seed, settings.max_steps);
    candidates.push((Box::new(scalar), initial));
    let mut rates = Vec::new();
    for (playouts, initial) in &mut candidates {
        rates.push(rate(&mut **playouts, initial, budget));
        playouts.reseed(settings.seed);
    }
    let fastest = (0..rates.len()).max_by(|&a, &b| rates[a].total_cmp(&rates[b]));
    let outcome = candidates.iter().zip(&rates).map(|((playouts, _), rate)| {
        format!("{} {:.3} million states/s", playouts.name(), rate / 1e6)
    });
    report.stage("trial", outcome.collect::<Vec<_>>().join(", "));
    let (playouts, initial) = candidates.swap_remove(fastest.unwrap_or(0));
    report.engine = playouts.name();
    Ok(Simulator {
        playouts,
        initial,
        roles,
        report,
    })
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

/// The logic of a game as it is lowered.
fn plain_logic(
    program: &Program,
    budget: &Budget,
    report: &mut Report,
) -> Result<GameLogic, NetworkError> {
    let built = build_network(program, budget)?;
    report.stages.extend(built.stages.iter().cloned());
    report.ground_rules = Some(built.ground_rules);
    report.restart();
    let logic = netlist::lower(&built.network, budget)?;
    report.stage("netlist", logic.sizes().to_string());
    Ok(logic)
}

/// The initial state as lanes know it.
fn initial(logic: &GameLogic) -> State {
    let mut words = vec![0; logic.next.len().div_ceil(64)];
    for &fact in &logic.words.initial {
        words[fact as usize / 64] |= 1 << (fact % 64);
    }
    State::from_words(words)
}

/// Lanes of machine code where the machine can run it, else of interpreted programs. The logic is
/// as it was lowered.
fn make_lanes(
    logic: &GameLogic,
    settings: &Settings,
    budget: &Budget,
    report: &mut Report,
) -> Box<dyn Playouts> {
    let (seed, most) = (settings.seed, settings.max_steps as u64);
    let Optimised {
        phased,
        groups,
        exclusion,
        ..
    } = optimised(logic, seed, budget);
    report.stage(
        "optimise",
        format!(
            "{} groups, {} equal facts, {} leaves in {} choices; {}",
            groups.groups.len(),
            groups.equal.len(),
            exclusion.leaves(),
            exclusion.choices.len(),
            largest(&phased),
        ),
    );
    let choice = |choice: invariants::Choice| Choice {
        leaves: choice.leaves,
        forced: choice.forced,
    };
    let choices: Vec<Choice> = exclusion.choices.into_iter().map(choice).collect();
    let native = |code: &Code| match Native::compile(code, CODE_BYTES, budget) {
        Ok(native) => Box::new(native) as Box<dyn Evaluator<4>>,
        Err(_) => Box::new(Interpreter::new(code)),
    };
    let lanes = LanePlayouts::<4>::new(&phased, &choices, native, seed, most);
    let outcome = |name, phases| format!("{name}, {phases} phases");
    if lanes.evaluator() == "native" {
        report.stage("lanes", outcome(lanes.evaluator(), lanes.phases()));
        return Box::new(lanes);
    }
    // More lanes make up for the time that goes into reading the program.
    let interpreted = |code: &Code| Box::new(Interpreter::new(code)) as Box<dyn Evaluator<8>>;
    let lanes = LanePlayouts::<8>::new(&phased, &choices, interpreted, seed, most);
    report.stage("lanes", outcome(lanes.evaluator(), lanes.phases()));
    Box::new(lanes)
}

/// The size of the largest phase.
fn largest(phased: &Phased) -> String {
    let sizes = phased.logics.iter().map(GameLogic::sizes);
    sizes
        .max_by_key(|sizes| sizes.step)
        .unwrap_or_default()
        .to_string()
}
