//! Measurements in processes of their own.
//!
//! Every evaluator of every game is built and measured in a child process of this program
//! ([`mod@serve`]), which is told what to do line by line ([`message`]) by the parent ([`child`]). So the
//! peak memory is that of one game and one evaluator alone, no measurement warms the allocator or
//! the caches for another, and what goes wrong takes nothing else along.

mod child;
mod first;
pub mod memory;
mod message;
mod proving;
mod search;
mod serve;

pub use child::Worker;
pub use message::{Build, Built, Played, StageFigures};
pub use proving::PROOFS;
pub use search::SEARCH;
pub use serve::serve;
