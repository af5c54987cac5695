//! Conversion of states to planes and back.

use bitcode::Plane;
use multiversion::multiversion;

/// Transposes a square of 64 by 64 bits.
///
/// The method of halving blocks is from Warren, "Hacker's Delight" (2002), section 7-3, written
/// so that vector instructions can take the rows of a block together.
#[inline(always)]
pub fn transpose(square: &mut [u64; 64]) {
    halve::<32>(square, 0x0000_0000_FFFF_FFFF);
    halve::<16>(square, 0x0000_FFFF_0000_FFFF);
    halve::<8>(square, 0x00FF_00FF_00FF_00FF);
    halve::<4>(square, 0x0F0F_0F0F_0F0F_0F0F);
    halve::<2>(square, 0x3333_3333_3333_3333);
    halve::<1>(square, 0x5555_5555_5555_5555);
}

#[inline(always)]
fn halve<const HALF: usize>(square: &mut [u64; 64], mask: u64) {
    for block in square.chunks_exact_mut(2 * HALF) {
        let (upper, lower) = block.split_at_mut(HALF);
        for (a, b) in upper.iter_mut().zip(lower) {
            let swap = (*a >> HALF ^ *b) & mask;
            *a ^= swap << HALF;
            *b ^= swap;
        }
    }
}

/// Where so few lanes are asked for, their states are read by bytes.
const FEW: usize = 8;

/// The states of the first eight lanes of word `w`, of at most 64 planes.
///
/// Eight squares of eight by eight bits are transposed, and then their bytes ("Hacker's Delight",
/// section 7-3).
#[inline(always)]
fn first_bytes<const W: usize>(planes: &[Plane<W>], w: usize) -> [u64; FEW] {
    let mut bytes = [0u8; 64];
    match <&[Plane<W>; 64]>::try_from(planes) {
        // The compiler knows the number of rounds.
        Ok(planes) => {
            for (byte, plane) in bytes.iter_mut().zip(planes) {
                *byte = plane.0[w] as u8;
            }
        }
        Err(_) => {
            for (byte, plane) in bytes.iter_mut().zip(planes) {
                *byte = plane.0[w] as u8;
            }
        }
    }
    let mut blocks = [0u64; FEW];
    for (block, bytes) in blocks.iter_mut().zip(bytes.as_chunks().0) {
        let mut bits = u64::from_le_bytes(*bytes);
        let swap = (bits ^ bits >> 7) & 0x00AA_00AA_00AA_00AA;
        bits ^= swap ^ swap << 7;
        let swap = (bits ^ bits >> 14) & 0x0000_CCCC_0000_CCCC;
        bits ^= swap ^ swap << 14;
        let swap = (bits ^ bits >> 28) & 0x0000_0000_F0F0_F0F0;
        *block = bits ^ swap ^ swap << 28;
    }
    halve_bytes::<4>(&mut blocks, 0x0000_0000_FFFF_FFFF);
    halve_bytes::<2>(&mut blocks, 0x0000_FFFF_0000_FFFF);
    halve_bytes::<1>(&mut blocks, 0x00FF_00FF_00FF_00FF);
    blocks
}

#[inline(always)]
fn halve_bytes<const HALF: usize>(blocks: &mut [u64; 8], mask: u64) {
    for part in blocks.chunks_exact_mut(2 * HALF) {
        let (upper, lower) = part.split_at_mut(HALF);
        for (a, b) in upper.iter_mut().zip(lower) {
            let swap = (*a >> (8 * HALF) ^ *b) & mask;
            *a ^= swap << (8 * HALF);
            *b ^= swap;
        }
    }
}

/// Sets lanes to states. `state(lane)` gives the words of a lane's state, or `None` to leave
/// the lane unchanged.
pub fn load<'s, const W: usize>(
    planes: &mut [Plane<W>],
    state: impl Fn(usize) -> Option<&'s [u64]>,
) {
    for w in 0..W {
        let rows: [Option<&[u64]>; 64] = std::array::from_fn(|i| state(64 * w + i));
        let known = (0..64).fold(0u64, |known, i| known | u64::from(rows[i].is_some()) << i);
        if known != 0 {
            load_word(planes, &rows, known, w);
        }
    }
}

#[multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2"))]
fn load_word<const W: usize>(
    planes: &mut [Plane<W>],
    rows: &[Option<&[u64]>; 64],
    known: u64,
    w: usize,
) {
    for (word, planes) in planes.chunks_mut(64).enumerate() {
        let mut square = [0; 64];
        for (row, state) in square.iter_mut().zip(rows) {
            *row = state.map_or(0, |words| words[word]);
        }
        transpose(&mut square);
        match known == u64::MAX {
            true => {
                for (plane, column) in planes.iter_mut().zip(square) {
                    plane.0[w] = column;
                }
            }
            false => {
                for (plane, column) in planes.iter_mut().zip(square) {
                    plane.0[w] = plane.0[w] & !known | column & known;
                }
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

/// The states of the 64 lanes of word `w`. `rows[i]` becomes word `i` of all 64 states.
pub fn unload_all<const W: usize>(planes: &[Plane<W>], w: usize, rows: &mut Vec<[u64; 64]>) {
    unload_first(planes, w, 64, rows);
}

/// The states of the first `lanes` lanes of word `w`, like [`unload_all`].
#[multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2"))]
pub fn unload_first<const W: usize>(
    planes: &[Plane<W>],
    w: usize,
    lanes: usize,
    rows: &mut Vec<[u64; 64]>,
) {
    rows.resize(planes.len().div_ceil(64), [0; 64]);
    for (square, planes) in rows.iter_mut().zip(planes.chunks(64)) {
        match lanes <= FEW {
            true => square[..FEW].copy_from_slice(&first_bytes(planes, w)),
            false => {
                square.fill(0);
                for (row, plane) in square.iter_mut().zip(planes) {
                    *row = plane.0[w];
                }
                // Most moves are legal nowhere.
                if square.iter().fold(0, |any, row| any | row) != 0 {
                    transpose(square);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loaded_states_can_be_unloaded() {
        let states: Vec<Vec<u64>> = (0..128u64)
            .map(|i| vec![i.wrapping_mul(0x9E37_79B9_7F4A_7C15), i.pow(3) & 0xFF_FFFF])
            .collect();
        let mut planes = vec![Plane::<2>::TRUE; 88];
        load(&mut planes, |lane| {
            (lane != 70).then(|| states[lane].as_slice())
        });
        let (mut words, mut rows) = (Vec::new(), Vec::new());
        for (lane, state) in states.iter().enumerate() {
            unload(&planes, lane, &mut words);
            if lane == 70 {
                assert_eq!(words, [!0, 0xFF_FFFF]);
            } else {
                assert_eq!(&words, state);
            }
            unload_all(&planes, lane / 64, &mut rows);
            let row: Vec<u64> = rows.iter().map(|square| square[lane % 64]).collect();
            assert_eq!(row, words);
        }
    }

    #[test]
    fn the_first_lanes_are_the_same_if_few_are_asked_for() {
        let planes: Vec<Plane<2>> = (1..150u64)
            .map(|i| Plane([1, 3].map(|j: u64| (i * j).wrapping_mul(0x9E37_79B9_7F4A_7C15))))
            .collect();
        let (mut all, mut first) = (Vec::new(), Vec::new());
        for w in 0..2 {
            unload_all(&planes, w, &mut all);
            for lanes in [1, 7, 8, 9, 63] {
                unload_first(&planes, w, lanes, &mut first);
                for (all, first) in all.iter().zip(&first) {
                    assert_eq!(all[..lanes], first[..lanes]);
                }
            }
        }
    }
}
