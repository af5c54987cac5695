//! Removes the parts of a gate that its context makes redundant.
//!
//! In `a & x` the value of `x` matters only while `a` is true. Signals that `a` implies can
//! therefore be removed from `x`, and products of `x` that `a` contradicts are dropped.
//! Implications are found through and-gates, and where all inputs of an or have an implication
//! in common (module `implied`).
//!
//! Most is known about moves: each role plays one move, that move is legal, and transitions are
//! evaluated only in non-terminal states. `does(m) & x` is `does(m)` if the legality of `m`
//! implies `x`. A move that is the only legal one exactly where `x` holds is replaced by `x`. A
//! move that is never legal is never played. Rules repeat conditions of legality in the effects
//! of moves. This pass removes the parts of such conditions that are left after grounding.

use super::Meter;
use super::implied::{Context, Groups, Implied};
use super::wide::{Operand, Wide, WideGate};
use crate::{GameLogic, Gate, Known, Lit, moved};
use budget::{Budget, Exhausted};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The maximum depth of a gate's context, in gates.
const DEPTH: u32 = 40;
/// The maximum number of inputs of a gate with other readers that is examined.
const SMALL: usize = 32;

/// Removes the parts of gates that their context makes redundant.
///
/// # Errors
/// If the budget is exhausted.
pub fn run(logic: &GameLogic, known: &Known, budget: &Budget) -> Result<GameLogic, Exhausted> {
    let meter = &mut Meter::new(budget);
    let (wide, now) = Wide::read(logic, meter, |wide, _, operands| {
        let lits = operands.into_iter().map(|Operand { lit, .. }| lit);
        Ok(wide.and(lits.collect()))
    })?;
    let mut work = Work::new(logic, wide, &now);
    work.tell(logic, known);
    let old = work.wide.len();
    for node in 0..old {
        if work.parts[node] == Part::Exact && !work.own[node] {
            meter.steps(1)?;
            work.root(node, meter)?;
        }
    }
    work.learn(logic, &now);
    work.implied.extend(&work.wide);
    let terminal = work.at(moved(&now, logic.terminal));
    let (implied, groups) = (&work.implied, &work.groups);
    work.context.assume(!terminal, implied, groups);
    for node in 0..old {
        if work.parts[node] == Part::Next && !work.own[node] {
            meter.steps(1)?;
            work.root(node, meter)?;
        }
    }
    let became: Vec<Lit> = now.iter().map(|&lit| work.at(lit)).collect();
    let mut made = work.wide.written(logic, &became, meter)?;
    // Moves that were replaced by other signals are still inputs.
    let inputs = |lits: &[Lit]| lits.iter().map(|&lit| input(logic, lit)).collect();
    made.facts = inputs(&logic.facts);
    made.does = logic.does.iter().map(|row| inputs(row)).collect();
    for &(fact, value) in &known.constants {
        made.next[fact as usize] = Lit::constant(value);
    }
    Ok(made)
}

/// Converts an input of the netlist to the numbering of a network of wide gates, and of the
/// netlists written from it.
fn input(logic: &GameLogic, lit: Lit) -> Lit {
    match logic.net.gate(lit.node()) {
        Gate::Input(number) => Lit::new(number as usize + 1, lit.is_negated()),
        _ => lit,
    }
}

/// The outputs that need a node, from the least to the most demanding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    /// No output.
    None,
    /// Only the next state.
    Next,
    /// Legality, terminality or goals.
    Exact,
    /// Recursive rules: while they are iterated, any values may occur.
    Cycle,
}

struct Work {
    wide: Wide,
    /// The kind of output that needs each node. This field and the next cover the nodes that
    /// the network had initially.
    parts: Vec<Part>,
    /// Whether a node is an and-gate with exactly one reader, which is a gate.
    own: Vec<bool>,
    /// The new signal of each node. Initially the node itself.
    became: Vec<Lit>,
    implied: Implied,
    groups: Groups,
    context: Context,
    /// For each role, the moves that can be played.
    moves: Vec<Vec<Lit>>,
    /// The role that plays each move.
    role: FxHashMap<Lit, usize>,
}

impl Work {
    fn new(logic: &GameLogic, wide: Wide, now: &[Lit]) -> Work {
        let mut parts = vec![Part::None; wide.len()];
        let mut readers = vec![0u32; wide.len()];
        let mut mark = |part: Part, lit: Lit| {
            let node = moved(now, lit).node();
            parts[node] = part.max(parts[node]);
            readers[node] += 2;
        };
        logic.next.iter().for_each(|&lit| mark(Part::Next, lit));
        let exact = logic.legal_roots().chain(logic.goal_roots());
        exact.for_each(|lit| mark(Part::Exact, lit));
        logic.fix_roots().for_each(|lit| mark(Part::Cycle, lit));
        for node in (0..wide.len()).rev() {
            for read in wide.gate(node).reads() {
                if parts[node] > Part::None {
                    parts[read.node()] = parts[read.node()].max(parts[node]);
                    readers[read.node()] += 1;
                }
            }
        }
        let mut own = vec![false; wide.len()];
        let mut heights = vec![0; wide.len()];
        for node in 0..wide.len() {
            let reads = wide.gate(node).reads().iter();
            let below = reads.map(|read| match own[read.node()] {
                true => heights[read.node()] + 1,
                false => 0,
            });
            heights[node] = below.max().unwrap_or(0);
            let and = matches!(wide.gate(node), WideGate::And(_));
            own[node] = and && readers[node] == 1 && heights[node] < DEPTH;
        }
        let mut implied = Implied::default();
        implied.extend(&wide);
        let groups = Groups::default();
        Work {
            became: (0..wide.len()).map(|node| Lit::new(node, false)).collect(),
            context: Context::new(&groups),
            wide,
            parts,
            own,
            implied,
            groups,
            moves: Vec::new(),
            role: FxHashMap::default(),
        }
    }

    /// Records the known properties of facts. Facts that are constant in this logic, because it
    /// is specialised to some states, determine others.
    fn tell(&mut self, logic: &GameLogic, known: &Known) {
        let mut values: BTreeMap<u32, bool> = BTreeMap::new();
        for (fact, lit) in logic.facts.iter().enumerate() {
            values.extend(lit.as_constant().map(|value| (fact as u32, value)));
        }
        values.extend(known.constants.iter().copied());
        for group in &known.groups {
            let holds = |fact: &&u32| values.get(fact) == Some(&true);
            if let Some(&one) = group.facts.iter().find(holds) {
                let others = group.facts.iter().filter(|&&fact| fact != one);
                values.extend(others.map(|&fact| (fact, false)));
            }
        }
        for group in &known.groups {
            let open = group.facts.iter().filter(|fact| !values.contains_key(fact));
            let open = open.map(|&fact| input(logic, logic.facts[fact as usize]));
            let open: Vec<Lit> = open.collect();
            if group
                .facts
                .iter()
                .all(|fact| values.get(fact) != Some(&true))
            {
                self.groups.add(&open, group.exactly);
            }
        }
        for (fact, value) in values {
            let lit = input(logic, logic.facts[fact as usize]);
            if lit.as_constant().is_none() {
                self.became[lit.node()] = Lit::constant(value);
            }
        }
        self.context = Context::new(&self.groups);
    }

    /// The new signal of a signal.
    fn at(&self, lit: Lit) -> Lit {
        match self.became.get(lit.node()) {
            Some(&now) => now ^ lit.is_negated(),
            None => lit,
        }
    }

    fn is_own(&self, lit: Lit) -> bool {
        self.own.get(lit.node()) == Some(&true)
    }

    fn assume(&mut self, lit: Lit) -> bool {
        self.context.assume(lit, &self.implied, &self.groups)
    }

    fn retract(&mut self, lit: Lit) {
        self.context.retract(lit, &self.implied, &self.groups);
    }

    /// Whether a signal must be true, given the assumptions.
    fn holds(&self, lit: Lit) -> bool {
        self.context.refutes(!lit, &self.implied, &self.groups)
    }

    /// Converts a node that others read, after all those that it reads.
    fn root(&mut self, node: usize, meter: &mut Meter<'_>) -> Result<(), Exhausted> {
        self.became[node] = match *self.wide.gate(node) {
            WideGate::Outside => return Ok(()),
            WideGate::Xor([a, b]) => {
                let (a, b) = (self.at(a), self.at(b));
                self.wide.xor(a, b)
            }
            WideGate::And(_) => self.product(node, meter)?,
        };
        self.implied.extend(&self.wide);
        Ok(())
    }

    /// Converts an and-gate, given the assumptions.
    fn product(&mut self, node: usize, meter: &mut Meter<'_>) -> Result<Lit, Exhausted> {
        let reads = self.wide.gate(node).reads().iter();
        let mut open: Vec<Lit> = reads
            .map(|&read| match self.is_own(read) {
                true => read,
                false => self.at(read),
            })
            .filter(|&lit| lit != Lit::TRUE)
            .collect();
        // Examine the most expensive inputs first, so that of equal inputs the most expensive
        // one is dropped.
        open.sort_unstable_by_key(|lit| (lit.node(), lit.code()));
        open.dedup();
        let mut possible = true;
        for &lit in &open {
            meter.steps(self.implied.by(lit).len())?;
            possible &= self.assume(lit);
        }
        let mut done: Vec<Lit> = Vec::new();
        while possible && let Some(lit) = open.pop() {
            meter.steps(self.implied.by(lit).len())?;
            self.retract(lit);
            if self.holds(lit) {
                continue;
            }
            let now = match self.is_own(lit) {
                true => self.product(lit.node(), meter)? ^ lit.is_negated(),
                false => self.glance(lit),
            };
            let lits = match self.wide.product(now) {
                // It was a sum and has become a product.
                Some(lits) if self.is_own(lit) => lits.to_vec(),
                _ => vec![now],
            };
            for lit in lits {
                if lit != Lit::TRUE {
                    possible &= self.assume(lit);
                    done.push(lit);
                }
            }
        }
        for lit in open.into_iter().chain(done.iter().copied()) {
            self.retract(lit);
        }
        if !possible {
            return Ok(Lit::FALSE);
        }
        self.complement_moves(&mut done);
        let lit = self.wide.and(done);
        self.implied.extend(&self.wide);
        Ok(lit)
    }

    /// Simplifies a signal that others read too. Returns an existing signal that is equal under
    /// the assumptions, or the signal itself.
    fn glance(&self, lit: Lit) -> Lit {
        let WideGate::And(reads) = self.wide.gate(lit.node()) else {
            return lit;
        };
        if reads.len() > SMALL {
            return lit;
        }
        let open = reads.iter().copied().filter(|&read| !self.holds(read));
        let Some(found) = self.wide.find(open.collect()) else {
            return lit;
        };
        // Not a signal that has been replaced by another, because then only this gate would
        // need it.
        let stays = self.became.get(found.node());
        match stays.is_none_or(|now| now.node() == found.node()) {
            true => found ^ lit.is_negated(),
            false => lit,
        }
    }

    /// Replaces "none of most moves of a role" by "one of the others".
    fn complement_moves(&mut self, lits: &mut Vec<Lit>) {
        for role in 0..self.moves.len() {
            let of_role = |lit: &Lit| self.role.get(&!*lit) == Some(&role);
            let count = lits.iter().filter(|lit| of_role(lit)).count();
            let moves = &self.moves[role];
            if count * 2 <= moves.len() {
                continue;
            }
            let not_made: Vec<Lit> = lits.iter().copied().filter(of_role).collect();
            let others = moves.iter().copied().filter(|&mv| !not_made.contains(&!mv));
            let others: Vec<Lit> = others.collect();
            lits.retain(|lit| !of_role(lit));
            lits.push(self.wide.or(others));
        }
    }

    /// Records what is known about moves, once the new signals of legality are known.
    fn learn(&mut self, logic: &GameLogic, now: &[Lit]) {
        let mut facts = Vec::new();
        for (does, legal) in logic.does.iter().zip(&logic.legal) {
            let mut moves = Vec::new();
            for (&does, &legal) in does.iter().zip(legal) {
                let (does, legal) = (moved(now, does), self.at(moved(now, legal)));
                if legal == Lit::FALSE {
                    self.became[does.node()] = Lit::FALSE;
                } else {
                    moves.push((does, legal));
                }
            }
            // For each signal, the number of moves that it rules out, and the sum of their
            // positions.
            let mut excluded: FxHashMap<Lit, (usize, usize)> = FxHashMap::default();
            for (place, &(does, legal)) in moves.iter().enumerate() {
                let implied = self.implied.by(legal);
                facts.push((does, implied.to_vec()));
                for &lit in implied {
                    let entry = excluded.entry(!lit).or_default();
                    entry.0 += 1;
                    entry.1 += place;
                }
            }
            let all = moves.len() * moves.len().saturating_sub(1) / 2;
            let mut known: Vec<(Lit, usize)> = excluded
                .into_iter()
                .filter(|&(_, (count, _))| count + 1 == moves.len())
                .map(|(lit, (_, sum))| (lit, all - sum))
                .collect();
            known.sort_unstable();
            for (lit, place) in known {
                let (does, legal) = moves[place];
                facts.push((lit, vec![does]));
                facts.push((!does, vec![!lit]));
                let same = self.implied.by(legal).binary_search(&lit).is_ok();
                if same && self.became[does.node()] == does {
                    self.became[does.node()] = self.at(lit);
                }
            }
            if let [(only, _)] = moves[..] {
                self.became[only.node()] = Lit::TRUE;
            }
            let moves: Vec<Lit> = moves.into_iter().map(|(does, _)| self.at(does)).collect();
            for &lit in &moves {
                self.role.insert(lit, self.moves.len());
            }
            self.groups.add(&moves, true);
            self.moves.push(moves);
        }
        self.context = Context::new(&self.groups);
        self.implied.restart(&self.wide);
        for (lit, more) in facts {
            if *self.wide.gate(lit.node()) == WideGate::Outside {
                self.implied.add(lit, &more);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Netlist;
    use crate::passes::testing::game;

    /// Optimises a game of one role and three facts. Move 0 is legal where facts 0 and 1 hold,
    /// move 1 where fact 0 holds and fact 1 does not, move 2 where fact 0 does not hold. `next`
    /// receives the netlist, the facts and the moves.
    fn optimised(next: impl Fn(&mut Netlist, &[Lit], &[Lit]) -> Lit) -> (Lit, GameLogic) {
        let logic = game(3, 3, |net, facts, does| {
            let legal = vec![
                net.and(facts[0], facts[1]),
                net.and(facts[0], !facts[1]),
                !facts[0],
            ];
            (legal, vec![next(net, facts, does), Lit::FALSE, Lit::FALSE])
        });
        let made = run(&logic, &Known::default(), &Budget::system()).unwrap();
        (made.next[0], made)
    }

    #[test]
    fn legality_conditions_are_removed_from_effects_of_the_move() {
        let (next, logic) = optimised(|net, facts, does| {
            let both = net.and(facts[1], facts[2]);
            net.and(does[0], both)
        });
        let (does, fact) = (logic.does[0][0], logic.facts[2]);
        assert_eq!(logic.net.gate(next.node()), Gate::And(fact, does));
        let (next, _) = optimised(|net, facts, does| net.and(does[1], facts[1]));
        assert_eq!(next, Lit::FALSE);
    }

    #[test]
    fn a_move_that_is_the_only_legal_one_becomes_its_condition() {
        let (next, logic) = optimised(|net, facts, does| net.or(does[2], facts[2]));
        let (a, b) = (logic.facts[0], logic.facts[2]);
        assert_eq!(logic.net.gate(next.node()), Gate::And(a, !b));
        assert_eq!(logic.does[0].len(), 3);
    }

    #[test]
    fn a_role_plays_one_move() {
        let (next, _) = optimised(|net, _, does| net.and(does[0], does[1]));
        assert_eq!(next, Lit::FALSE);
        let (next, _) = optimised(|net, _, does| net.or_all(does.to_vec()));
        assert_eq!(next, Lit::TRUE);
        let (next, logic) = optimised(|net, _, does| net.and(!does[0], !does[2]));
        assert_eq!(next, logic.does[0][1]);
    }

    #[test]
    fn products_contradicted_by_their_context_are_dropped() {
        let (next, logic) = optimised(|net, facts, does| {
            let (a, b) = (net.and(facts[1], facts[2]), net.and(!facts[1], does[2]));
            let either = net.or(a, b);
            net.and(does[0], either)
        });
        let (does, fact) = (logic.does[0][0], logic.facts[2]);
        assert_eq!(logic.net.gate(next.node()), Gate::And(fact, does));
    }
}
