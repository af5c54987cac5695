//! Copying parts of a game's logic into the netlist of a program.

use netlist::{Fix, GameLogic, Gate, Lit, Netlist, copied};

/// Copies what is needed of one netlist into another.
pub(crate) struct Import<'n> {
    from: &'n Netlist,
    /// What the old nodes became.
    now: Vec<Lit>,
    done: Vec<bool>,
}

impl<'n> Import<'n> {
    /// Copies from that netlist. Nothing is known yet of its inputs.
    pub(crate) fn new(from: &'n Netlist) -> Self {
        let mut import = Import {
            from,
            now: vec![Lit::FALSE; from.len()],
            done: vec![false; from.len()],
        };
        import.is(0, Lit::FALSE);
        import
    }

    /// Says what a node is in the other netlist.
    pub(crate) fn is(&mut self, node: usize, lit: Lit) {
        self.now[node] = lit;
        self.done[node] = true;
    }

    /// What a node is in the other netlist, if that is known.
    pub(crate) fn known(&self, node: usize) -> Option<Lit> {
        self.done[node].then(|| self.now[node])
    }

    /// What all nodes are in the other netlist; false where it is not known.
    pub(crate) fn nodes(&self) -> &[Lit] {
        &self.now
    }

    /// From here on play has not ended: legality and transitions are asked only where it goes on. So
    /// every condition for an end that stands by itself is false. What was taken before stays as it
    /// is; recursive rules behind the end must have been.
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

    /// The same signal in the other netlist; inputs of which nothing was said are false.
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

    /// Recursive signals of one cycle: what carries them, and what they must equal.
    pub(crate) fn cycle(&mut self, net: &mut Netlist, fixes: &[Fix]) -> Vec<(Lit, Lit)> {
        let carried = fixes.iter().map(|fix| {
            let input = self.take(net, fix.input);
            (input, self.take(net, fix.value))
        });
        carried.collect()
    }
}

/// The cycles of recursive signals: those behind legality, the end and the results, and the others,
/// which may depend on moves.
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
