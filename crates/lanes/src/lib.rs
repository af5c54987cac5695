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
//!
//! # Example
//! ```
//! use bitcode::{Code, Evaluator, Interpreter};
//! use budget::Budget;
//! use game::{Playouts, Start, State};
//! use lanes::{Choice, LanePlayouts};
//! use netlist::Phased;
//!
//! // A coin is thrown, and that is it.
//! let rules = "(role robot) (init toss) (side heads) (side tails)
//!     (<= (legal robot ?side) (side ?side)) (<= (next (lies ?side)) (does robot ?side))
//!     (<= terminal (true (lies ?side)))
//!     (<= (goal robot 100) (true (lies heads))) (<= (goal robot 0) (true (lies tails)))";
//! let sheet = gdl_parse::parse(rules, &Default::default()).sheet;
//! let program = datalog::Program::from_sheet(&sheet);
//! let budget = Budget::system();
//! let network = compile::build_network(&program, &budget)?.network;
//! let logic = netlist::lower(&network, &budget)?;
//!
//! let compile = |code: &Code| Box::new(Interpreter::new(code)) as Box<dyn Evaluator<4>>;
//! let (phased, choices) = (Phased::new(&logic), Choice::plain(&logic));
//! let mut lanes = LanePlayouts::<4>::new(&phased, &choices, compile, 1, 1000);
//! let mut words = vec![0; logic.facts.len().div_ceil(64)];
//! for &fact in &logic.words.initial {
//!     words[fact as usize / 64] |= 1 << (fact % 64);
//! }
//! let state = State::from_words(words);
//! let start = Start { state: &state, playouts: 10_000 };
//! let mut tallies = Vec::new();
//! lanes.run(&[start], &mut tallies, &budget)?;
//! assert_eq!(tallies[0].steps, 10_000);
//! assert!((tallies[0].mean(0).unwrap() - 50.0).abs() < 5.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod ages;
pub mod choice;
mod ends;
mod expand;
mod import;
mod mend;
mod playouts;
mod policy;
mod random;
mod step;
mod transpose;

pub use expand::{Ask, AskGoals, Children, Expander, LaneFans, Order, Pair};
pub use playouts::LanePlayouts;
pub use policy::{Applied, Declined, Figures, Guide, Guided, GuidedPlaces, Policy};
pub use random::RandomPlanes;
pub use step::{Choice, ChoicePlaces, LOOK, MOVE, Places, RESULTS, Step};
pub use transpose::{load, transpose, unload, unload_all};
