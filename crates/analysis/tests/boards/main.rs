//! Tests of boards: known answers, independence of names, and soundness in random play.

mod common;
mod known;
mod sound;
