//! How games are built: known answers, soundness, and the corpus.

mod baseline;
mod common;
mod known;
mod relevance;
mod sound;
