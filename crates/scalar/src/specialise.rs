//! Computes the effect of single joint moves.

use crate::phase::{Inputs, deciders, possible};
use netlist::{GameLogic, Gate, Lit, Netlist, copied, moved};
use wordcode::{Packer, Program};

/// Writes programs for the effect of single joint moves on the state.
///
/// With the moves given, nearly all of the transition is constant or keeps facts as they are;
/// the rest is a short program. Only gates that depend on the moves are processed. The others
/// are simplified once, with no moves set.
pub(crate) struct Specialiser {
    net: Netlist,
    packer: Packer,
    /// The signal of each node if no role with a choice moves.
    base: Vec<Lit>,
    /// The same for the current joint move.
    now: Vec<Lit>,
    readers: Readers,
    /// The input of each fact.
    stays: Vec<Lit>,
    /// Facts, sorted by the node of their next value.
    facts_of: Vec<(u32, u32)>,
    /// Facts that change even if no role with a choice moves.
    restless: Vec<u32>,
    /// The nodes still to be processed, as bits.
    behind: Vec<u64>,
}

/// A program that plays a joint move, and the cost of writing it.
pub(crate) struct Effect {
    pub program: Program,
    /// The number of gates processed.
    pub work: usize,
}

/// A joint move gets no program if more gates than this depend on it.
pub(crate) const MOST_GATES: usize = 1 << 18;

impl Specialiser {
    pub fn new(logic: &GameLogic, inputs: &Inputs) -> Specialiser {
        let from = &logic.net;
        let used = from.cone(logic.next.iter().copied());
        let choosing = deciders(logic);
        let mut given = vec![None; from.len()];
        for (role, row) in logic.does.iter().enumerate() {
            let possible = possible(logic, role);
            let forced = !choosing.contains(&role);
            for (mv, lit) in (0u32..).zip(row) {
                given[lit.node()] = Some(Lit::constant(forced && possible.contains(&mv)));
            }
        }
        let mut net = Netlist::new();
        let mut base = vec![Lit::FALSE; from.len()];
        let mut places = vec![None];
        for (node, &gate) in from.gates().iter().enumerate() {
            if let (Gate::Input(_), None) = (gate, given[node]) {
                base[node] = net.input();
                places.resize(net.len(), None);
                places[base[node].node()] = inputs.places[node];
            }
        }
        for (node, &gate) in from.gates().iter().enumerate() {
            match (gate, given[node]) {
                (_, Some(constant)) => base[node] = constant,
                (Gate::Input(_) | Gate::False, None) => {}
                _ if used[node] => base[node] = copied(&mut net, node, gate, &base),
                _ => {}
            }
        }
        let stays: Vec<Lit> = logic.facts.iter().map(|&lit| moved(&base, lit)).collect();
        let next = |fact: u32| logic.next[fact as usize];
        let mut facts_of: Vec<(u32, u32)> = (0..logic.next.len() as u32)
            .map(|fact| (next(fact).node() as u32, fact))
            .collect();
        facts_of.sort_unstable();
        let restless = (0..logic.next.len() as u32)
            .filter(|&fact| moved(&base, next(fact)) != stays[fact as usize])
            .collect();
        Specialiser {
            packer: Packer::new(places, inputs.words),
            net,
            now: base.clone(),
            base,
            readers: Readers::new(from, &used),
            stays,
            facts_of,
            restless,
            behind: vec![0; from.len().div_ceil(64)],
        }
    }

    /// Writes the program that changes a state to the next one for the given moves, which are
    /// nodes of the logic. `None` if it would be too large.
    pub fn effect(&mut self, logic: &GameLogic, inputs: &Inputs, does: &[usize]) -> Option<Effect> {
        let mut facts = self.restless.clone();
        let mut changed: Vec<usize> = Vec::new();
        let mut work = 0;
        let put = |behind: &mut [u64], readers: &[u32]| {
            for &reader in readers {
                behind[reader as usize / 64] |= 1 << (reader % 64);
            }
        };
        for &node in does {
            self.now[node] = Lit::TRUE;
            changed.push(node);
            put(&mut self.behind, self.readers.of(node));
        }
        // Gates are read by later gates only.
        for word in 0..self.behind.len() {
            while self.behind[word] != 0 {
                let node = word * 64 + self.behind[word].trailing_zeros() as usize;
                self.behind[word] &= self.behind[word] - 1;
                work += 1;
                if work > MOST_GATES {
                    continue;
                }
                let lit = copied(&mut self.net, node, logic.net.gate(node), &self.now);
                if lit != self.base[node] {
                    self.now[node] = lit;
                    changed.push(node);
                    put(&mut self.behind, self.readers.of(node));
                }
            }
        }
        for &node in &changed {
            let from = self.facts_of.partition_point(|&(n, _)| (n as usize) < node);
            let same = self.facts_of[from..].iter();
            facts.extend(same.take_while(|f| f.0 as usize == node).map(|f| f.1));
        }
        facts.sort_unstable();
        facts.dedup();
        let outputs: Vec<_> = facts
            .iter()
            .map(|&fact| fact as usize)
            .map(|fact| (fact, moved(&self.now, logic.next[fact])))
            .filter(|&(fact, lit)| lit != self.stays[fact])
            .map(|(fact, lit)| (lit, inputs.facts[fact]))
            .collect();
        for node in changed {
            self.now[node] = self.base[node];
        }
        (work <= MOST_GATES).then(|| {
            let program = self.packer.pack(&self.net, &outputs);
            let work = work + self.packer.work();
            Effect { program, work }
        })
    }
}

/// For each node, the gates that read it.
struct Readers {
    first: Vec<u32>,
    list: Vec<u32>,
}

impl Readers {
    fn new(net: &Netlist, used: &[bool]) -> Self {
        let gates = || {
            let gates = net.gates().iter().enumerate();
            gates.filter(|(node, _)| used[*node])
        };
        let mut first = vec![0u32; net.len() + 1];
        for (_, gate) in gates() {
            for read in gate.reads() {
                first[read.node() + 1] += 1;
            }
        }
        for i in 1..first.len() {
            first[i] += first[i - 1];
        }
        let mut at = first.clone();
        let mut list = vec![0; first[net.len()] as usize];
        for (node, gate) in gates() {
            for read in gate.reads() {
                let at = &mut at[read.node()];
                list[*at as usize] = node as u32;
                *at += 1;
            }
        }
        Readers { first, list }
    }

    fn of(&self, node: usize) -> &[u32] {
        &self.list[self.first[node] as usize..self.first[node + 1] as usize]
    }
}
