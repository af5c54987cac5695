//! Asks the processor to fetch memory before it is read.
//!
//! A table of hundreds of megabytes is read at random places, and each read waits about a hundred
//! nanoseconds. Whoever knows the places in advance prefetches all of them, does something else
//! meanwhile, and then reads. Prefetching changes no result, only when memory arrives. On
//! processors other than x86-64 it does nothing.
//!
//! ```
//! let table = vec![7u64; 1 << 16];
//! let places = [3, 60_000, 20_001];
//! for place in places {
//!     prefetch::item(&table[place]);
//! }
//! let sum: u64 = places.iter().map(|&place| table[place]).sum();
//! assert_eq!(sum, 21);
//! ```

/// Prefetches a value into the nearest cache: all its lines, at most [`LINES`].
#[inline]
pub fn item<T>(item: &T) {
    bytes(item, size_of::<T>());
}

/// Prefetches a slice likewise.
#[inline]
pub fn slice<T>(items: &[T]) {
    if let Some(first) = items.first() {
        bytes(first, size_of_val(items));
    }
}

/// Bytes of a cache line.
const LINE: usize = 64;

/// Lines that are prefetched at once, at most: the processor predicts the following ones by
/// itself.
pub const LINES: usize = 8;

/// Prefetches the lines of so many bytes.
#[inline]
fn bytes<T>(from: &T, bytes: usize) {
    let from = std::ptr::from_ref(from).cast::<i8>();
    let lines = (from.addr() % LINE + bytes).div_ceil(LINE);
    for line in 0..lines.min(LINES) {
        hint(from.wrapping_add(line * LINE));
    }
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
#[expect(unsafe_code, reason = "there is no safe way to say it")]
#[inline]
fn hint(at: *const i8) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: A prefetch reads nothing and may name any address. All x86-64 processors have it.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(at) };
}

/// Other processors do without.
#[cfg(not(all(target_arch = "x86_64", not(miri))))]
#[inline]
fn hint(_at: *const i8) {}

#[cfg(test)]
mod tests {
    #[test]
    fn anything_may_be_prefetched() {
        let large = vec![1u8; 1 << 20];
        let none: &[u64] = &[];
        super::slice(&large);
        super::slice(none);
        super::item(&());
        super::item(&large[large.len() - 1]);
        assert!(large.iter().all(|&byte| byte == 1));
    }
}
