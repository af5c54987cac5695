//! Options of a service.

use crate::recorder::RecordFolder;
use players::Player;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Makes the player of a match.
pub type PlayerFactory = Arc<dyn Fn() -> Box<dyn Player> + Send + Sync>;

/// How much of every clock is left unused.
///
/// The clock begins when the server sends and ends when it has read the answer, so it includes
/// network and scheduling on both sides. Over the internet that is rarely more than a second;
/// on one machine it is milliseconds. A fixed time would be too much of a short clock, hence
/// the second bound: a fifth of a clock of one second still leaves 800 ms to think.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Margin {
    /// Time to leave unused. [default: 1.5 s]
    pub time: Duration,
    /// At most this many per cent of the clock. [default: 20]
    pub percent: u8,
}

impl Default for Margin {
    fn default() -> Self {
        Margin {
            time: Duration::from_millis(1500),
            percent: 20,
        }
    }
}

/// The least time used, even of a clock of 0: servers with such a clock wait somewhat longer,
/// and finding a legal move takes that long.
const LEAST: Duration = Duration::from_millis(50);

impl Margin {
    /// The margin of a clock.
    pub fn of(&self, clock: Duration) -> Duration {
        self.time
            .min(clock * u32::from(self.percent.min(100)) / 100)
    }

    /// The usable part of a clock.
    pub fn usable(&self, clock: Duration) -> Duration {
        (clock - self.of(clock)).max(LEAST)
    }

    /// How long an answer may be delayed while no legal move is known.
    ///
    /// This is inside the margin, because no answer at all is as bad as a late one.
    pub fn last_call(&self, clock: Duration) -> Duration {
        (clock - self.of(clock) / 4).max(2 * LEAST)
    }
}

/// The options of a service.
#[derive(Clone)]
pub struct Options {
    /// The name sent to servers, one word.
    pub name: String,
    /// Makes the player of each match.
    pub player: PlayerFactory,
    /// Search threads.
    pub threads: usize,
    /// Bytes that preparation may use, and later the search.
    pub memory: usize,
    /// The part of every clock left unused.
    pub margin: Margin,
    /// Whether the player may ponder between an answer and the next request.
    pub ponder: bool,
    /// The seed of the first match. Every further match has the next.
    pub seed: u64,
    /// Where records of matches are kept; `None` to keep none.
    pub records: Option<RecordFolder>,
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("name", &self.name)
            .field("threads", &self.threads)
            .field("memory", &self.memory)
            .field("margin", &self.margin)
            .field("ponder", &self.ponder)
            .field("seed", &self.seed)
            .field("records", &self.records)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_clocks_leave_time_to_think() {
        let margin = Margin::default();
        let ms = Duration::from_millis;
        for (clock, usable) in [
            (0, 50),
            (100, 80),
            (1000, 800),
            (5000, 4000),
            (7500, 6000),
            (30_000, 28_500),
        ] {
            assert_eq!(margin.usable(ms(clock)), ms(usable), "{clock}");
            assert!(margin.last_call(ms(clock)) >= margin.usable(ms(clock)));
            assert!(clock < 200 || margin.last_call(ms(clock)) < ms(clock));
        }
    }
}
