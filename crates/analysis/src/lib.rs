//! What kind of game a network is: facts, each with its evidence.
//!
//! [`distances`] says how many transitions lie between what is wanted and what it takes, and
//! [`couplings`], which builds on it, how soon two moves can matter to the same thing.
//!
//! # Why apart
//! The analyses read a network and know nothing of who will use what they find. So search and
//! heuristics read facts, and never look at a network themselves.
//!
//! # Key decisions
//! - Every analysis takes a budget, and what it has when that runs out is told from what holds.
//! - Nothing depends on names, and everything is exact or says what it is.
//! - Distances ask only what reads what, one transition at a time: sets of bits, and no search.
//!
//! # Example
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
//! let network = prepare::build_network(&datalog::Program::from_sheet(&sheet), &budget)?.network;
//!
//! let distances = Distances::of(&network, &budget)?;
//! let moves = &network.vocabulary().moves[0];
//! let push = moves.iter().position(|mv| mv.to_string() == "push").unwrap();
//! let push = Met::Move(RoleId(0), MoveId(push as u32));
//! let end = Origin::Condition(Condition::Terminal);
//! assert_eq!(distances.distance(end, push), Some(Distance::Exactly(2)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod couplings;
pub mod distances;
