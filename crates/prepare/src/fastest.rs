//! The choice between the reasoner and an engine on the network.

use crate::engines::{NetworkError, Wanted, of_grounded, trial_of};
use crate::trial::{in_words, rate};
use budget::Budget;
use compile::{Playable, Report};
use datalog::Program;
use game::Engine;
use std::time::Duration;

/// The reasoner is compared with engines on networks that make fewer states per second than this.
const SLOW: f64 = 50_000.0;

/// The reasoner is compared as well where lanes can be expected to make fewer: no reasoner makes
/// more.
const SLOW_LANES: f64 = 1_000_000.0;

/// How many times as fast as an engine on the network the reasoner must be to be taken instead,
/// unless it is as fast as lanes can be expected to be.
///
/// With a network there are lanes, which are some fifty times as fast as one engine in large games,
/// and proofs.
const OUTRUN: f64 = 50.0;

/// Ground rules from which on the reasoner is compared before there is a network.
const MANY_RULES: usize = 1_000_000;

/// How many times as fast as lanes the reasoner must be then, since a rule may become a third of a
/// gate.
const CERTAIN: f64 = 4.0;

/// Gates that 512 lanes evaluate per second in games of hundreds of thousands of gates, in the
/// better ones of them: chess of a million makes 300,000 states per second.
const GATES_PER_SECOND: f64 = 2e11;

/// Engines are not compared in less time than this: a few steps say too little for dropping a
/// network.
const LEAST: Duration = Duration::from_millis(20);

/// Compiles a game and makes the fastest engine from it.
///
/// It is `reasoner` itself, and the network is dropped, where that is faster than lanes can be
/// expected to be: states of hundreds of thousands of facts, few of which hold, suit it better.
pub(crate) fn fastest(
    program: &Program,
    mut reasoner: Box<dyn Engine>,
    budget: &Budget,
    report: &mut Report,
) -> Playable {
    let grounded = match compile::ground(program, budget) {
        Ok(grounded) => grounded,
        Err(error) => return without_network(reasoner, &error.into(), report),
    };
    let rules = grounded.rules();
    let share = trial_of(budget);
    let early =
        (rules >= MANY_RULES && share >= LEAST).then(|| rate(&mut *reasoner, share, budget));
    if let Some(alone) = early.filter(|alone| *alone >= CERTAIN * GATES_PER_SECOND / rules as f64) {
        report.stages.extend_from_slice(grounded.stages());
        report.restart();
        report.stage("trial", in_words([(reasoner.name(), alone)]));
        return reasoner.into();
    }
    let mut made = match of_grounded(grounded, Wanted::Fastest, budget, report) {
        Ok(made) => made,
        Err(error) => return without_network(reasoner, &error, report),
    };
    let compiled = made.playable.compiled.as_ref();
    let gates = compiled.map(|compiled| compiled.logic.sizes().all as f64);
    let lanes = gates.map_or(0.0, |gates| GATES_PER_SECOND / gates.max(1.0));
    let share = trial_of(budget);
    if share < LEAST || lanes >= SLOW_LANES && made.rate.is_some_and(|rate| rate >= SLOW) {
        return made.playable;
    }
    let engine = &mut *made.playable.engine;
    let network = made.rate.unwrap_or_else(|| rate(engine, share, budget));
    let other = early.unwrap_or_else(|| rate(&mut *reasoner, share, budget));
    report.stage("trial", in_words([(reasoner.name(), other)]));
    match outruns(other, network, lanes) {
        true => reasoner.into(),
        false => made.playable,
    }
}

/// Whether a reasoner is to be taken instead of an engine on a network and of what lanes can be
/// expected to make, in states per second. Without logic there are no lanes, which then make 0.
fn outruns(reasoner: f64, network: f64, lanes: f64) -> bool {
    reasoner > 0.0 && reasoner >= lanes.max(network).min(OUTRUN * network)
}

/// The reasoner, since there is no network.
fn without_network(
    reasoner: Box<dyn Engine>,
    error: &NetworkError,
    report: &mut Report,
) -> Playable {
    report.stage("network", format!("none: {error}"));
    report.fallback = Some(format!("no network: {error}"));
    reasoner.into()
}

#[cfg(test)]
mod tests {
    use super::outruns;

    #[test]
    fn the_reasoner_is_taken_where_it_is_faster_than_all_else() {
        // As lanes would be, and the engine is.
        assert!(outruns(420e3, 40e3, 35e3));
        assert!(!outruns(30e3, 40e3, 35e3));
        assert!(!outruns(36e3, 1e3, 78e3));
        // Lanes are slower than they could be where an engine is so slow.
        assert!(outruns(236e3, 2.8e3, 500e3));
        // No lanes at all.
        assert!(outruns(5e3, 4e3, 0.0));
        assert!(!outruns(0.0, 0.0, 0.0));
    }
}
