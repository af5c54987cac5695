//! Play by best-first search with a learnt value, which goes on being learnt.
//!
//! The search has one thread. Where the player has more, a second one works beside it: local
//! search, if it is used, then learning.

use crate::thought::Teller;
use crate::{BestMove, Thought, Work};
use bestfirst::{Report, Search};
use budget::{Budget, Stop};
use game::{MoveId, State};
use mcts::Limits;
use metagame::{Advice, Knowledge, Local};
use std::thread;
use std::time::Duration;

/// The turns of learning and of the search while others think.
const LEARN: Duration = Duration::from_millis(400);
const SEARCH: Duration = Duration::from_millis(600);

/// Tenths of the time that the second thread may take. Less than all: the move is not to wait for
/// it.
const TENTHS: u32 = 9;

/// A best-first search and what it knows.
pub(crate) struct ByValues {
    search: Search,
    knowledge: Knowledge,
    /// Limits of the work for a move, besides the budget.
    limits: Limits,
    /// Whether a second thread works beside the search.
    pub beside: bool,
}

/// A choice, what is known of it, and what it cost.
pub(crate) struct Choice {
    pub mv: MoveId,
    pub thought: Thought,
    pub work: Option<Work>,
}

/// What the second thread found.
#[derive(Debug, Default)]
struct Found {
    advice: Advice,
    /// Whether more was learnt.
    learnt: bool,
}

impl ByValues {
    /// Play within these limits. Only without any may a second thread work beside the search.
    pub fn new(search: Search, knowledge: Knowledge, limits: Limits, beside: bool) -> ByValues {
        ByValues {
            search,
            knowledge,
            limits,
            beside: beside && limits == Limits::default(),
        }
    }

    /// Searches from the first position. Returns the descents.
    pub fn prepare(&mut self, initial: &State, budget: &Budget) -> u64 {
        self.search.ponder(initial, self.limits.playouts, budget)
    }

    /// The move, if the search knows such states. `advice` is what local search found before;
    /// `local` is asked beside the search, if something works there.
    pub fn choose(
        &mut self,
        state: &State,
        advice: &Advice,
        local: Option<&mut Local>,
        best: &BestMove,
        budget: &Budget,
        teller: &Teller<'_>,
    ) -> Option<Choice> {
        self.search.avoid(state, &advice.loses);
        let descents = self.limits.playouts;
        let choose = |search: &mut Search, budget: &Budget| {
            search.choose(state, descents, budget, &|mv| best.publish(mv))
        };
        let (report, found) = match self.beside {
            true => self.with_second(local.map(|local| (local, state, best)), budget, choose),
            false => (choose(&mut self.search, budget), Found::default()),
        };
        if let Some((mv, plies)) = found.advice.wins {
            best.publish(mv);
            let thought = teller.tell_forced(mv, plies);
            let work = None;
            return Some(Choice { mv, thought, work });
        }
        let mut report: Report = report.ok()?;
        let loses = &found.advice.loses;
        if loses.iter().any(|&(mv, _)| mv == report.best) {
            self.search.avoid(state, loses);
            let publish = |mv| best.publish(mv);
            if let Ok(other) = self.search.choose(state, 0, budget, &publish) {
                (report.best, report.value, report.proved) =
                    (other.best, other.value, other.proved);
                report.expected = other.expected;
            }
        }
        let repeats = self.limits != Limits::default();
        let work = Some(Work {
            playouts: report.descents,
            passed: report.successors,
            nodes: report.nodes,
            time: teller.time(),
        });
        Some(Choice {
            mv: report.best,
            thought: teller.tell_best_first(&report, repeats),
            work,
        })
    }

    /// Learning and search while others think: side by side, or in turns on one thread. The
    /// others' moves are not known: the tree grows below the state before them.
    pub fn ponder(&mut self, state: &State, budget: &Budget) {
        while budget.check().is_ok() {
            let turn = |time: Duration| budget.clone().with_timeout(time);
            let made = match self.beside {
                true => {
                    let ponder = |search: &mut Search, budget: &Budget| {
                        search.ponder(state, u64::MAX, budget)
                    };
                    self.with_second(None, &turn(LEARN + SEARCH), ponder).0
                }
                false => {
                    if self.knowledge.go_on(&turn(LEARN)) {
                        self.search.set_value(self.knowledge.value.clone());
                    }
                    self.search.ponder(state, u64::MAX, &turn(SEARCH))
                }
            };
            if made == 0 {
                break;
            }
        }
    }

    /// Runs `run` on this thread, and meanwhile local search and then learning on another. A
    /// forced win is published, and the search stops. What was learnt is used from then on.
    fn with_second<T>(
        &mut self,
        local: Option<(&mut Local, &State, &BestMove)>,
        budget: &Budget,
        run: impl FnOnce(&mut Search, &Budget) -> T,
    ) -> (T, Found) {
        let (won, done) = (Stop::default(), Stop::default());
        let mut theirs = budget.clone().with_stop(done.clone());
        if let Some(left) = budget.remaining() {
            theirs = theirs.with_timeout(left * TENTHS / 10);
        }
        let (search, knowledge) = (&mut self.search, &mut self.knowledge);
        let (result, found) = thread::scope(|scope| {
            let second = scope.spawn(|| {
                let mut found = Found::default();
                if let Some((local, state, best)) = local {
                    found.advice = local.advise(state, false, &theirs.share(2));
                    if let Some((mv, _)) = found.advice.wins {
                        best.publish(mv);
                        won.stop();
                        return found;
                    }
                }
                found.learnt = knowledge.go_on(&theirs);
                found
            });
            let result = run(search, &budget.clone().with_stop(won.clone()));
            done.stop();
            match second.join() {
                Ok(found) => (result, found),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        });
        if found.learnt {
            self.search.set_value(self.knowledge.value.clone());
        }
        (result, found)
    }

    /// The games of self-play so far.
    #[cfg(test)]
    pub fn games(&self) -> u64 {
        self.knowledge.lesson.progress().games
    }
}
