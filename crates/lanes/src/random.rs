//! Random planes.

use bitcode::Plane;
#[cfg(not(target_feature = "avx2"))]
use multiversion::{multiversion, target::match_target};
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

/// A build for one kind of processor (`-C target-cpu`) has no versions to choose from, and could
/// not call functions for vectors without `unsafe`. There the compiler has to find them.
#[cfg(target_feature = "avx2")]
use fill_words as fill;

#[cfg(not(target_feature = "avx2"))]
#[multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2"))]
fn fill<const W: usize>(state: &mut [[u64; W]; 4], planes: &mut [Plane<W>]) {
    match_target! {
        "x86_64+avx512f" => fill_eights(state, planes),
        "x86_64+avx2" => fill_fours(state, planes),
        _ => fill_words(state, planes),
    }
}

/// Eight generators in a register.
#[cfg(all(target_arch = "x86_64", not(target_feature = "avx2")))]
#[target_feature(enable = "avx512f,avx512vl")]
#[inline]
fn fill_eights<const W: usize>(state: &mut [[u64; W]; 4], planes: &mut [Plane<W>]) {
    use std::arch::x86_64::{
        __m512i, _mm512_add_epi64, _mm512_rol_epi64, _mm512_slli_epi64, _mm512_xor_si512,
    };
    if !W.is_multiple_of(8) {
        return fill_fours(state, planes);
    }
    for part in 0..W / 8 {
        let mut words = state
            .each_mut()
            .map(|all| &mut all.as_chunks_mut::<8>().0[part]);
        let [mut a, mut b, mut c, mut d]: [__m512i; 4] =
            words.each_ref().map(|words| bytemuck::cast(**words));
        for plane in &mut *planes {
            let turned = _mm512_rol_epi64::<23>(_mm512_add_epi64(a, d));
            let random = _mm512_add_epi64(turned, a);
            plane.0.as_chunks_mut::<8>().0[part] = bytemuck::cast(random);
            let t = _mm512_slli_epi64::<17>(b);
            let (both, other) = (_mm512_xor_si512(c, a), _mm512_xor_si512(d, b));
            b = _mm512_xor_si512(b, both);
            c = _mm512_xor_si512(both, t);
            a = _mm512_xor_si512(a, other);
            d = _mm512_rol_epi64::<45>(other);
        }
        for (words, now) in words.iter_mut().zip([a, b, c, d]) {
            **words = bytemuck::cast(now);
        }
    }
}

/// Four generators in a register. The compiler does not find this by itself.
#[cfg(all(target_arch = "x86_64", not(target_feature = "avx2")))]
#[target_feature(enable = "avx2")]
#[inline]
fn fill_fours<const W: usize>(state: &mut [[u64; W]; 4], planes: &mut [Plane<W>]) {
    use std::arch::x86_64::{
        __m256i, _mm256_add_epi64, _mm256_or_si256, _mm256_slli_epi64, _mm256_srli_epi64,
        _mm256_xor_si256,
    };
    if !W.is_multiple_of(4) {
        return fill_words(state, planes);
    }
    for part in 0..W / 4 {
        let mut words = state
            .each_mut()
            .map(|all| &mut all.as_chunks_mut::<4>().0[part]);
        let [mut a, mut b, mut c, mut d]: [__m256i; 4] =
            words.each_ref().map(|words| bytemuck::cast(**words));
        for plane in &mut *planes {
            let sum = _mm256_add_epi64(a, d);
            let turned =
                _mm256_or_si256(_mm256_slli_epi64::<23>(sum), _mm256_srli_epi64::<41>(sum));
            let random = _mm256_add_epi64(turned, a);
            plane.0.as_chunks_mut::<4>().0[part] = bytemuck::cast(random);
            let t = _mm256_slli_epi64::<17>(b);
            c = _mm256_xor_si256(c, a);
            d = _mm256_xor_si256(d, b);
            b = _mm256_xor_si256(b, c);
            a = _mm256_xor_si256(a, d);
            c = _mm256_xor_si256(c, t);
            d = _mm256_or_si256(_mm256_slli_epi64::<45>(d), _mm256_srli_epi64::<19>(d));
        }
        for (words, now) in words.iter_mut().zip([a, b, c, d]) {
            **words = bytemuck::cast(now);
        }
    }
}

/// Every generator by itself.
#[inline]
fn fill_words<const W: usize>(state: &mut [[u64; W]; 4], planes: &mut [Plane<W>]) {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Vectors hold the same generators, and go on where they stopped.
    #[test]
    fn all_widths_fill_planes_with_the_words_of_the_generators() {
        fn check<const W: usize>() {
            let mut random = RandomPlanes::<W>::new(7);
            let mut state = random.state;
            for count in [1, 13, 0, 64] {
                let mut planes = vec![Plane::FALSE; count];
                random.fill(&mut planes);
                let mut expected = vec![Plane::FALSE; count];
                fill_words(&mut state, &mut expected);
                assert!(planes == expected && random.state == state, "{W} words");
            }
        }
        check::<1>();
        check::<2>();
        check::<4>();
        check::<8>();
    }
}
