//! Factors of real games.

mod common;
mod known;
mod soundness;
