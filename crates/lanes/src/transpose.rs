//! From states to planes and back.

use bitcode::Plane;

/// Exchanges rows and columns of a square of 64 by 64 bits.
///
/// The method of halving blocks is from Warren, "Hacker's Delight" (2002), section 7-3.
pub fn transpose(square: &mut [u64; 64]) {
    let (mut half, mut mask) = (32, 0x0000_0000_FFFF_FFFFu64);
    while half > 0 {
        let mut row = 0;
        while row < 64 {
            let swap = (square[row] >> half ^ square[row + half]) & mask;
            square[row] ^= swap << half;
            square[row + half] ^= swap;
            row = (row + half + 1) & !half;
        }
        half >>= 1;
        mask ^= mask << half;
    }
}

/// Sets lanes to states: `state(lane)` gives the words of the state of a lane, or none where it
/// stays as it is.
pub fn load<'s, const W: usize>(
    planes: &mut [Plane<W>],
    state: impl Fn(usize) -> Option<&'s [u64]>,
) {
    for w in 0..W {
        let rows: Vec<Option<&[u64]>> = (0..64).map(|i| state(64 * w + i)).collect();
        let known = (0..64).fold(0u64, |known, i| known | u64::from(rows[i].is_some()) << i);
        if known == 0 {
            continue;
        }
        for (word, planes) in planes.chunks_mut(64).enumerate() {
            let mut square = [0; 64];
            for (row, state) in square.iter_mut().zip(&rows) {
                *row = state.map_or(0, |words| words[word]);
            }
            transpose(&mut square);
            for (plane, column) in planes.iter_mut().zip(square) {
                plane.0[w] = plane.0[w] & !known | column & known;
            }
        }
    }
}

/// The words of the state of a lane.
pub fn unload<const W: usize>(planes: &[Plane<W>], lane: usize, words: &mut Vec<u64>) {
    words.clear();
    words.extend(planes.chunks(64).map(|planes| {
        let bits = planes.iter().enumerate();
        bits.fold(0, |word, (i, plane)| word | u64::from(plane.get(lane)) << i)
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_come_back() {
        let states: Vec<Vec<u64>> = (0..128u64)
            .map(|i| vec![i.wrapping_mul(0x9E37_79B9_7F4A_7C15), i.pow(3) & 0xFF_FFFF])
            .collect();
        let mut planes = vec![Plane::<2>::TRUE; 88];
        load(&mut planes, |lane| {
            (lane != 70).then(|| states[lane].as_slice())
        });
        let mut words = Vec::new();
        for (lane, state) in states.iter().enumerate() {
            unload(&planes, lane, &mut words);
            if lane == 70 {
                assert_eq!(words, [!0, 0xFF_FFFF]);
            } else {
                assert_eq!(&words, state);
            }
        }
    }
}
