//! The engines that are made from a network, and which is the fastest.

use crate::trial::rate;
use crate::{NetworkError, Report, build_network};
use budget::Budget;
use datalog::Program;
use game::Engine;
use netlist::GameLogic;
use propnet::{Network, PropnetEngine};
use scalar::ScalarEngine;
use std::time::Duration;

/// How long each engine is measured at most.
const TRIAL: Duration = Duration::from_millis(40);

/// The scalar engine still writes programs of joint moves during a trial and becomes faster
/// afterwards, so it may be slower there by this factor.
const EARLY: f64 = 2.0;

/// Which engines are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    Propnet,
    Scalar,
    /// Both, of which the faster is kept.
    Fastest,
}

/// Builds the network of a game, and an engine on it.
pub(crate) fn on_network(
    program: &Program,
    wanted: Wanted,
    budget: &Budget,
    report: &mut Report,
) -> Result<(Box<dyn Engine>, Network), NetworkError> {
    let built = build_network(program, budget)?;
    report.stages.extend(built.stages.iter().cloned());
    report.ground_rules = Some(built.ground_rules);
    report.restart();
    let network = built.network;
    let facts = network.vocabulary().facts.len();
    let scalar = match wanted {
        Wanted::Propnet => None,
        Wanted::Scalar | Wanted::Fastest => {
            let made = make_scalar(&network, budget, report);
            match (made, wanted) {
                (Ok(engine), Wanted::Scalar) => return Ok((engine, network)),
                (Ok(engine), _) => Some(engine),
                (Err(error), Wanted::Scalar) => return Err(error),
                (Err(error), _) => {
                    report.stage("scalar", error.to_string());
                    None
                }
            }
        }
    };
    let propnet = PropnetEngine::new(&network, budget);
    report.stage("propnet", format!("{facts} facts"));
    let engine = match (propnet, scalar) {
        (Ok(mut propnet), Some(scalar)) => {
            // Whichever is faster: playouts side by side, parts and proofs are made from the logic.
            if let Some(logic) = scalar.basis() {
                propnet = propnet.with_basis(logic);
            }
            faster(scalar, Box::new(propnet), budget, report)
        }
        (Ok(engine), None) => Box::new(engine),
        (Err(_), Some(engine)) => engine,
        (Err(error), None) => return Err(error.into()),
    };
    Ok((engine, network))
}

fn make_scalar(
    network: &Network,
    budget: &Budget,
    report: &mut Report,
) -> Result<Box<dyn Engine>, NetworkError> {
    let logic = netlist::lower(network, budget)?;
    report.stage("netlist", format!("{} gates", logic.sizes().all));
    let engine = ScalarEngine::new(&logic, budget)?;
    let words = engine.layout().words();
    report.stage("scalar", format!("states of {words} words"));
    Ok(Box::new(engine))
}

/// An engine of a logic that was not made from rules of its own: of a part of a game.
///
/// # Errors
/// If no programs can be written for it within the budget.
pub fn engine_of(logic: &GameLogic, budget: &Budget) -> Result<Box<dyn Engine>, NetworkError> {
    Ok(Box::new(ScalarEngine::new(logic, budget)?))
}

/// The engine that will make more steps of random play in the same time.
fn faster(
    scalar: Box<dyn Engine>,
    propnet: Box<dyn Engine>,
    budget: &Budget,
    report: &mut Report,
) -> Box<dyn Engine> {
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
