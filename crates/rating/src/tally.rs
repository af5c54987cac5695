//! Tallies of scores.

/// The number of times that each score occurred, which is all that the statistics here need.
///
/// Scores are clamped to 0 and 1. A score that is not a number is ignored.
///
/// ```
/// let tally: rating::Tally = [1.0, 0.0, 0.5, 0.5].into_iter().collect();
/// assert_eq!((tally.count(), tally.mean()), (4, Some(0.5)));
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tally {
    /// The distinct scores in ascending order, with their counts.
    counts: Vec<(f64, u64)>,
}

impl Tally {
    /// Adds one score.
    pub fn add(&mut self, score: f64) {
        if score.is_nan() {
            return;
        }
        // Adding zero makes a negative zero positive.
        let score = score.clamp(0.0, 1.0) + 0.0;
        match self.counts.binary_search_by(|at| at.0.total_cmp(&score)) {
            Ok(at) => self.counts[at].1 += 1,
            Err(at) => self.counts.insert(at, (score, 1)),
        }
    }

    /// The number of scores.
    pub fn count(&self) -> u64 {
        self.counts.iter().map(|&(_, count)| count).sum()
    }

    /// The mean score, if there is any score.
    pub fn mean(&self) -> Option<f64> {
        let sum: f64 = self.weighted().map(|(score, count)| score * count).sum();
        (!self.counts.is_empty()).then(|| sum / self.count() as f64)
    }

    /// The mean squared distance from a value.
    pub(crate) fn spread(&self, from: f64) -> f64 {
        let squares = self
            .weighted()
            .map(|(score, count)| count * (score - from).powi(2));
        squares.sum::<f64>() / self.count().max(1) as f64
    }

    /// The distinct scores in ascending order, with their counts as weights.
    pub(crate) fn weighted(&self) -> impl Iterator<Item = (f64, f64)> {
        self.counts
            .iter()
            .map(|&(score, count)| (score, count as f64))
    }
}

impl FromIterator<f64> for Tally {
    fn from_iter<I: IntoIterator<Item = f64>>(scores: I) -> Self {
        let mut tally = Tally::default();
        for score in scores {
            tally.add(score);
        }
        tally
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_sorted_and_clamped() {
        let odd = [0.5, f64::NAN, 2.0, -0.0, 0.0, f64::NEG_INFINITY, 0.5];
        let tally: Tally = odd.into_iter().collect();
        assert_eq!(tally.counts, [(0.0, 3), (0.5, 2), (1.0, 1)]);
        assert_eq!(tally.count(), 6);
        assert_eq!(tally.mean(), Some(2.0 / 6.0));
        assert_eq!(tally.spread(0.5), 4.0 * 0.25 / 6.0);
        assert_eq!(Tally::default().mean(), None);
        assert_eq!(Tally::default().spread(0.5), 0.0);
    }
}
