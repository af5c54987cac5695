//! What each move does to which facts, what it takes to be legal, and when it can be made.

use super::relieved::{Relieved, conjuncts};
use super::samples::{Snapshot, evaluate};
use budget::{Budget, Exhausted};
use netlist::{GameLogic, Gate, Lit, Netlist, Source};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What stands for the effect of a move that leaves a fact as no move would, where that is not what
/// most moves do.
const UNLIKE_MOST: u64 = 1;

/// A move, as far as facts that moves change are concerned.
#[derive(Debug, Clone, Default)]
pub(super) struct Move {
    /// The facts that it does not treat as most moves of the role do, ascending, and a number for
    /// what it does to each: the same for moves that were seen to do the same.
    pub effects: Vec<(u32, u64)>,
    /// The conjuncts of its legality that ask for such facts.
    pub asks: Vec<Lit>,
    /// In which of the control states it may be legal: a bit for each.
    pub when: Vec<u64>,
}

/// Which gates read each node.
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

/// For each move of a role, the facts whose next value differs from what it is without any move of
/// the role, and how.
fn touched(
    game: &Relieved,
    role: usize,
    snapshots: &[Snapshot],
    budget: &Budget,
) -> Result<Vec<FxHashMap<u32, u64>>, Exhausted> {
    let logic = &game.logic;
    let mut facts_of: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    for fact in game.facts() {
        let node = logic.next[fact].node() as u32;
        facts_of.entry(node).or_default().push(fact as u32);
    }
    let cone = logic.net.cone(game.facts().map(|fact| logic.next[fact]));
    let readers = Readers::new(&logic.net, &cone);
    let mut found = vec![FxHashMap::default(); logic.does[role].len()];
    let mut queued = vec![false; logic.net.len()];
    let mut changed: Vec<(u32, u64)> = Vec::new();
    let mut heap = BinaryHeap::new();
    for (number, snapshot) in snapshots.iter().enumerate() {
        let mut inputs = snapshot.clone();
        for (word, source) in inputs.iter_mut().zip(&logic.sources) {
            if matches!(*source, Source::Does { role: who, .. } if usize::from(who) == role) {
                *word = 0;
            }
        }
        let mut values = evaluate(&logic.net, &inputs, &cone);
        for (mv, does) in logic.does[role].iter().enumerate() {
            if mv % 16 == 0 {
                budget.check()?;
            }
            if !matches!(logic.net.gate(does.node()), Gate::Input(_)) {
                continue;
            }
            heap.push(Reverse(does.node() as u32));
            while let Some(Reverse(node)) = heap.pop() {
                let at = node as usize;
                queued[at] = false;
                let old = values[at];
                let new = match logic.net.gate(at) {
                    Gate::And(a, b) => netlist::word(&values, a) & netlist::word(&values, b),
                    Gate::Xor(a, b) => netlist::word(&values, a) ^ netlist::word(&values, b),
                    Gate::Input(_) | Gate::False => u64::MAX,
                };
                if new == old {
                    continue;
                }
                values[at] = new;
                changed.push((node, old));
                for &reader in readers.of(at) {
                    if !std::mem::replace(&mut queued[reader as usize], true) {
                        heap.push(Reverse(reader));
                    }
                }
                for &fact in facts_of.get(&node).into_iter().flatten() {
                    let effect: &mut u64 = found[mv].entry(fact).or_default();
                    *effect = effect.wrapping_add(mixed(number, new ^ old));
                }
            }
            for (node, old) in changed.drain(..) {
                values[node as usize] = old;
            }
        }
    }
    Ok(found)
}

/// The effects of the moves of a role, by comparison with what most moves do.
fn effects(touched: &[FxHashMap<u32, u64>]) -> Vec<Vec<(u32, u64)>> {
    let mut counts: FxHashMap<(u32, u64), usize> = FxHashMap::default();
    let mut totals: FxHashMap<u32, usize> = FxHashMap::default();
    for (&fact, &effect) in touched.iter().flatten() {
        *counts.entry((fact, effect)).or_default() += 1;
        *totals.entry(fact).or_default() += 1;
    }
    let mut counts: Vec<((u32, u64), usize)> = counts.into_iter().collect();
    counts.sort_unstable();
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
    touched.iter().map(of_move).collect()
}

/// Whether a signal may be true, and whether it may be false, as far as the facts that no move
/// changes decide it. A bound: what else it depends on is taken to be free, every time it is read.
struct Bounds {
    net: Netlist,
    bounds: FxHashMap<usize, (Lit, Lit)>,
}

impl Bounds {
    fn new(game: &Relieved) -> Self {
        let mut net = Netlist::new();
        let mut bounds = FxHashMap::default();
        for (node, &gate) in game.logic.net.gates().iter().enumerate() {
            if let Gate::Input(number) = gate {
                let input = net.input();
                let fixed = match game.logic.sources[number as usize] {
                    Source::Fact(fact) => !game.moved[fact as usize],
                    _ => false,
                };
                let bound = if fixed {
                    (input, !input)
                } else {
                    (Lit::TRUE, Lit::TRUE)
                };
                bounds.insert(node, bound);
            }
        }
        bounds.insert(0, (Lit::FALSE, Lit::TRUE));
        Bounds { net, bounds }
    }

    fn of(&mut self, logic: &GameLogic, lit: Lit) -> Lit {
        let mut stack = vec![lit.node()];
        while let Some(&node) = stack.last() {
            if self.bounds.contains_key(&node) {
                stack.pop();
                continue;
            }
            let gate = logic.net.gate(node);
            let open: Vec<usize> = (gate.reads().map(Lit::node))
                .filter(|read| !self.bounds.contains_key(read))
                .collect();
            if !open.is_empty() {
                stack.extend(open);
                continue;
            }
            let side = |lit: Lit| {
                let (yes, no) = self.bounds[&lit.node()];
                if lit.is_negated() {
                    (no, yes)
                } else {
                    (yes, no)
                }
            };
            let bound = match gate {
                Gate::And(a, b) => {
                    let ((a1, a0), (b1, b0)) = (side(a), side(b));
                    (self.net.and(a1, b1), self.net.or(a0, b0))
                }
                Gate::Xor(a, b) => {
                    let ((a1, a0), (b1, b0)) = (side(a), side(b));
                    let (one, other) = (self.net.and(a1, b0), self.net.and(a0, b1));
                    let (same, neither) = (self.net.and(a1, b1), self.net.and(a0, b0));
                    (self.net.or(one, other), self.net.or(same, neither))
                }
                Gate::False | Gate::Input(_) => (Lit::TRUE, Lit::TRUE),
            };
            self.bounds.insert(node, bound);
        }
        let (yes, no) = self.bounds[&lit.node()];
        if lit.is_negated() { no } else { yes }
    }
}

/// The states of the facts that no move changes, from the first on: in words of 64 states each, the
/// inputs of the netlist; and how many. They stop before one comes again, or after some hundreds.
pub(super) struct Control {
    /// The words, as a snapshot each.
    pub words: Vec<Snapshot>,
    /// How many states.
    pub states: usize,
}

/// States of control at most.
const CONTROL_STATES: usize = 512;

impl Control {
    /// Plays them; `None` where recursive rules have a say.
    pub fn new(game: &Relieved, budget: &Budget) -> Result<Option<Control>, Exhausted> {
        let logic = &game.logic;
        let fixed = || (0..logic.facts.len()).filter(|&fact| !game.moved[fact]);
        let (cone, recursive) = logic.reach(fixed().map(|fact| logic.next[fact]));
        if recursive {
            return Ok(None);
        }
        let mut now = vec![0u64; logic.net.inputs()];
        let mut input_of = vec![usize::MAX; logic.facts.len()];
        for (number, source) in logic.sources.iter().enumerate() {
            if let Source::Fact(fact) = *source {
                input_of[fact as usize] = number;
                let holds = logic.words.initial.binary_search(&fact).is_ok();
                now[number] = u64::from(holds && !game.moved[fact as usize]);
            }
        }
        let order: Vec<usize> = (0..logic.net.len()).filter(|&node| cone[node]).collect();
        let mut values = vec![0u64; logic.net.len()];
        let mut seen = rustc_hash::FxHashSet::default();
        let mut words: Vec<Snapshot> = Vec::new();
        let mut states = 0;
        while states < CONTROL_STATES && seen.insert(now.clone()) {
            budget.check()?;
            if states % 64 == 0 {
                words.push(vec![0; now.len()]);
            }
            if let Some(last) = words.last_mut() {
                for (word, &bit) in last.iter_mut().zip(&now) {
                    *word |= bit << (states % 64);
                }
            }
            states += 1;
            for &node in &order {
                values[node] = match logic.net.gate(node) {
                    Gate::False => 0,
                    Gate::Input(number) => now[number as usize],
                    Gate::And(a, b) => netlist::word(&values, a) & netlist::word(&values, b),
                    Gate::Xor(a, b) => netlist::word(&values, a) ^ netlist::word(&values, b),
                };
            }
            for fact in fixed() {
                if input_of[fact] != usize::MAX {
                    now[input_of[fact]] = netlist::word(&values, logic.next[fact]) & 1;
                }
            }
        }
        Ok(Some(Control { words, states }))
    }
}

/// All moves of all roles.
pub(super) fn moves(
    game: &Relieved,
    snapshots: &[Snapshot],
    control: Option<&Control>,
    budget: &Budget,
) -> Result<Vec<Vec<Move>>, Exhausted> {
    let logic = &game.logic;
    let mut bounds = Bounds::new(game);
    let mut all: Vec<Vec<Move>> = Vec::new();
    let mut may = Vec::new();
    for role in 0..logic.roles() {
        let touched = touched(game, role, snapshots, budget)?;
        let mut moves = Vec::new();
        for (&legal, effects) in logic.legal[role].iter().zip(effects(&touched)) {
            let mut asks = conjuncts(logic, legal);
            asks.retain(|&leaf| game.is_live(leaf));
            may.push(bounds.of(logic, legal));
            moves.push(Move {
                effects,
                asks,
                when: Vec::new(),
            });
            budget.check()?;
        }
        all.push(moves);
    }
    let always = vec![Snapshot::new()];
    let cone = bounds.net.cone(may.iter().copied());
    for (number, inputs) in control.map_or(&always, |c| &c.words).iter().enumerate() {
        budget.check()?;
        let values = control.map(|_| evaluate(&bounds.net, inputs, &cone));
        let left = control.map_or(1, |c| c.states - 64 * number);
        let mask = if left < 64 { (1 << left) - 1 } else { u64::MAX };
        for (mv, &may) in all.iter_mut().flatten().zip(&may) {
            let word = values.as_ref().map_or(1, |v| netlist::word(v, may));
            mv.when.push(word & mask);
        }
    }
    Ok(all)
}
