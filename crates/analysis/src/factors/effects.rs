//! The effects of moves on facts, found by applying the moves.

use super::relieved::Relieved;
use super::samples::{SNAPSHOTS, Snapshot};
use budget::{Budget, Exhausted};
use netlist::{GameLogic, Gate, Lit, Netlist, Source};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The effect of a move that leaves a fact unchanged, where most moves change it.
const UNLIKE_MOST: u64 = 1;

/// For each node, the gates that read it.
struct Readers {
    starts: Vec<u32>,
    readers: Vec<u32>,
}

impl Readers {
    fn new(net: &Netlist, marked: &[bool]) -> Self {
        let mut starts = vec![0u32; net.len() + 1];
        let gates = || (0..net.len()).filter(|&node| marked[node]);
        for node in gates() {
            for read in net.gate(node).reads() {
                starts[read.node() + 1] += 1;
            }
        }
        for node in 0..net.len() {
            starts[node + 1] += starts[node];
        }
        let mut at = starts.clone();
        let mut readers = vec![0; starts[net.len()] as usize];
        for node in gates() {
            for read in net.gate(node).reads() {
                let place = &mut at[read.node()];
                readers[*place as usize] = node as u32;
                *place += 1;
            }
        }
        Readers { starts, readers }
    }

    fn of(&self, node: usize) -> &[u32] {
        &self.readers[self.starts[node] as usize..self.starts[node + 1] as usize]
    }
}

fn mixed(snapshot: usize, word: u64) -> u64 {
    let mut hash = word ^ (snapshot as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    hash = (hash ^ hash >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ hash >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ hash >> 31
}

/// The values of a node in all snapshots: exactly one cache line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(align(64))]
pub(super) struct Words(pub [u64; SNAPSHOTS]);

fn gate(values: &[Words], gate: Gate) -> Words {
    let mut words = Words::default();
    let (Gate::And(a, b) | Gate::Xor(a, b)) = gate else {
        return words;
    };
    let negated = |lit: Lit| 0u64.wrapping_sub(u64::from(lit.is_negated()));
    let (of_a, of_b) = (&values[a.node()].0, &values[b.node()].0);
    let pairs = of_a.iter().zip(of_b);
    let pairs = pairs.map(|(of_a, of_b)| (of_a ^ negated(a), of_b ^ negated(b)));
    let is_and = matches!(gate, Gate::And(..));
    for (out, (a, b)) in words.0.iter_mut().zip(pairs) {
        *out = if is_and { a & b } else { a ^ b };
    }
    words
}

/// For each move of a role, the facts whose next value differs from the value without any move
/// of the role, and a hash of the difference. Each move is tried in the states in which `may`
/// allows it; if there are none, in all.
fn touched(
    game: &Relieved,
    role: usize,
    snapshots: &[Snapshot],
    may: &[Words],
    budget: &Budget,
) -> Result<Vec<FxHashMap<u32, u64>>, Exhausted> {
    let logic = &game.logic;
    let mut trial = Trial::new(game, role, snapshots, budget)?;
    let mut found = vec![FxHashMap::default(); logic.does[role].len()];
    for (mv, does) in logic.does[role].iter().enumerate() {
        budget.check()?;
        if !matches!(logic.net.gate(does.node()), Gate::Input(_)) {
            continue;
        }
        let tried = match may[mv] {
            Words(words) if words == [0; SNAPSHOTS] => Words([u64::MAX; SNAPSHOTS]),
            words => words,
        };
        found[mv] = trial.touched(does.node(), tried);
    }
    Ok(found)
}

/// Tries the moves of a role, one after the other.
struct Trial<'g> {
    logic: &'g GameLogic,
    /// The facts whose next value each node is.
    facts_of: FxHashMap<u32, Vec<u32>>,
    readers: Readers,
    /// The values of nodes without any move of the role.
    values: Vec<Words>,
    /// The nodes that still have to be computed, in the order of the network.
    heap: BinaryHeap<Reverse<u32>>,
    queued: Vec<bool>,
    /// The nodes that a move changed, with their values before.
    changed: Vec<(u32, Words)>,
}

impl<'g> Trial<'g> {
    fn new(
        game: &'g Relieved,
        role: usize,
        snapshots: &[Snapshot],
        budget: &Budget,
    ) -> Result<Trial<'g>, Exhausted> {
        let logic = &game.logic;
        let mut facts_of: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for fact in game.facts() {
            let node = logic.next[fact].node() as u32;
            facts_of.entry(node).or_default().push(fact as u32);
        }
        let cone = logic.net.cone(game.facts().map(|fact| logic.next[fact]));
        budget.check()?;
        let readers = Readers::new(&logic.net, &cone);
        budget.check()?;
        Ok(Trial {
            logic,
            facts_of,
            readers,
            values: values_without(logic, role, snapshots, &cone, budget)?,
            heap: BinaryHeap::new(),
            queued: vec![false; logic.net.len()],
            changed: Vec::new(),
        })
    }

    /// The facts whose next values change if the input of a move gets these values, each with a
    /// hash of the change.
    fn touched(&mut self, does: usize, tried: Words) -> FxHashMap<u32, u64> {
        let mut found = FxHashMap::default();
        self.heap.push(Reverse(does as u32));
        while let Some(Reverse(node)) = self.heap.pop() {
            let at = node as usize;
            self.queued[at] = false;
            let old = self.values[at];
            let new = match self.logic.net.gate(at) {
                Gate::Input(_) | Gate::False => tried,
                what => gate(&self.values, what),
            };
            if new == old {
                continue;
            }
            self.values[at] = new;
            self.changed.push((node, old));
            for &reader in self.readers.of(at) {
                if !std::mem::replace(&mut self.queued[reader as usize], true) {
                    self.heap.push(Reverse(reader));
                }
            }
            for &fact in self.facts_of.get(&node).into_iter().flatten() {
                let words = new.0.iter().zip(&old.0).map(|(new, old)| new ^ old);
                let effect = words.enumerate().map(|(number, word)| mixed(number, word));
                found.insert(fact, effect.fold(0, u64::wrapping_add));
            }
        }
        for (node, old) in self.changed.drain(..) {
            self.values[node as usize] = old;
        }
        found
    }
}

/// The values of all inputs and of the gates of a cone in the snapshots, without any move of a
/// role.
fn values_without(
    logic: &GameLogic,
    role: usize,
    snapshots: &[Snapshot],
    cone: &[bool],
    budget: &Budget,
) -> Result<Vec<Words>, Exhausted> {
    let mut values = vec![Words::default(); logic.net.len()];
    for (node, &what) in logic.net.gates().iter().enumerate() {
        if node % 4096 == 0 {
            budget.check()?;
        }
        values[node] = match what {
            Gate::Input(number) => {
                let source = logic.sources[number as usize];
                let own =
                    matches!(source, Source::Does { role: who, .. } if usize::from(who) == role);
                let mut words = Words::default();
                for (word, snapshot) in words.0.iter_mut().zip(snapshots) {
                    *word = if own { 0 } else { snapshot[number as usize] };
                }
                words
            }
            _ if cone[node] => gate(&values, what),
            _ => continue,
        };
    }
    Ok(values)
}

/// For each move of a role, the facts that it affects differently from most moves, ascending,
/// each with a number for the effect, relative to the effect of most moves.
pub(super) fn effects(
    game: &Relieved,
    role: usize,
    snapshots: &[Snapshot],
    may: &[Words],
    budget: &Budget,
) -> Result<Vec<Vec<(u32, u64)>>, Exhausted> {
    let touched = touched(game, role, snapshots, may, budget)?;
    let mut counts: FxHashMap<(u32, u64), usize> = FxHashMap::default();
    let mut totals: FxHashMap<u32, usize> = FxHashMap::default();
    for touched in touched.chunks(64) {
        budget.check()?;
        for (&fact, &effect) in touched.iter().flatten() {
            *counts.entry((fact, effect)).or_default() += 1;
            *totals.entry(fact).or_default() += 1;
        }
    }
    let mut counts: Vec<((u32, u64), usize)> = counts.into_iter().collect();
    budget.check()?;
    counts.sort_unstable();
    budget.check()?;
    let mut most: FxHashMap<u32, (usize, u64)> = FxHashMap::default();
    for ((fact, effect), count) in counts {
        let untouched = touched.len() - totals[&fact];
        let best = most.entry(fact).or_insert((untouched, 0));
        if count > best.0 {
            *best = (count, effect);
        }
    }
    let usual = |fact: u32| most.get(&fact).map_or(0, |&(_, effect)| effect);
    let unusual: Vec<u32> = most
        .keys()
        .copied()
        .filter(|&fact| usual(fact) != 0)
        .collect();
    let of_move = |touched: &FxHashMap<u32, u64>| {
        let untouched = unusual.iter().filter(|fact| !touched.contains_key(fact));
        let untouched = untouched.map(|&fact| (fact, UNLIKE_MOST));
        let mut effects: Vec<(u32, u64)> = (touched.iter().map(|(&fact, &effect)| (fact, effect)))
            .filter(|&(fact, effect)| usual(fact) != effect)
            .chain(untouched)
            .collect();
        effects.sort_unstable();
        effects
    };
    let of_moves = touched.iter().map(|touched| {
        budget.check()?;
        Ok(of_move(touched))
    });
    of_moves.collect()
}
