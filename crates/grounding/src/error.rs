//! The errors of grounding, and the report of its progress.

use budget::Exhausted;
use gdl_parse::Span;
use std::fmt;
use std::time::Duration;

/// A stage of grounding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
#[non_exhaustive]
pub enum Stage {
    /// Rewriting rules before evaluation.
    #[default]
    Preparation,
    /// Evaluating relations that depend on neither state nor moves.
    Static,
    /// Deriving everything that play can reach, and the instances of the rules.
    Reachability,
    /// Removing conditions whose value is settled.
    Simplification,
    /// Writing the result as plain data.
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

/// How far grounding progressed and what it cost.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// The last stage that was started.
    pub stage: Stage,
    /// Number of ground atoms derived, static ones included.
    pub derived: usize,
    /// Number of rule instances found, before simplification.
    pub instances: usize,
    /// Number of steps in joins.
    pub steps: u64,
    /// Approximate maximum number of bytes held at any time.
    pub peak_bytes: usize,
    /// Time spent in each stage that was started.
    pub timings: Vec<(Stage, Duration)>,
}

/// Why a game was not grounded.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum GroundError {
    /// The budget was exhausted.
    #[error(
        "{cause} while {}: {} atoms and {} rule instances so far",
        report.stage, report.derived, report.instances
    )]
    Budget {
        /// Which resource was exhausted.
        cause: Exhausted,
        /// How far grounding progressed.
        report: Box<Report>,
    },
    /// Rules build ever deeper terms.
    #[error(
        "rules build terms of which no end is seen: {terms} are nested more than {levels} deep"
    )]
    Growing {
        /// The number of deep terms.
        terms: usize,
        /// The levels of nesting that do not count as deep.
        levels: usize,
    },
    /// There is no role, so that nobody plays.
    #[error("the rules name no role")]
    NoRole,
    /// A rule applies while one of its variables has no value.
    #[error("a rule for `{relation}` does not give all of its variables a value")]
    Unsafe {
        /// The relation that the rule defines.
        relation: String,
        /// The position of the rule in the text.
        span: Span,
    },
    /// A relation depends on its own negation in every state.
    #[error("`{relation}` depends on its own negation")]
    Unstratified {
        /// The relation.
        relation: String,
    },
}
