//! Small games as a table of all their states.
//!
//! Some games have so few states that they can all be visited while the game is prepared
//! ([`StateGraph::explore`]). From then on nothing is computed: a [`TableEngine`] looks up what is
//! legal and what comes next, and [`TablePlayouts`] walk through the table. No other evaluator is as
//! fast where the rules are large and the states few.
//!
//! # Why apart
//! It needs nothing but an engine to explore, and everything above sees it as one more engine.
//!
//! # Key decisions
//! - States are numbers, so that nothing is hashed on the way.
//! - Every joint move has its place in the table: a step is one random number and two loads.
//! - Exploring stops at limits on states and joint moves; then there is no table.
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
