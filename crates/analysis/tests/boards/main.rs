//! Boards: known answers, names that make no difference, and what is said of states holds in them.

mod common;
mod known;
mod sound;
