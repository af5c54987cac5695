//! Tests of latches and ranges on real games.

mod common;
mod corridors;
mod known;
#[path = "../shared/mod.rs"]
mod shared;
mod soundness;
#[path = "../shared/states.rs"]
mod states;
