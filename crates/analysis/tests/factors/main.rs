//! Tests of factors of real games.

mod common;
mod gain;
mod known;
mod soundness;
