//! Tests of the analysis of goals on real games.

mod common;
mod known;
#[path = "../shared/mod.rs"]
mod shared;
mod soundness;
#[path = "../shared/states.rs"]
mod states;
