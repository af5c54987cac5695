//! Everything within one budget: proofs, analyses, random play, learning, judging.

use crate::candidates::{Candidates, Known};
use crate::learnt;
use crate::moments::Moments;
use crate::{Insight, Settings, Source, Told};
use analysis::boards::Boards;
use analysis::distances::Distances;
use analysis::latches::Latches;
use analysis::numbers::Numbers;
use analysis::sums::proved_sum;
use budget::Budget;
use compile::{Compiled, Proved};
use heuristics::Outputs;
use std::sync::Arc;

/// What learning leaves of the time for judging: 1 / `JUDGING`.
const JUDGING: u32 = 4;

impl Insight {
    /// Learns a game within the budget, and finds what matters in it.
    pub fn find(compiled: impl Into<Arc<Compiled>>, settings: &Settings, budget: &Budget) -> Self {
        let compiled: Arc<Compiled> = compiled.into();
        let seed = settings.seed;
        budget.begins("proving what holds");
        let proved = Proved::find(compiled.clone(), seed, &budget.share(8));
        let (logic, groups) = (&compiled.logic, &proved.groups);
        budget.begins("finding boards and quantities");
        let boards = Boards::find(logic, groups, seed, &budget.share(8));
        let numbers = Numbers::find(logic, groups, seed, &budget.share(12));
        let latches = Latches::find(logic, groups, seed, &budget.share(12));
        let sum = proved_sum(logic, groups, seed, &budget.share(12));
        let outputs = Outputs::new(logic.roles(), sum == Some(100));
        let distances = compiled.network.as_ref();
        let distances =
            distances.and_then(|network| Distances::of(network, &budget.share(12)).ok());
        budget.begins("playing at random");
        let games = settings.playouts;
        let random = Moments::of_random_play(logic, outputs, games, seed, &budget.share(6));
        budget.begins("learning");
        let within = match budget.remaining() {
            Some(left) => budget.clone().with_timeout(left - left / JUDGING),
            None => budget.clone(),
        };
        let opposed = outputs == Outputs::Opposed;
        let learnt = learnt::learn(&proved, &boards, opposed, settings, &within);
        budget.begins("judging what was seen");
        let known = Known {
            logic,
            boards: &boards,
            numbers: &numbers,
            latches: &latches,
            distances: distances.as_ref(),
            found: learnt.as_ref().ok().map(|learnt| &learnt.found),
        };
        let candidates = Candidates::new(&known);
        let mut insight = Insight {
            outputs,
            subjects: candidates.subjects.len(),
            random: random.games,
            learnt: Told::of(&learnt),
            tests: 0,
            findings: Vec::new(),
            worth: Vec::new(),
            by: Source::Random,
            explained: 0.0,
            exhausted: None,
            compiled: compiled.clone(),
            boards: Boards::default(),
            numbers: Numbers::default(),
        };
        let ended = insight.judge(&candidates, &known, &random, learnt.as_ref().ok(), budget);
        insight.exhausted = ended.err();
        (insight.boards, insight.numbers) = (boards, numbers);
        insight
    }
}
