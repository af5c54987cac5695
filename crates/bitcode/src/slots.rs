//! Assigns memory planes to the values of a program.

use crate::{Code, Kind, Loop, Output, Plane, Term, Value};
use std::iter::Peekable;

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

/// A part of a segment.
pub(crate) enum Step {
    Ops(Vec<Slotted>),
    Loop {
        ops: Vec<Slotted>,
        carried: Vec<(Place, u32)>,
    },
    Outputs(Vec<(Place, u32)>),
}

/// A program with a memory plane for every value.
pub(crate) struct Layout {
    /// The number of planes that the memory needs.
    pub planes: usize,
    pub segments: Vec<Vec<Step>>,
}

/// The content of a place.
#[inline]
pub(crate) fn read<const W: usize>(place: Place, memory: &[Plane<W>]) -> Plane<W> {
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
    let inputs = code.inputs.len();
    let count = inputs + code.ops.len();
    // The position of each value's last use. The maximum if another segment uses it.
    let mut last = vec![0u32; count];
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
        for output in segment
            .outputs
            .iter()
            .chain(segment.loops.iter().flat_map(|l| &l.carried))
        {
            if let Term::Value { value, .. } = output.term {
                mark(value, end);
            }
        }
    }
    let mut planes = code.planes;
    let mut place: Vec<u32> = code.inputs.clone();
    place.resize(count, u32::MAX);
    let mut segments = Vec::new();
    let mut free: Vec<u32> = Vec::new();
    for segment in &code.segments {
        let mut steps = Vec::new();
        // The planes of values by the position of their last use.
        let mut dying: Vec<Vec<u32>> = vec![Vec::new(); segment.ops.len() + 1];
        let mut mine = Vec::new();
        let mut ops = Vec::new();
        let mut loops = segment.loops.iter().peekable();
        for at in segment.ops.clone() {
            let here = (at - segment.ops.start) as usize;
            if loops.peek().is_some_and(|l| l.ops.start == at) {
                steps.push(Step::Ops(std::mem::take(&mut ops)));
            }
            idle(&mut loops, at, &place, &mut steps);
            let op = code.ops[at as usize];
            let [a, b, c] = [op.a, op.b, op.c].map(|value| place[value.0 as usize]);
            // Planes of values whose last use is before this operation. The operation's own
            // operands may still be read.
            free.append(&mut dying[here]);
            let to = free.pop().unwrap_or_else(|| {
                planes += 1;
                planes - 1
            });
            let value = code.result(at).0 as usize;
            place[value] = to;
            let end = last[value];
            if end == u32::MAX {
                // Never reused.
            } else if end < segment.ops.end && end > at {
                dying[(end - segment.ops.start) as usize + 1].push(to);
            } else {
                mine.push(to);
            }
            ops.push(Slotted {
                kind: op.kind,
                a,
                b,
                c,
                to,
            });
            if let Some(l) = loops.next_if(|l| l.ops.end == at + 1) {
                steps.push(Step::Loop {
                    ops: std::mem::take(&mut ops),
                    carried: outputs(&l.carried, &place),
                });
            }
        }
        steps.push(Step::Ops(ops));
        idle(&mut loops, segment.ops.end, &place, &mut steps);
        steps.push(Step::Outputs(outputs(&segment.outputs, &place)));
        segments.push(steps);
        for left in dying {
            free.extend(left);
        }
        free.append(&mut mine);
        free.sort_unstable();
        free.dedup();
    }
    Layout {
        planes: planes as usize,
        segments,
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
