//! What the surroundings of a gate make superfluous in it.
//!
//! In `a & x` only those inputs matter in which `a` is true. So whatever `a` implies may be taken out
//! of `x`, and products of `x` that `a` rules out are dropped. What implies what is found through
//! and-gates and where all inputs of an or agree (module `implied`).
//!
//! Moves are where most is known: each role makes one move, that move is legal, and transitions are
//! asked for only where play goes on. `does(m) & x` is `does(m)` if whatever makes `m` legal implies
//! `x`; a move that alone is legal where `x` holds, and only there, is `x` itself; a move that is
//! never legal is never made. Rules repeat conditions of legality in the effects of moves, and
//! what is left of such conditions once rules have been grounded is taken out here.

use super::Meter;
use super::implied::{Context, Groups, Implied};
use super::wide::{Operand, Wide, WideGate};
use crate::{GameLogic, Gate, Known, Lit, moved};
use budget::{Budget, Exhausted};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// How many gates deep the surroundings of a gate reach.
const DEPTH: u32 = 40;
/// The largest gate with other readers that is looked into, in inputs.
const SMALL: usize = 32;

/// Takes out what surroundings make superfluous.
///
/// # Errors
/// If the budget runs out.
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
    // Moves that are known by other signals are inputs all the same.
    let inputs = |lits: &[Lit]| lits.iter().map(|&lit| input(logic, lit)).collect();
    made.facts = inputs(&logic.facts);
    made.does = logic.does.iter().map(|row| inputs(row)).collect();
    for &(fact, value) in &known.constants {
        made.next[fact as usize] = Lit::constant(value);
    }
    Ok(made)
}

/// What an input of the netlist is in a network of wide gates, and in the netlists made of it.
fn input(logic: &GameLogic, lit: Lit) -> Lit {
    match logic.net.gate(lit.node()) {
        Gate::Input(number) => Lit::new(number as usize + 1, lit.is_negated()),
        _ => lit,
    }
}

/// What needs a node, the most demanding last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    /// Nothing.
    None,
    /// The next state alone.
    Next,
    /// Legality, terminality or goals.
    Exact,
    /// Recursive rules: on the way to their values anything may hold.
    Cycle,
}

struct Work {
    wide: Wide,
    /// The rest is for the nodes that the network had in the beginning.
    parts: Vec<Part>,
    /// Whether a node is an and-gate of which just one other gate knows.
    own: Vec<bool>,
    /// What nodes became; themselves until then.
    became: Vec<Lit>,
    implied: Implied,
    groups: Groups,
    context: Context,
    /// For each role, the moves that are ever made.
    moves: Vec<Vec<Lit>>,
    /// The role that makes a move.
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

    /// Takes in what is known of facts. Those that have a value in this logic, because it is for
    /// some states only, give others away.
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

    /// What a signal became.
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

    /// Whether a signal is true, given what is assumed.
    fn holds(&self, lit: Lit) -> bool {
        self.context.refutes(!lit, &self.implied, &self.groups)
    }

    /// Makes a node that others read, after all those that it reads.
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

    /// An and-gate made anew, given what is assumed.
    fn product(&mut self, node: usize, meter: &mut Meter<'_>) -> Result<Lit, Exhausted> {
        let reads = self.wide.gate(node).reads().iter();
        let mut open: Vec<Lit> = reads
            .map(|&read| match self.is_own(read) {
                true => read,
                false => self.at(read),
            })
            .filter(|&lit| lit != Lit::TRUE)
            .collect();
        // What costs most is looked at last to first: it is dropped if it is the same as another.
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
                // It was a sum, and has become a product.
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

    /// A signal that others read too, or a signal that there is already and that is the same given
    /// what is assumed.
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
        // Not one that has become something else, which nothing would need but this.
        let stays = self.became.get(found.node());
        match stays.is_none_or(|now| now.node() == found.node()) {
            true => found ^ lit.is_negated(),
            false => lit,
        }
    }

    /// That none of most moves of a role is made is that one of the others is.
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

    /// Finds what is known of moves, once it is known what legality became.
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
            // For each signal, how many moves it rules out, and the sum of their places.
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
    use crate::{Netlist, Source};

    /// One role and three facts: move 0 is legal where facts 0 and 1 hold, move 1 where fact 0 holds
    /// and fact 1 does not, move 2 where fact 0 does not hold. `next` gets the netlist, the facts and
    /// the moves.
    fn optimised(next: impl Fn(&mut Netlist, &[Lit], &[Lit]) -> Lit) -> (Lit, GameLogic) {
        let mut net = Netlist::new();
        let facts: Vec<Lit> = (0..3).map(|_| net.input()).collect();
        let does: Vec<Lit> = (0..3).map(|_| net.input()).collect();
        let legal = vec![
            net.and(facts[0], facts[1]),
            net.and(facts[0], !facts[1]),
            !facts[0],
        ];
        let next = vec![next(&mut net, &facts, &does), Lit::FALSE, Lit::FALSE];
        let moves = (0..3).map(|mv| Source::Does { role: 0, mv });
        let logic = GameLogic {
            sources: (0..3).map(Source::Fact).chain(moves).collect(),
            facts,
            does: vec![does],
            legal: vec![legal],
            next,
            goals: vec![Vec::new()],
            terminal: Lit::FALSE,
            fixes: Vec::new(),
            words: Default::default(),
            net,
        };
        let made = run(&logic, &Known::default(), &Budget::system()).unwrap();
        (made.next[0], made)
    }

    #[test]
    fn what_makes_a_move_legal_holds_where_it_is_made() {
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
    fn a_move_that_is_legal_alone_where_a_fact_does_not_hold() {
        let (next, logic) = optimised(|net, facts, does| net.or(does[2], facts[2]));
        let (a, b) = (logic.facts[0], logic.facts[2]);
        assert_eq!(logic.net.gate(next.node()), Gate::And(a, !b));
        assert_eq!(logic.does[0].len(), 3);
    }

    #[test]
    fn a_role_makes_one_move() {
        let (next, _) = optimised(|net, _, does| net.and(does[0], does[1]));
        assert_eq!(next, Lit::FALSE);
        let (next, _) = optimised(|net, _, does| net.or_all(does.to_vec()));
        assert_eq!(next, Lit::TRUE);
        let (next, logic) = optimised(|net, _, does| net.and(!does[0], !does[2]));
        assert_eq!(next, logic.does[0][1]);
    }

    #[test]
    fn products_that_their_surroundings_rule_out_go() {
        let (next, logic) = optimised(|net, facts, does| {
            let (a, b) = (net.and(facts[1], facts[2]), net.and(!facts[1], does[2]));
            let either = net.or(a, b);
            net.and(does[0], either)
        });
        let (does, fact) = (logic.does[0][0], logic.facts[2]);
        assert_eq!(logic.net.gate(next.node()), Gate::And(fact, does));
    }
}
