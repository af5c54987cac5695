//! Proof and disproof numbers.

/// The least number of leaves that have to be decided for an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Numbers {
    /// For the answer yes; 0 if it is proved.
    pub yes: u32,
    /// For the answer no; 0 if it is proved.
    pub no: u32,
}

impl Numbers {
    /// Infinity: cannot be proved.
    pub const NEVER: u32 = u32::MAX >> 2;
    /// The answer is yes.
    pub const YES: Numbers = Numbers {
        yes: 0,
        no: Numbers::NEVER,
    };
    /// The answer is no.
    pub const NO: Numbers = Numbers {
        yes: Numbers::NEVER,
        no: 0,
    };
    /// Undecided, and not to be searched.
    pub const CLOSED: Numbers = Numbers {
        yes: Numbers::NEVER,
        no: Numbers::NEVER,
    };

    /// Whether the question is decided.
    pub fn is_known(self) -> bool {
        self.yes == 0 || self.no == 0
    }

    /// The number of the answer that is good for the side that chooses, and the other one.
    ///
    /// That side needs one child for the first, and the other side needs all for the second.
    pub fn of_chooser(self, own: bool) -> (u32, u32) {
        match own {
            true => (self.yes, self.no),
            false => (self.no, self.yes),
        }
    }

    /// The inverse of [`Numbers::of_chooser`].
    pub fn from_chooser(own: bool, one: u32, all: u32) -> Numbers {
        match own {
            true => Numbers { yes: one, no: all },
            false => Numbers { yes: all, no: one },
        }
    }

    /// So many times the numbers of a leaf.
    pub(crate) fn times(self, factor: u32) -> Numbers {
        let times = |number: u32| number.saturating_mul(factor).min(Numbers::NEVER);
        Numbers {
            yes: times(self.yes),
            no: times(self.no),
        }
    }

    /// For searches in batches: the numbers of a leaf that waits for its expansion, so that the
    /// next descents go elsewhere: one more for the first, half as much again for each that comes
    /// all the same.
    pub fn virtually(self, again: bool) -> Numbers {
        let more = |number: u32| match again {
            true => (number + number / 2 + 1).min(Numbers::NEVER),
            false => (number + 1).min(Numbers::NEVER),
        };
        Numbers {
            yes: more(self.yes),
            no: more(self.no),
        }
    }
}
