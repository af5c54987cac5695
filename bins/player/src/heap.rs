//! Returns freed memory of the allocator to the system.

/// Blocks of at least this size, in bytes, are mapped separately. The tables and pools of a
/// search are larger, its nodes much smaller.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE: i32 = 1 << 20;

/// Makes glibc's allocator return large blocks to the system when they are freed.
///
/// It does so initially. But once a large block was freed, later blocks of its size come from
/// heaps, of which there are several for each processor. Each match is searched by other
/// threads, so from match to match tables remain in more and more heaps, which looks like a
/// memory leak.
///
/// Returns whether the setting was accepted. Other allocators need no setting.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "it is a function of the C library")]
pub fn give_back() -> bool {
    // SAFETY: mallopt takes two numbers and no pointers, and only decides where later blocks
    // are placed. It takes the lock of the allocator, so it may be called at any time.
    unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE) == 1 }
}

/// This allocator needs no setting; always true.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn give_back() -> bool {
    true
}

#[cfg(all(test, target_os = "linux", target_env = "gnu"))]
mod tests {
    /// The resident memory of this process, in bytes.
    fn resident() -> usize {
        let told = std::fs::read_to_string("/proc/self/statm").expect("Linux tells");
        let pages = told.split(' ').nth(1).and_then(|pages| pages.parse().ok());
        4096 * pages.unwrap_or(0usize)
    }

    /// Set in the process that runs nothing but the test.
    const ALONE: &str = "ROCINANTE_TEST_ALONE";

    /// Other tests take memory at the same time, so this one runs in a process of its own.
    #[test]
    fn large_blocks_are_returned_by_all_threads() {
        let program = std::env::current_exe().expect("it runs");
        let name = "heap::tests::in_a_process_of_its_own";
        let output = std::process::Command::new(program)
            .args(["--exact", name])
            .env(ALONE, "1")
            .output()
            .expect("it runs again");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{text}");
        assert!(text.contains("1 passed"), "{text}");
    }

    #[test]
    fn in_a_process_of_its_own() {
        if std::env::var_os(ALONE).is_none() {
            return;
        }
        assert!(super::give_back());
        const SIZE: usize = 8 << 20;
        let block = || std::hint::black_box(vec![1u8; SIZE]);
        // By default, after a block is freed the next ones would come from heaps, a new heap
        // for each thread while others live.
        drop(block());
        let before = resident();
        let small: Vec<Vec<u8>> = (0..8)
            .map(|_| {
                let thread = std::thread::spawn(move || {
                    let large = block();
                    // A small block behind the large one would keep it in its heap.
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
