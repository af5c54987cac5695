//! The netlist: gates without duplicates.

use crate::{Lit, rules};
use rustc_hash::FxHashMap;

/// A node of a netlist. Node 0 is [`Gate::False`]. A gate reads only earlier nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gate {
    /// Always false.
    False,
    /// An input, by its number.
    Input(u32),
    /// True if both signals are true.
    And(Lit, Lit),
    /// True if exactly one signal is true. Neither signal is negated: complementing an input of
    /// an exclusive or complements its output instead.
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

    /// Whether the node is a gate that computes something.
    pub fn is_logic(self) -> bool {
        matches!(self, Gate::And(..) | Gate::Xor(..))
    }
}

/// A network of two-input and- and xor-gates with free complements (an xor-and graph).
///
/// Each gate comes after those that it reads, and no two gates are equal (structural hashing).
/// The idea of and-inverter graphs with structural hashing is from Kuehlmann et al., "Robust
/// Boolean reasoning for equivalence checking and functional property verification" (2002). The
/// two-level rules follow Brummayer and Biere, "Local two-level and-inverter graph minimization
/// without blowup" (2006).
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
    /// Creates a netlist with only the constant.
    pub fn new() -> Netlist {
        Netlist {
            gates: vec![Gate::False],
            inputs: 0,
            known: FxHashMap::default(),
        }
    }

    /// All nodes, in order.
    pub fn gates(&self) -> &[Gate] {
        &self.gates
    }

    /// The gate of a node.
    pub fn gate(&self, node: usize) -> Gate {
        self.gates[node]
    }

    /// The number of nodes, including the constant and the inputs.
    pub fn len(&self) -> usize {
        self.gates.len()
    }

    /// Whether there is only the constant.
    pub fn is_empty(&self) -> bool {
        self.gates.len() == 1
    }

    /// The number of inputs.
    pub fn inputs(&self) -> usize {
        self.inputs as usize
    }

    /// Adds an input, with the next number.
    pub fn input(&mut self) -> Lit {
        let number = self.inputs;
        self.inputs += 1;
        self.push(Gate::Input(number))
    }

    /// The and of two signals.
    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        match rules::and(self, a, b) {
            rules::Outcome::Is(lit) => lit,
            rules::Outcome::And(a, b) => self.and_gate(a, b),
            rules::Outcome::Xor(a, b) => self.xor(a, b),
        }
    }

    /// Finds or adds the gate itself, after the rules have been tried.
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

    /// The or of two signals.
    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// The exclusive or of two signals.
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

    /// The multiplexer: `then` if `choice` is true, else `otherwise`.
    pub fn mux(&mut self, choice: Lit, then: Lit, otherwise: Lit) -> Lit {
        if then == !otherwise {
            return self.xor(choice, otherwise);
        }
        let yes = self.and(choice, then);
        let no = self.and(!choice, otherwise);
        self.or(yes, no)
    }

    /// The and of all signals. True for an empty list. The grouping depends only on the
    /// signals, not on their order in the list, so that equal lists share gates.
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

    /// The or of all signals. False for an empty list.
    pub fn or_all(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        !self.and_all(lits.into_iter().map(|lit| !lit))
    }

    /// The gates that `roots` depend on, as a flag for each node.
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

    /// The number of gates that `roots` depend on. Inputs and the constant do not count.
    pub fn cone_size(&self, roots: impl IntoIterator<Item = Lit>) -> usize {
        let marked = self.cone(roots);
        let gates = self.gates.iter().zip(&marked);
        gates
            .filter(|(gate, marked)| **marked && gate.is_logic())
            .count()
    }

    /// Evaluates all nodes for 64 assignments at once, one in each bit. `inputs` has a word for
    /// each input. This is the slow reference for faster evaluators.
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
