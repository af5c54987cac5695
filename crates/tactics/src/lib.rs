//! Tactical positions: what is right in them, the proof of it, and how players do.
//!
//! A position is a state of a game, a role that is to choose there, and the moves that are right,
//! because they force a result that all other moves miss. [`Sheet`]s of positions are text;
//! [`prove`] checks every claim with exhaustive search (crate `solver`); [`attempt`] lets a player
//! choose and says whether and when it was right; [`Miner`] finds more.
//!
//! # Why apart
//! The positions test searches, so what is right in them must not come from one. And they are text
//! that other programs can read, with nothing in it but the words of the rulesheet.
//!
//! # Key decisions
//! - A state is usually given by the moves that lead to it: that is short and surely reachable.
//!   Only choices are written; what is forced is made by itself.
//! - "Right" is what is proved on both sides: each right move forces the value whatever the others
//!   do, and after any other move the others together can prevent it.
//! - The time to solution is that since which the published best move has been a right one, not
//!   that when one was first published: a player may stumble over it.
//!
//! # The format
//! A sheet names its game, the file name of the rulesheet without its ending, then come positions.
//! Comments begin with `;` as in rulesheets.
//!
//! ```
//! let text = "
//! (game tic_tac_toe)
//! (position fork
//!   (about three words here)      ; any words; need not be there
//!   (class win-in-2)
//!   (role cross)
//!   (play (mark 1 1) (mark 2 2))  ; the choices so far, in the order of states and roles;
//!                                 ; or (state FACT ...), all facts of the state
//!   (best (mark 3 3))             ; all right moves; or (avoid MOVE ...), all wrong ones
//!   (forces 100)                  ; the goal value that right moves get and wrong ones miss
//!   (within 2)                    ; own moves that right moves need at most; need not be there
//!   (states 5000)                 ; states that the proof may visit
//!   (playouts 1000) (seconds 1))  ; what a player is to be given; need not be there
//! ";
//! let sheet = tactics::Sheet::parse(text)?;
//! assert_eq!(sheet.positions[0].class, "win-in-2");
//! assert_eq!(tactics::Sheet::parse(&sheet.to_string())?, sheet);
//!
//! let error = tactics::Sheet::parse("(game nim)\n(position p (role))").unwrap_err();
//! assert_eq!(error.to_string(), "line 2 column 13: expected (role X)");
//! # Ok::<(), tactics::ParseError>(())
//! ```
//!
//! An *own move* is a state in which the role has a choice.

mod attempt;
mod mine;
mod parse;
mod position;
mod print;
mod prove;
mod scene;
#[cfg(test)]
mod tests;

pub use attempt::{Attempt, Conditions, attempt};
pub use mine::{Candidate, Miner, Settings};
pub use parse::ParseError;
pub use position::{Moves, Place, Position, Sheet};
pub use prove::{Proof, Refuted, prove};
pub use scene::{Scene, SceneError};
