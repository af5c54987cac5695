//! Pictures of what was found of a game, as SVG text.
//!
//! A board with its initial contents, how far away every place of a board is from something wanted,
//! and the parts that a game falls into. The same input gives the same text.

mod board;
mod factors;
mod layout;
mod svg;

pub use board::{board, heat, near};
pub use factors::{FactorLink, FactorNode, factors};
