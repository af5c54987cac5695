//! Latches and ranges on real games.

mod common;
mod corridors;
mod known;
mod soundness;
