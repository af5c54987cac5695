//! What is new about a state: facts, or pairs of them, that no state had before.

use rustc_hash::FxHashMap;

/// How many facts are looked at together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Width {
    /// Single facts.
    One,
    /// Pairs.
    Two,
}

/// The facts and pairs that were seen, for each value of a measure of states.
pub(crate) struct Novelty {
    facts: usize,
    /// Facts that count time. They are new all the time and say nothing.
    time: Vec<bool>,
    seen: FxHashMap<u32, Vec<u64>>,
    /// Words that may still be used.
    left: usize,
    held: Vec<u32>,
}

impl Novelty {
    pub fn new(facts: usize, time: &[bool], bytes: usize) -> Novelty {
        Novelty {
            facts,
            time: time.to_vec(),
            seen: FxHashMap::default(),
            left: bytes / 8,
            held: Vec::new(),
        }
    }

    /// Whether a state has anything that none of the same measure had; it has been seen then.
    ///
    /// Where memory ends, nothing is new.
    pub fn is_new(&mut self, state: &[u64], measure: u32, width: Width) -> bool {
        self.held.clear();
        for (at, &word) in state.iter().enumerate() {
            let mut left = word;
            while left != 0 {
                let fact = at as u32 * 64 + left.trailing_zeros();
                left &= left - 1;
                if !self.time[fact as usize] {
                    self.held.push(fact);
                }
            }
        }
        let bits = match width {
            Width::One => self.facts,
            Width::Two => self.facts * self.facts,
        };
        let words = bits.div_ceil(64);
        if !self.seen.contains_key(&measure) {
            if words > self.left {
                return false;
            }
            self.left -= words;
            self.seen.insert(measure, vec![0; words]);
        }
        let Some(seen) = self.seen.get_mut(&measure) else {
            return false;
        };
        let mut new = false;
        let mut mark = |bit: usize| {
            let (word, bit) = (&mut seen[bit / 64], 1 << (bit % 64));
            new |= *word & bit == 0;
            *word |= bit;
        };
        for (at, &one) in self.held.iter().enumerate() {
            match width {
                Width::One => mark(one as usize),
                Width::Two => {
                    for &other in &self.held[at..] {
                        mark(one as usize * self.facts + other as usize);
                    }
                }
            }
        }
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_new_where_their_facts_are_not() {
        let time = [false, false, false, true];
        let mut one = Novelty::new(4, &time, 1 << 20);
        let mut two = Novelty::new(4, &time, 1 << 20);
        for (state, new, new_pair) in [
            (0b0011, true, true),
            (0b0100, true, true),
            (0b0101, false, true),
            (0b1101, false, false),
        ] {
            assert_eq!(one.is_new(&[state], 0, Width::One), new, "{state:b}");
            assert_eq!(two.is_new(&[state], 0, Width::Two), new_pair, "{state:b}");
        }
        assert!(one.is_new(&[0b0011], 1, Width::One), "another measure");
    }
}
