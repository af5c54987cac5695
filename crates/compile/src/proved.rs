//! What holds in every state that play reaches, proved once for each game.

use crate::Compiled;
use budget::Budget;
use invariants::{Exclusion, Groups};
use std::fmt;
use std::sync::Arc;

/// A network with more gates is large.
const LARGE: usize = 200_000;

/// A compiled game and what was proved of it.
#[derive(Clone)]
pub struct Proved {
    /// The game.
    pub compiled: Arc<Compiled>,
    /// Facts that exclude each other, never change, or always equal others.
    pub groups: Arc<Groups>,
    /// Moves that are never legal together.
    pub exclusion: Arc<Exclusion>,
}

impl Proved {
    /// Proves what can be proved: groups in half of the time left, exclusion in the rest. In large
    /// networks groups get less: their proofs come to no end there, and those that the rules show
    /// are enough for exclusion, which needs a time of its own.
    ///
    /// `seed` is that of the random play that suggests what to prove.
    pub fn find(compiled: Arc<Compiled>, seed: u64, budget: &Budget) -> Proved {
        let parts = if compiled.logic.net.len() > LARGE {
            4
        } else {
            2
        };
        let groups = Groups::find(&compiled.logic, seed, &budget.share(parts));
        let exclusion = invariants::exclusion(&compiled.logic, &groups, budget);
        Proved {
            compiled,
            groups: Arc::new(groups),
            exclusion: Arc::new(exclusion),
        }
    }
}

impl fmt::Display for Proved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} groups of facts that exclude each other, {} constant facts, {} like others; \
             {} leaves in {} choices, {} moves forced",
            self.groups.groups.len(),
            self.groups.constants.len(),
            self.groups.equal.len(),
            self.exclusion.leaves(),
            self.exclusion.choices.len(),
            self.exclusion.forced()
        )?;
        match self.groups.report.exhausted.or(self.exclusion.exhausted) {
            Some(why) => write!(f, " (given up: {why})"),
            None => Ok(()),
        }
    }
}
