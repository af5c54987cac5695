//! Memory that can be run.

use bitcode::Plane;
use memmap2::{Mmap, MmapMut};
use std::io;

/// A function that runs a segment, given where the planes begin.
#[cfg(target_arch = "x86_64")]
type Function = unsafe extern "sysv64" fn(*mut u8);

/// Code in pages that can be read and run, and no longer written.
pub(crate) struct Executable {
    pages: Mmap,
    /// Where functions begin.
    entries: Vec<usize>,
}

impl Executable {
    /// Code with functions at `entries`.
    ///
    /// Each must be a [`Function`] that touches nothing but the planes that [`Executable::call`] is
    /// given for it, and runs on this machine.
    pub(crate) fn new(code: &[u8], entries: Vec<usize>) -> io::Result<Executable> {
        let mut pages = MmapMut::map_anon(code.len().max(1))?;
        pages[..code.len()].copy_from_slice(code);
        Ok(Executable {
            pages: pages.make_exec()?,
            entries,
        })
    }

    /// Calls a function.
    ///
    /// # Panics
    /// If there is no such function.
    #[cfg(target_arch = "x86_64")]
    #[expect(
        unsafe_code,
        reason = "calling code made at run time is what this crate is for"
    )]
    pub(crate) fn call<const W: usize>(&self, number: usize, memory: &mut [Plane<W>]) {
        let entry = self.pages[self.entries[number]..].as_ptr();
        // SAFETY: `entry` is the begin of a function with this signature in pages that can be run,
        // which live as long as `self`: `Native::compile` writes nothing else there, after it has
        // made sure that the machine has the instructions. The function reads and writes only whole
        // words in planes below `Native::planes`, because all places come from `Code::check`ed
        // planes and from the frame that `planes` counts; the caller has compared the memory with
        // that. It keeps the registers and the stack as the convention asks.
        unsafe {
            let function: Function = std::mem::transmute(entry);
            function(memory.as_mut_ptr().cast());
        }
    }

    /// There is no code for other machines.
    #[cfg(not(target_arch = "x86_64"))]
    pub(crate) fn call<const W: usize>(&self, number: usize, _: &mut [Plane<W>]) {
        unreachable!("function {number} was not made: {:?}", self.entries);
    }
}
