//! Values in three-valued logic, and what is known about each node of the network.

use netlist::Lit;

/// A value in three-valued logic: unknown, false, true.
pub(super) type Value = u8;
pub(super) const UNKNOWN: Value = 0;
pub(super) const FALSE: Value = 1;
pub(super) const TRUE: Value = 2;

/// A known value in three-valued logic.
pub(super) fn truth(value: bool) -> Value {
    if value { TRUE } else { FALSE }
}

/// The value of a signal, given that of its node.
pub(super) fn signed(value: Value, lit: Lit) -> Value {
    match value {
        UNKNOWN => UNKNOWN,
        value if lit.is_negated() => 3 - value,
        value => value,
    }
}

/// The known value of a node in the lowest bits, and above them the time when it was last found
/// unknown.
///
/// It is still unknown if that time is not before `since` of the refuter.
#[derive(Clone, Copy, Default)]
pub(super) struct Node(u64);

impl Node {
    pub(super) fn value(self) -> Value {
        (self.0 & 3) as Value
    }

    pub(super) fn with(self, value: Value) -> Node {
        Node(self.0 & !3 | u64::from(value))
    }

    pub(super) fn unknown_at(now: u64) -> Node {
        Node(now << 2 | u64::from(UNKNOWN))
    }

    pub(super) fn is_unknown(self, since: u64) -> bool {
        self.0 >> 2 >= since
    }
}
