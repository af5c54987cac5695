//! Programs, as machine code where the machine has it.

use std::sync::{Arc, OnceLock};
use wordcode::Program;
use wordcode_native::Function;

/// A program and how it is run.
#[derive(Debug, Default)]
pub(crate) struct Runner {
    program: Program,
    function: OnceLock<Function>,
}

impl Runner {
    /// A program that is interpreted until it has a function.
    fn interpreted(program: Program) -> Runner {
        Runner {
            program,
            function: OnceLock::new(),
        }
    }

    /// Makes a program ready that is run often.
    pub fn new(program: Program) -> Runner {
        let runner = Runner::interpreted(program);
        runner.give(wordcode_native::compile(&[&runner.program]).and_then(|mut made| made.pop()));
        runner
    }

    fn give(&self, function: Option<Function>) {
        if let Some(function) = function {
            // It has none yet; if it had, that one would do the same.
            let _ = self.function.set(function);
        }
    }

    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Runs the program; there must be enough slots and outputs.
    #[inline]
    pub fn run(&self, slots: &mut [u64], outputs: &mut [u64]) {
        match self.function.get() {
            Some(function) => function.run(slots, outputs),
            None => self.program.run(slots, outputs),
        }
    }
}

/// Until there are so many bytes of code, every program has pages of its own: where there are few,
/// each may be the one that is run all the time.
const SCATTERED: usize = 1 << 12;
/// Then as few bytes of code wait as this part of those that have pages.
const PART: usize = 8;
/// Bytes of code that never wait for more.
const ENOUGH: usize = 1 << 16;
/// Bytes of code for an operation or a piece of output, roughly.
const BYTES_FOR_OP: usize = 10;

/// Programs that come one after the other and are to share pages: each by itself would take a page,
/// and all of them the same lines of the cache.
///
/// They are interpreted until enough of them have come.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    waiting: Vec<Arc<Runner>>,
    waiting_bytes: usize,
    ready_bytes: usize,
}

impl Batch {
    /// Takes a program in; also says how much memory it takes, roughly.
    pub fn add(&mut self, program: Program) -> (Arc<Runner>, usize) {
        let code = (program.len() + program.pieces()) * BYTES_FOR_OP;
        let bytes = program.bytes() + code + size_of::<Runner>();
        let runner = Arc::new(Runner::interpreted(program));
        self.waiting.push(runner.clone());
        self.waiting_bytes += code;
        if self.waiting_bytes >= (self.ready_bytes.saturating_sub(SCATTERED) / PART).min(ENOUGH) {
            self.flush();
        }
        (runner, bytes)
    }

    fn flush(&mut self) {
        let programs: Vec<&Program> = self.waiting.iter().map(|runner| &runner.program).collect();
        for (runner, function) in self
            .waiting
            .iter()
            .zip(wordcode_native::compile(&programs).into_iter().flatten())
        {
            runner.give(Some(function));
        }
        self.ready_bytes += std::mem::take(&mut self.waiting_bytes);
        self.waiting.clear();
    }
}
