//! Analyses of a game that playing uses, proved or observed on its network and logic.
//!
//! Each analysis takes the compiled game and a budget. What only describes a game for people
//! (turns, statistics, symmetries, pictures) is in the crate `profile`.
//!
//! | analysis | what it finds | used by |
//! |---|---|---|
//! | [`goals`] | counts that results depend on | `prepare` (adders for lanes), [`prospects`] |
//! | [`latches`] | what can no longer change | [`prospects`], `heuristics` (features) |
//! | [`prospects`] | results that are out of reach in a state | `mcts`, `metagame` (bounds) |
//! | [`sums`] | the sum of the results of all roles | `mcts`, `dfpn` (proofs) |
//! | [`factors`] | parts that are games of their own | `factored`, the player by parts |
//! | [`form`] | which game it is, and a canonical order of its facts | `metagame` (what is kept) |
//! | [`distances`] | transitions from a fact or move to a condition | move order in local search |
//! | [`couplings`] | transitions until two moves interact | neighbourhoods in local search |
//! | [`boards`] | boards, owners of pieces, effects of moves | features of states, pictures |
//! | [`numbers`] | scores, coins and step counters | features of states, puzzle horizons |
//!
//! The analyses build on [`reads`] (dependencies between signals), [`sampling`] (random play of
//! 64 games in lockstep) and [`observe`] (statistics of random play).
//!
//! # Scope
//! Search and heuristics use the properties of a game. This crate finds them.
//!
//! # Key decisions
//! - Proved properties are kept apart from those that random play suggests ([`Evidence`]). Where
//!   a mistake would matter, only proved ones are used.
//! - Facts are named by their position in the vocabulary. States are plain bits in that order,
//!   which every engine can translate into its own layout. Nothing depends on names.
//! - Every analysis ends when its budget runs out. It then returns what it has found so far, all
//!   of which holds.
//! - Distances use only dependencies, one transition at a time: sets of bits, and no search.
//!
//! # Examples
//! A light that a button toggles, two states before the end:
//!
//! ```
//! use analysis::distances::{Condition, Distance, Distances, Met, Origin};
//! use budget::Budget;
//! use game::{MoveId, RoleId};
//!
//! let rules = "(role robot) (init (is off)) (light on) (light off)
//!     (legal robot wait) (<= (legal robot push) (true (is off)))
//!     (<= (next (is on)) (does robot push))
//!     (<= (next (was on)) (true (is on)))
//!     (<= terminal (true (was on))) (<= (goal robot 100) (true (was on)))";
//! let budget = Budget::system();
//! let network = compile::compile(rules, &budget)?.network.expect("a whole game has one");
//!
//! let distances = Distances::of(&network, &budget)?;
//! let moves = &network.vocabulary().moves[0];
//! let push = moves.iter().position(|mv| mv.to_string() == "push").unwrap();
//! let push = Met::Move(RoleId(0), MoveId(push as u32));
//! let end = Origin::Condition(Condition::Terminal);
//! assert_eq!(distances.distance(end, push), Some(Distance::Exactly(2)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A lamp that can be broken, and a player who wins if it is lit at the end:
//!
//! ```
//! use analysis::latches::{Latches, Literal};
//! use budget::Budget;
//!
//! let rules = "
//!     (role robot) (init (step 1)) (succ 1 2) (succ 2 3)
//!     (legal robot switch) (legal robot smash)
//!     (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
//!     (<= (next broken) (does robot smash))
//!     (<= (next broken) (true broken))
//!     (<= (next lit) (does robot switch) (not (true lit)))
//!     (<= lost (true broken))
//!     (<= (goal robot 100) (true lit) (not lost))
//!     (<= (goal robot 40) lost)
//!     (<= (goal robot 0) (not (true lit)) (not lost))
//!     (<= terminal (true (step 3)))";
//! let budget = Budget::system();
//! let compiled = compile::compile(rules, &budget)?.into();
//! let proved = compile::Proved::find(compiled, 1, &budget);
//! let logic = &proved.compiled.logic;
//!
//! let latches = Latches::find(logic, &proved.groups, 1, &budget);
//! let fact = |name: &str| {
//!     let mut facts = logic.words.facts.iter();
//!     facts.position(|fact| fact.to_string() == name).unwrap()
//! };
//! assert_eq!(latches.ranges.of(&[1 << fact("lit")], 0), (0, 100));
//! assert_eq!(latches.ranges.of(&[1 << fact("broken")], 0), (40, 40));
//! # Ok::<(), compile::CompileError>(())
//! ```

pub mod boards;
pub mod couplings;
pub mod distances;
mod evidence;
pub mod factors;
pub mod form;
pub mod goals;
pub mod latches;
pub mod numbers;
pub mod observe;
pub mod prospects;
pub mod reads;
pub mod sampling;
pub mod sums;

pub use evidence::Evidence;
