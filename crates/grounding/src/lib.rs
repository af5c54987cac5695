//! Instantiates the rules of a game over the atoms that play can reach.
//!
//! The result is a [`GroundGame`]: plain data without variables, from which a propositional network
//! is built.

pub mod ground;

pub use ground::{AtomId, AtomKind, GroundGame, GroundLiteral, GroundRule};
