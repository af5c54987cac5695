//! A GGP player as an HTTP service: connections, matches, clocks.
//!
//! [`Server`] listens and reads requests. [`Service`] is the player behind it, a state machine
//! of at most one match that can be used without any socket. It is separate from the command
//! line so that both can be tested alone, and separate from the players because it alone knows
//! wall time.
//!
//! The promise is that an answer leaves in time and is legal, whatever goes wrong behind it. So
//! a connection never waits without a limit, and two workers follow every match, each in its
//! own thread on its own engine. The *thinker* plays with the best engine that the start clock
//! allowed. The *referee* follows with the plain reasoner, which is available almost at once
//! and defines what is legal. At the deadline the connection takes the first of these that is
//! available: the thinker's choice, its best move so far, its first legal move, the referee's
//! first legal move; and nothing that the referee knows to be illegal. A panic of either is
//! caught, and the other still answers. One worker with a timeout around it was the
//! alternative: it has no answer when that worker is the one that is stuck.
//! Theory: docs/theory/serving.md.

mod connection;
mod connections;
mod crew;
mod engines;
mod follower;
mod legal;
mod limits;
mod live;
mod options;
mod preparer;
mod recorder;
mod referee;
mod server;
mod service;
mod thinker;
mod tracker;
mod turn;

pub use limits::ServerLimits;
pub use options::{Margin, Options, PlayerFactory};
pub use preparer::{Preparer, RulesPreparer};
pub use recorder::RecordFolder;
pub use server::Server;
pub use service::{Answer, Context, Receipt, Service};
