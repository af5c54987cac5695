//! One bit for each lane.

/// A plane: one bit for each of `64 * W` lanes. Lane `i` is bit `i % 64` of word `i / 64`.
///
/// Planes are aligned to the size of the widest loads that are used for planes of four words,
/// so that no load crosses a cache line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C, align(32))]
pub struct Plane<const W: usize>(pub [u64; W]);

impl<const W: usize> Plane<W> {
    /// The number of lanes.
    pub const LANES: usize = 64 * W;
    /// False in every lane.
    pub const FALSE: Self = Plane([0; W]);
    /// True in every lane.
    pub const TRUE: Self = Plane([!0; W]);

    /// The same value in every lane.
    pub fn splat(value: bool) -> Self {
        if value { Self::TRUE } else { Self::FALSE }
    }

    /// The value of a lane.
    pub fn get(&self, lane: usize) -> bool {
        self.0[lane / 64] >> (lane % 64) & 1 == 1
    }

    /// Sets the value of a lane.
    pub fn set(&mut self, lane: usize, value: bool) {
        let bit = 1 << (lane % 64);
        if value {
            self.0[lane / 64] |= bit;
        } else {
            self.0[lane / 64] &= !bit;
        }
    }

    /// The number of lanes in which it is true.
    #[inline(always)]
    pub fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Whether it is false in every lane.
    #[inline(always)]
    pub fn is_false(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// The lanes in which it is true, ascending.
    pub fn lanes(&self) -> impl Iterator<Item = usize> + use<W> {
        let words = self.0;
        words.into_iter().enumerate().flat_map(|(w, mut word)| {
            std::iter::from_fn(move || {
                let bit = (word != 0).then(|| word.trailing_zeros() as usize)?;
                word &= word - 1;
                Some(64 * w + bit)
            })
        })
    }

    /// Applies a function to the words of both planes, word by word.
    #[inline(always)]
    pub fn zip(&self, other: &Self, f: impl Fn(u64, u64) -> u64) -> Self {
        let mut out = *self;
        for (out, other) in out.0.iter_mut().zip(&other.0) {
            *out = f(*out, *other);
        }
        out
    }
}

impl<const W: usize> Default for Plane<W> {
    fn default() -> Self {
        Self::FALSE
    }
}
