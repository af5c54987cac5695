//! Plays directly from the rules by tabled evaluation, without grounding.
//!
//! The reasoner is the oracle that every faster engine is compared with, and the fallback when
//! a game is too large for a network. Apart from compiling the rules it needs no preparation.
//!
//! A query such as "which moves are legal for this role?" is a *call*: a relation with some
//! arguments bound. Calls are evaluated top-down, so that only requested atoms are derived.
//! Every answer is kept in a table: forever if it depends on neither state nor moves, otherwise
//! until they change. Recursive calls are iterated to their least fixpoint, as in tabled logic
//! programming (Tamaki and Sato 1986; Chen and Warren 1996), so that left recursion and mutual
//! recursion terminate. The facts of the state are never copied into indices. One index covers
//! all facts ever seen, and an entry counts if its fact carries the stamp of the current state.
//!
//! Rejected: full bottom-up evaluation of each state, which derives too much where helper
//! relations are only meant to be called with bound arguments; and plain resolution, which has
//! no tables and is exponential on the rulesheets that need a fallback most.
//!
//! ```
//! use game::{Engine, RoleId};
//! let rules = "(role a) (init (n 0)) (succ 0 1) (legal a go) (goal a 100)
//!              (<= (next (n ?y)) (true (n ?x)) (succ ?x ?y)) (<= terminal (true (n 1)))";
//! let sheet = gdl_parse::parse(rules, &Default::default()).sheet;
//! let mut engine = reasoner::Reasoner::new(&sheet, &budget::Budget::system()).unwrap();
//! let (mut state, mut moves) = (engine.initial(), Vec::new());
//! engine.legal(&state.clone(), RoleId(0), &mut moves).unwrap();
//! engine.next(&engine.initial(), &moves, &mut state).unwrap();
//! assert!(engine.terminal(&state).unwrap());
//! ```

mod code;
mod compile;
mod engine;
mod evaluate;
mod facts;
mod needs;
mod shared;
mod statistics;
mod table;

pub use engine::Reasoner;
