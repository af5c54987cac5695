//! Small games as a table of all their states.
//!
//! Some games have so few states that all of them can be visited during preparation
//! ([`StateGraph::explore`]). From then on nothing is computed: a [`TableEngine`] looks up
//! legal moves and next states, and [`TablePlayouts`] walk through the table. If the rules are
//! large and the states few, no other evaluator is as fast.
//!
//! # Scope
//! The crate needs only an engine to explore. Its table serves all callers as one more engine.
//!
//! # Key decisions
//! - States are numbers, so that nothing is hashed during play.
//! - Every joint move has an entry in the table: a step takes one random number and two loads.
//! - Exploration stops at limits on states and joint moves. There is no table then.
//!
//! # Example
//! ```
//! use budget::Budget;
//! use game::{Playouts, Start, Tally};
//! use game::Engine;
//! use prepare::{Options, prepare};
//! use stategraph::{Limits, StateGraph, TableEngine, TablePlayouts};
//!
//! // Two steps to the right, or one.
//! let rules = "(role robot) (init (at 0)) (succ 0 1) (succ 1 2) (succ 0 2)
//!     (<= (legal robot (go ?b)) (true (at ?a)) (succ ?a ?b))
//!     (<= (next (at ?b)) (does robot (go ?b)))
//!     (<= terminal (true (at 2))) (goal robot 100)";
//! let mut engine = prepare(rules, &Options::default(), &Budget::system())?.playable.engine;
//! let graph = StateGraph::explore(&mut *engine, &Limits::default(), &Budget::system())?;
//! assert_eq!((graph.len(), graph.edges()), (3, 3));
//!
//! let mut tallies = Vec::new();
//! let table = TableEngine::new(graph.clone(), engine);
//! let start = Start { state: &table.initial(), playouts: 10 };
//! TablePlayouts::new(graph, 1, 100).run(&[start], &mut tallies, &Budget::system())?;
//! assert_eq!((tallies[0].finished, tallies[0].mean(0)), (10, Some(100.0)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod engine;
mod graph;
mod playouts;

pub use engine::TableEngine;
pub use graph::{GraphError, Limits, StateGraph};
pub use playouts::TablePlayouts;
