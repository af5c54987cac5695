//! What ends of play, and wins that are one move away, answer to a question.
//!
//! Both proof searches of this project use it, `pnsearch` from outside.

use crate::{Answer, Numbers, Results};
use game::{Engine, EngineError, Outlook, RoleId, State};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// The extreme results seen in terminal states that answer a question.
#[derive(Debug)]
struct Ends {
    /// The least result that answers yes.
    least: AtomicU8,
    /// The greatest result that answers no.
    most: AtomicU8,
}

/// Whose result is in question, and what was seen of it. Clones share what was seen, as threads
/// that share a table have to.
#[derive(Debug, Clone)]
pub struct Judge {
    /// The role that questions are about.
    pub role: RoleId,
    /// The result asked for now, 0 to 100.
    pub at_least: u8,
    /// What the results of two roles add up to, if that is constant and known.
    pub sum: Option<u32>,
    /// The results that the role can have, as far as that is known.
    pub results: Results,
    /// The result where the rules define none.
    missing: u8,
    /// For each result that can be asked for, 0 to 100.
    ends: Arc<[Ends]>,
}

impl Judge {
    /// A judge for `role`. `missing` is the result where the rules define none.
    pub fn new(role: RoleId, missing: u8) -> Judge {
        let ends = |_| Ends {
            least: AtomicU8::new(100),
            most: AtomicU8::new(0),
        };
        Judge {
            role,
            at_least: 0,
            sum: None,
            results: Results::ALL,
            missing,
            ends: (0..=100).map(ends).collect(),
        }
    }

    /// Turns to a question. What is asked for is the least result from `at_least` on that there is.
    pub fn begin(&mut self, at_least: u8) {
        self.at_least = self.results.at_least(at_least);
    }

    /// The answer that an outlook gives, and within how many joint moves play ends.
    pub fn foreseen(&self, outlook: Outlook) -> Option<(Numbers, u16)> {
        let (winner, plies) = outlook.winner()?;
        let goal = match winner == self.role {
            true => 100,
            false => u8::try_from(self.sum?.checked_sub(100)?).ok()?,
        };
        Some((self.compared(goal), plies))
    }

    /// The answer if the state is terminal; `over` is whether it is, if that is known.
    ///
    /// # Errors
    /// If the engine could not evaluate the rules.
    pub fn end(
        &self,
        engine: &mut dyn Engine,
        state: &State,
        over: Option<bool>,
    ) -> Result<Option<Numbers>, EngineError> {
        let over = match over {
            Some(over) => over,
            None => engine.terminal(state)?,
        };
        if !over {
            return Ok(None);
        }
        let goal = engine.goal(state, self.role)?.unwrap_or(self.missing);
        Ok(Some(self.compared(goal)))
    }

    /// The answer that numbers stand for, with the best bound that was seen.
    pub fn answer(&self, numbers: Numbers, plies: u16) -> Answer {
        let ends = &self.ends[usize::from(self.at_least)];
        match numbers {
            Numbers { yes: 0, .. } => Answer::Yes {
                at_least: ends.least.load(Ordering::Relaxed).max(self.at_least),
                plies,
            },
            Numbers { no: 0, .. } => Answer::No {
                at_most: (ends.most.load(Ordering::Relaxed)).min(self.at_least.saturating_sub(1)),
                plies,
            },
            _ => Answer::Open,
        }
    }

    /// The answer at the end of play with this result.
    fn compared(&self, goal: u8) -> Numbers {
        let ends = &self.ends[usize::from(self.at_least)];
        // Most results were seen before, and nothing has to be written then.
        match goal >= self.at_least {
            true => {
                if goal < ends.least.load(Ordering::Relaxed) {
                    ends.least.fetch_min(goal, Ordering::Relaxed);
                }
                Numbers::YES
            }
            false => {
                if goal > ends.most.load(Ordering::Relaxed) {
                    ends.most.fetch_max(goal, Ordering::Relaxed);
                }
                Numbers::NO
            }
        }
    }
}
