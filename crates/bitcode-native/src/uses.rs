//! The uses of values over time, for register allocation.

use bitcode::{Code, Segment, Term, Value};
use std::ops::Range;

/// The time of the next use if there is none.
pub(crate) const NEVER: u32 = u32::MAX;

/// The times at which the values of a program are used.
///
/// Times are positions of operations. Values that a loop carries are used at the position after
/// the loop, and values that a segment copies at the position after the segment.
pub(crate) struct Uses {
    /// For each operation, the first use of its result in its own segment.
    pub first: Vec<u32>,
    /// For each operation, the next use of each operand in its segment.
    pub next: Vec<[u32; 3]>,
    /// For each operation, whether any output depends on it.
    pub live: Vec<bool>,
    /// For each operation of segment 0, whether other segments use its result.
    pub kept: Vec<bool>,
    /// For each segment and each of its loops, the next uses of the carried values.
    pub carried: Vec<Vec<Vec<u32>>>,
}

/// The operation that computes a value, if it is one of `ops`.
pub(crate) fn made_by(code: &Code, value: Value, ops: &Range<u32>) -> Option<u32> {
    let op = value.0.checked_sub(code.inputs.len() as u32)?;
    ops.contains(&op).then_some(op)
}

/// The value that a term reads.
pub(crate) fn read(term: Term) -> Option<Value> {
    match term {
        Term::Constant(_) => None,
        Term::Value { value, .. } => Some(value),
    }
}

/// Computes the uses in one backward pass over a program.
pub(crate) fn uses(code: &Code) -> Uses {
    let count = code.ops.len();
    let mut uses = Uses {
        first: vec![NEVER; count],
        next: vec![[NEVER; 3]; count],
        live: vec![false; count],
        kept: Vec::new(),
        carried: Vec::new(),
    };
    let Some(first) = code.segments.first() else {
        return uses;
    };
    uses.kept = vec![false; first.ops.len()];
    let mut scan = Scan {
        code,
        upcoming: vec![NEVER; code.inputs.len() + count],
        set: vec![false; count],
    };
    // Later segments first, because they determine which results segment 0 keeps.
    for segment in code.segments.iter().rev() {
        let carried = scan.segment(segment, &mut uses);
        uses.carried.push(carried);
        if segment.ops != first.ops {
            for op in first.ops.clone() {
                let value = code.result(op).0 as usize;
                if std::mem::replace(&mut scan.upcoming[value], NEVER) != NEVER {
                    uses.kept[op as usize] = true;
                }
            }
        }
        scan.upcoming[..code.inputs.len()].fill(NEVER);
    }
    uses.carried.reverse();
    uses
}

struct Scan<'c> {
    code: &'c Code,
    /// For each value, its next use at or after the current position.
    upcoming: Vec<u32>,
    /// Which results are outputs.
    set: Vec<bool>,
}

impl Scan<'_> {
    fn segment(&mut self, segment: &Segment, uses: &mut Uses) -> Vec<Vec<u32>> {
        let code = self.code;
        for output in &segment.outputs {
            let Some(value) = read(output.term) else {
                continue;
            };
            match made_by(code, value, &segment.ops) {
                // The output is written right after its operation.
                Some(op) => self.set[op as usize] = true,
                None => self.upcoming[value.0 as usize] = segment.ops.end,
            }
        }
        let mut carried = Vec::new();
        let mut loops = segment.loops.iter().rev().peekable();
        let mut at = segment.ops.end;
        loop {
            while let Some(l) = loops.next_if(|l| l.ops.end == at) {
                let mut next = vec![NEVER; l.carried.len()];
                for (next, output) in next.iter_mut().zip(&l.carried).rev() {
                    if let Some(value) = read(output.term) {
                        let upcoming = &mut self.upcoming[value.0 as usize];
                        *next = std::mem::replace(upcoming, l.ops.end);
                    }
                }
                carried.push(next);
            }
            if at == segment.ops.start {
                break;
            }
            at -= 1;
            self.op(at, uses);
        }
        carried.reverse();
        carried
    }

    fn op(&mut self, at: u32, uses: &mut Uses) {
        let code = self.code;
        let here = at as usize;
        let result = code.result(at).0 as usize;
        let first = std::mem::replace(&mut self.upcoming[result], NEVER);
        let kept = uses.kept.get(here) == Some(&true);
        if first == NEVER && !self.set[here] && !kept {
            return;
        }
        uses.first[here] = first;
        uses.live[here] = true;
        let op = code.ops[here];
        for (next, value) in uses.next[here].iter_mut().zip(op.reads()) {
            *next = self.upcoming[value.0 as usize];
        }
        for value in op.reads() {
            self.upcoming[value.0 as usize] = at;
        }
    }
}
