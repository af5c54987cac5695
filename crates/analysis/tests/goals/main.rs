//! How goals are computed, on real games.

mod common;
mod known;
mod soundness;
