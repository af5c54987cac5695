//! Measurements in separate processes.
//!
//! Every evaluator of every game is built and measured in a child process of this program
//! ([`mod@serve`]). The parent ([`child`]) sends it requests line by line ([`message`]). So the
//! peak memory is that of one game and one evaluator, no measurement warms the allocator or the
//! caches for another, and a failure affects only one measurement.

mod child;
mod first;
pub mod memory;
mod message;
mod proving;
mod search;
mod serve;

pub use child::Worker;
pub use message::{Build, Built, Played, StageFigures, StepFigures};
pub use proving::PROOFS;
pub use search::SEARCH;
pub use serve::serve;
