//! Runs programs, as machine code if the machine supports it.

use std::sync::{Arc, OnceLock};
use wordcode::Program;
use wordcode_native::Function;

/// A program and the way it is run.
#[derive(Debug, Default)]
pub(crate) struct Runner {
    program: Program,
    function: OnceLock<Function>,
}

impl Runner {
    /// A program that is interpreted until it gets a function.
    fn interpreted(program: Program) -> Runner {
        Runner {
            program,
            function: OnceLock::new(),
        }
    }

    /// Compiles a program that runs often.
    pub fn new(program: Program) -> Runner {
        let runner = Runner::interpreted(program);
        runner.give(wordcode_native::compile(&[&runner.program]).and_then(|mut made| made.pop()));
        runner
    }

    fn give(&self, function: Option<Function>) {
        if let Some(function) = function {
            // An existing function would do the same.
            let _ = self.function.set(function);
        }
    }

    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Runs the program. There must be enough slots and outputs.
    #[inline]
    pub fn run(&self, slots: &mut [u64], outputs: &mut [u64]) {
        match self.function.get() {
            Some(function) => function.run(slots, outputs),
            None => self.program.run(slots, outputs),
        }
    }
}

/// Until there is this much code, in bytes, every program has its own pages. While there are
/// few programs, any of them may be the one that runs all the time.
const SCATTERED: usize = 1 << 12;
/// After that, at most one part in this many of the code in pages may wait.
const PART: usize = 8;
/// This many bytes of code never wait for more.
const ENOUGH: usize = 1 << 16;
/// Approximate number of bytes of code for an operation or a piece of output.
const BYTES_FOR_OP: usize = 10;

/// Collects programs that arrive one after the other and shall share pages.
///
/// Separately, each would take a page, and all would use the same cache lines. They are
/// interpreted until enough of them have arrived.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    waiting: Vec<Arc<Runner>>,
    waiting_bytes: usize,
    ready_bytes: usize,
}

impl Batch {
    /// Adds a program. Also returns the approximate number of bytes that it takes.
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
