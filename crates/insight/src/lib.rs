//! What was learnt about a game, as findings that people can read.
//!
//! [`Insight::find`] plays a game at random, learns its value by self-play, and looks for what
//! goes with winning: how many pieces of each kind there are and where they are, places that
//! they keep, neighbours, lines, moves to choose from, quantities, distances to a win. What is
//! found is judged by the results of random play and of learnt play, and the learnt value tells
//! what pieces are worth, square by square. Theory: docs/theory/insight.md.
//!
//! # Scope
//! No player reads any of this. The crate names nothing: pieces, facts and quantities are
//! numbers. `insight-report` puts them into words, and draws them.
//!
//! # Key decisions
//! - A finding is reported only if it is beyond chance with the number of all tests in mind:
//!   Bonferroni's bound, which holds however tests depend on each other, as they do here.
//! - Where pieces are counts only for what it tells beyond what there is.
//! - Everything is in points of a role's result, 0 to 100, whatever it was read from.
//! - What pieces are worth is the linear part of the learnt value, which says what a table can
//!   say. How much that leaves out is told.
//! - Where too little could be learnt, results of random play stand for the value.
//!
//! # Example
//! ```
//! use budget::Budget;
//! use insight::{Insight, Settings, Subject};
//!
//! // Of two coins that are tossed, only the first counts.
//! let rules = "(role robot) (init start) (side heads) (side tails)
//!     (<= (legal robot (toss ?a ?b)) (side ?a) (side ?b))
//!     (<= (next (first ?a)) (does robot (toss ?a ?b)) (true start))
//!     (<= (next (other ?b)) (does robot (toss ?a ?b)) (true start))
//!     (<= (next (first ?a)) (true (first ?a))) (<= (next (other ?b)) (true (other ?b)))
//!     (<= (next over) (not (true start))) (<= terminal (true over))
//!     (<= (goal robot 100) (true (first heads)))
//!     (<= (goal robot 0) (not (true (first heads))))";
//! let budget = Budget::system();
//! let compiled = compile::compile(rules, &budget)?;
//! let settings = Settings { games: 0, playouts: 1024, ..Settings::default() };
//! let insight = Insight::find(compiled, &settings, &budget);
//! let facts = &insight.compiled.logic.words.facts;
//! for finding in &insight.findings {
//!     if let Subject::Fact(fact) = finding.subject {
//!         assert!(facts[fact as usize].to_string().starts_with("(first"));
//!     }
//! }
//! # Ok::<(), compile::CompileError>(())
//! ```

mod candidates;
mod find;
mod findings;
mod fit;
mod judge;
mod learnt;
mod look;
mod moments;
mod places;
mod subject;
mod worth;

pub use findings::LEVEL;
pub use judge::Effect;
pub use subject::{Region, Subject, ordered};
pub use worth::Worth;

use analysis::boards::Boards;
use analysis::numbers::Numbers;
use budget::Exhausted;
use compile::Compiled;
use features::Kinds;
use heuristics::Outputs;
use learnt::Learnt;
use selfplay::{Config, Progress};
use std::sync::Arc;

/// How to look.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// The seed of everything random.
    pub seed: u64,
    /// The features that are learnt.
    pub kinds: Kinds,
    /// How they are learnt.
    pub config: Config,
    /// Games of learning, at most; 0 to learn nothing. Without a limit of the time, this must
    /// have one. `[default: without a limit]`
    pub games: u64,
    /// Games of random play, at most. `[default: 4096]`
    pub playouts: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            seed: 1,
            kinds: Kinds::default(),
            config: Config::default(),
            games: u64::MAX,
            playouts: 4096,
        }
    }
}

/// What something was read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// Results of random play.
    Random,
    /// Results of the learner's games.
    Learnt,
    /// What the learnt value expects in states of the learner's games.
    Value,
}

/// How learning went.
#[derive(Debug, Clone, PartialEq)]
pub enum Told {
    /// A value was learnt.
    Value {
        /// What was done.
        progress: Progress,
        /// Games of learnt play that findings were judged by.
        judged: u32,
    },
    /// There were too few games for a value.
    TooFew {
        /// What was done.
        progress: Progress,
    },
    /// Nothing was learnt.
    Nothing {
        /// Why, for people.
        why: String,
    },
}

impl Told {
    fn of(learnt: &Result<Learnt, String>) -> Told {
        match learnt {
            Ok(learnt) => {
                let progress = learnt.progress;
                match &learnt.value {
                    Some((_, moments)) => Told::Value {
                        progress,
                        judged: moments.games,
                    },
                    None => Told::TooFew { progress },
                }
            }
            Err(why) => Told::Nothing { why: why.clone() },
        }
    }
}

/// Something that goes with the result of a role, beyond chance.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// What it is.
    pub subject: Subject,
    /// The role whose result it goes with.
    pub role: usize,
    /// How it goes with results of random play, if it could be judged there.
    pub random: Option<Effect>,
    /// How it goes with results of learnt play, likewise.
    pub learnt: Option<Effect>,
    /// What the learnt value expects for each one more, in points.
    pub value: Option<f64>,
    /// How it goes with what the value misses: by how much results of learnt play are more than
    /// the value expects. The value has learnt from the same games, so that this is at least
    /// what it misses in others.
    pub missed: Option<Effect>,
}

impl Finding {
    /// The probability of chance, in the play that shows it best.
    pub fn chance(&self) -> f64 {
        let effects = [self.random, self.learnt].into_iter().flatten();
        effects.map(|effect| effect.chance).fold(1.0, f64::min)
    }

    /// How many standard errors the effect is away from nothing, in the play that shows it best.
    pub fn surety(&self) -> f64 {
        let effects = [self.random, self.learnt].into_iter().flatten();
        effects
            .map(|effect| effect.slope.abs() / effect.error.max(f64::MIN_POSITIVE))
            .fold(0.0, f64::max)
    }
}

/// What was learnt about a game.
pub struct Insight {
    /// The game.
    pub compiled: Arc<Compiled>,
    /// Its boards.
    pub boards: Boards,
    /// Its quantities.
    pub numbers: Numbers,
    /// What the outputs of its value are.
    pub outputs: Outputs,
    /// Games of random play that findings were judged by.
    pub random: u32,
    /// How learning went.
    pub learnt: Told,
    /// The number of subjects.
    pub subjects: usize,
    /// The number of tests: subjects, roles and kinds of play.
    pub tests: u32,
    /// What is beyond chance, the surest first.
    pub findings: Vec<Finding>,
    /// What pieces are worth.
    pub worth: Vec<Worth>,
    /// What that was read from.
    pub by: Source,
    /// The part of its variance that tables of squares explain, 0 to 1.
    pub explained: f64,
    /// The part of the budget that ran out while findings were judged, if any; then there may be
    /// more.
    pub exhausted: Option<Exhausted>,
}

impl Insight {
    /// The findings about a piece's number and places, which tell that its worth is no chance.
    pub fn is_known(&self, worth: &Worth) -> bool {
        let same = |finding: &&Finding| {
            finding.role == worth.role
                && finding.subject.piece() == Some((worth.board, worth.piece))
                && !matches!(finding.subject, Subject::Pair { .. } | Subject::Line { .. })
        };
        self.findings.iter().any(|finding| same(&finding))
    }
}
