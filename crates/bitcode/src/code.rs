//! Programs: operations on values, in segments.

use std::ops::Range;

/// A value of a program: first come the inputs, then the results of the operations, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value(pub u32);

/// What an operation does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// a and b
    And,
    /// not a, and b
    AndNot,
    /// a or b
    Or,
    /// a or b, not both
    Xor,
}

/// An operation on two earlier values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Op {
    /// What it does.
    pub kind: Kind,
    /// Its first operand.
    pub a: Value,
    /// Its second operand.
    pub b: Value,
}

/// What an output is set to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Term {
    /// The same in every lane.
    Constant(bool),
    /// A value, or its complement.
    Value {
        /// Which value.
        value: Value,
        /// Whether its complement is meant.
        negated: bool,
    },
}

/// A plane of the memory that a segment sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Output {
    /// What to.
    pub term: Term,
    /// Which plane.
    pub plane: u32,
}

/// Operations that are repeated until nothing changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loop {
    /// The operations that are repeated, by their positions in [`Code::ops`].
    pub ops: Range<u32>,
    /// The planes that hold what one round passes to the next, with what they become. All are
    /// false when the loop begins; it ends after a round that leaves them as they were. They are
    /// inputs of the program, which only operations of the loop and later ones read.
    pub carried: Vec<Output>,
}

/// A part of a program that is run at a time.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Segment {
    /// Its operations, by their positions in [`Code::ops`].
    pub ops: Range<u32>,
    /// The loops among them, in order and apart.
    pub loops: Vec<Loop>,
    /// The planes that it sets, after all its operations.
    pub outputs: Vec<Output>,
}

/// A straight-line program on planes of bits: the same operations for all lanes.
///
/// It works on a memory of planes that belongs to the caller. An input is what its plane holds
/// while a segment runs. Segment 0 is run first; any other may follow, any number of times, in any
/// order. An operation uses inputs and results of its own segment and of segment 0 (which keep
/// their values until segment 0 is run again). A segment does not read a plane as an input that it
/// sets, except what its loops carry; so the order of the outputs does not matter.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Code {
    /// How many planes the memory has.
    pub planes: u32,
    /// The plane that each input is read from.
    pub inputs: Vec<u32>,
    /// All operations.
    pub ops: Vec<Op>,
    /// The segments, whose operations follow each other.
    pub segments: Vec<Segment>,
}

impl Code {
    /// The operation whose result a value is; `None` for an input.
    pub fn op(&self, value: Value) -> Option<&Op> {
        let at = (value.0 as usize).checked_sub(self.inputs.len())?;
        self.ops.get(at)
    }

    /// The value that is the result of the operation at a position.
    pub fn result(&self, op: u32) -> Value {
        Value(self.inputs.len() as u32 + op)
    }
}
