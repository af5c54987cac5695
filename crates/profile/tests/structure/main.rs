//! Tests of the structure of games: known answers, soundness, and the corpus.

mod common;
mod duplicates;
mod known;
mod relevance;
#[path = "../../../analysis/tests/shared/mod.rs"]
mod shared;
mod sound;
