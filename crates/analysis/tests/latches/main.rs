//! Latches and ranges on real games.

mod common;
mod known;
mod soundness;
