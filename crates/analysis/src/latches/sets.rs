//! Latches of several literals, and goals that latches decide.

use super::single::{Known, next, signal};
use super::{GoalLatch, Latch, Literal};
use crate::Evidence;
use budget::Budget;
use invariants::{Groups, Prover};
use netlist::{GameLogic, Gate, Lit, Source};
use std::collections::BTreeSet;

/// Facts that may be in a conjunction.
const LONGEST: usize = 1024;
/// Facts that are tried as the other half of a pair.
const PARTNERS: usize = 256;

/// Conjunctions that say of a wanted literal that it is false for ever.
pub(super) fn sets<'l>(
    logic: &'l GameLogic,
    groups: &Groups,
    known: &Known,
    wanted: &[Literal],
    prover: &mut Prover<'l>,
    budget: &Budget,
) -> Vec<Latch> {
    let mut search = Search {
        logic,
        groups,
        of_facts: groups.of_facts(logic.facts.len()),
        known,
        prover,
    };
    let mut found: BTreeSet<Vec<Literal>> = BTreeSet::new();
    let mut latches = Vec::new();
    for &literal in wanted {
        if budget.check().is_err() {
            break;
        }
        let begun = budget.clock().now();
        let mut cubes = search.pairs(literal, budget);
        cubes.extend(search.closure(literal, budget));
        let time = budget.clock().now() - begun;
        for literals in cubes {
            if found.insert(literals.clone()) {
                latches.push(Latch {
                    literals,
                    evidence: Evidence::Proved,
                    time,
                });
            }
        }
    }
    latches.sort_by(|a, b| a.literals.cmp(&b.literals));
    latches
}

struct Search<'a, 'l> {
    logic: &'l GameLogic,
    groups: &'a Groups,
    of_facts: Vec<Vec<u32>>,
    known: &'a Known,
    prover: &'a mut Prover<'l>,
}

impl Search<'_, '_> {
    /// Single latches that keep a literal from coming true, each with its complement.
    fn pairs(&mut self, literal: Literal, budget: &Budget) -> Vec<Vec<Literal>> {
        let dead = !literal;
        let step = next(self.logic, literal);
        let mut pairs = Vec::new();
        for fact in self.support(step) {
            for holds in [true, false] {
                let other = Literal { fact, holds };
                let excludes = holds && self.known.exclusive(literal.fact).contains(&fact);
                if fact == literal.fact || excludes || !self.known.is_latch(other) {
                    continue;
                }
                if budget.check().is_err() {
                    return pairs;
                }
                let given = [dead, other].map(|one| signal(self.logic, one));
                let (logic, killers) = (self.logic, self.known.killers(literal));
                let stays = self.prover.under(&given, true, |prover| {
                    let mut killers = killers.iter();
                    // A killer that follows says as much alone.
                    let spare = killers.any(|&one| prover.known(signal(logic, one)) == Some(true));
                    !spare && prover.known(step) == Some(false)
                });
                if stays == Some(true) {
                    let mut pair = vec![dead, other];
                    pair.sort_unstable();
                    pairs.push(pair);
                }
            }
        }
        pairs
    }

    /// The first facts that a signal depends on, through the legality of moves too: nearest first.
    fn support(&self, lit: Lit) -> Vec<u32> {
        let mut facts = Vec::new();
        let mut seen = BTreeSet::from([lit.node()]);
        let mut queue = std::collections::VecDeque::from([lit.node()]);
        while let Some(node) = queue.pop_front() {
            let reads: Vec<Lit> = match self.logic.net.gate(node) {
                Gate::Input(number) => match self.logic.sources[number as usize] {
                    Source::Fact(fact) => {
                        facts.push(fact);
                        vec![]
                    }
                    Source::Does { role, mv } => {
                        vec![self.logic.legal[usize::from(role)][mv as usize]]
                    }
                    Source::Fix(fix) => vec![self.logic.fixes[fix as usize].value],
                },
                gate => gate.reads().collect(),
            };
            if facts.len() >= PARTNERS || seen.len() > 16 * PARTNERS {
                break;
            }
            queue.extend((reads.into_iter().map(Lit::node)).filter(|&node| seen.insert(node)));
        }
        facts
    }

    /// The facts of the literal's groups from which it can come true, it among them: once none of
    /// them holds, none ever will. `None` if it depends on others too, or on all of a group.
    fn closure(&mut self, literal: Literal, budget: &Budget) -> Option<Vec<Literal>> {
        if !literal.holds || self.of_facts[literal.fact as usize].is_empty() {
            return None;
        }
        let mut cube = vec![!literal];
        let mut at = 0;
        while at < cube.len() {
            budget.check().ok()?;
            let given: Vec<Lit> = cube.iter().map(|&one| signal(self.logic, one)).collect();
            let comes = !next(self.logic, cube[at]);
            let (logic, groups, known) = (self.logic, self.groups, &cube);
            let numbers = &self.of_facts[literal.fact as usize];
            let near = |fact: u32| {
                let mut groups = numbers.iter().map(|&id| &groups.groups[id as usize]);
                let free = !known.iter().any(|one| one.fact == fact);
                free && groups.any(|group| group.facts.binary_search(&fact).is_ok())
            };
            // What is missing for a proof; nothing if there is one.
            let missing = self.prover.under(&given, true, |prover| {
                let mut missing = BTreeSet::new();
                for case in prover.cases(comes) {
                    if prover.never(case) {
                        continue;
                    }
                    missing.insert(needs(logic, case, &near)?);
                }
                Some(missing)
            });
            // Where the conjunction cannot be while play goes on, it says nothing.
            let missing = missing??;
            if missing.is_empty() {
                at += 1;
            }
            cube.extend(
                missing
                    .into_iter()
                    .map(|fact| Literal { fact, holds: false }),
            );
            if cube.len() > LONGEST {
                return None;
            }
        }
        cube.sort_unstable();
        // A literal alone is a latch already, and known as one if it is proved; and where a latch of
        // another literal follows, that says as much.
        let given: Vec<Lit> = cube.iter().map(|&one| signal(self.logic, one)).collect();
        let (logic, killers) = (self.logic, self.known.killers(literal));
        let spare = self.prover.under(&given, true, |prover| {
            let mut killers = killers.iter();
            killers.any(|&one| prover.known(signal(logic, one)) == Some(true))
        });
        (cube.len() > 1 && spare == Some(false)).then_some(cube)
    }
}

/// A fact that must hold for a signal to be true, of those that are `near`.
fn needs(logic: &GameLogic, lit: Lit, near: &dyn Fn(u32) -> bool) -> Option<u32> {
    let mut seen = BTreeSet::new();
    let mut open = vec![lit];
    while let Some(lit) = open.pop() {
        if lit.is_negated() || !seen.insert(lit) {
            continue;
        }
        match logic.net.gate(lit.node()) {
            Gate::And(a, b) => open.extend([b, a]),
            Gate::Input(number) => match logic.sources[number as usize] {
                Source::Fact(fact) if near(fact) => return Some(fact),
                Source::Fact(_) => {}
                Source::Does { role, mv } => {
                    open.push(logic.legal[usize::from(role)][mv as usize]);
                }
                Source::Fix(fix) => open.push(logic.fixes[fix as usize].value),
            },
            Gate::False | Gate::Xor(..) => {}
        }
    }
    None
}

/// The goals that a proved latch alone decides.
pub(super) fn goals(
    logic: &GameLogic,
    latches: &[Latch],
    prover: &mut Prover<'_>,
    budget: &Budget,
) -> Vec<GoalLatch> {
    let mut goals = Vec::new();
    for (latch, found) in latches.iter().enumerate() {
        // What pairs say of goals is in the goals' circuits.
        if found.evidence != Evidence::Proved || found.literals.len() == 2 {
            continue;
        }
        if budget.check().is_err() {
            break;
        }
        let literals = found.literals.iter();
        let given: Vec<Lit> = literals.map(|&one| signal(logic, one)).collect();
        prover.under(&given, false, |prover| {
            for (role, row) in logic.goals.iter().enumerate() {
                for &(value, lit) in row {
                    let holds = match (prover.never(lit), prover.known(lit)) {
                        (true, _) => false,
                        (false, Some(true)) => true,
                        _ => continue,
                    };
                    let role = role as u16;
                    goals.push(GoalLatch {
                        latch,
                        role,
                        value,
                        holds,
                    });
                }
            }
        });
    }
    goals
}
