//! Evaluation on demand: the value of a signal under the assumptions, from the signals that it
//! reads and from the invariants.

use super::Refuter;
use super::value::{FALSE, Node, TRUE, UNKNOWN, Value, signed, truth};
use netlist::{Gate, Lit, Source};

/// A step of the evaluation of a node.
enum Attempt {
    Needs(usize),
    Is(Value),
}

impl Refuter<'_> {
    /// The value of the signal under the assumptions, if it follows at once.
    pub fn known(&mut self, lit: Lit) -> Option<bool> {
        match self.evaluate(lit) {
            UNKNOWN => None,
            value => Some(value == TRUE),
        }
    }

    /// The recorded value of the signal.
    pub(super) fn value(&self, lit: Lit) -> Value {
        signed(self.nodes[lit.node()].value(), lit)
    }

    /// The value of the signal as far as it is known without evaluating gates.
    pub(super) fn glance(&mut self, lit: Lit) -> Value {
        let Gate::Input(number) = self.logic.net.gate(lit.node()) else {
            return self.value(lit);
        };
        match self.logic.sources[number as usize] {
            Source::Fact(_) => self.evaluate(lit),
            Source::Does { role, .. } if self.made[usize::from(role)].is_some() => {
                self.evaluate(lit)
            }
            _ => self.value(lit),
        }
    }

    fn is_unknown(&self, node: usize) -> bool {
        self.nodes[node].is_unknown(self.since)
    }

    /// The value of the signal as far as it is known. Evaluates the signals that it reads,
    /// recursively, until the value is known.
    pub(super) fn evaluate(&mut self, lit: Lit) -> Value {
        let root = lit.node();
        if self.nodes[root].value() != UNKNOWN || self.is_unknown(root) || self.is_exhausted() {
            return self.value(lit);
        }
        let base = self.stack.len();
        self.stack.push(root as u32);
        while self.stack.len() > base {
            let node = self.stack[self.stack.len() - 1] as usize;
            if self.nodes[node].value() != UNKNOWN || self.is_unknown(node) {
                self.stack.pop();
                continue;
            }
            self.steps += 1;
            if self.steps > self.stop {
                self.stack.truncate(base);
                break;
            }
            match self.attempt(node) {
                // A node that must be evaluated first.
                Attempt::Needs(first) => self.stack.push(first as u32),
                Attempt::Is(value) => {
                    if value == UNKNOWN {
                        self.nodes[node] = Node::unknown_at(self.now);
                    } else {
                        self.write(node, value);
                    }
                    self.stack.pop();
                }
            }
        }
        self.value(lit)
    }

    fn attempt(&mut self, node: usize) -> Attempt {
        match self.logic.net.gate(node) {
            Gate::False => Attempt::Is(FALSE),
            Gate::And(a, b) => {
                let nodes = [self.nodes[a.node()], self.nodes[b.node()]];
                let first = signed(nodes[0].value(), a);
                let second = signed(nodes[1].value(), b);
                if first == FALSE || second == FALSE {
                    return Attempt::Is(FALSE);
                }
                if first == UNKNOWN && !nodes[0].is_unknown(self.since) {
                    return Attempt::Needs(a.node());
                }
                if second == UNKNOWN && !nodes[1].is_unknown(self.since) {
                    return Attempt::Needs(b.node());
                }
                Attempt::Is(if (first, second) == (TRUE, TRUE) {
                    TRUE
                } else {
                    UNKNOWN
                })
            }
            Gate::Xor(a, b) => {
                for lit in [a, b] {
                    if self.value(lit) == UNKNOWN {
                        return if self.is_unknown(lit.node()) {
                            Attempt::Is(UNKNOWN)
                        } else {
                            Attempt::Needs(lit.node())
                        };
                    }
                }
                Attempt::Is(truth(self.value(a) != self.value(b)))
            }
            Gate::Input(number) => match self.logic.sources[number as usize] {
                Source::Fact(fact) => Attempt::Is(self.fact(fact)),
                Source::Does { role, mv } => {
                    if self.made[usize::from(role)].is_some() {
                        return Attempt::Is(FALSE);
                    }
                    let legal = self.logic.legal[usize::from(role)][mv as usize];
                    match self.value(legal) {
                        FALSE => Attempt::Is(FALSE),
                        UNKNOWN if !self.is_unknown(legal.node()) => Attempt::Needs(legal.node()),
                        _ => Attempt::Is(UNKNOWN),
                    }
                }
                Source::Fix(fix) => {
                    let value = self.logic.fixes[fix as usize].value;
                    if self.value(value) == UNKNOWN && !self.is_unknown(value.node()) {
                        // Cut the recursion round a cycle here.
                        self.nodes[node] = Node::unknown_at(self.now);
                        return Attempt::Needs(value.node());
                    }
                    Attempt::Is(self.value(value))
                }
            },
        }
    }

    /// The value of a fact as far as the assumptions and invariants tell it.
    pub(super) fn fact(&mut self, fact: u32) -> Value {
        if let Some((id, value)) = self.assumed.constant(fact) {
            self.mark_used(id);
            return truth(value);
        }
        let lit = self.logic.facts[fact as usize];
        if self.nodes[lit.node()].value() != UNKNOWN {
            return self.nodes[lit.node()].value();
        }
        for at in 0..self.assumed.of(fact).len() {
            let id = self.assumed.of(fact)[at];
            if self.chosen[id as usize].is_some_and(|other| other != fact) {
                self.mark_used(id);
                return FALSE;
            }
        }
        UNKNOWN
    }
}
