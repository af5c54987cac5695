//! Statistics of matches: intervals, Elo, ladders, sequential tests.
//!
//! A *score* is what one player gets from a match, 0 to 1: a win is 1, a draw is a half, and
//! shares of goal values are anything between. To reduce the noise of seats, matches are played
//! in pairs (or rounds) in which the seats are swapped. The mean of such a *unit* is one score
//! ([`units`]). The matches of a unit depend on each other; units are independent.
//!
//! # Scope
//!
//! The crate maps numbers to numbers. It knows no games, players or clocks, so it can be tested
//! against simulated players of known strength, which is what `tests/` does.
//!
//! # Key decisions
//!
//! * **Draws make results more certain.** All error bars use the variance of the observed
//!   scores, pulled a little towards that of matches without draws, which is the largest
//!   possible. A few scores that happen to be equal prove nothing.
//! * **Intervals are at 95 %.** The interval of a mean is Wilson's (1927), with the number of
//!   scores replaced by the number of matches without draws that carry the same information
//!   ([`mean`]). It stays within 0 and 1, is not empty when every match was won, and is valid
//!   with few matches; Student's interval does none of that here.
//! * **Elo is the logistic model**, 400 for a factor of ten in the odds.
//! * **A ladder is Bradley and Terry's (1952) model** by maximum likelihood, with draws as half
//!   a win. Each player gets half a pseudo-draw, so that the ratings of players that won every
//!   match stay finite ([`ladder`]).
//! * **Sequential tests are Wald's (1945)** with the likelihoods maximised over everything but
//!   the mean, which is the generalised SPRT that fishtest uses ([`Sprt`]). For matches without
//!   draws it is Wald's test itself.
//!
//! # Example
//!
//! ```
//! // Ten wins, five draws, five losses.
//! let scores = [[1.0; 10].as_slice(), &[0.5; 5], &[0.0; 5]].concat();
//! let elo = rating::elo(&scores);
//! assert_eq!(elo.to_string(), "+89 (-48 to +225)");
//! assert!((0.90..0.91).contains(&rating::superiority(&scores)));
//!
//! // Is it stronger by 10 Elo, rather than not at all? Too early to say.
//! let verdict = rating::Sprt::new(0.0, 10.0, 0.05, 0.05)?.test(&scores);
//! assert_eq!(verdict.decision, rating::Decision::GoOn);
//! # Ok::<(), rating::SprtError>(())
//! ```

mod elo;
mod interval;
mod ladder;
mod sprt;
mod tally;

pub use elo::{Elo, elo, elo_of, expected, superiority};
pub use interval::{Interval, mean, units};
pub use ladder::{Rated, Result, ladder, ladder_on};
pub use sprt::{Decision, LEAST, Sprt, SprtError, Verdict};
pub use tally::Tally;
