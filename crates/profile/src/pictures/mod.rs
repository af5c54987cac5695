//! Pictures of analyses, as SVG text.
//!
//! They show a board with its initial contents, the distance of every cell of a board from a
//! condition, values of the cells of a board, and the factors of a game. The same input gives
//! the same text.

mod board;
mod factors;
mod layout;
mod svg;

pub use board::{board, heat, near, values};
pub use factors::{FactorLink, FactorNode, factors};
