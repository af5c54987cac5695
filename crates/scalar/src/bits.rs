//! Finds the set bits of a word without branches.
//!
//! Counts are stored in the bytes of a word, and all bytes are compared at once (Vigna,
//! "Broadword Implementation of Rank/Select Queries", 2008).

/// The lowest bit of each byte.
const ONES: u64 = 0x0101_0101_0101_0101;
/// The highest bit of each byte.
const HIGHS: u64 = 0x8080_8080_8080_8080;
/// Bit i of byte i.
const DIAGONAL: u64 = 0x8040_2010_0804_0201;

/// A word with counts of its set bits.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Counts {
    word: u64,
    /// Byte i is the number of set bits in bytes 0 to i.
    sums: u64,
}

impl Counts {
    #[inline]
    pub fn new(word: u64) -> Counts {
        let pairs = word - (word >> 1 & 0x5555_5555_5555_5555);
        let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
        let bytes = (fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
        Counts {
            word,
            sums: bytes.wrapping_mul(ONES),
        }
    }

    /// The number of set bits.
    #[inline]
    pub fn all(self) -> u32 {
        (self.sums >> 56) as u32
    }

    /// The position of the set bit number `n`, counted from 0. `n` must be less than the number
    /// of set bits.
    #[inline]
    pub fn position(self, n: u32) -> u32 {
        let byte = 8 * at_most(self.sums, n);
        let before = (self.sums << 8) >> byte & 0xff;
        let spread = ((self.word >> byte & 0xff) * ONES) & DIAGONAL;
        // The highest bit of a nonzero byte is set, or becomes set when 127 is added.
        let set = (((spread & !HIGHS) + (HIGHS - ONES)) | spread) & HIGHS;
        let sums = (set >> 7).wrapping_mul(ONES);
        byte + at_most(sums, n - before as u32)
    }
}

/// The number of bytes that are at most `n`. All bytes are at most 64, and `n` is less than 64.
#[inline]
fn at_most(bytes: u64, n: u32) -> u32 {
    let not_more = (((u64::from(n) * ONES) | HIGHS) - bytes) & HIGHS;
    ((not_more >> 7).wrapping_mul(ONES) >> 56) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn set_bits_are_found_from_low_to_high(a: u64, b: u64, every: bool) {
            let word = if every { a | b } else { a & b };
            let counts = Counts::new(word);
            prop_assert_eq!(counts.all(), word.count_ones());
            let bits = (0..64).filter(|bit| word >> bit & 1 == 1);
            for (n, bit) in (0..).zip(bits) {
                prop_assert_eq!(counts.position(n), bit);
            }
        }
    }

    #[test]
    fn all_positions_are_found_in_full_and_single_bit_words() {
        for bit in 0..64 {
            assert_eq!(Counts::new(!0).position(bit), bit);
            assert_eq!(Counts::new(1 << bit).position(0), bit);
        }
        assert_eq!((Counts::new(!0).all(), Counts::new(0).all()), (64, 0));
    }
}
