//! The netlist: gates that are never written twice.

use crate::{Lit, rules};
use rustc_hash::FxHashMap;

/// What a node of a netlist is. Node 0 is [`Gate::False`]; a gate reads only earlier nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gate {
    /// Always false.
    False,
    /// A value from outside, by its number.
    Input(u32),
    /// True if both are.
    And(Lit, Lit),
    /// True if one is and the other is not. Neither signal is negated: the complement of an input
    /// of an exclusive or is the complement of its output.
    Xor(Lit, Lit),
}

impl Gate {
    /// The signals that the gate reads.
    pub fn reads(self) -> impl Iterator<Item = Lit> {
        let (a, b) = match self {
            Gate::And(a, b) | Gate::Xor(a, b) => (Some(a), Some(b)),
            Gate::False | Gate::Input(_) => (None, None),
        };
        a.into_iter().chain(b)
    }

    /// Whether it computes something.
    pub fn is_logic(self) -> bool {
        matches!(self, Gate::And(..) | Gate::Xor(..))
    }
}

/// A network of two-input and- and xor-gates with free complements (an xor-and graph), each gate
/// after those that it reads, and no two alike (structural hashing).
///
/// The idea of and-inverter graphs with structural hashing is from Kuehlmann et al., "Robust
/// Boolean reasoning for equivalence checking and functional property verification" (2002);
/// the rules that look one gate further are after Brummayer and Biere, "Local two-level
/// and-inverter graph minimization without blowup" (2006).
#[derive(Debug, Clone)]
pub struct Netlist {
    gates: Vec<Gate>,
    inputs: u32,
    /// And-gates by (smaller, larger), xor-gates by (larger, smaller).
    known: FxHashMap<(u32, u32), u32>,
}

impl Default for Netlist {
    fn default() -> Self {
        Netlist::new()
    }
}

impl Netlist {
    /// A netlist with nothing but the constant.
    pub fn new() -> Netlist {
        Netlist {
            gates: vec![Gate::False],
            inputs: 0,
            known: FxHashMap::default(),
        }
    }

    /// All nodes in order.
    pub fn gates(&self) -> &[Gate] {
        &self.gates
    }

    /// What a node is.
    pub fn gate(&self, node: usize) -> Gate {
        self.gates[node]
    }

    /// How many nodes there are, with the constant and the inputs.
    pub fn len(&self) -> usize {
        self.gates.len()
    }

    /// Whether there is nothing but the constant.
    pub fn is_empty(&self) -> bool {
        self.gates.len() == 1
    }

    /// How many inputs there are.
    pub fn inputs(&self) -> usize {
        self.inputs as usize
    }

    /// Adds an input, with the next number.
    pub fn input(&mut self) -> Lit {
        let number = self.inputs;
        self.inputs += 1;
        self.push(Gate::Input(number))
    }

    /// Both.
    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        match rules::and(self, a, b) {
            rules::Outcome::Is(lit) => lit,
            rules::Outcome::And(a, b) => self.and_gate(a, b),
            rules::Outcome::Xor(a, b) => self.xor(a, b),
        }
    }

    /// The gate itself, after the rules have been tried.
    fn and_gate(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        let key = (a.code(), b.code());
        if let Some(&node) = self.known.get(&key) {
            return Lit::new(node as usize, false);
        }
        let lit = self.push(Gate::And(a, b));
        self.known.insert(key, lit.node() as u32);
        lit
    }

    /// Either or both.
    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// One but not both.
    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let negate = a.is_negated() != b.is_negated();
        let (a, b) = (Lit::new(a.node(), false), Lit::new(b.node(), false));
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        if a == Lit::FALSE {
            return b ^ negate;
        }
        if a == b {
            return Lit::FALSE ^ negate;
        }
        // x ^ (x ^ y) = y
        for (one, other) in [(a, b), (b, a)] {
            if let Gate::Xor(c, d) = self.gates[other.node()] {
                if c == one {
                    return d ^ negate;
                }
                if d == one {
                    return c ^ negate;
                }
            }
        }
        let key = (b.code(), a.code());
        if let Some(&node) = self.known.get(&key) {
            return Lit::new(node as usize, negate);
        }
        let lit = self.push(Gate::Xor(a, b));
        self.known.insert(key, lit.node() as u32);
        lit ^ negate
    }

    /// `then` where `choice` is true, `otherwise` where it is not.
    pub fn mux(&mut self, choice: Lit, then: Lit, otherwise: Lit) -> Lit {
        if then == !otherwise {
            return self.xor(choice, otherwise);
        }
        let yes = self.and(choice, then);
        let no = self.and(!choice, otherwise);
        self.or(yes, no)
    }

    /// All of them; true for none. The order in which they are joined depends only on the signals,
    /// not on their order in the list, so that like lists share gates.
    pub fn and_all(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        let mut lits: Vec<Lit> = lits.into_iter().collect();
        lits.sort_unstable();
        lits.dedup();
        while lits.len() > 1 {
            let mut next = Vec::with_capacity(lits.len().div_ceil(2));
            for pair in lits.chunks(2) {
                next.push(match *pair {
                    [a, b] => self.and(a, b),
                    _ => pair[0],
                });
            }
            lits = next;
        }
        lits.pop().unwrap_or(Lit::TRUE)
    }

    /// Any of them; false for none.
    pub fn or_all(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        !self.and_all(lits.into_iter().map(|lit| !lit))
    }

    /// The gates that `roots` depend on, as a mark for each node.
    pub fn cone(&self, roots: impl IntoIterator<Item = Lit>) -> Vec<bool> {
        let mut marked = vec![false; self.gates.len()];
        for root in roots {
            marked[root.node()] = true;
        }
        for node in (0..self.gates.len()).rev() {
            if marked[node] {
                for read in self.gates[node].reads() {
                    marked[read.node()] = true;
                }
            }
        }
        marked
    }

    /// How many gates (neither inputs nor the constant) `roots` depend on.
    pub fn cone_size(&self, roots: impl IntoIterator<Item = Lit>) -> usize {
        let marked = self.cone(roots);
        let gates = self.gates.iter().zip(&marked);
        gates
            .filter(|(gate, marked)| **marked && gate.is_logic())
            .count()
    }

    /// Evaluates all nodes for 64 assignments at once, one in each bit; `inputs` holds a word for
    /// each input. Plain and slow: what faster evaluators are checked against.
    pub fn evaluate(&self, inputs: &[u64]) -> Vec<u64> {
        let mut values = Vec::with_capacity(self.gates.len());
        for &gate in &self.gates {
            let value = |lit: Lit| word(&values, lit);
            let word = match gate {
                Gate::False => 0,
                Gate::Input(number) => inputs[number as usize],
                Gate::And(a, b) => value(a) & value(b),
                Gate::Xor(a, b) => value(a) ^ value(b),
            };
            values.push(word);
        }
        values
    }

    fn push(&mut self, gate: Gate) -> Lit {
        self.gates.push(gate);
        Lit::new(self.gates.len() - 1, false)
    }
}

/// The value of a signal, from the values of all nodes.
pub fn word(values: &[u64], lit: Lit) -> u64 {
    values[lit.node()] ^ 0u64.wrapping_sub(lit.is_negated().into())
}
