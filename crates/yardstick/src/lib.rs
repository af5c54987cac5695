//! Monte-Carlo tree search over any engine.
//!
//! UCT over decision nodes: a node is a state in which at least one role has a choice; joint moves
//! that are forced are skipped through. Every role keeps its own statistics (decoupled UCT), so
//! one-player, turn-taking, simultaneous and many-player games are all the same case, and each
//! role is taken to look after its own result alone. Playouts are uniformly random, one node is
//! added per playout until the memory is used up, then playouts go on without it. The move with
//! the most visits is played. Nothing is proved.
//!
//! It stands apart from `players` because a search is a tool: it knows no profiles and no matches.
//! It is a tree and not a graph, with one lock and not none: the simplest search that is correct on
//! every game, since later ones are measured against it.
//!
//! Reading order: [`Config`], `node`, `tree` (select, backup), `worker` (one playout, no threads),
//! `search` (threads, reuse between moves).

mod config;
mod node;
mod search;
#[cfg(test)]
mod tests;
mod tree;
mod worker;

pub use config::{Config, Limits};
pub use search::{Publish, Report, Search, SearchError};
