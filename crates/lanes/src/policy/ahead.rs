//! Conditions on the state after each move, as signals of the state before it.
//!
//! For every move of a role the transition is specialised to that move, and a condition on
//! states is appended to it. Done from scratch for each move, this would copy half of the game
//! for each. But moves change little: so there is one base, in which the role makes no move,
//! and for each move only the gates that differ are generated, as event-driven simulation does
//! with values. What remains shares gates through structural hashing. Conditions of the end
//! that a move does not affect are false, because play has not ended.

use super::{Declined, Draft};
use netlist::{Gate, Lit, Netlist, Source, copied, moved};
use rustc_hash::FxHashSet;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Conditions on the next state, for every move of a role that is the only one to choose.
pub(crate) struct Ahead<'n, 'c> {
    transition: Variations<'n>,
    condition: Variations<'c>,
    /// The inputs of the condition that are facts: the node, and the fact's next value.
    facts: Vec<(usize, Lit)>,
    roots: Vec<Lit>,
    /// Signals that are true wherever play continues.
    running: FxHashSet<Lit>,
    does: Vec<usize>,
}

impl<'n, 'c> Ahead<'n, 'c> {
    /// Prepares conditions on the state after each move of `role`.
    ///
    /// The conditions are the `roots` of a netlist; `fact` maps an input to its fact, if it is
    /// one. `legal` has the legality of the moves of all roles.
    ///
    /// # Errors
    /// If the next state depends on more than the role's move, or on a recursive rule.
    pub(crate) fn new(
        draft: &mut Draft<'_, 'n>,
        legal: &[Vec<Lit>],
        role: usize,
        condition: &'c Netlist,
        fact: impl Fn(usize) -> Option<usize>,
        roots: Vec<Lit>,
    ) -> Result<Self, Declined> {
        let logic = draft.logic;
        draft.chooses_alone(legal, role)?;
        let cone = condition.cone(roots.iter().copied());
        let mut facts = Vec::new();
        for (node, gate) in condition.gates().iter().enumerate() {
            let Gate::Input(number) = *gate else { continue };
            if cone[node] {
                let fact = fact(number as usize).ok_or(Declined::Recursive)?;
                facts.push((node, logic.next[fact]));
            }
        }
        let nexts = facts.iter().map(|&(_, next)| next);
        let recursive = |node: usize| match logic.net.gate(node) {
            Gate::Input(number) => match logic.sources[number as usize] {
                Source::Fix(_) => !draft.early.contains(&node),
                _ => false,
            },
            _ => false,
        };
        let cone = logic.net.cone(nexts.clone());
        if (0..cone.len()).any(|node| cone[node] && recursive(node)) {
            return Err(Declined::Recursive);
        }
        // The role makes no move; every other makes its only one.
        let mut says = vec![None; logic.net.len()];
        for (other, row) in logic.does.iter().enumerate() {
            let possible = legal[other].iter().filter(|&&lit| lit != Lit::FALSE);
            let alone = possible.count() == 1;
            for (does, &legal) in row.iter().zip(&legal[other]) {
                says[does.node()] = Some(match (other == role, alone && legal != Lit::FALSE) {
                    (true, _) => Lit::FALSE,
                    (false, true) => Lit::TRUE,
                    (false, false) => legal,
                });
            }
        }
        let import = draft.import;
        let base = |node: usize| says[node].or_else(|| import.known(node));
        let running = running(draft.net, draft.terminal);
        let none = FxHashSet::default();
        let transition = Variations::new(draft.net, &logic.net, nexts, base, &none);
        let mut becomes = vec![None; condition.len()];
        for &(node, next) in &facts {
            becomes[node] = Some(transition.value(next));
        }
        let base = |node: usize| becomes[node];
        let all = roots.iter().copied();
        let condition = Variations::new(draft.net, condition, all, base, &running);
        Ok(Ahead {
            transition,
            condition,
            facts,
            roots,
            running,
            does: logic.does[role].iter().map(|lit| lit.node()).collect(),
        })
    }

    /// The values of the roots after a move, valid where play continues and the move is legal.
    pub(crate) fn after(&mut self, net: &mut Netlist, mv: usize) -> Vec<Lit> {
        let none = FxHashSet::default();
        self.transition
            .vary(net, [(self.does[mv], Lit::TRUE)], &none);
        let changed: Vec<(usize, Lit)> = self
            .facts
            .iter()
            .map(|&(node, next)| (node, self.transition.value(next)))
            .collect();
        self.condition.vary(net, changed, &self.running);
        let roots = self.roots.iter();
        roots.map(|&root| self.condition.value(root)).collect()
    }
}

/// All literals that must be true where `terminal` is false.
fn running(net: &Netlist, terminal: Lit) -> FxHashSet<Lit> {
    let mut known = FxHashSet::default();
    let mut stack = vec![!terminal];
    while let Some(lit) = stack.pop() {
        if lit.node() == 0 || !known.insert(lit) {
            continue;
        }
        if let (Gate::And(a, b), false) = (net.gate(lit.node()), lit.is_negated()) {
            stack.extend([a, b]);
        }
    }
    known
}

/// The gates of a netlist copied into another: first for a base, then repeatedly for inputs
/// that differ from it in few places.
struct Variations<'n> {
    from: &'n Netlist,
    /// The nodes in the base.
    base: Vec<Lit>,
    /// The nodes in the present variation.
    now: Vec<Lit>,
    /// The nodes where the two differ.
    changed: Vec<usize>,
    /// The gates that read each node: the start of each list, and the lists.
    first: Vec<u32>,
    readers: Vec<u32>,
    queue: BinaryHeap<Reverse<u32>>,
    queued: Vec<bool>,
}

impl<'n> Variations<'n> {
    /// Copies the base.
    ///
    /// `says` gives the nodes whose values are set beforehand; other inputs are false. Signals
    /// `known` to be true become constants.
    fn new(
        net: &mut Netlist,
        from: &'n Netlist,
        roots: impl Iterator<Item = Lit>,
        says: impl Fn(usize) -> Option<Lit>,
        known: &FxHashSet<Lit>,
    ) -> Self {
        let cone = from.cone(roots);
        let mut base = vec![Lit::FALSE; from.len()];
        let mut first = vec![0u32; from.len() + 1];
        for node in (0..from.len()).filter(|&node| cone[node]) {
            let gate = from.gate(node);
            base[node] =
                says(node).unwrap_or_else(|| folded(copied(net, node, gate, &base), known));
            for read in gate.reads() {
                first[read.node() + 1] += 1;
            }
        }
        for node in 0..from.len() {
            first[node + 1] += first[node];
        }
        let mut at = first.clone();
        let mut readers = vec![0; first[from.len()] as usize];
        for node in (0..from.len()).filter(|&node| cone[node]) {
            for read in from.gate(node).reads() {
                let at = &mut at[read.node()];
                readers[*at as usize] = node as u32;
                *at += 1;
            }
        }
        Variations {
            from,
            now: base.clone(),
            base,
            changed: Vec::new(),
            first,
            readers,
            queue: BinaryHeap::new(),
            queued: vec![false; from.len()],
        }
    }

    /// Switches to other inputs: the base with `changes`.
    fn vary(
        &mut self,
        net: &mut Netlist,
        changes: impl IntoIterator<Item = (usize, Lit)>,
        known: &FxHashSet<Lit>,
    ) {
        for node in self.changed.drain(..) {
            self.now[node] = self.base[node];
        }
        for (node, lit) in changes {
            self.set(node, lit);
        }
        while let Some(Reverse(node)) = self.queue.pop() {
            let node = node as usize;
            self.queued[node] = false;
            let lit = copied(net, node, self.from.gate(node), &self.now);
            self.set(node, folded(lit, known));
        }
    }

    fn set(&mut self, node: usize, lit: Lit) {
        if self.now[node] == lit {
            return;
        }
        self.now[node] = lit;
        self.changed.push(node);
        for i in self.first[node]..self.first[node + 1] {
            let reader = self.readers[i as usize];
            if !std::mem::replace(&mut self.queued[reader as usize], true) {
                self.queue.push(Reverse(reader));
            }
        }
    }

    fn value(&self, lit: Lit) -> Lit {
        moved(&self.now, lit)
    }
}

/// A signal, or its constant if that is known.
fn folded(lit: Lit, known: &FxHashSet<Lit>) -> Lit {
    if known.contains(&lit) {
        Lit::TRUE
    } else if known.contains(&!lit) {
        Lit::FALSE
    } else {
        lit
    }
}
