//! What a state is worth, as far as that can be told from the base propositions that hold in it.
//!
//! An [`Evaluation`] learns while a search goes on: every state of which something is found out is an
//! example. It knows nothing of the rules, and nothing is prepared; what it tells of a state that was
//! never seen is what states like it have come to. [`Foretold`] says what to make of that, and how
//! far it can be relied on.
//!
//! # Why apart
//! Whoever has states as bits and numbers to go with them can use it: searches, analyses, tools that
//! look at games. It knows neither engines nor trees.
//!
//! # Key decisions
//! - Base propositions are the only features: there are no names to go by, because servers scramble
//!   them.
//! - One weight for each fact and role. A layer of units between them was tried on what searches of six
//!   games came to: it foretold a little more of single samples, no more of nodes that were visited often,
//!   and took several times as long to learn.
//! - States that are asked about lie one move from another one. What that one adds up to is kept, so that
//!   a question costs as much as there are facts that differ.
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
mod foretold;

pub use evaluation::{Evaluation, FACTS};
pub use foretold::{Fit, Foretold};
