//! Local search: forced wins by proof cubes.
//!
//! When a state is proved, the proof leans on a few facts, and holds in every state that has
//! them: a [`Cube`]. Asked first, cubes answer most states without a search of their own, and a
//! move that changes none of the facts of a failure is refuted with all others like it, side by
//! side. What the search looks at stays near the play that matters, and that is an argument and
//! no assumption: its answers are proofs.
//! Theory: docs/theory/local-search.md.
//!
//! # Scope
//! One role against all others, one result, a bounded number of joint moves. The crate sees the
//! compiled game and knows nothing of players or other searches.
//!
//! # Key decisions
//! - One procedure for both claims. The side that chooses needs one move into a cube of the claim
//!   that he wants; if there is none, all moves lead into cubes of the other claim. Wins and
//!   failures differ in nothing but who that is.
//! - No imagined passes. A quiet reply does as much: most moves lead into the cube that the first
//!   reply was refuted by. So failures are exact where every move harms the one who must make
//!   one, and step counters need no care.
//! - The circuit of the phase is evaluated in 64 lanes, a move each. One evaluation is the
//!   generation of all children, and its values are what backward justification reads.
//! - Own moves that decided more often come first, then those that are nearer to the result by
//!   the distances of `analysis`.
//! - Cubes hold where everything holds that was proved of the game's states (`invariants`).
//!
//! # Example
//! Five tokens; the role that takes the last one wins, one or two at a time:
//!
//! ```
//! use budget::Budget;
//! use compile::Proved;
//! use game::{RoleId, State};
//! use localsearch::{Claim, Search};
//!
//! let rules = "
//!     (role a) (role b) (init (left 5)) (init (turn a))
//!     (minus 5 1 4) (minus 4 1 3) (minus 3 1 2) (minus 2 1 1) (minus 1 1 0)
//!     (minus 5 2 3) (minus 4 2 2) (minus 3 2 1) (minus 2 2 0) (other a b) (other b a)
//!     (<= (legal ?r (take ?k)) (true (turn ?r)) (true (left ?n)) (minus ?n ?k ?m))
//!     (<= (legal ?r wait) (true (turn ?q)) (other ?q ?r))
//!     (<= (next (left ?m)) (does ?r (take ?k)) (true (left ?n)) (minus ?n ?k ?m))
//!     (<= (next (turn ?r)) (true (turn ?q)) (other ?q ?r))
//!     (<= terminal (true (left 0)))
//!     (<= (goal ?r 100) (true (left 0)) (true (turn ?q)) (other ?q ?r))
//!     (<= (goal ?r 0) (true (left 0)) (true (turn ?r)))";
//! let budget = Budget::system();
//! let compiled = compile::compile(rules, &budget)?;
//! let mut facts = vec![0];
//! for &fact in &compiled.logic.words.initial {
//!     facts[0] |= 1 << fact;
//! }
//! let proved = Proved::find(compiled.into(), 1, &budget);
//! let mut search = Search::new(&proved, RoleId(0), 100, 1 << 20, &budget)?;
//! let proof = search.deepen(&State::from_words(facts), 9, 1000, &budget).unwrap();
//! assert_eq!(proof.cube.claim, Claim::Wins(3));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod children;
mod circuit;
mod closure;
mod cube;
mod explain;
mod game;
mod justify;
mod line;
mod near;
mod search;
mod shelf;
mod table;

pub use cube::{Claim, Cube, FOREVER, Literal};
pub use game::Unsuitable;
pub use search::{Proof, Search};
pub use table::Statistics;
