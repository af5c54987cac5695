//! Choices of several roles at once.
//!
//! [`joint_stats`] keeps the statistics of each role's own moves and chooses among them (decoupled UCT); of two
//! roles, [`payoffs`] makes a table of what joint moves have brought, and [`matrix`] solves it for an
//! equilibrium; [`bounds`] narrows what is proved by leaving out dominated moves.

mod bounds;
mod equilibrium;
mod joint_stats;
mod matrix;

pub(crate) use bounds::{advance, bounds};
pub(crate) use equilibrium::{child_value, equilibrium};
pub(crate) use joint_stats::{EDGE_BYTES, JointStats, draw};
