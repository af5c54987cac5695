//! What is given back to the allocator goes back to the system.

/// From this size on a block is a mapping of its own. Tables and pools of a search are larger, its nodes much smaller.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE: i32 = 1 << 20;

/// Has large blocks returned to the system when they are freed, where the allocator is glibc's. It does so at first, but
/// once one was freed the next ones of that size come from heaps, of which it has several for each processor: match after
/// match, each searched by other threads, tables stay behind in more and more of them, as if memory leaked.
///
/// Whether it did as told; nothing is to be told to other allocators.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "it is a function of the C library")]
pub fn give_back() -> bool {
    // SAFETY: mallopt takes two numbers, no pointers, and what it sets says only where blocks to come are to lie. It takes
    // the lock of the allocator, so that it may be called at any time.
    unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE) == 1 }
}

/// Nothing is to be told to this allocator.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn give_back() -> bool {
    true
}

#[cfg(all(test, target_os = "linux", target_env = "gnu"))]
mod tests {
    /// Bytes of this process that are resident.
    fn resident() -> usize {
        let told = std::fs::read_to_string("/proc/self/statm").expect("Linux tells");
        let pages = told.split(' ').nth(1).and_then(|pages| pages.parse().ok());
        4096 * pages.unwrap_or(0usize)
    }

    #[test]
    fn large_blocks_are_returned_by_whichever_thread() {
        assert!(super::give_back());
        const SIZE: usize = 8 << 20;
        let block = || std::hint::black_box(vec![1u8; SIZE]);
        // A block that is freed would have the next ones come from heaps, a new one for each thread while others live.
        drop(block());
        let before = resident();
        let small: Vec<Vec<u8>> = (0..8)
            .map(|_| {
                let thread = std::thread::spawn(move || {
                    let large = block();
                    // What lies behind it in a heap keeps it there.
                    let small = vec![1u8; 1 << 10];
                    drop(large);
                    small
                });
                thread.join().expect("it does not panic")
            })
            .collect();
        let grown = resident().saturating_sub(before);
        assert!(grown < SIZE, "{grown} bytes more with {} kept", small.len());
    }
}
