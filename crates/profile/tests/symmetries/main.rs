//! Tests of symmetries: known answers, and compatibility with play.

mod common;
mod known;
mod sound;
