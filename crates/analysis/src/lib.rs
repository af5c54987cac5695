//! What kind of game a network is: facts, each with its evidence.
//!
//! Before the first move a player has seconds to find out what kind of game it holds. Each analysis
//! here takes the game's network or logic and a budget. [`distances`] says how many transitions lie
//! between what is wanted and what it takes, and [`couplings`], which builds on it, how soon two moves
//! can matter to the same thing; [`latches`] finds what can no longer change, and from that the
//! results that are still possible in a state. [`structure`] says who chooses when, which facts go
//! their way whatever is played, and how long games are; [`play`] what random play looks like.
//! [`boards`] finds what is a board, whose pieces lie on it, and what moves do there.
//! [`goals`] finds the counts that results are computed from, [`numbers`] scores, coins and steps;
//! [`symmetries`] in which ways the game is an image of itself; [`factors`] the parts that can each be
//! played as a game of its own;
//! [`prospects`] bounds what each role may still get, by latches and counts together. [`profile`] runs them all within one budget, and [`pictures`] draws
//! some of what they find.
//!
//! # Why apart
//! Search and heuristics read facts about the game; how those are found is none of their business,
//! and whoever finds them need not know what they are good for.
//!
//! # Key decisions
//! - What random play suggests and what is proved are told apart ([`Evidence`]), and only what is
//!   proved is used where a mistake would matter.
//! - Facts are named by their position in the vocabulary, states are plain bits in that order:
//!   every engine can translate these into its own layout. Nothing depends on names.
//! - Every analysis ends when its budget does, with what it has by then, told from what holds.
//! - Distances ask only what reads what, one transition at a time: sets of bits, and no search.
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
//! let sheet = gdl_parse::parse(rules, &Default::default()).sheet;
//! let budget = Budget::system();
//! let network = compile::build_network(&datalog::Program::from_sheet(&sheet), &budget)?.network;
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
//! use invariants::Groups;
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
//! let sheet = gdl_parse::parse(rules, &gdl_parse::ParseOptions::default()).sheet;
//! let program = datalog::Program::from_sheet(&sheet);
//! let budget = Budget::system();
//! let network = compile::build_network(&program, &budget).unwrap().network;
//! let logic = netlist::lower(&network, &budget).unwrap();
//!
//! let groups = Groups::find(&logic, 1, &budget);
//! let latches = Latches::find(&logic, &groups, 1, &budget);
//! let fact = |name: &str| {
//!     let mut facts = logic.words.facts.iter();
//!     facts.position(|fact| fact.to_string() == name).unwrap()
//! };
//! assert_eq!(latches.ranges.of(&[1 << fact("lit")], 0), (0, 100));
//! assert_eq!(latches.ranges.of(&[1 << fact("broken")], 0), (40, 40));
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
pub mod pictures;
pub mod play;
pub mod profile;
pub mod prospects;
mod reads;
mod sampling;
pub mod structure;
pub mod symmetries;

pub use evidence::Evidence;
