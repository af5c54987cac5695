//! Why there is no network.

use budget::Exhausted;
use std::fmt;

/// Why a network or its engine could not be built. The game may still be played by an engine that
/// needs no network.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// Time or memory ran out.
    #[error("the network was given up at the stage '{stage}': {why}")]
    Exhausted {
        /// What was being done.
        stage: &'static str,
        /// What ran out.
        why: Exhausted,
    },
    /// Propositions depend on their own negation, so the rules have no one meaning.
    #[error("the rules are not stratified, these depend on their own negation: {}", Listed(.atoms))]
    Unstratified {
        /// The propositions on one such cycle.
        atoms: Vec<String>,
    },
    /// A legal move, a goal or the end of play depends on the moves being made, which the rules of
    /// GDL forbid.
    #[error("{atom} depends on the moves being made")]
    MoveDependent {
        /// The proposition.
        atom: String,
    },
    /// A position in the ground game that does not exist, or more of something than can be
    /// numbered.
    #[error("the ground rules are malformed: {0}")]
    Malformed(&'static str),
}

/// The first few of a list, and how many more there are.
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

/// Reads the clock of a budget now and then, not at every step of a hot loop.
pub(crate) struct Meter<'a> {
    budget: &'a budget::Budget,
    left: u32,
}

impl<'a> Meter<'a> {
    const STEPS: u32 = 4096;

    pub(crate) fn new(budget: &'a budget::Budget) -> Self {
        Meter { budget, left: 1 }
    }

    /// Counts one step.
    pub(crate) fn step(&mut self) -> Result<(), Exhausted> {
        self.left -= 1;
        if self.left == 0 {
            self.left = Self::STEPS;
            self.budget.check()?;
        }
        Ok(())
    }
}

/// Names the stage in which a budget ran out.
pub(crate) trait AtStage<T> {
    fn at(self, stage: &'static str) -> Result<T, BuildError>;
}

impl<T> AtStage<T> for Result<T, Exhausted> {
    fn at(self, stage: &'static str) -> Result<T, BuildError> {
        self.map_err(|why| BuildError::Exhausted { stage, why })
    }
}
