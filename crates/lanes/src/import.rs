//! Copying parts of a game's logic into the netlist of a program.

use netlist::{Fix, GameLogic, Gate, Lit, Netlist, copied};

/// Copies the needed parts of one netlist into another.
pub(crate) struct Import<'n> {
    from: &'n Netlist,
    /// The copy of each node.
    now: Vec<Lit>,
    done: Vec<bool>,
}

impl<'n> Import<'n> {
    /// Copies from that netlist. No input has a value yet.
    pub(crate) fn new(from: &'n Netlist) -> Self {
        let mut import = Import {
            from,
            now: vec![Lit::FALSE; from.len()],
            done: vec![false; from.len()],
        };
        import.is(0, Lit::FALSE);
        import
    }

    /// Sets the copy of a node.
    pub(crate) fn is(&mut self, node: usize, lit: Lit) {
        self.now[node] = lit;
        self.done[node] = true;
    }

    /// The copy of a node, if it is set.
    pub(crate) fn known(&self, node: usize) -> Option<Lit> {
        self.done[node].then(|| self.now[node])
    }

    /// The copies of all nodes; false where none is set.
    pub(crate) fn nodes(&self) -> &[Lit] {
        &self.now
    }

    /// Assumes from here on that play has not ended.
    ///
    /// Legality and transitions are evaluated only where play continues, so every condition
    /// that alone implies the end is false. Signals copied before are unchanged; recursive
    /// rules behind the end must be among them.
    pub(crate) fn assume_running(&mut self, terminal: Lit) {
        for (node, gate) in self.from.gates().iter().enumerate() {
            self.done[node] &= !gate.is_logic();
        }
        let mut stack = vec![!terminal];
        while let Some(lit) = stack.pop() {
            let gate = self.from.gate(lit.node());
            if lit.node() == 0 || gate.is_logic() && self.done[lit.node()] {
                continue;
            }
            self.is(lit.node(), Lit::TRUE ^ lit.is_negated());
            if let (Gate::And(a, b), false) = (gate, lit.is_negated()) {
                stack.extend([a, b]);
            }
        }
    }

    /// Copies a signal. Inputs without a value are false.
    pub(crate) fn take(&mut self, net: &mut Netlist, lit: Lit) -> Lit {
        let mut stack = vec![lit.node()];
        while let Some(&node) = stack.last() {
            if self.done[node] {
                stack.pop();
                continue;
            }
            let open = stack.len();
            let gate = self.from.gate(node);
            let reads = gate.reads().map(Lit::node);
            stack.extend(reads.filter(|&read| !self.done[read]));
            if stack.len() == open {
                let lit = copied(net, node, gate, &self.now);
                self.is(node, lit);
                stack.pop();
            }
        }
        netlist::moved(&self.now, lit)
    }

    /// The recursive signals of one cycle: the input that carries each, and the value that it
    /// must equal.
    pub(crate) fn cycle(&mut self, net: &mut Netlist, fixes: &[Fix]) -> Vec<(Lit, Lit)> {
        let carried = fixes.iter().map(|fix| {
            let input = self.take(net, fix.input);
            (input, self.take(net, fix.value))
        });
        carried.collect()
    }
}

/// The cycles of recursive signals, in two groups.
///
/// The first are those behind legality, the end and the results. The others may depend on
/// moves.
pub(crate) fn cycles(logic: &GameLogic) -> (Vec<&[Fix]>, Vec<&[Fix]>) {
    let cycles: Vec<&[Fix]> = logic.fixes.chunk_by(|a, b| a.cycle == b.cycle).collect();
    let mut behind = vec![false; cycles.len()];
    loop {
        let known = cycles.iter().zip(&behind).filter(|(_, behind)| **behind);
        let values = known.flat_map(|(cycle, _)| cycle.iter().map(|fix| fix.value));
        let roots = logic.legal_roots().chain(logic.goal_roots()).chain(values);
        let cone = logic.net.cone(roots);
        let reached = cycles
            .iter()
            .map(|cycle| cycle.iter().any(|fix| cone[fix.input.node()]));
        let reached: Vec<bool> = reached.collect();
        if reached == behind {
            break;
        }
        behind = reached;
    }
    let (mut early, mut late) = (Vec::new(), Vec::new());
    for (cycle, behind) in cycles.into_iter().zip(behind) {
        if behind {
            early.push(cycle);
        } else {
            late.push(cycle);
        }
    }
    (early, late)
}
