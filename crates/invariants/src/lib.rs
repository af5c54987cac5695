//! Invariants: what holds in every reachable state of a game, proved on its netlist.
//!
//! The rules of a game allow far more states than play reaches: a square with two pieces on it,
//! two players to move. [`Groups`] holds the proved invariants: facts that exclude each other,
//! and facts that never change. [`exclusion`] derives from them which moves are never legal
//! together. A random choice among thousands of legal signals then becomes a choice among some
//! hundred leaves.
//! Theory: docs/theory/proofs-of-facts.md.
//!
//! # Scope
//! Proofs concern the states of play, not how circuits are written. Nothing here is needed to
//! evaluate a netlist, and every evaluator of netlists may use it. Everything that is returned
//! is proved; the caller need not check it again.
//!
//! # Key decisions
//! - Random play and the form of the facts suggest candidates. Mutual induction proves them: all
//!   candidates are assumed for the present state and proved for the next one. Those that fail
//!   are dropped until the remaining ones support each other.
//! - Proofs are case analyses over the gates, evaluated on demand. Mutual exclusion in groups
//!   and the choice of one legal move per role are built in. Nearly all cases are decided near
//!   the root, where a general solver would first have to read the whole network.
//! - If the budget runs out, fewer invariants are found. Those found are still true.
//!
//! # Example
//! A light that two moves switch:
//!
//! ```
//! use budget::Budget;
//! use invariants::{Groups, exclusion};
//!
//! let rules = "
//!     (role robot) (init (light off)) (opposite on off) (opposite off on)
//!     (<= (legal robot (switch ?to)) (true (light ?now)) (opposite ?now ?to))
//!     (<= (next (light ?to)) (does robot (switch ?to)))
//!     (<= (goal robot 100) (true (light on)))
//!     (<= terminal (true (light broken)))";
//! let budget = Budget::system();
//! let logic = compile::compile(rules, &budget)?.logic;
//!
//! let groups = Groups::find(&logic, 1, &budget);
//! assert!(groups.groups[0].exactly);
//! assert_eq!(groups.groups[0].facts.len(), 2);
//! // There is never a choice: the light can only be switched to what it is not.
//! let choices = exclusion(&logic, &groups, &budget).choices;
//! assert_eq!((choices[0].leaves.len(), choices[0].forced.len()), (0, 2));
//! # Ok::<(), compile::CompileError>(())
//! ```

mod agenda;
mod ask;
mod candidates;
mod domains;
mod equal;
mod exclusion;
mod forced;
mod groups;
mod imagine;
mod induction;
mod invariant;
mod play;
mod refusals;
mod refute;
mod samples;

pub use ask::Prover;
pub use exclusion::{Exclusion, ExclusiveMoves, Move, exclusion};
pub use groups::{Group, Groups, Report};
pub use play::Play;
