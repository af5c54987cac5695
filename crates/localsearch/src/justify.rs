//! Backward justification: which facts of a state keep a signal as it is.
//!
//! An and-gate that is false needs only one of its inputs to be false, and one that is kept
//! already is preferred. All gates are looked at once, from the last to the first, so that what
//! must be kept anyway is known before there is a choice. After Eén, Mishchenko and Brayton,
//! "Efficient implementation of property directed reachability" (2011), who find the facts by
//! ternary simulation instead.

use crate::circuit::{Circuit, value};
use crate::closure::{Closure, Facts};
use crate::cube::Literal;
use netlist::{Gate, Lit};

/// Collects the facts that explain signals of one state.
#[derive(Debug, Default)]
pub(crate) struct Justifier {
    /// The nodes to be kept, a bit each; all zero between uses.
    marked: Vec<u64>,
    /// What is kept, and what that implies.
    pub known: Facts,
    /// The facts that are kept.
    pub kept: Vec<Literal>,
}

impl Justifier {
    /// Begins with nothing kept.
    pub fn begin(&mut self, closure: &Closure) {
        closure.reset(&mut self.known);
        self.kept.clear();
    }

    /// Marks the node of a signal, so that the next [`Justifier::run`] keeps it.
    pub fn keep(&mut self, circuit: &Circuit, lit: Lit) {
        let words = circuit.nodes().div_ceil(64);
        if self.marked.len() < words {
            self.marked.resize(words, 0);
        }
        self.mark(lit.node());
    }

    fn mark(&mut self, node: usize) {
        self.marked[node / 64] |= 1 << (node % 64);
    }

    fn is_marked(&self, node: usize) -> bool {
        self.marked[node / 64] >> (node % 64) & 1 == 1
    }

    /// Keeps facts that keep all marked nodes at the values that they have in this lane.
    ///
    /// The moves are taken as given.
    pub fn run(&mut self, circuit: &Circuit, closure: &Closure, values: &[u64], lane: u32) {
        let is = |lit: Lit| value(values, lit) >> lane & 1 == 1;
        for word in (0..self.marked.len()).rev() {
            while self.marked[word] != 0 {
                let bit = 63 - self.marked[word].leading_zeros() as usize;
                self.marked[word] &= !(1 << bit);
                let node = word * 64 + bit;
                match circuit.gates[node] {
                    Gate::False => {}
                    Gate::Input(_) => {
                        if let Some(fact) = circuit.fact_of[node] {
                            self.take(closure, Literal::new(fact, is(Lit::new(node, false))));
                        }
                    }
                    Gate::Xor(a, b) => {
                        self.mark(a.node());
                        self.mark(b.node());
                    }
                    Gate::And(a, b) => match (is(a), is(b)) {
                        (true, true) => {
                            self.mark(a.node());
                            self.mark(b.node());
                        }
                        (true, false) => self.mark(b.node()),
                        (false, true) => self.mark(a.node()),
                        (false, false) => {
                            let first = self.effort(circuit, a) <= self.effort(circuit, b);
                            self.mark(if first { a.node() } else { b.node() });
                        }
                    },
                }
            }
        }
    }

    /// About how many facts more it takes to keep a signal false.
    fn effort(&self, circuit: &Circuit, lit: Lit) -> f32 {
        let node = lit.node();
        if self.is_marked(node) {
            return 0.0;
        }
        if let Some(fact) = circuit.fact_of[node]
            && self.known.has(Literal::new(fact, lit.is_negated()))
        {
            return 0.0;
        }
        circuit.cost[node][usize::from(lit.is_negated())]
    }

    fn take(&mut self, closure: &Closure, literal: Literal) {
        if !self.known.has(literal) {
            closure.add(&mut self.known, literal);
            self.kept.push(literal);
        }
    }
}
