//! How many playouts to request per call, so that they take about the time that is left.
//!
//! An evaluator that plays many games side by side works best in long calls: at the end of each
//! call lanes idle until the longest playout is over. A caller that plays for a given time
//! therefore requests as many as fit, judged by the calls before. No clock is read here: the
//! times are passed in.

/// If no more than this share of the time remains, no further call is made.
const GOOD_ENOUGH: f64 = 0.05;

/// A measured pace of playouts.
///
/// ```
/// let mut pace = game::Pace::default();
/// assert_eq!(pace.playouts(8, 1.0, 1.0), Some(8)); // Nothing is known: one in every lane.
/// pace.note(8, 0.001);
/// assert_eq!(pace.playouts(8, 1.0, 0.999), Some(512)); // Limited growth: at most 64 times longer.
/// pace.note(512, 0.064);
/// assert_eq!(pace.playouts(8, 1.0, 0.935), Some(7480)); // What is left, in one call.
/// assert_eq!(pace.playouts(8, 1.0, 0.01), None);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Pace {
    per_second: Option<f64>,
    longest: u64,
}

/// A call is at most this many times as long as the longest so far.
///
/// The first calls fill caches and tables, so their pace predicts that of later calls badly.
const GROWTH: u64 = 64;

impl Pace {
    /// Records that a call made `playouts` in `seconds`.
    pub fn note(&mut self, playouts: u64, seconds: f64) {
        self.longest = self.longest.max(playouts);
        self.per_second = (seconds > 0.0).then(|| playouts as f64 / seconds);
    }

    /// How many playouts the next call should make if `left` of `total` seconds remain.
    ///
    /// The evaluator makes `width` at a time. `None` if the rest is too short for another call.
    pub fn playouts(&self, width: usize, total: f64, left: f64) -> Option<u64> {
        if left <= total * GOOD_ENOUGH {
            return None;
        }
        let width = width.max(1) as u64;
        let fitting = match (self.longest, self.per_second) {
            (0, _) => width,
            (longest, None) => longest.saturating_mul(GROWTH),
            (longest, Some(pace)) => ((pace * left) as u64).min(longest.saturating_mul(GROWTH)),
        };
        Some(fitting.max(width))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays `total` seconds, where a call costs `call` seconds and each playout `each`.
    /// Returns the number of calls and the seconds used.
    fn play(pace: &mut Pace, width: usize, total: f64, call: f64, each: f64) -> (usize, f64) {
        let (mut calls, mut now) = (0, 0.0);
        while let Some(playouts) = pace.playouts(width, total, total - now) {
            let took = call + each * playouts as f64;
            pace.note(playouts, took);
            now += took;
            calls += 1;
            assert!(calls < 1000, "it ends");
        }
        (calls, now)
    }

    #[test]
    fn few_calls_fill_the_time() {
        for (width, each) in [(1, 1e-6), (1, 1e-3), (512, 1e-8), (512, 1e-5)] {
            let mut pace = Pace::default();
            let (calls, took) = play(&mut pace, width, 0.5, 1e-5, each);
            assert!(calls <= 8, "{calls} calls");
            assert!((0.475..0.51).contains(&took), "{took}");
            // Now the pace is known.
            let (calls, took) = play(&mut pace, width, 0.5, 1e-5, each);
            assert!(calls <= 3, "{calls} calls");
            assert!((0.475..0.51).contains(&took), "{took}");
        }
    }

    #[test]
    fn a_playout_longer_than_the_time_is_made_once() {
        let (calls, took) = play(&mut Pace::default(), 1, 0.5, 0.0, 7.0);
        assert_eq!((calls, took), (1, 7.0));
    }

    #[test]
    fn a_clock_that_stands_still_does_not_stop_growth() {
        let mut pace = Pace::default();
        pace.note(1, 0.0);
        assert_eq!(pace.playouts(1, 1.0, 1.0), Some(64));
    }
}
