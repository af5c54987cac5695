//! Hundreds of random playouts side by side, one bit each.
//!
//! A [`Step`] is a program that looks at a state, chooses a legal move for every role and makes it;
//! since it is the same for every state, a word of bits does it for 64 playouts at once, and a
//! vector register for several times as many. [`LanePlayouts`] runs it until the games are over,
//! fills the lanes that have ended with new playouts, and adds up the results. An [`Expander`] makes
//! moves that it is told: all children of a state, or of many, in one pass.
//!
//! # Why apart
//! This is where the speed of everything above comes from, and the only place that knows how play
//! goes on in many lanes. What it runs are `bitcode` programs, by whatever evaluator it is given.
//!
//! # Key decisions
//! - Everything is a circuit, the choice of moves too ([`choice`]): so there is one mechanism, and
//!   all optimisations of netlists apply to all of it.
//! - All lanes are in one phase of the game ([`netlist::Phases`]): whose turn it is has been worked
//!   out before the program is made, so that half of the rules fall away, and a role that can only
//!   pass costs nothing.
//! - Moves are uniform unless a [`Policy`] says otherwise, which becomes part of the circuit too.
//! - Playouts that were begun are finished or cut at the limit of steps, so that short ones do not
//!   count more than they should.

mod ages;
pub mod choice;
mod expand;
mod import;
mod mend;
mod playouts;
mod policy;
mod random;
mod step;
mod transpose;

pub use expand::{Ask, AskGoals, Children, Expander, Pair};
pub use playouts::LanePlayouts;
pub use policy::{
    Applied, Avoid, Declined, Figures, Guide, Guided, GuidedPlaces, Policy, Unwanted,
};
pub use random::RandomPlanes;
pub use step::{Choice, ChoicePlaces, LOOK, MOVE, Places, RESULTS, Step};
pub use transpose::{load, transpose, unload, unload_all};
