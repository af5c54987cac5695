//! What a player knows from the parts of a game that falls apart.

use crate::apart::Apart;
use crate::grapher::Profile;
use crate::{BestMove, Setup};
use analysis::factors::Choice;
use budget::Budget;
use factored::{Parts, Plan};
use game::{MoveId, State};
use mcts::{Limits, Report};
use prepare::logic_of;
use std::time::Duration;

/// The part of the start clock that may be spent on finding them.
const SHARE: u32 = 4;
/// The most time that is spent on it.
const LONGEST: Duration = Duration::from_secs(10);
/// The part of the rest that preparing to search them may take.
const PREPARE: u32 = 2;

/// What is known from the parts of a game; nothing of most games.
#[derive(Default)]
pub(crate) enum ByParts {
    /// Nothing.
    #[default]
    Whole,
    /// A way through a puzzle.
    Way(Plan),
    /// The parts are searched one by one.
    Apart(Box<Apart>),
}

impl ByParts {
    /// Looks for parts: for a way through them if a single role plays, else for what it takes to
    /// search them.
    pub fn find(setup: &Setup, profile: &Profile, limits: Limits, budget: &Budget) -> Self {
        let short = budget.share(SHARE).with_timeout(LONGEST);
        let Some(logic) = logic_of(&*setup.engine) else {
            return ByParts::Whole;
        };
        let Some(parts) = Parts::find(logic, setup.seed, &short) else {
            return ByParts::Whole;
        };
        let searched = parts.searched();
        if searched == Some(Choice::One) || searched.is_some() && profile.passing {
            let rest = budget.share(PREPARE);
            let apart = Apart::find(parts, setup, profile, limits, &rest);
            return apart.map_or(ByParts::Whole, |apart| ByParts::Apart(Box::new(apart)));
        }
        let mut engine = setup.engine.fork();
        let start = engine.initial();
        let short = short.with_memory(setup.memory);
        let plan = factored::plan(&parts, &mut *engine, &start, &short);
        plan.map_or(ByParts::Whole, ByParts::Way)
    }

    /// Whether the whole need not be searched.
    pub fn are_enough(&self) -> bool {
        match self {
            ByParts::Whole => false,
            ByParts::Way(plan) => plan.best,
            ByParts::Apart(_) => true,
        }
    }

    /// Forgets what searches have learnt.
    pub fn forget(&mut self) {
        if let ByParts::Apart(apart) = self {
            apart.forget();
        }
    }

    /// The move, and why, if that is to be found without searching the whole.
    pub fn choose(
        &mut self,
        state: &State,
        best: &BestMove,
        budget: &Budget,
    ) -> Option<(MoveId, Option<String>)> {
        match self {
            ByParts::Way(plan) if plan.best => {
                let (mv, why) = said(plan, state)?;
                best.publish(mv);
                Some((mv, Some(why)))
            }
            ByParts::Apart(apart) => apart.choose(state, best, budget),
            _ => None,
        }
    }

    /// Uses the time in which no move is asked for, if that is not to be used for the whole. Whether
    /// it is not.
    pub fn ponder(&mut self, state: &State, own: Option<MoveId>, budget: &Budget) -> bool {
        if let ByParts::Apart(apart) = self {
            apart.ponder(state, own, budget);
        }
        self.are_enough()
    }

    /// The move of a way that brings more than a search is sure of.
    pub fn better(&self, state: &State, report: &Report) -> Option<(MoveId, String)> {
        let sure = report.candidate.map_or(0, |candidate| candidate.bounds.low);
        match self {
            ByParts::Way(plan) if plan.result > sure => said(plan, state),
            _ => None,
        }
    }
}

fn said(plan: &Plan, state: &State) -> Option<(MoveId, String)> {
    let (mv, left) = plan.at(state)?;
    let proved = if plan.best { " proved" } else { "" };
    let moves = if left == 1 { "move" } else { "moves" };
    let why = format!(
        "{}{proved} by its parts, in {left} {moves}; {} positions of parts",
        plan.result, plan.positions
    );
    Some((mv, why))
}
