//! Statistics of matches: intervals, Elo, ladders, sequential tests.
//!
//! A *score* is what one player took from a match, 0 to 1: a win is 1, a draw a half, and shares of
//! goals are anything between. Where chance is reduced by playing a pair (or a round) of matches in
//! which the seats are swapped, the mean of such a *unit* is one score ([`units`]): the matches of a
//! unit depend on each other, units do not.
//!
//! # Why apart
//!
//! Numbers go in and numbers come out. Nothing here knows games, players or clocks, so it can be
//! tested against simulated players whose strength is known, which is what `tests/` does.
//!
//! # Key decisions
//!
//! * **Draws make results more certain.** All error bars take the variance that the scores show,
//!   drawn a little towards that of matches without draws, which is the largest there can be: a few
//!   scores that happen to be equal prove nothing.
//! * **Intervals are at 95 %**, and that of a mean is Wilson's (1927) with the number of scores
//!   replaced by the number of matches without draws that would be as telling ([`mean`]). It keeps
//!   within 0 and 1, is not empty when every match was won, and holds with few matches; Student's
//!   does none of that here.
//! * **Elo is the logistic model**, 400 for a factor of ten in the odds.
//! * **A ladder is Bradley and Terry's (1952) model** by maximum likelihood, draws as half a win,
//!   with half an imagined draw for each player so that those who won everything stay finite
//!   ([`ladder`]).
//! * **Sequential tests are Wald's (1945)** with the likelihoods maximised over everything but the
//!   mean, the generalised test that fishtest uses ([`Sprt`]). For matches without draws it is
//!   Wald's test itself.
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
