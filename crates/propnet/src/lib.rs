//! The propositional network of a game: building, optimising, drawing and running it.
//!
//! A [`Network`] is the ground rules of a game as a circuit. Its inputs are the facts of a
//! state (base propositions) and the moves (input propositions). And-, or- and not-gates
//! compute its outputs: the legal moves, the goals, terminality, and the facts of the next
//! state (transitions). [`passes`] make the network smaller without changing play,
//! [`Statistics`] and [`Dot`] describe it, and [`PropnetEngine`] plays from it.
//!
//! # Scope
//! The network is the form of the rules that is optimised and analysed: everything above reads
//! it, nothing below needs it. It knows ground rules, but neither rulesheets nor search.
//!
//! # Key decisions
//! - The graph is a petgraph graph while it is examined and rewritten, and flat arrays while it
//!   runs (see [`PropnetEngine`]). A pass rebuilds the graph in one sweep instead of removing
//!   nodes one by one, so that every pass is near-linear however large the fan-out.
//! - Rules may be recursive. Their cycles stay cycles of the graph and mean the least fixpoint,
//!   as in the rules. [`Schedule`] finds them once. Their values never depend on the order of
//!   evaluation. Only a cycle through a negation is rejected ([`BuildError::Unstratified`]).
//! - There is no edge from a transition to its base proposition: both name the same fact. The
//!   graph is therefore the logic of one state, and a cycle in it is a recursive rule.
//!
//! # Example
//! A game with one move, which ends it:
//!
//! ```
//! use budget::Budget;
//! use game::{Engine, MoveId, State};
//! use propnet::{PropnetEngine, Statistics};
//!
//! let rules = "(role robot) (<= (legal robot finish) (not (true done)))
//!     (<= (next done) (does robot finish))
//!     (<= terminal (true done)) (<= (goal robot 100) (true done))";
//! let budget = Budget::system();
//! let compiled = compile::compile(rules, &budget)?;
//! let network = compiled.network.expect("a whole game has one");
//! println!("{}", Statistics::new(&network, &budget)?);
//!
//! let mut engine = PropnetEngine::new(&network, &budget)?;
//! let (start, mut end) = (engine.initial(), State::default());
//! assert!(!engine.terminal(&start)?);
//! engine.next(&start, &[MoveId(0)], &mut end)?;
//! assert!(engine.terminal(&end)?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod build;
mod dot;
mod engine;
mod error;
mod network;
mod node;
pub mod passes;
mod schedule;
mod statistics;

pub use dot::Dot;
pub use engine::PropnetEngine;
pub use error::BuildError;
pub use network::{Graph, Network, Vocabulary};
pub use node::Node;
pub use schedule::{Schedule, Step};
pub use statistics::Statistics;
