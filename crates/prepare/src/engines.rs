//! The engines on a network, and the choice of the faster one.

use crate::trial::{in_words, rate};
use budget::{Budget, Exhausted};
use compile::{CompileError, Compiled, Grounded, Playable, Report};
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

/// Gates from which on there are no programs for single states beside a propnet.
///
/// Their machine code is fetched from memory for each state: chess of a million gates makes 218
/// states per second so and 5,000 on the propnet, and its programs take a second to make.
const MANY: usize = 400_000;

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

/// A game with an engine on its network.
pub(crate) struct OnNetwork {
    pub playable: Playable,
    /// The states per second that the engine made in a trial, if there was one.
    pub rate: Option<f64>,
}

/// Compiles a game and makes an engine from it.
pub(crate) fn on_network(
    program: &Program,
    wanted: Wanted,
    budget: &Budget,
    report: &mut Report,
) -> Result<OnNetwork, NetworkError> {
    of_grounded(compile::ground(program, budget)?, wanted, budget, report)
}

/// The same from ground rules.
pub(crate) fn of_grounded(
    grounded: Grounded,
    wanted: Wanted,
    budget: &Budget,
    report: &mut Report,
) -> Result<OnNetwork, NetworkError> {
    let built = grounded.network(budget)?;
    report.stages.extend(built.stages.iter().cloned());
    report.ground_rules = Some(built.ground_rules);
    report.restart();
    budget.begins("making the logic");
    let compiled = match Compiled::of_network(built.network, budget) {
        Ok(compiled) => Arc::new(compiled),
        Err((_, error)) if wanted == Wanted::Scalar => return Err(error.into()),
        Err((network, error)) => {
            report.stage("logic", error.to_string());
            let playable = propnet_of(&network, budget, report)?.into();
            return Ok(OnNetwork {
                playable,
                rate: None,
            });
        }
    };
    let gates = compiled.logic.sizes().all;
    report.stage("logic", format!("{gates} gates"));
    // The propnet first: it takes little time, and plays if none is left for programs.
    let network = compiled.network.as_ref();
    let propnet = network.filter(|_| wanted != Wanted::Scalar);
    let propnet = propnet.map(|network| propnet_of(network, budget, report));
    let scalar = match wanted {
        Wanted::Propnet => None,
        Wanted::Scalar => Some(scalar(&compiled, budget, report)?),
        Wanted::Fastest if gates >= MANY && matches!(propnet, Some(Ok(_))) => None,
        Wanted::Fastest => match scalar(&compiled, budget, report) {
            Ok(engine) => Some(engine),
            Err(error) => {
                report.stage("scalar", error.to_string());
                None
            }
        },
    };
    let (engine, rate) = match (scalar, propnet) {
        (Some(scalar), Some(Ok(propnet))) => faster(scalar, propnet, budget, report),
        (Some(scalar), _) => (scalar, None),
        (None, Some(propnet)) => (propnet?, None),
        (None, None) => (engine_of(&compiled, budget)?, None),
    };
    Ok(OnNetwork {
        playable: Playable {
            engine,
            compiled: Some(compiled),
        },
        rate,
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

/// The engine that will make more steps of random play in the same time, and its steps per second.
fn faster(
    scalar: Box<dyn Engine>,
    propnet: Box<dyn Engine>,
    budget: &Budget,
    report: &mut Report,
) -> (Box<dyn Engine>, Option<f64>) {
    budget.begins("comparing engines");
    let share = trial_of(budget);
    let [scalar, propnet] =
        [scalar, propnet].map(|mut engine| (rate(&mut *engine, share, budget), engine));
    let both = [(scalar.1.name(), scalar.0), (propnet.1.name(), propnet.0)];
    report.stage("trial", in_words(both));
    let (rate, engine) = match scalar.0 * EARLY >= propnet.0 {
        true => scalar,
        false => propnet,
    };
    (engine, Some(rate))
}

/// The time for measuring an engine.
pub(crate) fn trial_of(budget: &Budget) -> Duration {
    budget.remaining().map_or(TRIAL, |left| TRIAL.min(left / 8))
}
