//! What a learner of a game needs.

use crate::in_lanes::{expander, initial};
use analysis::boards::Boards;
use budget::Budget;
use compile::Proved;
use features::{Found, Kinds};
use game::Engine;
use heuristics::{FeatureSet, Features, Outputs, Value, Weights};
use lanes::Order;
use profile::symmetries::Symmetries;
use selfplay::{Config, Learner};
use std::sync::Arc;

/// The part of the time that symmetries may take: 1 / `SYMMETRIES`.
const SYMMETRIES: u32 = 8;
/// Symmetries that are written out; of larger groups generators do.
const MOST: usize = 48;

/// A learner, and the order of the facts in its states.
pub struct MadeLearner {
    /// The learner. It has learnt nothing yet.
    pub learner: Learner,
    /// For each bit of an engine's states the bit of the learner's states, for
    /// [`heuristics::Value::reordered`].
    pub order: Vec<Option<u32>>,
}

/// Why there is no learner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoLearner {
    /// The states of the engine are not plain bits of facts.
    #[error("the engine does not tell its facts")]
    NotPlain,
    /// Nothing that varies was found in the time.
    #[error("no features were found in the time")]
    NoFeatures,
    /// The weights do not fit into the memory.
    #[error("the tables of the features need {needed} MiB")]
    TooLarge {
        /// What they need.
        needed: usize,
    },
}

/// Finds the features of a game, and makes a learner for the states of `engine`. `opposed` if the
/// results of two roles add up to 100.
///
/// # Errors
/// If there can be none within the budget.
pub fn learner(
    engine: &dyn Engine,
    proved: &Proved,
    opposed: bool,
    kinds: Kinds,
    config: Config,
    seed: u64,
    budget: &Budget,
) -> Result<MadeLearner, NoLearner> {
    let logic = &proved.compiled.logic;
    let order = Order::of(engine, logic.facts.len()).ok_or(NoLearner::NotPlain)?;
    let boards = Boards::find(logic, &proved.groups, seed, &budget.share(4));
    let (learner, _) = learner_on(
        proved,
        &boards,
        opposed,
        kinds,
        config,
        seed,
        &budget.share(2),
    )?;
    Ok(MadeLearner {
        learner,
        order: order.facts().to_vec(),
    })
}

/// Finds the features of a game on these boards within the budget, and makes a learner for
/// states with a bit for each fact in the order of the vocabulary.
///
/// # Errors
/// If there can be none within the budget.
pub fn learner_on(
    proved: &Proved,
    boards: &Boards,
    opposed: bool,
    kinds: Kinds,
    config: Config,
    seed: u64,
    budget: &Budget,
) -> Result<(Learner, Found), NoLearner> {
    let logic = &proved.compiled.logic;
    let mut found = Found::find(
        logic,
        &proved.compiled.phased.phases,
        &proved.groups,
        boards,
        kinds,
        seed,
        budget,
    );
    if kinds.symmetric
        && let Some(network) = &proved.compiled.network
    {
        let within = budget.share(SYMMETRIES);
        let symmetries = Symmetries::find(network, logic, boards, seed, &within);
        let all = symmetries.elements(MOST).unwrap_or(symmetries.generators);
        found.share(&all);
    }
    if found.variables.is_empty() || budget.check().is_err() {
        return Err(NoLearner::NoFeatures);
    }
    let outputs = Outputs::new(logic.roles(), opposed);
    let features = Arc::new(that_fit(&mut found.set, outputs, budget)?);
    let expander = expander(proved, budget);
    let initial = initial(logic);
    let learner = Learner::new(expander, initial, features, outputs, seed, config);
    Ok((learner, found))
}

/// A learner that goes on from a value that was learnt before, for states with a bit for each
/// fact in the order of the vocabulary.
///
/// # Errors
/// As [`learner`], but features are not looked for.
pub fn learner_of(
    engine: &dyn Engine,
    proved: &Proved,
    value: &Value,
    config: Config,
    seed: u64,
    budget: &Budget,
) -> Result<MadeLearner, NoLearner> {
    let logic = &proved.compiled.logic;
    let order = Order::of(engine, logic.facts.len()).ok_or(NoLearner::NotPlain)?;
    let features = value.features.clone();
    fits(&features, value.outputs, budget)?;
    let (expander, initial) = (expander(proved, budget), initial(logic));
    let mut learner = Learner::new(expander, initial, features, value.outputs, seed, config);
    learner.resume(Weights::clone(&value.weights));
    Ok(MadeLearner {
        learner,
        order: order.facts().to_vec(),
    })
}

/// The features, without the largest tables where there is no memory for the weights of all.
fn that_fit(
    set: &mut FeatureSet,
    outputs: Outputs,
    budget: &Budget,
) -> Result<Features, NoLearner> {
    let features = Features::new(set.clone());
    let Err(too_large) = fits(&features, outputs, budget) else {
        return Ok(features);
    };
    let each = Weights::bytes(&features, outputs.count()).div_ceil(features.entries().max(1));
    set.keep_smallest(room(budget) / each);
    match set.tuples.is_empty() {
        true => Err(too_large),
        false => Ok(Features::new(set.clone())),
    }
}

/// The most bytes of weights. Snapshots are kept beside them.
fn room(budget: &Budget) -> usize {
    budget.max_bytes() / 4
}

/// Checks that there is memory for the weights.
fn fits(features: &Features, outputs: Outputs, budget: &Budget) -> Result<(), NoLearner> {
    let bytes = Weights::bytes(features, outputs.count());
    match bytes > room(budget) {
        true => Err(NoLearner::TooLarge {
            needed: bytes >> 20,
        }),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proved;
    use std::fs;

    #[test]
    fn features_fit_into_the_memory_or_there_are_none() {
        let path = testkit::root().join("fixtures/games/connect_four_small.gdl");
        let rules = fs::read_to_string(path).unwrap();
        let budget = Budget::system();
        let proved = proved(
            compile::compile(&rules, &budget).unwrap().into(),
            1,
            &budget,
        );
        let boards = Boards::find(&proved.compiled.logic, &proved.groups, 1, &budget);
        let tuples = |memory: usize| {
            let budget = budget.clone().with_memory(memory);
            let (kinds, config) = (Kinds::default(), Config::default());
            let made = learner_on(&proved, &boards, true, kinds, config, 1, &budget);
            made.map(|(_, found)| found.set.tuples.len())
        };
        let (all, some) = (tuples(1 << 30).unwrap(), tuples(2 << 20).unwrap());
        assert!(0 < some && some < all, "{some} of {all}");
        let none = tuples(64).unwrap_err();
        assert!(matches!(none, NoLearner::TooLarge { .. }), "{none}");
    }
}
