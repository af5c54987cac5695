//! Assigns memory planes to the values of a program.

use crate::{Code, Kind, Loop, Output, Plane, Segment, Term, Value};
use std::iter::Peekable;
use std::ops::Range;

/// An operation on planes of the memory.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slotted {
    pub kind: Kind,
    pub a: u32,
    pub b: u32,
    pub c: u32,
    pub to: u32,
}

/// The source of an output, as a place in memory.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Place {
    Constant(bool),
    Plane { plane: u32, negated: bool },
}

/// A part of a segment, of operations in some form.
pub(crate) enum Step<O = Slotted> {
    Ops(Vec<O>),
    Loop {
        ops: Vec<O>,
        carried: Vec<(Place, u32)>,
    },
    Outputs(Vec<(Place, u32)>),
}

/// A program with a memory plane for every value.
pub(crate) struct Layout<O = Slotted> {
    /// The number of planes that the memory needs.
    pub planes: usize,
    pub segments: Vec<Vec<Step<O>>>,
}

impl<O> Layout<O> {
    /// The same with operations in another form.
    pub fn map<P>(self, form: impl Fn(&O) -> P) -> Layout<P> {
        let form = |ops: Vec<O>| -> Vec<P> { ops.iter().map(&form).collect() };
        let step = |step| match step {
            Step::Ops(ops) => Step::Ops(form(ops)),
            Step::Loop { ops, carried } => Step::Loop {
                ops: form(ops),
                carried,
            },
            Step::Outputs(outputs) => Step::Outputs(outputs),
        };
        let segments = self.segments.into_iter();
        let segments = segments.map(|steps| steps.into_iter().map(step).collect());
        Layout {
            planes: self.planes,
            segments: segments.collect(),
        }
    }

    /// Runs a segment; `go` runs operations one after the other.
    ///
    /// # Panics
    /// If there is no such segment or the memory has too few planes.
    pub fn run<const W: usize>(
        &self,
        segment: usize,
        memory: &mut [Plane<W>],
        go: impl Fn(&[O], &mut [Plane<W>]),
    ) {
        assert!(memory.len() >= self.planes, "the memory is large enough");
        for step in &self.segments[segment] {
            match step {
                Step::Ops(ops) => go(ops, memory),
                Step::Loop { ops, carried } => {
                    for &(_, plane) in carried {
                        memory[plane as usize] = Plane::FALSE;
                    }
                    let mut stable = false;
                    while !stable {
                        go(ops, memory);
                        stable = true;
                        for &(term, plane) in carried {
                            let now = read(term, memory);
                            stable &= memory[plane as usize] == now;
                            memory[plane as usize] = now;
                        }
                    }
                }
                Step::Outputs(outputs) => {
                    for &(term, plane) in outputs {
                        memory[plane as usize] = read(term, memory);
                    }
                }
            }
        }
    }
}

/// The content of a place.
#[inline]
fn read<const W: usize>(place: Place, memory: &[Plane<W>]) -> Plane<W> {
    match place {
        Place::Constant(value) => Plane::splat(value),
        Place::Plane { plane, negated } => {
            let held = memory[plane as usize];
            if negated {
                held.zip(&held, |a, _| !a)
            } else {
                held
            }
        }
    }
}

/// Assigns a plane to every value. Two values share a plane if the last use of the first
/// precedes the second. Results of segment 0 that other segments use keep their planes forever.
pub(crate) fn layout(code: &Code) -> Layout {
    let mut planes = Planes::new(code);
    let segments = code.segments.iter().map(|segment| planes.segment(segment));
    let segments = segments.collect();
    Layout {
        planes: planes.count as usize,
        segments,
    }
}

/// The position of each value's last use. The maximum if another segment uses it.
fn last_uses(code: &Code) -> Vec<u32> {
    let inputs = code.inputs.len();
    let mut last = vec![0u32; inputs + code.ops.len()];
    for segment in &code.segments {
        let home = |value: Value| value.0 >= segment.ops.start + inputs as u32;
        let end = segment.ops.end;
        let mut mark = |value: Value, at: u32| {
            let at = if home(value) { at } else { u32::MAX };
            let last = &mut last[value.0 as usize];
            *last = (*last).max(at);
        };
        for at in segment.ops.clone() {
            let op = code.ops[at as usize];
            // Values that a loop reads are read again in its next round.
            let inside = segment.loops.iter().find(|l| l.ops.contains(&at));
            let until = inside.map_or(at, |l| l.ops.end);
            op.reads().for_each(|value| mark(value, until));
        }
        let carried = segment.loops.iter().flat_map(|l| &l.carried);
        for output in segment.outputs.iter().chain(carried) {
            if let Term::Value { value, .. } = output.term {
                mark(value, end);
            }
        }
    }
    last
}

/// The planes of the values so far.
struct Planes<'c> {
    code: &'c Code,
    /// The position of each value's last use.
    last: Vec<u32>,
    /// The number of planes.
    count: u32,
    /// The plane of each value.
    place: Vec<u32>,
    /// Planes that can be used again.
    free: Vec<u32>,
}

impl<'c> Planes<'c> {
    fn new(code: &'c Code) -> Planes<'c> {
        let mut place: Vec<u32> = code.inputs.clone();
        place.resize(code.inputs.len() + code.ops.len(), u32::MAX);
        Planes {
            code,
            last: last_uses(code),
            count: code.planes,
            place,
            free: Vec::new(),
        }
    }

    /// The next segment.
    fn segment(&mut self, segment: &Segment) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut lives = Lives::new(segment);
        let mut ops = Vec::new();
        let mut loops = segment.loops.iter().peekable();
        for at in segment.ops.clone() {
            if loops.peek().is_some_and(|l| l.ops.start == at) {
                steps.push(Step::Ops(std::mem::take(&mut ops)));
            }
            idle(&mut loops, at, &self.place, &mut steps);
            ops.push(self.operation(at, &mut lives));
            if let Some(l) = loops.next_if(|l| l.ops.end == at + 1) {
                steps.push(Step::Loop {
                    ops: std::mem::take(&mut ops),
                    carried: outputs(&l.carried, &self.place),
                });
            }
        }
        steps.push(Step::Ops(ops));
        idle(&mut loops, segment.ops.end, &self.place, &mut steps);
        steps.push(Step::Outputs(outputs(&segment.outputs, &self.place)));
        lives.end(&mut self.free);
        steps
    }

    /// An operation, whose result gets a plane.
    fn operation(&mut self, at: u32, lives: &mut Lives) -> Slotted {
        let op = self.code.ops[at as usize];
        let [a, b, c] = [op.a, op.b, op.c].map(|value| self.place[value.0 as usize]);
        // Planes of values whose last use is before this operation. The operation's own
        // operands may still be read.
        self.free.append(lives.over_before(at));
        let to = self.free.pop().unwrap_or_else(|| {
            self.count += 1;
            self.count - 1
        });
        let value = self.code.result(at).0 as usize;
        self.place[value] = to;
        lives.begin(to, at, self.last[value]);
        Slotted {
            kind: op.kind,
            a,
            b,
            c,
            to,
        }
    }
}

/// When the planes that are written in a segment become free.
struct Lives {
    /// The positions of the segment's operations.
    ops: Range<u32>,
    /// The planes of values by the position of their last use.
    dying: Vec<Vec<u32>>,
    /// Planes that become free at the end of the segment.
    whole: Vec<u32>,
}

impl Lives {
    fn new(segment: &Segment) -> Lives {
        Lives {
            ops: segment.ops.clone(),
            dying: vec![Vec::new(); segment.ops.len() + 1],
            whole: Vec::new(),
        }
    }

    /// The planes of values whose last use is before an operation.
    fn over_before(&mut self, at: u32) -> &mut Vec<u32> {
        &mut self.dying[(at - self.ops.start) as usize]
    }

    /// A plane is written at a position, with a value whose last use is at `end`.
    fn begin(&mut self, plane: u32, at: u32, end: u32) {
        if end == u32::MAX {
            // Never reused.
        } else if end < self.ops.end && end > at {
            self.dying[(end - self.ops.start) as usize + 1].push(plane);
        } else {
            self.whole.push(plane);
        }
    }

    /// All of them become free.
    fn end(self, free: &mut Vec<u32>) {
        free.extend(self.dying.into_iter().flatten());
        free.extend(self.whole);
        free.sort_unstable();
        free.dedup();
    }
}

/// Adds the loops without operations that precede the operation at a position. They only copy
/// existing values.
fn idle<'l>(
    loops: &mut Peekable<impl Iterator<Item = &'l Loop>>,
    at: u32,
    place: &[u32],
    steps: &mut Vec<Step>,
) {
    while let Some(l) = loops.next_if(|l| l.ops == (at..at)) {
        steps.push(Step::Loop {
            ops: Vec::new(),
            carried: outputs(&l.carried, place),
        });
    }
}

fn outputs(outputs: &[Output], place: &[u32]) -> Vec<(Place, u32)> {
    let outputs = outputs.iter().map(|output| {
        let term = match output.term {
            Term::Constant(value) => Place::Constant(value),
            Term::Value { value, negated } => Place::Plane {
                plane: place[value.0 as usize],
                negated,
            },
        };
        (term, output.plane)
    });
    outputs.collect()
}
