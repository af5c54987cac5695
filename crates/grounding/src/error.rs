//! How grounding ends early, and what it reports.

use budget::Exhausted;
use gdl_parse::Span;
use std::fmt;
use std::time::Duration;

/// A part of the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
#[non_exhaustive]
pub enum Stage {
    /// Rewriting rules before evaluation.
    #[default]
    Preparation,
    /// Relations that depend on neither state nor moves.
    Static,
    /// Everything that play can reach, and the rules' instances.
    Reachability,
    /// Conditions that turned out to be settled.
    Simplification,
    /// The plain data that is handed over.
    Output,
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Stage::Preparation => "preparing the rules",
            Stage::Static => "evaluating static relations",
            Stage::Reachability => "finding what play can reach",
            Stage::Simplification => "simplifying ground rules",
            Stage::Output => "writing ground rules",
        })
    }
}

/// How far grounding got and what it cost.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// The last stage that was begun.
    pub stage: Stage,
    /// Ground atoms derived, static ones included.
    pub derived: usize,
    /// Rule instances found, before simplification.
    pub instances: usize,
    /// Steps taken in joins.
    pub steps: u64,
    /// Largest number of bytes held at a time, roughly.
    pub peak_bytes: usize,
    /// Time each stage took, as far as it got.
    pub timings: Vec<(Stage, Duration)>,
}

/// Why a game was not grounded.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum GroundError {
    /// The budget was used up.
    #[error(
        "{cause} while {}: {} atoms and {} rule instances so far",
        report.stage, report.derived, report.instances
    )]
    Budget {
        /// What was used up.
        cause: Exhausted,
        /// How far grounding got.
        report: Box<Report>,
    },
    /// A rule applies without giving all of its variables a value.
    #[error("a rule for `{relation}` does not give all of its variables a value")]
    Unsafe {
        /// The relation that the rule defines.
        relation: String,
        /// Where the rule stands in the text.
        span: Span,
    },
    /// A relation depends on its own negation, whatever the state.
    #[error("`{relation}` depends on its own negation")]
    Unstratified {
        /// The relation.
        relation: String,
    },
}
