//! What this machine has, how well it suits play, and what to do about it.
//!
//! A player that is late loses whatever it knows. How late a timer rings under load, whether
//! machine code can be used, and how much memory there really is differ from machine to machine
//! and from container to container, so they are measured where the player will run.
//!
//! # Scope
//! The crate looks at the machine and measures it. What it measures is play: the speeds are those
//! of playouts of three of our own rulesheets. It prints nothing.
//!
//! # Key decisions
//! - Speeds of two machines cannot be compared, but their ratios can: machine code beside an
//!   interpreter of the same programs, and playouts in lanes and one at a time.
//! - Every measurement becomes a sentence that says what is normal and what to do otherwise
//!   ([`Advice`]).
//!
//! # Example
//! ```
//! let machine = doctor::Machine::look();
//! assert!(machine.cores >= 1);
//! ```

mod advice;
mod machine;
mod port;
mod report;
mod speed;
mod timers;

pub use advice::{Advice, Level};
pub use machine::{Machine, Simd};
pub use port::Port;
pub use report::{Options, Report, examine};
pub use speed::{GAMES, Speed};
pub use timers::{Lateness, Timers};
