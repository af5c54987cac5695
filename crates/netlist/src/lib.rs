//! The logic of a game as a flat network of two-input gates, and passes that shrink it.
//!
//! A [`Netlist`] holds and- and xor-gates over signals ([`Lit`]). A signal can be complemented
//! for free, and no two gates are equal. [`lower`] converts a propositional network to a
//! netlist. The result, a [`GameLogic`], names the signals that play asks for. Evaluators that
//! work on many states at once, or on one state without tracking changes, are built from it.
//!
//! # Scope
//! The propositional network keeps the structure of the rules. The netlist is a circuit in the
//! sense of hardware synthesis: all techniques that shrink circuits apply, and none needs to
//! know what a game is.
//!
//! # Key decisions
//! - Complements belong to the signals, and exclusive or is a gate: after Kuehlmann's
//!   and-inverter graphs.
//! - Simple rules are applied whenever a gate is added, so that no pass leaves anything behind
//!   that they would find. A pass builds a new netlist ([`GameLogic::rebuilt`]).
//! - Recursive rules stay: a signal that depends on itself is cut at an input ([`Fix`]), and
//!   evaluators repeat the cycle until it is stable.
//!
//! # Examples
//! A light that can be switched, as gates:
//!
//! ```
//! use netlist::Phases;
//!
//! let rules = "(role robot) (init off) (legal robot switch)
//!     (<= (next on) (true off)) (<= (next off) (true on))
//!     (<= terminal (true on) (not (true on))) (<= (goal robot 100) (true on))";
//! let logic = compile::compile(rules, &budget::Budget::system())?.logic;
//! assert_eq!(logic.facts.len(), 2);
//! assert_eq!(logic.sizes().step, 0); // The next state is the present one with facts exchanged.
//! assert_eq!(Phases::find(&logic).period(), 2);
//! # Ok::<(), compile::CompileError>(())
//! ```
//!
//! Gates simplify as they are written:
//!
//! ```
//! use netlist::{Lit, Netlist};
//!
//! let mut net = Netlist::new();
//! let (a, b) = (net.input(), net.input());
//! let both = net.and(a, b);
//! assert_eq!(net.and(b, a), both);
//! assert_eq!(net.and(a, !both), net.and(a, !b));
//! let either = net.or(a, b);
//! assert_eq!(net.and(either, !both), net.xor(a, b));
//! assert_eq!(net.and(a, !a), Lit::FALSE);
//! ```

mod known;
mod lit;
mod logic;
mod lower;
mod net;
pub mod passes;
mod phases;
mod rules;

pub use known::{Equal, Exclusive, Known};
pub use lit::Lit;
pub use logic::{Fix, GameLogic, Sizes, Source, copied, moved};
pub use lower::{LowerError, lower};
pub use net::{Gate, Netlist, word};
pub use phases::{Phased, Phases};
