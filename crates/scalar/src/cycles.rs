//! Recursive rules.

use crate::phase::Inputs;
use crate::runner::Runner;
use netlist::{GameLogic, Lit};
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
        let mut cycles = Vec::new();
        for fixes in logic.fixes.chunk_by(|a, b| a.cycle == b.cycle) {
            let start = inputs.words;
            for (i, fix) in fixes.iter().enumerate() {
                inputs.places[fix.input.node()] = Some(Place::new(start * 64 + i));
            }
            let end = start + fixes.len().div_ceil(64);
            inputs.words = end;
            let mut inside = vec![false; logic.net.len()];
            for fix in fixes {
                inside[fix.input.node()] = true;
            }
            let used = logic.net.cone(fixes.iter().map(|fix| fix.value));
            let mut boundary: Vec<usize> = Vec::new();
            for (node, gate) in logic.net.gates().iter().enumerate() {
                if used[node] && gate.reads().any(|lit| inside[lit.node()]) {
                    inside[node] = true;
                    let outside =
                        |lit: &Lit| !inside[lit.node()] && logic.net.gate(lit.node()).is_logic();
                    boundary.extend(gate.reads().filter(outside).map(Lit::node));
                }
            }
            boundary.sort_unstable();
            boundary.dedup();
            let mut places = inputs.places.clone();
            let outputs: Vec<(Lit, Place)> = boundary
                .iter()
                .enumerate()
                .map(|(i, &node)| (Lit::new(node, false), Place::new(end * 64 + i)))
                .collect();
            inputs.words = end + boundary.len().div_ceil(64);
            let outside = Packer::new(places.clone(), inputs.words).pack(&logic.net, &outputs);
            for (lit, place) in outputs {
                places[lit.node()] = Some(place);
            }
            let values: Vec<(Lit, Place)> = fixes
                .iter()
                .enumerate()
                .map(|(i, fix)| (fix.value, Place::new(start * 64 + i)))
                .collect();
            let round = Packer::new(places, inputs.words).pack(&logic.net, &values);
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
