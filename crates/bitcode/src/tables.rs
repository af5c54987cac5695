//! Interprets programs without branches, as a stream of truth tables.

use crate::slots::{self, Layout, Slotted};
use crate::{Code, Evaluator, Plane};
use multiversion::multiversion;

/// Runs programs as lists of truth tables: every operation is the same instructions, whatever
/// its function.
///
/// An operation takes a few times as long as one instruction of machine code. But machine code of
/// many megabytes is fetched more slowly than it runs, while a list of operations is data that the
/// processor fetches ahead. So this is faster for programs that no cache holds.
pub struct TableInterpreter {
    layout: Layout<Entry>,
    operations: usize,
}

/// An operation: its operands, and its result with the truth table in the highest byte.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry {
    a: u32,
    b: u32,
    c: u32,
    to: u32,
}

/// Where the truth table begins.
const TABLE: u32 = 24;

impl TableInterpreter {
    /// Prepares a program for running. `None` if it has too many values.
    pub fn new(code: &Code) -> Option<Self> {
        let layout = slots::layout(code);
        if layout.planes >> TABLE != 0 {
            return None;
        }
        let entry = |op: &Slotted| Entry {
            a: op.a,
            b: op.b,
            c: op.c,
            to: op.to | u32::from(op.kind.table()) << TABLE,
        };
        Some(TableInterpreter {
            layout: layout.map(entry),
            operations: code.ops.len(),
        })
    }

    /// The number of operations.
    pub fn operations(&self) -> usize {
        self.operations
    }

    /// The bytes of their list.
    pub fn bytes(&self) -> usize {
        self.operations * size_of::<Entry>()
    }
}

impl<const W: usize> Evaluator<W> for TableInterpreter {
    fn name(&self) -> &'static str {
        "tables"
    }

    fn planes(&self) -> usize {
        self.layout.planes
    }

    fn run(&self, segment: usize, memory: &mut [Plane<W>]) {
        self.layout.run(segment, memory, go);
    }
}

/// Whether the bits of each truth table are set, as words of equal bits.
static MASKS: [[u64; 8]; 256] = {
    let mut masks = [[0; 8]; 256];
    let mut at = 0;
    while at < 256 * 8 {
        if (at / 8) >> (at % 8) & 1 == 1 {
            masks[at / 8][at % 8] = !0;
        }
        at += 1;
    }
    masks
};

/// Runs operations. The layout guarantees that every index is below the number of planes. The
/// indexing checks it again.
#[multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2"))]
fn go<const W: usize>(ops: &[Entry], memory: &mut [Plane<W>]) {
    let mux = |which: u64, yes: u64, no: u64| which & yes | !which & no;
    for op in ops {
        let [a, b, c] = [op.a, op.b, op.c].map(|plane| memory[plane as usize]);
        let m = &MASKS[(op.to >> TABLE) as usize];
        let to = op.to & ((1 << TABLE) - 1);
        memory[to as usize] = Plane(std::array::from_fn(|w| {
            let (a, b, c) = (a.0[w], b.0[w], c.0[w]);
            let low = mux(b, mux(c, m[3], m[2]), mux(c, m[1], m[0]));
            let high = mux(b, mux(c, m[7], m[6]), mux(c, m[5], m[4]));
            mux(a, high, low)
        }));
    }
}
