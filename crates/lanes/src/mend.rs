//! Redrawing ranks that may not be uniform.

use crate::choice::mend;
use crate::step::ChoicePlaces;
use bitcode::Plane;

impl ChoicePlaces {
    /// Redraws ranks of [`crate::LOOK`] where needed, in the lanes of `among`.
    ///
    /// About one rank in a thousand is checked. Afterwards the ranks are exactly uniform.
    /// `more` yields random words.
    pub fn mend<const W: usize>(
        &self,
        memory: &mut [Plane<W>],
        among: &Plane<W>,
        mut more: impl FnMut() -> u64,
    ) {
        let doubtful = memory[self.doubtful].zip(among, |a, b| a & b);
        if doubtful.is_false() {
            return;
        }
        for lane in doubtful.lanes() {
            let number = |planes: &[Plane<W>]| {
                let bits = planes.iter().enumerate();
                bits.fold(0u64, |n, (i, plane)| n | u64::from(plane.get(lane)) << i)
            };
            let total = number(&memory[self.total.clone()]);
            if total == 0 {
                continue;
            }
            let drawn = number(&memory[self.random.clone()]);
            let rank = mend(total, drawn, self.random.len(), &mut more);
            for (i, plane) in memory[self.rank.clone()].iter_mut().enumerate() {
                plane.set(lane, rank >> i & 1 == 1);
            }
        }
    }
}
