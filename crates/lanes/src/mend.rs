//! Redrawing ranks that may not be uniform.

use crate::choice::mend;
use crate::step::ChoicePlaces;
use bitcode::Plane;

impl ChoicePlaces {
    /// Redraws ranks of [`crate::LOOK`] where needed, in the lanes of `among`.
    ///
    /// About one rank in a thousand is checked. Afterwards the ranks are exactly uniform.
    /// `more` yields random words.
    #[inline(always)]
    pub fn mend<const W: usize>(
        &self,
        memory: &mut [Plane<W>],
        among: &Plane<W>,
        more: impl FnMut() -> u64,
    ) {
        let doubtful = memory[self.doubtful].zip(among, |a, b| a & b);
        if !doubtful.is_false() {
            self.redraw(memory, &doubtful, more);
        }
    }

    /// Redraws the ranks of these lanes where needed.
    #[inline(never)]
    fn redraw<const W: usize>(
        &self,
        memory: &mut [Plane<W>],
        lanes: &Plane<W>,
        mut more: impl FnMut() -> u64,
    ) {
        for (word, mut left) in lanes.0.into_iter().enumerate() {
            while left != 0 {
                let bit = left.trailing_zeros();
                left &= left - 1;
                let number = |planes: &[Plane<W>]| {
                    let bits = planes.iter().rev();
                    bits.fold(0u64, |n, plane| n << 1 | plane.0[word] >> bit & 1)
                };
                let total = number(&memory[self.total.clone()]);
                if total == 0 {
                    continue;
                }
                let drawn = number(&memory[self.random.clone()]);
                let bits = self.random.len();
                let rank = mend(total, drawn, bits, &mut more);
                if rank == (total * drawn) >> bits {
                    continue;
                }
                for (i, plane) in memory[self.rank.clone()].iter_mut().enumerate() {
                    let one = rank >> i & 1;
                    plane.0[word] = plane.0[word] & !(1 << bit) | one << bit;
                }
            }
        }
    }
}
