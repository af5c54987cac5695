//! Programs: operations on values, in segments.

use std::ops::Range;

/// A value of a program: the inputs come first, then the results of the operations, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value(pub u32);

/// The function that an operation computes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// `a & b`
    And,
    /// `!a & b`
    AndNot,
    /// `a | b`
    Or,
    /// `a ^ b`
    Xor,
    /// The function of three operands that has this truth table: bit `4 * a + 2 * b + c`.
    Table(u8),
}

impl Kind {
    /// The truth table as in [`Kind::Table`].
    pub fn table(self) -> u8 {
        match self {
            Kind::And => 0xc0,
            Kind::AndNot => 0x0c,
            Kind::Or => 0xfc,
            Kind::Xor => 0x3c,
            Kind::Table(table) => table,
        }
    }

    /// The result for the words of three operands. Only [`Kind::Table`] uses the third.
    #[inline(always)]
    pub fn of(self, a: u64, b: u64, c: u64) -> u64 {
        match self {
            Kind::And => a & b,
            Kind::AndNot => !a & b,
            Kind::Or => a | b,
            Kind::Xor => a ^ b,
            Kind::Table(table) => {
                let row = |bits: u8| {
                    let [without, with] = [bits & 1, bits >> 1 & 1].map(u64::from);
                    c & with.wrapping_neg() | !c & without.wrapping_neg()
                };
                let pair = |bits: u8| b & row(bits >> 2) | !b & row(bits);
                a & pair(table >> 4) | !a & pair(table)
            }
        }
    }
}

/// An operation on earlier values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Op {
    /// The function that it computes.
    pub kind: Kind,
    /// Its first operand.
    pub a: Value,
    /// Its second operand.
    pub b: Value,
    /// Its third operand, which only [`Kind::Table`] has. For others it equals `b`.
    pub c: Value,
}

impl Op {
    /// An operation on two values.
    pub fn two(kind: Kind, a: Value, b: Value) -> Op {
        Op { kind, a, b, c: b }
    }

    /// Its operands, in order.
    pub fn reads(&self) -> impl Iterator<Item = Value> + use<> {
        let count = match self.kind {
            Kind::Table(_) => 3,
            _ => 2,
        };
        [self.a, self.b, self.c].into_iter().take(count)
    }
}

/// The source of an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Term {
    /// The same in every lane.
    Constant(bool),
    /// A value, or its complement.
    Value {
        /// The value.
        value: Value,
        /// Whether the complement is used.
        negated: bool,
    },
}

/// An output: a plane of the memory that a segment sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Output {
    /// The new content.
    pub term: Term,
    /// The plane.
    pub plane: u32,
}

/// Operations that are repeated until nothing changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loop {
    /// The operations that are repeated, by their positions in [`Code::ops`].
    pub ops: Range<u32>,
    /// The planes that carry values from one round to the next, with their new contents.
    ///
    /// All are false when the loop begins. The loop ends after a round that leaves them
    /// unchanged. They are inputs of the program, which only operations of the loop and later
    /// ones read.
    pub carried: Vec<Output>,
}

/// A part of a program that is run separately.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Segment {
    /// Its operations, by their positions in [`Code::ops`].
    pub ops: Range<u32>,
    /// The loops among its operations, in order and disjoint.
    pub loops: Vec<Loop>,
    /// The planes that it sets, after all its operations.
    pub outputs: Vec<Output>,
}

/// A straight-line program on planes of bits: all lanes execute the same operations.
///
/// It works on a memory of planes that belongs to the caller. The value of an input is the
/// content of its plane while a segment runs. Segment 0 is run first. Any other may follow, any
/// number of times, in any order. An operation uses inputs and results of its own segment and
/// of segment 0, whose results stay valid until segment 0 is run again. A segment does not read
/// as an input any plane that it sets, except the carried planes of its loops. The order of the
/// outputs therefore does not matter.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Code {
    /// The number of planes in the memory.
    pub planes: u32,
    /// The plane that each input is read from.
    pub inputs: Vec<u32>,
    /// All operations.
    pub ops: Vec<Op>,
    /// The segments. The operations of each follow those of the previous one.
    pub segments: Vec<Segment>,
}

impl Code {
    /// The operation that computes a value. `None` for an input.
    pub fn op(&self, value: Value) -> Option<&Op> {
        let at = (value.0 as usize).checked_sub(self.inputs.len())?;
        self.ops.get(at)
    }

    /// The value that the operation at a position computes.
    pub fn result(&self, op: u32) -> Value {
        Value(self.inputs.len() as u32 + op)
    }
}
