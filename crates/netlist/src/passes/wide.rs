//! Gates with many inputs, which represent trees of two-input gates.
//!
//! The grouping of a tree of and-gates is arbitrary, but the set of signals that it joins is
//! not. Passes that look for common parts of large gates work on such sets.

use super::Meter;
use crate::{GameLogic, Gate, Lit, Netlist};
use budget::Exhausted;
use rustc_hash::FxHashMap;

/// A gate with any number of inputs.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum WideGate {
    /// Always false, or an input of the netlist.
    Outside,
    /// True if all inputs are true. The inputs are sorted, not constant, and at least two.
    And(Box<[Lit]>),
    /// True if exactly one input is true. Neither is negated.
    Xor([Lit; 2]),
}

impl WideGate {
    /// The signals that the gate reads.
    pub fn reads(&self) -> &[Lit] {
        match self {
            WideGate::Outside => &[],
            WideGate::And(lits) => lits,
            WideGate::Xor(lits) => lits,
        }
    }
}

/// A network of wide gates without duplicates. Signals are numbered as in a netlist: node 0 is
/// false, then come the inputs, then the gates, each after those that it reads.
pub struct Wide {
    gates: Vec<WideGate>,
    known: FxHashMap<WideGate, u32>,
}

/// A signal that a gate reads.
#[derive(Debug, Clone, Copy)]
pub struct Operand {
    /// The signal.
    pub lit: Lit,
    /// Whether no other gate reads it.
    pub own: bool,
}

impl Wide {
    /// The gate of a node.
    pub fn gate(&self, node: usize) -> &WideGate {
        &self.gates[node]
    }

    /// The number of nodes, including the constant and the inputs.
    pub fn len(&self) -> usize {
        self.gates.len()
    }

    /// The inputs of the signal's gate, if the signal is the plain value of an and-gate.
    pub fn product(&self, lit: Lit) -> Option<&[Lit]> {
        match &self.gates[lit.node()] {
            WideGate::And(lits) if !lit.is_negated() => Some(lits),
            _ => None,
        }
    }

    /// Replaces the inputs of an and-gate by others with the same product, or appends a gate.
    /// From then on the network may contain duplicates, and gates may precede those that they
    /// read.
    pub fn set_product(&mut self, node: usize, lits: Vec<Lit>) {
        let gate = WideGate::And(lits.into());
        match self.gates.get_mut(node) {
            Some(old) => *old = gate,
            None => self.gates.push(gate),
        }
    }

    /// The and of all signals.
    pub fn and(&mut self, lits: Vec<Lit>) -> Lit {
        match product(lits) {
            Ok(gate) => self.node(gate),
            Err(lit) => lit,
        }
    }

    /// The and of all signals, if it exists already.
    pub fn find(&self, lits: Vec<Lit>) -> Option<Lit> {
        match product(lits) {
            Ok(gate) => Some(Lit::new(*self.known.get(&gate)? as usize, false)),
            Err(lit) => Some(lit),
        }
    }

    /// The or of all signals.
    pub fn or(&mut self, lits: Vec<Lit>) -> Lit {
        !self.and(lits.into_iter().map(|lit| !lit).collect())
    }

    /// The exclusive or of two signals.
    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let negate = a.is_negated() != b.is_negated();
        let (a, b) = (a ^ a.is_negated(), b ^ b.is_negated());
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        let lit = match (a, b) {
            _ if a == b => Lit::FALSE,
            (Lit::FALSE, _) => b,
            _ => self.node(WideGate::Xor([a, b])),
        };
        lit ^ negate
    }

    fn node(&mut self, gate: WideGate) -> Lit {
        if let Some(&node) = self.known.get(&gate) {
            return Lit::new(node as usize, false);
        }
        let node = self.gates.len();
        self.known.insert(gate.clone(), node as u32);
        self.gates.push(gate);
        Lit::new(node, false)
    }

    /// Converts the logic of a game to wide gates. Trees of and-gates without other readers are
    /// collapsed, and `make` receives the signals that each joins. Also returns the new signal
    /// of every old node.
    pub fn read(
        logic: &GameLogic,
        meter: &mut Meter<'_>,
        mut make: impl FnMut(&mut Wide, &mut Meter<'_>, Vec<Operand>) -> Result<Lit, Exhausted>,
    ) -> Result<(Wide, Vec<Lit>), Exhausted> {
        let old = &logic.net;
        let mut wide = Wide {
            gates: vec![WideGate::Outside; old.inputs() + 1],
            known: FxHashMap::default(),
        };
        let trees = Trees::new(logic);
        let mut now = vec![Lit::FALSE; old.len()];
        for node in 1..old.len() {
            match old.gate(node) {
                Gate::Input(number) => now[node] = Lit::new(number as usize + 1, false),
                _ if !trees.is_root(node) => {}
                Gate::Xor(a, b) => {
                    meter.steps(1)?;
                    now[node] = wide.xor(crate::moved(&now, a), crate::moved(&now, b));
                }
                _ => {
                    let leaves = trees.leaves(old, node);
                    meter.steps(leaves.len())?;
                    let mut operands = Vec::with_capacity(leaves.len());
                    for leaf in leaves {
                        let lit = crate::moved(&now, leaf);
                        let own = trees.readers[leaf.node()] == 1;
                        match wide.product(lit) {
                            // It was a sum and has become a product.
                            Some(lits) if own => {
                                operands
                                    .extend(lits.iter().map(|&lit| Operand { lit, own: false }));
                            }
                            _ => operands.push(Operand { lit, own }),
                        }
                    }
                    now[node] = make(&mut wide, meter, operands)?;
                }
            }
        }
        Ok((wide, now))
    }

    /// Converts the network back to trees of two-input gates. Gates are written depth first, so
    /// that each is near its readers.
    pub fn written(
        &self,
        logic: &GameLogic,
        now: &[Lit],
        meter: &mut Meter<'_>,
    ) -> Result<GameLogic, Exhausted> {
        let mut net = Netlist::new();
        let mut lits: Vec<Option<Lit>> = vec![None; self.len()];
        lits[0] = Some(Lit::FALSE);
        for lit in &mut lits[1..=logic.net.inputs()] {
            *lit = Some(net.input());
        }
        let mut path = Vec::new();
        for root in logic.roots() {
            path.push(crate::moved(now, root).node());
            while let Some(&node) = path.last() {
                meter.steps(1)?;
                if lits[node].is_some() {
                    path.pop();
                    continue;
                }
                let known = path.len();
                let reads = self.gates[node].reads();
                let missing = reads.iter().map(|read| read.node());
                path.extend(missing.filter(|&read| lits[read].is_none()));
                if path.len() > known {
                    continue;
                }
                path.pop();
                let of = |lit: &Lit| lits[lit.node()].unwrap_or(Lit::FALSE) ^ lit.is_negated();
                lits[node] = Some(match &self.gates[node] {
                    WideGate::Xor([a, b]) => net.xor(of(a), of(b)),
                    _ => net.and_all(reads.iter().map(of)),
                });
            }
        }
        Ok(logic.mapped(net, |lit| {
            let lit = crate::moved(now, lit);
            lits[lit.node()].unwrap_or(Lit::FALSE) ^ lit.is_negated()
        }))
    }
}

/// An and-gate, or the signal that it reduces to.
fn product(mut lits: Vec<Lit>) -> Result<WideGate, Lit> {
    lits.sort_unstable();
    lits.dedup();
    let clash = |pair: &[Lit]| pair[0] == !pair[1];
    if lits.first() == Some(&Lit::FALSE) || lits.windows(2).any(clash) {
        return Err(Lit::FALSE);
    }
    lits.retain(|&lit| lit != Lit::TRUE);
    match lits[..] {
        [] => Err(Lit::TRUE),
        [lit] => Err(lit),
        _ => Ok(WideGate::And(lits.into())),
    }
}

/// Identifies the inner nodes of trees of and-gates in a netlist.
struct Trees {
    /// The number of readers of each node, gates and outputs. 0 if nothing needs it.
    readers: Vec<u32>,
    /// Whether an and-gate reads the node uncomplemented.
    plain: Vec<bool>,
}

impl Trees {
    fn new(logic: &GameLogic) -> Self {
        let net = &logic.net;
        let used = net.cone(logic.roots());
        let mut readers = vec![0; net.len()];
        let mut plain = vec![false; net.len()];
        let gates = net.gates().iter().zip(&used);
        for (gate, _) in gates.filter(|(_, used)| **used) {
            for read in gate.reads() {
                readers[read.node()] += 1;
                let joined = matches!(gate, Gate::And(..)) && !read.is_negated();
                plain[read.node()] |= joined && matches!(net.gate(read.node()), Gate::And(..));
            }
        }
        for root in logic.roots() {
            readers[root.node()] += 1;
        }
        Trees { readers, plain }
    }

    fn is_inner(&self, node: usize) -> bool {
        self.readers[node] == 1 && self.plain[node]
    }

    fn is_root(&self, node: usize) -> bool {
        self.readers[node] > 0 && !self.is_inner(node)
    }

    fn leaves(&self, net: &Netlist, root: usize) -> Vec<Lit> {
        let mut leaves = Vec::new();
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            for read in net.gate(node).reads() {
                if self.is_inner(read.node()) {
                    open.push(read.node());
                } else {
                    leaves.push(read);
                }
            }
        }
        leaves
    }
}
