//! The errors of building a network.

use budget::Exhausted;
use std::fmt;

/// The reason why a network or its engine could not be built. An engine that needs no network
/// may still play the game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// Time or memory is exhausted.
    #[error("the network was given up at the stage '{stage}': {why}")]
    Exhausted {
        /// The stage of the work.
        stage: &'static str,
        /// Which resource is exhausted.
        why: Exhausted,
    },
    /// Propositions depend on their own negation, so the rules have no unique meaning.
    #[error("the rules are not stratified, these depend on their own negation: {}", Listed(.atoms))]
    Unstratified {
        /// The propositions on one such cycle.
        atoms: Vec<String>,
    },
    /// A legal move, a goal or terminality depends on the moves played, which GDL forbids.
    #[error("{atom} depends on the moves being made")]
    MoveDependent {
        /// The proposition.
        atom: String,
    },
    /// The ground game contains a position that is out of range, or more items than can be
    /// numbered.
    #[error("the ground rules are malformed: {0}")]
    Malformed(&'static str),
}

/// Displays the first few items of a list and the number of the remaining ones.
struct Listed<'a>(&'a [String]);

impl fmt::Display for Listed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 5;
        let shown = &self.0[..self.0.len().min(SHOWN)];
        f.write_str(&shown.join(", "))?;
        match self.0.len() - shown.len() {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

/// Checks a budget at intervals, so that a hot loop does not read the clock at every step.
pub(crate) struct Meter<'a> {
    budget: &'a budget::Budget,
    left: u32,
}

impl<'a> Meter<'a> {
    const STEPS: u32 = 4096;

    pub(crate) fn new(budget: &'a budget::Budget) -> Self {
        Meter { budget, left: 1 }
    }

    /// Counts one step and checks the budget when a check is due.
    pub(crate) fn step(&mut self) -> Result<(), Exhausted> {
        self.left -= 1;
        if self.left == 0 {
            self.left = Self::STEPS;
            self.budget.check()?;
        }
        Ok(())
    }
}

/// Adds the stage to an error about an exhausted budget.
pub(crate) trait AtStage<T> {
    fn at(self, stage: &'static str) -> Result<T, BuildError>;
}

impl<T> AtStage<T> for Result<T, Exhausted> {
    fn at(self, stage: &'static str) -> Result<T, BuildError> {
        self.map_err(|why| BuildError::Exhausted { stage, why })
    }
}
