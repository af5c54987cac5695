//! The value of a state, as far as the base propositions that hold in it predict it.
//!
//! An [`Evaluation`] learns during a search: every state about which the search finds something
//! out is an example. It knows nothing of the rules, and needs no preparation. Its value for a
//! state that was never seen is what similar states have come to. [`Foretold`] measures how
//! reliable these predictions are, and how to scale them.
//!
//! # Scope
//! The crate works on states as bits and numbers to go with them: for searches, analyses, tools
//! that examine games. It knows neither engines nor trees.
//!
//! # Key decisions
//! - Base propositions are the only features. Names carry no information, because servers
//!   scramble them.
//! - One weight for each fact and role. A hidden layer was tried on the values from searches of
//!   six games: it predicted single samples a little better, nodes with many visits no better,
//!   and took several times as long to learn.
//! - States are evaluated next to a reference state that is one move away. The sum of the
//!   reference is kept, so that an evaluation costs only as much as there are facts that
//!   differ.
//!
//! ```
//! use heuristics::Evaluation;
//!
//! let mut evaluation = Evaluation::new(2);
//! // Fact 0 is good for the first role, fact 1 for the second.
//! for _ in 0..2000 {
//!     evaluation.learn(&[0b01], &[1.0, 0.0]);
//!     evaluation.learn(&[0b10], &[0.0, 1.0]);
//! }
//! evaluation.near(&[0b01]);
//! assert!(evaluation.value(&[0b01], 0) > 0.9);
//! assert!(evaluation.value(&[0b10], 0) < 0.1);
//! ```

mod evaluation;
mod evaluator;
mod features;
mod foretold;
mod mirror;
mod outputs;
mod state_value;
mod value;
mod weights;

pub use evaluation::{Evaluation, FACTS};
pub use evaluator::{Evaluator, Reference};
pub use features::{Blank, FeatureSet, Features, Sets, Table, Tuple};
pub use foretold::{Fit, Foretold};
pub use mirror::Mirror;
pub use outputs::{CERTAIN, Outputs, to_logits, to_target};
pub use state_value::{Known, StateValue};
pub use value::Value;
pub use weights::{ALPHA, Weights, logistic, logit};
