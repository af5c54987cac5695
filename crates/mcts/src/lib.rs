//! Monte-Carlo graph search that proves what it can, over any engine.
//!
//! Nodes are states in which some role has a choice, and ends of play; forced moves are skipped.
//! Equal states are one node whichever way they are reached, so that what is learnt one way counts
//! the other way, too. Beside means and visits every node has for each role a lower and an upper
//! bound of the result; bounds come from the ends of play, and from what facts alone prove of results ([`Prospects`], if there
//! are any); where they meet, the node is solved
//! and never searched again.
//!
//! # Why apart
//! A search is a tool: it sees a game through [`game::Engine`] and playouts through
//! [`game::Playouts`], and knows no profiles and no matches. The yardstick that it is measured
//! against is the crate `uct`, which shares nothing with it.
//!
//! # Key decisions
//! - One role chooses at a node, or several do. Where one does, children are compared by their own
//!   means (UCB1-tuned: Auer, Cesa-Bianchi and Fischer 2002). Where several do, each compares its own
//!   moves likewise; where they are two, the move to make is drawn from an equilibrium of what joint moves
//!   have brought, so that it cannot be foreseen. Where they are more, those at the root keep regrets
//!   and mix their moves accordingly (regret matching: Hart and Mas-Colell 2000).
//! - A sample that comes back along an edge is blended with the child's own mean by the share of the
//!   child's visits that came along this edge: so says Sancho of graphs, and nothing is counted twice.
//! - Bounds are looked up in the children whenever a sample comes by. A parent that is not on the way
//!   learns of them when it is next visited: no lists of parents are kept.
//! - A fixed number of bytes. References to nodes carry a generation, so that a node can be given
//!   away at any time; whoever still refers to it sees that and makes it anew.
//! - Ways of a batch are gone side by side and go back depth by depth: what takes time is to wait for nodes, which
//!   lie all over the memory, and for other threads that have them.
//! - One graph for all threads, with a lock in each node. A thread that writes to a node has no other one
//!   locked: to write takes the thread's handle of the graph for itself, so the compiler sees to it.
//!
//! # ReadGuard order
//! [`Config`], `bounds`, `node`, `graph` (memory), `expand` (from states to nodes), `path`, `descend`
//! (selection), `mixed`, `payoffs`, `matrix` and `several` (choices at once), `backpropagate`, `learner`, `answer`, `search`
//! (threads).

mod amaf;
mod answer;
mod backpropagate;
mod bounds;
mod config;
mod descend;
mod expand;
mod fan_cache;
mod gate;
mod graph;
mod learner;
mod node;
mod path;
mod search;
mod select;
mod simultaneous;
#[cfg(test)]
mod tests;

pub use bounds::{Bounds, Prospects};
pub use config::{Amaf, Config, Learning, Limits, Memory, Proofs, Simultaneous, StaticBounds};
pub use search::{Builder, Candidate, Forecast, Publish, Report, Search, SearchError};
