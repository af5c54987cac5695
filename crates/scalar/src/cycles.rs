//! Recursive rules.

use crate::phase::Inputs;
use crate::runner::Runner;
use netlist::{Fix, GameLogic, Lit};
use wordcode::{Packer, Place};

/// The recursive signals of one cycle. One program computes what they need from outside and
/// runs once. The other computes a round and is repeated until nothing changes.
#[derive(Debug)]
pub(crate) struct Cycle {
    outside: Runner,
    round: Runner,
    /// The input words of the signals, which are cleared first.
    words: std::ops::Range<usize>,
}

/// All cycles of a game's logic, in order.
#[derive(Debug, Default)]
pub(crate) struct Cycles {
    cycles: Vec<Cycle>,
}

impl Cycles {
    /// Assigns places after the other inputs to the recursive signals, and writes the programs.
    pub fn new(logic: &GameLogic, inputs: &mut Inputs) -> Cycles {
        let rounds = logic.fixes.chunk_by(|a, b| a.cycle == b.cycle);
        for fixes in rounds.clone() {
            let start = inputs.words;
            for (i, fix) in fixes.iter().enumerate() {
                inputs.places[fix.input.node()] = Some(Place::new(start * 64 + i));
            }
            inputs.words = start + fixes.len().div_ceil(64);
        }
        let mut inside = Inside::new(logic);
        let mut packer = Packer::new(inputs.places.clone(), inputs.words);
        let mut cycles = Vec::new();
        for fixes in rounds {
            let start = inputs.places[fixes[0].input.node()].map_or(0, Place::word);
            let end = start + fixes.len().div_ceil(64);
            let outputs: Vec<(Lit, Place)> = inside
                .boundary(logic, fixes)
                .into_iter()
                .enumerate()
                .map(|(i, node)| (Lit::new(node, false), Place::new(inputs.words * 64 + i)))
                .collect();
            inputs.words += outputs.len().div_ceil(64);
            packer.set_words(inputs.words);
            let outside = packer.pack(&logic.net, &outputs);
            for &(lit, place) in &outputs {
                packer.give(lit.node(), Some(place));
            }
            let values: Vec<(Lit, Place)> = fixes
                .iter()
                .enumerate()
                .map(|(i, fix)| (fix.value, Place::new(start * 64 + i)))
                .collect();
            let round = packer.pack(&logic.net, &values);
            for (lit, _) in outputs {
                packer.give(lit.node(), None);
            }
            cycles.push(Cycle {
                outside: Runner::new(outside),
                round: Runner::new(round),
                words: start..end,
            });
        }
        Cycles { cycles }
    }

    /// The number of words of scratch space that the programs need.
    pub fn slots(&self) -> usize {
        let programs = self.cycles.iter().flat_map(|c| [&c.outside, &c.round]);
        programs
            .map(|runner| runner.program().slots())
            .max()
            .unwrap_or(0)
    }

    /// Computes the least fixpoint of all recursive signals. `buffer` has as many words as the
    /// inputs.
    pub fn solve(&self, slots: &mut [u64], buffer: &mut [u64]) {
        for cycle in &self.cycles {
            let words = cycle.words.clone();
            cycle.outside.run(slots, buffer);
            let boundary = cycle.outside.program().written();
            slots[boundary.clone()].copy_from_slice(&buffer[boundary]);
            slots[words.clone()].fill(0);
            loop {
                cycle.round.run(slots, buffer);
                if slots[words.clone()] == buffer[words.clone()] {
                    break;
                }
                slots[words.clone()].copy_from_slice(&buffer[words.clone()]);
            }
        }
    }
}

/// Tells which gates belong to a cycle.
///
/// All cycles together take as long as one walk over the logic: there may be hundreds of them.
struct Inside {
    /// For each node one more than the last cycle that it depends on, in the order of
    /// [`GameLogic::fixes`]; 0 if it depends on none. A cycle depends on earlier ones alone, so
    /// a gate that leads to it is inside if this is its last one.
    last: Vec<u32>,
    seen: Vec<bool>,
}

impl Inside {
    fn new(logic: &GameLogic) -> Inside {
        let mut last = vec![0; logic.net.len()];
        for fix in &logic.fixes {
            last[fix.input.node()] = fix.cycle + 1;
        }
        for (node, gate) in logic.net.gates().iter().enumerate() {
            for lit in gate.reads() {
                last[node] = last[node].max(last[lit.node()]);
            }
        }
        Inside {
            seen: vec![false; last.len()],
            last,
        }
    }

    /// The gates that a round of the cycle reads from outside, ascending.
    fn boundary(&mut self, logic: &GameLogic, fixes: &[Fix]) -> Vec<usize> {
        let cycle = fixes[0].cycle + 1;
        let mut stack: Vec<usize> = fixes.iter().map(|fix| fix.value.node()).collect();
        stack.retain(|&node| self.last[node] == cycle);
        let mut boundary = Vec::new();
        while let Some(node) = stack.pop() {
            if std::mem::replace(&mut self.seen[node], true) {
                continue;
            }
            for lit in logic.net.gate(node).reads() {
                debug_assert!(self.last[lit.node()] <= cycle, "cycles are in order");
                match self.last[lit.node()] == cycle {
                    true => stack.push(lit.node()),
                    false => boundary.push(lit.node()),
                }
            }
        }
        boundary.retain(|&node| logic.net.gate(node).is_logic());
        boundary.sort_unstable();
        boundary.dedup();
        boundary
    }
}
