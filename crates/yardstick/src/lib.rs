//! Monte-Carlo tree search over any engine.
//!
//! UCT over decision nodes: a node is a state in which at least one role has a choice, and
//! forced joint moves are skipped. Every role keeps its own statistics (decoupled UCT), so
//! one-player, turn-taking, simultaneous and many-player games are all the same case, and each
//! role is assumed to maximise its own result alone. Playouts are uniformly random. One node is
//! added per playout until the memory is used up; then playouts continue without new nodes. The
//! move with the most visits is played. Nothing is proved.
//!
//! It is separate from `players` because a search is a tool: it knows no profiles and no
//! matches. It is a tree and not a graph, with one lock and not none: the simplest search that
//! is correct on every game, since later ones are measured against it.
//!
//! Reading order: [`Config`], `node`, `tree` (selection, backpropagation), `worker` (one
//! playout, no threads), `search` (threads, reuse between moves).
//!
//! # Example
//! ```
//! use budget::Budget;
//! use game::{Engine, RoleId};
//! use yardstick::{Config, Limits, Search};
//!
//! let rules = "(role robot) (init (at 1)) (legal robot left) (legal robot right)
//!     (<= (next (at 2)) (does robot left)) (<= (next (at 3)) (does robot right))
//!     (<= terminal (not (true (at 1))))
//!     (<= (goal robot 100) (true (at 3))) (<= (goal robot 0) (true (at 2)))";
//! let sheet = gdl_parse::parse(rules, &Default::default()).sheet;
//! let engine = reasoner::Reasoner::new(&sheet, &Budget::system())?;
//! let (state, config) = (engine.initial(), Config::default());
//! let mut search = Search::new(Box::new(engine), RoleId(0), 1, 1, 1 << 20, config);
//! let limits = Limits { playouts: 50, ..Limits::default() };
//! let report = search.choose(&state, limits, &Budget::system(), &|_| ())?;
//! assert_eq!(report.value, Some(100.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod config;
mod node;
mod search;
#[cfg(test)]
mod tests;
mod tree;
mod worker;

pub use config::{Config, Limits};
pub use search::{Publish, Report, Search, SearchError};
