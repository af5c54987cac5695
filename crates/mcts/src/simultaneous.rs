//! Choices of several roles at once.
//!
//! [`mixed`] keeps the statistics of each role's own moves and chooses among them (decoupled UCT); of two
//! roles, [`payoffs`] makes a table of what joint moves have brought, and [`matrix`] solves it for an
//! equilibrium; [`bounds`] narrows what is proved by leaving out dominated moves.

mod bounds;
mod matrix;
mod mixed;
mod payoffs;

pub(crate) use bounds::{advance, bounds};
pub(crate) use mixed::{EDGE, Mixed, draw};
pub(crate) use payoffs::{equilibrium, worth};
