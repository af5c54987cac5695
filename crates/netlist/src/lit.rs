//! Signals: a node of a netlist, or its complement.

use std::fmt;
use std::ops::{BitXor, Not};

/// A signal: the value of a node, or its complement. Negation is free: there are no not-gates.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lit(u32);

impl Lit {
    /// The signal that is always false: the plain value of node 0.
    pub const FALSE: Lit = Lit(0);
    /// The signal that is always true.
    pub const TRUE: Lit = Lit(1);

    /// Creates the signal of a node's value, or of its complement.
    pub fn new(node: usize, negated: bool) -> Lit {
        debug_assert!(node < 1 << 31, "a netlist has fewer than 2^31 nodes");
        Lit((node as u32) << 1 | u32::from(negated))
    }

    /// The constant signal with this value.
    pub fn constant(value: bool) -> Lit {
        Lit(value.into())
    }

    /// The node.
    pub fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether this is the complement of the node's value.
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// The value, if the signal is constant.
    pub fn as_constant(self) -> Option<bool> {
        (self.0 < 2).then_some(self.0 == 1)
    }

    /// Node and complement in one number: twice the node, plus one if negated.
    pub fn code(self) -> u32 {
        self.0
    }
}

impl Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// The complement if `negate`, else the signal itself.
impl BitXor<bool> for Lit {
    type Output = Lit;

    fn bitxor(self, negate: bool) -> Lit {
        Lit(self.0 ^ u32::from(negate))
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_constant() {
            Some(value) => write!(f, "{value}"),
            None if self.is_negated() => write!(f, "!{}", self.node()),
            None => write!(f, "{}", self.node()),
        }
    }
}
