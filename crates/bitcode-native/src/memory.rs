//! The compiled functions of a program.

use bitcode::Plane;
use std::io;
use x86::Pages;

/// Functions in executable memory.
pub(crate) struct Executable {
    pages: Pages,
    /// The offset of each function.
    entries: Vec<usize>,
}

impl Executable {
    /// Stores code with functions at `entries`.
    ///
    /// Each function must access only the planes passed to [`Executable::call`], and must run
    /// on this machine.
    pub(crate) fn new(code: &[u8], entries: Vec<usize>) -> io::Result<Executable> {
        Ok(Executable {
            pages: Pages::new(code)?,
            entries,
        })
    }

    /// Calls a function.
    ///
    /// # Panics
    /// If there is no such function.
    #[expect(
        unsafe_code,
        reason = "calling code made at run time is what this crate is for"
    )]
    pub(crate) fn call<const W: usize>(&self, number: usize, memory: &mut [Plane<W>]) {
        // SAFETY: `Native::compile` wrote a function at each entry, after it checked that the
        // machine has the instructions. The function takes one pointer, and reads and writes
        // only whole words in planes below `Native::planes`, because all places come from
        // `Code::check`ed planes and from the frame that `planes` counts; the caller has
        // compared the memory with that. The function preserves the registers and the stack as
        // the calling convention requires.
        unsafe {
            let begin = memory.as_mut_ptr().cast();
            self.pages
                .call(self.entries[number], begin, std::ptr::null_mut());
        }
    }
}
