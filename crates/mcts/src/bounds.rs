//! What is proved of a result.

use game::RoleId;

/// The least and the greatest result, 0 to 100, that a role may still get.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// No less.
    pub low: u8,
    /// No more.
    pub high: u8,
}

impl Bounds {
    /// Nothing is known.
    pub const OPEN: Bounds = Bounds { low: 0, high: 100 };

    /// The result is known.
    pub fn exactly(result: u8) -> Bounds {
        Bounds {
            low: result,
            high: result,
        }
    }

    /// Whether the result is known.
    #[inline]
    pub fn is_exact(self) -> bool {
        self.low == self.high
    }

    /// A mean result, 0 to 1, as far as the bounds allow it.
    #[inline]
    pub fn clamp(self, mean: f64) -> f64 {
        let [low, high] = [self.low, self.high].map(|bound| f64::from(bound) / 100.0);
        // Not `clamp`, which panics if the bounds were ever the wrong way round.
        mean.min(high).max(low)
    }

    /// What is left of a sum for the other one of two.
    pub fn rest(self, sum: u16) -> Bounds {
        let left = |own: u8| sum.saturating_sub(u16::from(own)).min(100) as u8;
        Bounds {
            low: left(self.high),
            high: left(self.low),
        }
    }

    /// The narrower of both on each side.
    #[inline]
    pub fn meet(self, other: Bounds) -> Bounds {
        Bounds {
            low: self.low.max(other.low),
            high: self.high.min(other.high),
        }
    }
}

/// What the facts of a state alone prove of the results that are still possible from there on.
///
/// Asked once for each node, and mostly for what its moves lead to, so it should be quick.
pub trait Prospects: Send + Sync {
    /// Bounds of the result that a role gets, whatever is played from a state on. The state is given as
    /// [`game::Engine::bits`] gives it. `within` is what it said of a state before; nothing else need be looked at.
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
