//! Learns what states of a game are worth by playing against itself.
//!
//! A [`Learner`] plays games of itself against itself in lockstep. Each role chooses the move
//! after which the state is worth most by what was learnt so far. After each game, the value of
//! every state moves towards what came later: TD(λ) with the features of
//! [`heuristics::Features`] (Tesauro, "Temporal difference learning and TD-Gammon", 1995).
//! Theory: docs/theory/knowledge.md.
//!
//! # Scope
//! The crate knows a game as lanes do: states are bits, one for each fact. It does not choose
//! features, and it does not search deeper than one ply.
//!
//! # Key decisions
//! - Moves of all games are expanded in one call, hundreds of lanes at a time.
//! - Credit is cut where a random move was played that was not the best one: mistakes of
//!   exploration say nothing about the states before. Softmax play that learnt from its own
//!   noise lost 37 of 40 against it.
//! - Targets come from games of the value itself. Fitting results of random playouts scored 0 of
//!   40 against it in the same time.
//! - Everything repeats with a seed and a number of games.

mod alarm;
mod config;
mod game;
mod learner;

pub use config::Config;
pub use learner::{Ended, Learner, Progress};
