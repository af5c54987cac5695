//! Shares common parts: `a & b & c` and `a & b & d` share `a & b`.
//!
//! The pair of signals that occurs together in most gates becomes a gate of its own,
//! repeatedly. This follows the extraction of common cubes of Rajski and Vasudevamurthy, "The
//! testability-preserving concurrent decomposition and factorization of Boolean expressions"
//! (1992). Before that, signals that occur in exactly the same gates are joined at once: large
//! ors of moves are mostly unions of a few such classes.

use super::Meter;
use super::wide::{Operand, Wide};
use crate::{GameLogic, Known, Lit};
use budget::{Budget, Exhausted};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// In gates with more inputs than this, only pairs of inputs at most this far apart are
/// examined.
const WINDOW: usize = 64;
/// The maximum number of pairs examined before the first is joined.
const PAIRS: usize = 8 << 20;

/// Lets gates share common parts.
///
/// # Errors
/// If the budget is exhausted.
pub fn run(logic: &GameLogic, _: &Known, budget: &Budget) -> Result<GameLogic, Exhausted> {
    let meter = &mut Meter::new(budget);
    let (mut wide, now) = Wide::read(logic, meter, |wide, _, operands| {
        let lits = operands.into_iter().map(|Operand { lit, .. }| lit);
        Ok(wide.and(lits.collect()))
    })?;
    let mut sets = Sets::new(&wide);
    sets.join_classes(meter)?;
    sets.join_pairs(meter)?;
    for (gate, lits) in sets.sets.into_iter().enumerate() {
        if !lits.is_empty() {
            wide.set_product(gate, lits);
        }
    }
    wide.written(logic, &now, meter)
}

/// The inputs of all and-gates.
struct Sets {
    /// For each node its inputs, if it is an and-gate.
    sets: Vec<Vec<Lit>>,
    /// For each signal, by its code, the gates that read it.
    holders: Vec<Vec<u32>>,
}

impl Sets {
    fn new(wide: &Wide) -> Sets {
        let mut sets = Sets {
            sets: vec![Vec::new(); wide.len()],
            holders: vec![Vec::new(); 2 * wide.len()],
        };
        for node in 0..wide.len() {
            let lits = wide.product(Lit::new(node, false)).unwrap_or(&[]);
            for lit in lits {
                sets.holders[lit.code() as usize].push(node as u32);
            }
            sets.sets[node] = lits.to_vec();
        }
        sets
    }

    fn holders(&self, lit: Lit) -> &[u32] {
        &self.holders[lit.code() as usize]
    }

    /// Joins signals that are inputs of exactly the same gates, if these are at least two.
    fn join_classes(&mut self, meter: &mut Meter<'_>) -> Result<(), Exhausted> {
        let mut numbers: FxHashMap<&[u32], usize> = FxHashMap::default();
        let mut classes: Vec<Vec<Lit>> = Vec::new();
        for (code, holders) in self.holders.iter().enumerate() {
            meter.steps(holders.len())?;
            if holders.len() < 2 {
                continue;
            }
            let class = *numbers.entry(holders).or_insert(classes.len());
            if class == classes.len() {
                classes.push(Vec::new());
            }
            classes[class].push(Lit::new(code / 2, code % 2 == 1));
        }
        classes.retain(|class| class.len() > 1);
        // While classes are joined, a gate that stands for a class gains readers.
        let holders: Vec<Vec<u32>> = classes
            .iter()
            .map(|class| self.holders(class[0]).to_vec())
            .collect();
        for (class, gates) in classes.iter().zip(&holders) {
            meter.steps(class.len() * gates.len())?;
            self.join(class, gates);
        }
        Ok(())
    }

    /// Replaces `lits` (sorted) by their product in the gates that read them all. Returns the
    /// product and the gates that now read it.
    fn join(&mut self, lits: &[Lit], gates: &[u32]) -> (Lit, Vec<u32>) {
        let mut whole = gates.iter().copied();
        let whole = whole.find(|&gate| self.sets[gate as usize].len() == lits.len());
        let joined = whole.unwrap_or(self.sets.len() as u32);
        if whole.is_none() {
            self.sets.push(lits.to_vec());
            self.holders.extend([Vec::new(), Vec::new()]);
        }
        for lit in lits {
            let holders = &mut self.holders[lit.code() as usize];
            holders.retain(|gate| *gate == joined || gates.binary_search(gate).is_err());
            if whole.is_none() {
                holders.push(joined);
            }
        }
        let lit = Lit::new(joined as usize, false);
        let others: Vec<u32> = gates
            .iter()
            .copied()
            .filter(|&gate| gate != joined)
            .collect();
        for &gate in &others {
            let set = &mut self.sets[gate as usize];
            let place = set.iter().position(|lit| lits.binary_search(lit).is_ok());
            set.retain(|lit| lits.binary_search(lit).is_err());
            // The product takes the position of its inputs, near the same neighbours.
            if !set.contains(&lit) {
                set.insert(place.unwrap_or(0).min(set.len()), lit);
            }
        }
        let holders = &mut self.holders[lit.code() as usize];
        holders.extend(&others);
        holders.sort_unstable();
        holders.dedup();
        (lit, others)
    }

    /// Joins pairs until no pair occurs in two gates.
    fn join_pairs(&mut self, meter: &mut Meter<'_>) -> Result<(), Exhausted> {
        let mut queue = self.pairs(meter)?;
        let mut counts: FxHashMap<Lit, u32> = FxHashMap::default();
        while let Some((count, Reverse((a, b)))) = queue.pop() {
            let gates = self.both(a, b);
            meter.steps(self.holders(a).len() + self.holders(b).len())?;
            if gates.len() < 2 {
                continue;
            }
            if gates.len() < count as usize
                && queue.peek().is_some_and(|next| next.0 > gates.len() as u32)
            {
                queue.push((gates.len() as u32, Reverse((a, b))));
                continue;
            }
            let known = usize::from(
                gates
                    .iter()
                    .any(|&gate| self.sets[gate as usize].len() == 2),
            );
            let (joined, others) = self.join(&[a, b], &gates);
            counts.clear();
            for gate in others {
                let set = &self.sets[gate as usize];
                meter.steps(set.len())?;
                let place = set.iter().position(|&lit| lit == joined).unwrap_or(0);
                let near = place.saturating_sub(WINDOW)..(place + WINDOW + 1).min(set.len());
                for &lit in &set[near] {
                    if lit != joined && self.holders(lit).len() > 1 {
                        *counts.entry(lit).or_default() += 1;
                    }
                }
            }
            let mut pairs: Vec<(Lit, u32)> = counts.drain().collect();
            pairs.sort_unstable();
            for (lit, count) in pairs {
                // The product may have existed already, with readers.
                let count = count + known as u32;
                if count > 1 {
                    queue.push((count, Reverse((lit.min(joined), lit.max(joined)))));
                }
            }
        }
        Ok(())
    }

    /// The pairs that occur in at least two gates, with the number of gates.
    #[expect(
        clippy::type_complexity,
        reason = "a queue of (count, pair), first pair first"
    )]
    fn pairs(
        &mut self,
        meter: &mut Meter<'_>,
    ) -> Result<BinaryHeap<(u32, Reverse<(Lit, Lit)>)>, Exhausted> {
        let mut pairs: Vec<(Lit, Lit)> = Vec::new();
        let holders = &self.holders;
        for set in &mut self.sets {
            // Places inputs with similar readers next to each other.
            if set.len() > WINDOW {
                set.sort_by(|a, b| {
                    let holders = |lit: &Lit| &holders[lit.code() as usize];
                    holders(a).cmp(holders(b))
                });
            }
            for (place, &a) in set.iter().enumerate() {
                if holders[a.code() as usize].len() < 2 {
                    continue;
                }
                let near = &set[place + 1..(place + 1 + WINDOW).min(set.len())];
                meter.steps(near.len())?;
                let near = near.iter().filter(|b| holders[b.code() as usize].len() > 1);
                pairs.extend(near.map(|&b| (a.min(b), a.max(b))));
            }
            if pairs.len() > PAIRS {
                break;
            }
        }
        pairs.sort_unstable();
        meter.steps(pairs.len())?;
        let runs = pairs.chunk_by(|a, b| a == b);
        let often = runs.filter(|run| run.len() > 1);
        Ok(often
            .map(|run| (run.len() as u32, Reverse(run[0])))
            .collect())
    }

    /// The gates that read both signals, in order.
    fn both(&self, a: Lit, b: Lit) -> Vec<u32> {
        let (a, b) = (self.holders(a), self.holders(b));
        let (few, many) = if a.len() < b.len() { (a, b) } else { (b, a) };
        let both = few.iter().copied();
        both.filter(|gate| many.binary_search(gate).is_ok())
            .collect()
    }
}
