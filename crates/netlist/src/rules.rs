//! Local rewriting rules for and-gates, based on the gates that they read.

use crate::{Gate, Lit, Netlist};

/// The result of simplifying the and of two signals.
pub enum Outcome {
    /// An existing signal.
    Is(Lit),
    /// The and of these signals.
    And(Lit, Lit),
    /// The exclusive or of these signals.
    Xor(Lit, Lit),
}

use Outcome::{And, Is, Xor};

/// The inputs of the and-gate of a signal, if it has one.
fn inputs(net: &Netlist, lit: Lit) -> Option<(Lit, Lit)> {
    match net.gate(lit.node()) {
        Gate::And(a, b) => Some((a, b)),
        _ => None,
    }
}

/// Applies the rules until none matches. Every rule replaces a signal by one of an earlier
/// node, so this terminates.
pub fn and(net: &Netlist, mut a: Lit, mut b: Lit) -> Outcome {
    loop {
        if a == Lit::FALSE || b == Lit::FALSE || a == !b {
            return Is(Lit::FALSE);
        }
        if a == Lit::TRUE || a == b {
            return Is(b);
        }
        if b == Lit::TRUE {
            return Is(a);
        }
        match one_level(net, a, b).or_else(|| two_levels(net, a, b)) {
            Some(And(c, d)) => (a, b) = (c, d),
            Some(other) => return other,
            None => return And(a, b),
        }
    }
}

/// Rules for a signal that is also an input of the other signal's gate.
fn one_level(net: &Netlist, a: Lit, b: Lit) -> Option<Outcome> {
    for (x, y) in [(a, b), (b, a)] {
        let Some((c, d)) = inputs(net, y) else {
            continue;
        };
        if !y.is_negated() {
            // x & (x & d) = x & d,  x & (!x & d) = false
            if x == c || x == d {
                return Some(Is(y));
            }
            if x == !c || x == !d {
                return Some(Is(Lit::FALSE));
            }
        } else {
            // x & !(!x & d) = x,  x & !(x & d) = x & !d
            if x == !c || x == !d {
                return Some(Is(x));
            }
            if x == c {
                return Some(And(x, !d));
            }
            if x == d {
                return Some(And(x, !c));
            }
        }
    }
    None
}

/// Rules for two and-gates with a common input.
fn two_levels(net: &Netlist, a: Lit, b: Lit) -> Option<Outcome> {
    let ((c, d), (e, f)) = (inputs(net, a)?, inputs(net, b)?);
    match (a.is_negated(), b.is_negated()) {
        (false, false) => {
            let clash = c == !e || c == !f || d == !e || d == !f;
            clash.then_some(Is(Lit::FALSE))
        }
        (true, true) => {
            // !(c & d) & !(!c & !d) = c ^ d
            if (c == !e && d == !f) || (c == !f && d == !e) {
                return Some(Xor(c, d));
            }
            // !(c & d) & !(c & !d) = !c
            if (c == e && d == !f) || (c == f && d == !e) {
                return Some(Is(!c));
            }
            if (d == e && c == !f) || (d == f && c == !e) {
                return Some(Is(!d));
            }
            None
        }
        (true, false) => mixed(b, (e, f), (c, d)),
        (false, true) => mixed(a, (c, d), (e, f)),
    }
}

/// Rules for `plain`, an and of (c, d), and the complement of an and of (e, f).
fn mixed(plain: Lit, (c, d): (Lit, Lit), (e, f): (Lit, Lit)) -> Option<Outcome> {
    let has = |lit: Lit| c == lit || d == lit;
    if has(!e) || has(!f) {
        return Some(Is(plain));
    }
    // (c & d) & !(c & f) = (c & d) & !f
    if has(e) {
        return Some(And(plain, !f));
    }
    if has(f) {
        return Some(And(plain, !e));
    }
    None
}
