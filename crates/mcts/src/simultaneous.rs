//! States in which several roles choose at once.
//!
//! `joint_stats` keeps the statistics of each role's own moves (`arm`) and selects among them
//! (decoupled UCT); `joint_edges` keeps what joint moves lead to. For two roles, `equilibrium`
//! builds a matrix of payoffs from the means of joint moves, and `matrix` solves it. For more than
//! two, `regret` selects at the root by regret matching. `bounds` proves bounds by eliminating
//! dominated moves.

mod arm;
mod bounds;
mod equilibrium;
mod joint_edges;
mod joint_stats;
mod matrix;
mod regret;

pub(crate) use arm::draw;
pub(crate) use bounds::{advance, bounds};
pub(crate) use equilibrium::{child_value, equilibrium};
pub(crate) use joint_stats::JointStats;
