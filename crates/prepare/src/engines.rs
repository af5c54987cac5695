//! The engines on a network, and the choice of the fastest.

use crate::trial::rate;
use budget::{Budget, Exhausted};
use compile::{CompileError, Compiled, Playable, Report, build_network};
use datalog::Program;
use game::Engine;
use netlist::LowerError;
use propnet::{BuildError, Network, PropnetEngine};
use scalar::{ScalarEngine, ScalarError};
use std::sync::Arc;
use std::time::Duration;

/// The longest measurement of an engine.
const TRIAL: Duration = Duration::from_millis(40);

/// The scalar engine may be slower in the trial by this factor.
///
/// During the trial it still compiles programs of joint moves, and becomes faster afterwards.
const EARLY: f64 = 2.0;

/// Which engines to make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    Propnet,
    Scalar,
    /// Both; the faster is kept.
    Fastest,
}

/// Why there is no engine on the network.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum NetworkError {
    /// The network or its logic could not be made.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// No programs could be made from the logic.
    #[error(transparent)]
    Scalar(#[from] ScalarError),
}

impl From<LowerError> for NetworkError {
    fn from(error: LowerError) -> Self {
        CompileError::from(error).into()
    }
}

impl From<BuildError> for NetworkError {
    fn from(error: BuildError) -> Self {
        CompileError::from(error).into()
    }
}

impl NetworkError {
    /// Whether more time or memory might have helped.
    pub fn is_exhausted(&self) -> bool {
        self.cause().is_some()
    }

    /// What ran out, if something did.
    pub fn cause(&self) -> Option<Exhausted> {
        match self {
            NetworkError::Compile(error) => error.cause(),
            NetworkError::Scalar(ScalarError::Exhausted(why)) => Some(*why),
            NetworkError::Scalar(_) => None,
        }
    }
}

/// Compiles a game and makes an engine from it.
pub(crate) fn on_network(
    program: &Program,
    wanted: Wanted,
    budget: &Budget,
    report: &mut Report,
) -> Result<Playable, NetworkError> {
    let built = build_network(program, budget)?;
    report.stages.extend(built.stages.iter().cloned());
    report.ground_rules = Some(built.ground_rules);
    report.restart();
    budget.begins("making the logic");
    let compiled = match Compiled::of_network(built.network, budget) {
        Ok(compiled) => Arc::new(compiled),
        Err((_, error)) if wanted == Wanted::Scalar => return Err(error.into()),
        Err((network, error)) => {
            report.stage("logic", error.to_string());
            return Ok(propnet_of(&network, budget, report)?.into());
        }
    };
    report.stage("logic", format!("{} gates", compiled.logic.sizes().all));
    let scalar = match wanted {
        Wanted::Propnet => None,
        Wanted::Scalar => Some(scalar(&compiled, budget, report)?),
        Wanted::Fastest => match scalar(&compiled, budget, report) {
            Ok(engine) => Some(engine),
            Err(error) => {
                report.stage("scalar", error.to_string());
                None
            }
        },
    };
    let network = compiled.network.as_ref();
    let propnet = network.filter(|_| wanted != Wanted::Scalar);
    let propnet = propnet.map(|network| propnet_of(network, budget, report));
    let engine = match (scalar, propnet) {
        (Some(scalar), Some(Ok(propnet))) => faster(scalar, propnet, budget, report),
        (Some(scalar), _) => scalar,
        (None, Some(propnet)) => propnet?,
        (None, None) => engine_of(&compiled, budget)?,
    };
    Ok(Playable {
        engine,
        compiled: Some(compiled),
    })
}

fn scalar(
    compiled: &Compiled,
    budget: &Budget,
    report: &mut Report,
) -> Result<Box<dyn Engine>, NetworkError> {
    budget.begins("compiling programs");
    let engine = ScalarEngine::new(&compiled.logic, &compiled.phased, budget)?;
    let words = engine.layout().words();
    report.stage("scalar", format!("states of {words} words"));
    Ok(Box::new(engine))
}

fn propnet_of(
    network: &Network,
    budget: &Budget,
    report: &mut Report,
) -> Result<Box<dyn Engine>, NetworkError> {
    let engine = PropnetEngine::new(network, budget)?;
    let facts = network.vocabulary().facts.len();
    report.stage("propnet", format!("{facts} facts"));
    Ok(Box::new(engine))
}

/// An engine for a game without rules of its own: a part of another one.
///
/// # Errors
/// If no programs can be made for it within the budget.
pub fn engine_of(compiled: &Compiled, budget: &Budget) -> Result<Box<dyn Engine>, NetworkError> {
    let engine = ScalarEngine::new(&compiled.logic, &compiled.phased, budget)?;
    Ok(Box::new(engine))
}

/// The engine that will make more steps of random play in the same time.
fn faster(
    scalar: Box<dyn Engine>,
    propnet: Box<dyn Engine>,
    budget: &Budget,
    report: &mut Report,
) -> Box<dyn Engine> {
    budget.begins("comparing engines");
    let share = budget.remaining().map_or(TRIAL, |left| TRIAL.min(left / 8));
    let rates = [scalar, propnet].map(|mut engine| (rate(&mut *engine, share, budget), engine));
    let outcome = rates
        .each_ref()
        .map(|(rate, engine)| format!("{} {:.3} million states/s", engine.name(), rate / 1e6));
    report.stage("trial", outcome.join(", "));
    let [scalar, propnet] = rates;
    if scalar.0 * EARLY >= propnet.0 {
        scalar.1
    } else {
        propnet.1
    }
}
