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

mod config;
mod node;
mod search;
#[cfg(test)]
mod tests;
mod tree;
mod worker;

pub use config::{Config, Limits};
pub use search::{Publish, Report, Search, SearchError};
