//! Builds the engine.

use crate::engine::{Mark, ScalarEngine, Shared};
use crate::layout::{Forms, Layout, Split};
use crate::names::Names;
use crate::phase::Phase;
use budget::{Budget, Exhausted};
use game::State;
use netlist::{GameLogic, Phased};
use std::sync::{Arc, OnceLock};

/// The reason why there is no engine.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ScalarError {
    /// The budget is exhausted.
    #[error("no programs: {0}")]
    Exhausted(Exhausted),
    /// Legality, goals or terminality depend on the moves played.
    #[error("legality, goals or the end of play depend on moves")]
    DependsOnMoves,
}

impl From<Exhausted> for ScalarError {
    fn from(exhausted: Exhausted) -> Self {
        ScalarError::Exhausted(exhausted)
    }
}

/// The maximum cost of comparing layouts, in gates written.
const EFFORT: usize = 400_000;

impl ScalarEngine {
    /// Builds the engine of a game from its logic, both unspecialised and specialised to each
    /// phase.
    ///
    /// # Errors
    /// If legality, goals or terminality depend on the moves played, or if the budget is
    /// exhausted.
    pub fn new(
        logic: &Arc<GameLogic>,
        phased: &Phased,
        budget: &Budget,
    ) -> Result<Self, ScalarError> {
        budget.check()?;
        if logic.depend_on_moves(logic.legal_roots().chain(logic.goal_roots())) {
            return Err(ScalarError::DependsOnMoves);
        }
        let (phases, special) = (&phased.phases, &phased.logics);
        let layout = choose_layout(special, budget)?;
        let max_bytes = budget.max_bytes() / 4 / phases.period();
        let mut ready = Vec::new();
        for logic in special {
            budget.check()?;
            ready.push(Phase::new(logic.clone(), &layout, max_bytes));
        }
        let mut initial = vec![0u64; layout.words()];
        for &fact in &logic.words.initial {
            layout.places()[fact as usize].set(&mut initial);
        }
        Ok(ScalarEngine::on(Arc::new(Shared {
            names: Names::new(logic.words.clone()),
            masks: layout.masks(),
            facts: layout.facts(),
            initial: State::from_words(initial),
            phases: ready,
            marks: Mark::all(phases, layout.places()),
            anywhere: OnceLock::new(),
            logic: logic.clone(),
            layout,
            max_bytes,
        })))
    }
}

/// The layout with the shortest programs, among the candidates that are tried.
fn choose_layout(phases: &[GameLogic], budget: &Budget) -> Result<Layout, Exhausted> {
    let logic = &phases[0];
    let facts = &logic.words.facts;
    let dense = Layout::dense(facts.len());
    let sizes = logic.sizes();
    let each = sizes.legal + sizes.goals;
    let mut effort = EFFORT;
    let mut cost = |layout: &Layout| {
        if effort < each {
            return Ok(None);
        }
        budget.check()?;
        effort -= each;
        let phase = Phase::new(logic.clone(), layout, 0);
        let goals = phase.goals.program.program().len();
        Ok(Some(
            phase.look.program.program().len() + phase.look.program.program().pieces() + goals / 8,
        ))
    };
    let Some(first) = cost(&dense)? else {
        return Ok(dense);
    };
    let mut best = (first, dense);
    let forms = Forms::new(facts);
    let mut splits: Vec<Split> = vec![0; forms.len()];
    for form in 0..forms.len() {
        let mut chosen = splits[form];
        for split in forms.splits(form) {
            splits[form] = split;
            let layout = forms.layout(&splits);
            let Some(cost) = cost(&layout)? else {
                return Ok(best.1);
            };
            if cost < best.0 {
                best = (cost, layout);
                chosen = split;
            }
        }
        splits[form] = chosen;
    }
    Ok(best.1)
}
