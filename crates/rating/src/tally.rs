//! Scores, counted.

/// How often each score occurred; all that the statistics here look at.
///
/// Scores are kept within 0 and 1, and what is not a number is left out.
///
/// ```
/// let tally: rating::Tally = [1.0, 0.0, 0.5, 0.5].into_iter().collect();
/// assert_eq!((tally.count(), tally.mean()), (4, Some(0.5)));
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tally {
    /// Different scores and how often, the lowest first.
    counts: Vec<(f64, u64)>,
}

impl Tally {
    /// Counts one more score.
    pub fn add(&mut self, score: f64) {
        if score.is_nan() {
            return;
        }
        // Adding nothing makes a negative zero positive.
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

    /// The mean, if there is any score.
    pub fn mean(&self) -> Option<f64> {
        let sum: f64 = self.weighted().map(|(score, count)| score * count).sum();
        (!self.counts.is_empty()).then(|| sum / self.count() as f64)
    }

    /// The mean square of the distances to a value.
    pub(crate) fn spread(&self, from: f64) -> f64 {
        let squares = self
            .weighted()
            .map(|(score, count)| count * (score - from).powi(2));
        squares.sum::<f64>() / self.count().max(1) as f64
    }

    /// Different scores and how often, the lowest first.
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
    fn counts_in_order_and_within_bounds() {
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
