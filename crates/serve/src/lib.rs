//! A GGP player as an HTTP service: connections, matches, clocks.
//!
//! [`Server`] listens and reads requests; [`Service`] is the player behind it, a state machine of
//! at most one match that can be talked to without any socket. It stands apart from the command
//! line so that both can be tested alone, and apart from the players because it alone knows wall
//! time.
//!
//! The promise is that an answer leaves in time and is legal, whatever happens to the machinery
//! behind it. So nothing that a connection waits for is waited for without a limit, and two workers
//! follow every match, each in its own thread on its own engine: the *thinker* plays with the best
//! engine that the start clock allowed, and the *referee* follows with the plain reasoner, which is
//! there almost at once and is the measure of correctness. At the deadline the connection takes what
//! there is: the thinker's choice, its best move so far, its first legal move, the referee's first
//! legal move; and nothing that the referee knows to be illegal. A panic of either is caught, and
//! the other still answers. One worker with a timeout around it was the alternative: it leaves
//! nothing to say when that worker is the one that is stuck.

mod connection;
mod engines;
mod live;
mod options;
mod preparer;
mod referee;
mod server;
mod service;
mod thinker;
mod tracker;
mod turn;

pub use options::{Margin, Options, PlayerFactory};
pub use preparer::{Preparer, RulesPreparer};
pub use server::{Server, ServerLimits};
pub use service::{Answer, Context, Receipt, Service};
