//! Proved bounds of results.

use game::RoleId;

/// The least and the greatest result, 0 to 100, that a role can still get.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// The least result.
    pub low: u8,
    /// The greatest result.
    pub high: u8,
}

impl Bounds {
    /// Nothing is proved.
    pub const OPEN: Bounds = Bounds { low: 0, high: 100 };

    /// The bounds of a result that is proved.
    pub fn exactly(result: u8) -> Bounds {
        Bounds {
            low: result,
            high: result,
        }
    }

    /// Whether the result is proved.
    #[inline]
    pub fn is_exact(self) -> bool {
        self.low == self.high
    }

    /// A mean result, 0 to 1, clamped to the bounds.
    #[inline]
    pub fn clamp(self, mean: f64) -> f64 {
        let [low, high] = [self.low, self.high].map(|bound| f64::from(bound) / 100.0);
        // `clamp` would panic if the bounds ever contradicted each other.
        mean.min(high).max(low)
    }

    /// The bounds of the other one of two roles, whose results add up to `sum`.
    pub fn rest(self, sum: u16) -> Bounds {
        let left = |own: u8| sum.saturating_sub(u16::from(own)).min(100) as u8;
        Bounds {
            low: left(self.high),
            high: left(self.low),
        }
    }

    /// The intersection of both.
    #[inline]
    pub fn meet(self, other: Bounds) -> Bounds {
        Bounds {
            low: self.low.max(other.low),
            high: self.high.min(other.high),
        }
    }
}

/// Static bounds: what the facts of a state alone prove of the results that are still possible.
///
/// The search asks at most once for each node and for each move that is looked ahead, so it
/// should be fast.
pub trait Prospects: Send + Sync {
    /// Bounds of the result of a role, whatever is played from a state on.
    ///
    /// The state is given as [`game::Engine::bits`] gives it. `within` are bounds of an earlier
    /// state: results outside need not be considered.
    fn bounds(&self, bits: &[u64], role: RoleId, within: Bounds) -> Bounds;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_stay_within_bounds() {
        let bounds = Bounds { low: 25, high: 75 };
        assert_eq!(
            [0.1, 0.5, 0.9].map(|mean| bounds.clamp(mean)),
            [0.25, 0.5, 0.75]
        );
        assert_eq!(
            bounds.meet(Bounds { low: 50, high: 100 }),
            Bounds { low: 50, high: 75 }
        );
        assert!(Bounds::exactly(50).is_exact() && !bounds.is_exact());
        assert_eq!(bounds.rest(90), Bounds { low: 15, high: 65 });
    }
}
