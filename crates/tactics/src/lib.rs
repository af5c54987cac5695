//! Tactical positions: their right moves, the proofs of these, and the results of players.
//!
//! A position is a state of a game, a role to move, and its right moves: those that force a
//! goal value which all other moves miss. A [`Sheet`] is a text file of positions. [`prove`]
//! checks every claim by exhaustive search (crate `exhaustive`). [`attempt`] lets a player
//! choose a move and reports whether and when it was right. [`Miner`] finds new positions.
//!
//! # Scope
//! The positions test searches, so the right moves must not come from one. The format is text
//! that other programs can read, and it uses only the names of the rulesheet.
//!
//! # Key decisions
//! - A state is usually given by the moves that lead to it, which is short and certainly
//!   reachable. Only choices are written; forced moves are played automatically.
//! - "Right" means proved on both sides. Each right move forces the value whatever the others
//!   do. After any other move the others together can prevent the value.
//! - The time to solution is the time after which the published best move stays right, not the
//!   time when a right move is first published: a player may hit upon it by accident.
//!
//! # The format
//!
//! # The format
//! A sheet names its game, which is the file name of the rulesheet without its extension. The
//! positions follow. Comments begin with `;` as in rulesheets.
//!
//! ```
//! let text = "
//! (game tic_tac_toe)
//! (position fork
//!   (about three words here)      ; any words; optional
//!   (class win-in-2)
//!   (role cross)
//!   (play (mark 1 1) (mark 2 2))  ; the choices so far, in the order of states and roles;
//!                                 ; or (state FACT ...), all facts of the state
//!   (best (mark 3 3))             ; all right moves; or (avoid MOVE ...), all wrong ones
//!   (forces 100)                  ; the goal value that right moves get and wrong ones miss
//!   (within 2)                    ; own moves that right moves need at most; optional
//!   (states 5000)                 ; maximum number of states that the proof visits
//!   (playouts 1000) (seconds 1))  ; default limits of a player; optional
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
