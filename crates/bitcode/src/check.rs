//! Validates the properties of a program that evaluators rely on.

use crate::{Code, Segment, Term, Value};
use std::fmt;

/// The reason why a list of operations is not a valid program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Malformed {
    /// A plane is outside the memory.
    Plane(u32),
    /// A value is read that does not exist yet, or that another segment than the first
    /// computes.
    Value(Value),
    /// The segment's operations do not follow those of the previous segment. Or its loops are
    /// not within its operations, in order and disjoint.
    Segment(usize),
    /// A segment sets a plane twice, or reads as an input a plane that it sets.
    Clash {
        /// The segment.
        segment: usize,
        /// The plane.
        plane: u32,
    },
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Malformed::Plane(plane) => write!(f, "plane {plane} is outside the memory"),
            Malformed::Value(value) => write!(f, "value {} is read before it is made", value.0),
            Malformed::Segment(segment) => write!(f, "the parts of segment {segment} overlap"),
            Malformed::Clash { segment, plane } => {
                write!(
                    f,
                    "segment {segment} sets plane {plane} twice or also reads it"
                )
            }
        }
    }
}

impl std::error::Error for Malformed {}

/// The use of a plane in a segment.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Read,
    Set,
    Carried,
}

impl Code {
    /// Checks everything that the documentation of [`Code`] guarantees. A compiler whose output
    /// does not check its memory accesses must call this first. Takes time linear in the
    /// program.
    ///
    /// # Errors
    /// The first violation.
    pub fn check(&self) -> Result<(), Malformed> {
        if let Some(&plane) = self.inputs.iter().find(|&&plane| plane >= self.planes) {
            return Err(Malformed::Plane(plane));
        }
        let mut roles: Vec<(usize, Role)> = vec![(usize::MAX, Role::Read); self.planes as usize];
        let mut start = 0;
        for (number, segment) in self.segments.iter().enumerate() {
            let Segment { ops, loops, .. } = segment;
            if ops.start != start || ops.end < start || ops.end as usize > self.ops.len() {
                return Err(Malformed::Segment(number));
            }
            start = ops.end;
            let mut from = ops.start;
            for l in loops {
                if l.ops.start < from || l.ops.end < l.ops.start || l.ops.end > ops.end {
                    return Err(Malformed::Segment(number));
                }
                from = l.ops.end;
            }
            self.check_segment(number, segment, &mut roles)?;
        }
        if start as usize == self.ops.len() {
            Ok(())
        } else {
            Err(Malformed::Segment(self.segments.len()))
        }
    }

    fn check_segment(
        &self,
        number: usize,
        segment: &Segment,
        roles: &mut [(usize, Role)],
    ) -> Result<(), Malformed> {
        let inputs = self.inputs.len() as u32;
        let first = self.segments[0].ops.end;
        let known = |value: Value, end: u32| match value.0.checked_sub(inputs) {
            None => Ok(()),
            Some(op) if op < end && (op >= segment.ops.start || op < first) => Ok(()),
            Some(_) => Err(Malformed::Value(value)),
        };
        let carried = segment.loops.iter().flat_map(|l| &l.carried);
        let set = carried.map(|output| (output, Role::Carried));
        let set = set.chain(segment.outputs.iter().map(|output| (output, Role::Set)));
        for (output, role) in set {
            let plane = output.plane;
            let slot = roles
                .get_mut(plane as usize)
                .ok_or(Malformed::Plane(plane))?;
            if slot.0 == number {
                return Err(Malformed::Clash {
                    segment: number,
                    plane,
                });
            }
            *slot = (number, role);
        }
        let mut read = |value: Value, end: u32| {
            known(value, end)?;
            if let Some(&plane) = self.inputs.get(value.0 as usize) {
                let slot = &mut roles[plane as usize];
                if *slot == (number, Role::Set) {
                    return Err(Malformed::Clash {
                        segment: number,
                        plane,
                    });
                }
                if slot.0 != number {
                    *slot = (number, Role::Read);
                }
            }
            Ok(())
        };
        for at in segment.ops.clone() {
            for value in self.ops[at as usize].reads() {
                read(value, at)?;
            }
        }
        let loops = segment.loops.iter();
        let terms = loops.flat_map(|l| l.carried.iter().map(|output| (output, l.ops.end)));
        for (output, end) in terms.chain(segment.outputs.iter().map(|o| (o, segment.ops.end))) {
            if let Term::Value { value, .. } = output.term {
                read(value, end)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Kind, Op, Output};

    fn program() -> Code {
        let op = |a, b| Op::two(Kind::And, Value(a), Value(b));
        let output = |value, plane| Output {
            term: Term::Value {
                value: Value(value),
                negated: false,
            },
            plane,
        };
        let segment = |ops, outputs| Segment {
            ops,
            loops: Vec::new(),
            outputs,
        };
        Code {
            planes: 6,
            inputs: vec![0, 1],
            ops: vec![op(0, 1), op(2, 0), op(2, 1)],
            segments: vec![
                segment(0..1, vec![output(2, 2)]),
                segment(1..2, vec![output(3, 3)]),
                segment(2..3, vec![output(4, 4)]),
            ],
        }
    }

    #[test]
    fn invalid_reads_and_outputs_are_rejected() {
        assert_eq!(program().check(), Ok(()));
        let broken = |change: &dyn Fn(&mut Code)| {
            let mut code = program();
            change(&mut code);
            code.check().unwrap_err()
        };
        let of_another = broken(&|code| code.ops[2].a = Value(3));
        assert_eq!(of_another, Malformed::Value(Value(3)));
        let itself = broken(&|code| code.ops[1].a = Value(3));
        assert_eq!(itself, Malformed::Value(Value(3)));
        let outside = broken(&|code| code.segments[0].outputs[0].plane = 6);
        assert_eq!(outside, Malformed::Plane(6));
        let read_and_set = broken(&|code| code.segments[1].outputs[0].plane = 0);
        let clash = Malformed::Clash {
            segment: 1,
            plane: 0,
        };
        assert_eq!(read_and_set, clash);
        let overlap = broken(&|code| code.segments[1].ops.start = 0);
        assert_eq!(overlap, Malformed::Segment(1));
        let left_over = broken(&|code| code.segments.truncate(2));
        assert_eq!(left_over, Malformed::Segment(2));
    }
}
