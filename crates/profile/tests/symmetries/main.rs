//! Symmetries: known answers, and that play goes with them.

mod common;
mod known;
mod sound;
