//! Random planes.

use bitcode::Plane;
use multiversion::multiversion;
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// One generator for each word of a plane, in lockstep: xoshiro256++ (Blackman and Vigna,
/// 2019).
#[derive(Clone)]
pub struct RandomPlanes<const W: usize> {
    state: [[u64; W]; 4],
}

impl<const W: usize> RandomPlanes<W> {
    /// Generators with this seed.
    pub fn new(seed: u64) -> Self {
        let mut seeds = SplitMix64::seed_from_u64(seed);
        let mut state = [[0; W]; 4];
        for word in state.as_flattened_mut() {
            *word = seeds.next_u64();
        }
        RandomPlanes { state }
    }

    /// Fills planes with uniform random bits.
    pub fn fill(&mut self, planes: &mut [Plane<W>]) {
        fill(&mut self.state, planes);
    }
}

#[multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2"))]
fn fill<const W: usize>(state: &mut [[u64; W]; 4], planes: &mut [Plane<W>]) {
    let [mut a, mut b, mut c, mut d] = *state;
    for plane in planes {
        for w in 0..W {
            plane.0[w] = a[w].wrapping_add(d[w]).rotate_left(23).wrapping_add(a[w]);
            let t = b[w] << 17;
            c[w] ^= a[w];
            d[w] ^= b[w];
            b[w] ^= c[w];
            a[w] ^= d[w];
            c[w] ^= t;
            d[w] = d[w].rotate_left(45);
        }
    }
    *state = [a, b, c, d];
}
