//! The age of each lane's playout in steps, for the step limit.

use bitcode::Plane;
use std::hint::black_box;

/// With a larger step limit, playouts are never cut.
const ENDLESS: u64 = 1 << 40;

/// Finds lanes whose playouts have reached the step limit.
///
/// Ages are not counted. The step at which each lane began is kept in binary, and checked only
/// when the oldest playout may have reached the limit.
pub(crate) struct Ages<const W: usize> {
    limit: u64,
    /// The lowest bits of the step at which each lane began, enough to tell ages up to the
    /// limit apart.
    began: Vec<Plane<W>>,
    /// The first step at which a lane may have reached the limit.
    due: u64,
}

impl<const W: usize> Ages<W> {
    /// No lane has begun.
    pub fn new(limit: u64) -> Self {
        let digits = match limit {
            0..=ENDLESS => u64::BITS - limit.leading_zeros(),
            _ => 0,
        };
        Ages {
            limit,
            began: vec![Plane::FALSE; digits as usize],
            due: u64::MAX,
        }
    }

    /// Records that `lanes` begin before this step.
    #[inline(always)]
    pub fn begin(&mut self, lanes: &Plane<W>, step: u64) {
        if self.limit > ENDLESS {
            return;
        }
        for (digit, plane) in self.began.iter_mut().enumerate() {
            // Without the black box, the compiler gathers words of several planes into registers,
            // instead of all words of one.
            let one = black_box((step >> digit & 1).wrapping_neg());
            *plane = plane.zip(lanes, |old, fresh| old & !fresh | fresh & one);
        }
        self.due = self.due.min(step + self.limit);
    }

    /// Whether a lane may have reached the limit.
    #[inline(always)]
    pub fn is_due(&self, step: u64) -> bool {
        step >= self.due && self.limit <= ENDLESS
    }

    /// The active lanes that have reached the limit.
    pub fn overdue(&mut self, active: &Plane<W>, step: u64) -> Plane<W> {
        let mut overdue = Plane::FALSE;
        if !self.is_due(step) {
            return overdue;
        }
        self.due = u64::MAX;
        let digits = (1 << self.began.len()) - 1;
        for lane in active.lanes() {
            let planes = self.began.iter().enumerate();
            let began = planes.fold(0, |n, (digit, plane)| {
                n | u64::from(plane.get(lane)) << digit
            });
            let age = step.wrapping_sub(began) & digits;
            match age < self.limit {
                true => self.due = self.due.min(step + self.limit - age),
                false => overdue.set(lane, true),
            }
        }
        overdue
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lanes that begin at given steps are overdue exactly when they should be.
    #[test]
    fn lanes_are_overdue_after_exactly_the_limit() {
        for limit in [0, 1, 2, 3, 7, 8, 9, 100] {
            let mut ages = Ages::<1>::new(limit);
            let mut began = [0u64; 64];
            let mut active = Plane::<1>::FALSE;
            for step in 0..1000u64 {
                // Some playouts end early, and vacant lanes begin now and then.
                let (mut fresh, mut expected) = (Plane::FALSE, Plane::FALSE);
                for (lane, began) in began.iter_mut().enumerate() {
                    let chance = (step * 31 + lane as u64 * 17) % 23;
                    if active.get(lane) && chance == 0 {
                        active.set(lane, false);
                    } else if !active.get(lane) && chance < 5 {
                        fresh.set(lane, true);
                        active.set(lane, true);
                        *began = step;
                    }
                    expected.set(lane, active.get(lane) && step - *began == limit);
                }
                ages.begin(&fresh, step);
                assert_eq!(
                    ages.overdue(&active, step),
                    expected,
                    "{limit}, step {step}"
                );
                active = active.zip(&expected, |a, b| a & !b);
            }
        }
        let mut ages = Ages::<1>::new(u64::MAX);
        ages.begin(&Plane::TRUE, 5);
        assert!(ages.overdue(&Plane::TRUE, u64::MAX).is_false());
    }
}
