//! Executable memory.

use memmap2::{Mmap, MmapMut};
use std::io;

/// A function in executable memory.
#[cfg(all(target_arch = "x86_64", not(portable)))]
type Function = unsafe extern "sysv64" fn(*mut u64, *mut u64);

/// Code in pages that can be read and run, but no longer written.
#[derive(Debug)]
pub struct Pages {
    pages: Mmap,
}

impl Pages {
    /// Copies code into new pages.
    ///
    /// # Errors
    /// If the system provides no memory, or none that can be run.
    pub fn new(code: &[u8]) -> io::Result<Pages> {
        let mut pages = MmapMut::map_anon(code.len().max(1))?;
        pages[..code.len()].copy_from_slice(code);
        Ok(Pages {
            pages: pages.make_exec()?,
        })
    }

    /// The number of bytes of code.
    pub fn bytes(&self) -> usize {
        self.pages.len()
    }

    /// Calls the function at byte `at` with two pointers to words.
    ///
    /// # Safety
    /// At `at` there must be a function that preserves registers and stack as the System V
    /// calling convention requires, and the machine must have its instructions. With these
    /// pointers it must do nothing but read and write words that the caller may read and write.
    ///
    /// # Panics
    /// If the code is shorter, and on other kinds of machines.
    #[cfg(all(target_arch = "x86_64", not(portable)))]
    #[expect(
        unsafe_code,
        reason = "calling code made at run time is what this crate is for"
    )]
    #[inline]
    pub unsafe fn call(&self, at: usize, first: *mut u64, second: *mut u64) {
        let entry = self.pages[at..].as_ptr();
        // SAFETY: the caller guarantees the function at `entry`; it lies in pages that can be
        // run and live as long as `self`. A function with a single pointer argument ignores the
        // other.
        unsafe {
            let function: Function = std::mem::transmute(entry);
            function(first, second);
        }
    }

    /// Panics: there is no such code on other kinds of machines.
    ///
    /// # Safety
    /// It only panics.
    ///
    /// # Panics
    /// Always.
    #[cfg(any(not(target_arch = "x86_64"), portable))]
    #[expect(unsafe_code, reason = "callers are the same on all machines")]
    pub unsafe fn call(&self, at: usize, _: *mut u64, _: *mut u64) {
        unreachable!("no code was made for this machine, at {at}");
    }
}
