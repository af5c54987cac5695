//! From rulesheet text to the best engine that a budget allows.
//!
//! The reasoner is made first: it takes milliseconds and plays anything. Then, while the budget
//! lasts, the rules are grounded and a network is built. If that does not succeed, the reasoner
//! is used, and the [`Report`] says why.
//!
//! # Scope
//! This is the only crate that knows all engines and evaluators. Players and measurements
//! choose among them by name, and a new one is registered in one place ([`EngineChoice`],
//! [`EVALUATORS`]).
//!
//! # Key decisions
//! - The best evaluator for a game is found by measuring on the game, for some hundredths of a
//!   second.
//! - Every stage has its share of the budget and is given up when that ends. Play uses what is
//!   ready by then.
//!
//! # Example
//! ```
//! use budget::Budget;
//! use game::Start;
//! use prepare::{Settings, evaluator};
//!
//! let rules = "(role robot) (init toss) (side heads) (side tails)
//!     (<= (legal robot ?side) (side ?side)) (<= (next (lies ?side)) (does robot ?side))
//!     (<= terminal (true (lies ?side)))
//!     (<= (goal robot 100) (true (lies heads))) (<= (goal robot 0) (true (lies tails)))";
//! let budget = Budget::system();
//! let mut simulator = evaluator("auto")?.make(rules, &Settings::default(), &budget)?;
//! let start = Start { state: &simulator.initial, playouts: 10_000 };
//! let mut tallies = Vec::new();
//! simulator.playouts.run(&[start], &mut tallies, &budget)?;
//! assert!((tallies[0].mean(0).unwrap() - 50.0).abs() < 5.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod beside;
mod engines;
mod evaluators;
mod fans;
mod fastest;
mod in_lanes;
mod learning;
mod optimised;
mod programs;
mod simulators;
mod throughput;
mod trial;

pub use beside::{Effort, lanes_beside};
pub use engines::{NetworkError, engine_of};
pub use evaluators::{EVALUATORS, Evaluator, Lanes, Settings, Simulator, evaluator};
pub use fans::{MadeFans, fans_beside};
pub use in_lanes::expander;
pub use learning::{MadeLearner, NoLearner, learner, learner_of, learner_on};
pub use optimised::{choices, emulated, proved, shrunk};
pub use throughput::{Played, measure};

use budget::Budget;
use compile::{NoRules, Playable, Report, Rules};
use datalog::Program;
use engines::{Wanted, on_network};
use fastest::fastest;
use game::{Engine, EngineError};
use gdl_parse::{Diagnostic, Rulesheet};
use reasoner::Reasoner;
use std::str::FromStr;

/// Which engine to make.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EngineChoice {
    /// The fastest engine on the network if it can be built, else the reasoner; also the reasoner
    /// where it is much faster than the others.
    #[default]
    Auto,
    /// The reasoner.
    Reasoner,
    /// Differential evaluation of the network, or an error.
    Propnet,
    /// Programs on words, made from the network, or an error.
    Scalar,
    /// The fastest engine on the network, or an error.
    Network,
    /// The reasoner without its second compilation, for a caller that cannot wait: available
    /// sooner, but slower in play.
    QuickReasoner,
    /// The propnet, or the reasoner for rules that have no network.
    ///
    /// Apart from networks for which time runs out, the choice does not depend on the clock, so
    /// that repeatable play repeats.
    Steady,
}

impl EngineChoice {
    /// All choices.
    pub const ALL: [EngineChoice; 7] = [
        EngineChoice::Auto,
        EngineChoice::Reasoner,
        EngineChoice::Propnet,
        EngineChoice::Scalar,
        EngineChoice::Network,
        EngineChoice::QuickReasoner,
        EngineChoice::Steady,
    ];

    /// The corresponding choice for play that must repeat.
    ///
    /// [`EngineChoice::Steady`] replaces a choice of the fastest engine, which differs from run
    /// to run and lists moves in another order.
    pub const fn repeatable(self) -> EngineChoice {
        match self {
            EngineChoice::Auto | EngineChoice::Network => EngineChoice::Steady,
            other => other,
        }
    }

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            EngineChoice::Auto => "auto",
            EngineChoice::Reasoner => "reasoner",
            EngineChoice::Propnet => "propnet",
            EngineChoice::Scalar => "scalar",
            EngineChoice::Network => "network",
            EngineChoice::QuickReasoner => "quick-reasoner",
            EngineChoice::Steady => "steady",
        }
    }
}

impl FromStr for EngineChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let choices = EngineChoice::ALL;
        let found = choices.into_iter().find(|choice| choice.name() == text);
        found.ok_or_else(|| {
            let names = choices.map(EngineChoice::name).join(", ");
            format!("no engine is called {text}; there are {names}")
        })
    }
}

/// How to prepare a game.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Fold all names to lower case.
    pub fold_case: bool,
    /// Which engine to make.
    pub engine: EngineChoice,
}

/// A game ready to be played.
pub struct Prepared {
    /// The engine, with the compiled game that it was made from, if any.
    pub playable: Playable,
    /// The rules as they were read.
    pub sheet: Rulesheet,
    /// What the parser found wrong with the text, though it could be played.
    pub diagnostics: Vec<Diagnostic>,
    /// How the engine was made.
    pub report: Report,
}

/// Why no engine could be made.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum PrepareError {
    /// The text has no rule that could be read.
    #[error(transparent)]
    NoRules(#[from] NoRules),
    /// The engine could not be made from the rules, or not within the budget.
    #[error("{stage}: {error}")]
    Engine {
        /// The stage that failed.
        stage: &'static str,
        /// The cause.
        error: EngineError,
    },
    /// A network was required and could not be made.
    #[error("no network: {0}")]
    Network(NetworkError),
}

impl PrepareError {
    /// Whether more time or memory might have helped.
    pub fn is_exhausted(&self) -> bool {
        match self {
            PrepareError::Engine {
                error: EngineError::Exhausted(_),
                ..
            } => true,
            PrepareError::Network(error) => error.is_exhausted(),
            _ => false,
        }
    }
}

/// Reads `source` and makes an engine within `budget`.
///
/// # Errors
/// If the text holds no rules, if no reasoner can be made from them, or if the requested engine
/// cannot be made.
pub fn prepare(source: &str, options: &Options, budget: &Budget) -> Result<Prepared, PrepareError> {
    budget.begins("reading the rules");
    let mut report = Report::new(budget);
    let rules = Rules::read(source, options.fold_case, &mut report)?;
    let program = &rules.program;
    let playable = match options.engine {
        EngineChoice::Reasoner => make_reasoner(program, budget, &mut report)?.into(),
        EngineChoice::QuickReasoner => {
            let engine = Reasoner::quick(program, &share(budget)).map_err(reasoner_failed)?;
            report.stage("reasoner", format!("{} roles", engine.roles().len()));
            let engine: Box<dyn Engine> = Box::new(engine);
            engine.into()
        }
        EngineChoice::Propnet | EngineChoice::Scalar | EngineChoice::Network => {
            let wanted = match options.engine {
                EngineChoice::Propnet => Wanted::Propnet,
                EngineChoice::Scalar => Wanted::Scalar,
                _ => Wanted::Fastest,
            };
            let made = on_network(program, wanted, budget, &mut report);
            made.map_err(PrepareError::Network)?.playable
        }
        EngineChoice::Steady => match on_network(program, Wanted::Propnet, budget, &mut report) {
            Ok(made) => made.playable,
            Err(error) => {
                report.fallback = Some(format!("no network: {error}"));
                make_reasoner(program, budget, &mut report)?.into()
            }
        },
        EngineChoice::Auto => {
            let reasoner = make_reasoner(program, budget, &mut report)?;
            fastest(program, reasoner, budget, &mut report)
        }
    };
    report.engine = playable.engine.name();
    Ok(Prepared {
        playable,
        sheet: rules.sheet,
        diagnostics: rules.diagnostics,
        report,
    })
}

fn make_reasoner(
    program: &Program,
    budget: &Budget,
    report: &mut Report,
) -> Result<Box<dyn Engine>, PrepareError> {
    budget.begins("compiling the rules");
    let engine = Reasoner::from_program(program, &share(budget)).map_err(reasoner_failed)?;
    report.stage("reasoner", format!("{} roles", engine.roles().len()));
    Ok(Box::new(engine))
}

/// The budget of one reasoner. It stays beside a network or other engines, and every fork keeps
/// tables of its own.
fn share(budget: &Budget) -> Budget {
    budget.clone().with_memory(budget.max_bytes() / 4)
}

fn reasoner_failed(error: EngineError) -> PrepareError {
    PrepareError::Engine {
        stage: "reasoner",
        error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// There is no network of ever new terms.
    const GROWING: &str = "(role robot) (init (at zero)) (legal robot go)
        (<= (next (at (s ?n))) (true (at ?n)))
        (<= terminal (true (at (s (s zero))))) (goal robot 100)";

    #[test]
    fn without_a_network_the_reasoner_plays_unless_another_engine_is_asked_for() {
        for (engine, plays) in [
            (EngineChoice::Auto, true),
            (EngineChoice::Steady, true),
            (EngineChoice::Reasoner, true),
            (EngineChoice::Propnet, false),
            (EngineChoice::Scalar, false),
            (EngineChoice::Network, false),
        ] {
            let options = Options {
                engine,
                ..Options::default()
            };
            let budget = Budget::system().with_memory(16 << 20);
            let made = prepare(GROWING, &options, &budget);
            assert_eq!(made.is_ok(), plays, "{engine:?}");
            if let Ok(made) = made {
                assert_eq!(made.report.engine, "reasoner");
                let asked = engine == EngineChoice::Reasoner;
                assert_eq!(made.report.fallback.is_none(), asked, "{engine:?}");
            }
        }
    }
}
