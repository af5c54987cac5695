//! Latches of several literals, and goals that latches decide.

use super::observe::Observed;
use super::single::{Known, next, signal};
use super::{GoalLatch, Latch, Literal};
use crate::Evidence;
use budget::Budget;
use fixedbitset::FixedBitSet;
use invariants::{Groups, Prover};
use netlist::{GameLogic, Gate, Lit, Source};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of facts in a conjunction.
const LONGEST: usize = 1024;
/// Maximum number of facts tried as the other half of a pair.
const PARTNERS: usize = 256;
/// Node visits for the pairs of one literal, and as many for its closure.
const STEPS: u64 = 1 << 21;
/// Node visits for all conjunctions, after which no more are tried.
const ALL: u64 = 6 << 23;
/// Node visits for one goal under one latch, and for all of them.
const OF_GOAL: u64 = 1 << 14;
const OF_GOALS: u64 = 6 << 23;

/// Conjunctions that make a wanted literal permanently false. Also returns whether attempts were
/// given up.
pub(super) fn sets<'l>(
    logic: &'l GameLogic,
    groups: &Groups,
    known: &Known,
    wanted: &[Literal],
    observed: &Observed,
    prover: &mut Prover<'l>,
    budget: &Budget,
) -> (Vec<Latch>, bool) {
    let mut search = Search {
        logic,
        groups,
        of_facts: groups.of_facts(logic.facts.len()),
        known,
        observed,
        sources: BTreeMap::new(),
        prover,
    };
    let mut found: BTreeSet<Vec<Literal>> = BTreeSet::new();
    let mut latches = Vec::new();
    let first = search.prover.steps();
    let mut given_up = false;
    for &literal in wanted {
        if budget.check().is_err() {
            break;
        }
        if search.prover.steps() - first >= ALL {
            given_up = true;
            break;
        }
        let begun = budget.clock().now();
        search.prover.bound(STEPS);
        let mut cubes = search.pairs(literal, budget);
        given_up |= search.prover.is_spent();
        search.prover.bound(STEPS);
        cubes.extend(search.closure(literal, budget));
        given_up |= search.prover.is_spent();
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
    search.prover.bound(u64::MAX);
    latches.sort_by(|a, b| a.literals.cmp(&b.literals));
    (latches, given_up)
}

struct Search<'a, 'l> {
    logic: &'l GameLogic,
    groups: &'a Groups,
    of_facts: Vec<Vec<u32>>,
    known: &'a Known,
    observed: &'a Observed,
    /// For each group, and each of its facts, the facts that it was observed to follow.
    sources: BTreeMap<u32, Vec<FixedBitSet>>,
    prover: &'a mut Prover<'l>,
}

impl Search<'_, '_> {
    /// Pairs of the literal's complement and a single latch that keeps the literal from becoming
    /// true.
    fn pairs(&mut self, literal: Literal, budget: &Budget) -> Vec<Vec<Literal>> {
        let dead = !literal;
        let step = next(self.logic, literal);
        let (logic, known, observed) = (self.logic, self.known, self.observed);
        let comes = observed.comes(literal);
        let killers = known.killers(literal);
        let others = self.support(step).into_iter();
        let others = others.flat_map(|fact| [true, false].map(|holds| Literal { fact, holds }));
        let others = others.filter(|&other| {
            let excludes = other.holds && known.exclusive(literal.fact).contains(&other.fact);
            let own = other.fact == literal.fact;
            !own && !excludes && known.is_latch(other) && !observed.held(other, &comes)
        });
        let others: Vec<Literal> = others.collect();
        if others.is_empty() {
            return Vec::new();
        }
        let pairs = self.prover.under(&[signal(logic, dead)], true, |prover| {
            let mut pairs = Vec::new();
            for other in others {
                if budget.check().is_err() || prover.is_spent() {
                    break;
                }
                let stays = prover.under(&[signal(logic, other)], false, |prover| {
                    let mut killers = killers.iter();
                    // If an implied latch already excludes the literal, the pair adds nothing.
                    let spare = killers.any(|&one| prover.known(signal(logic, one)) == Some(true));
                    !spare && prover.known(step) == Some(false)
                });
                if stays == Some(true) {
                    let mut pair = vec![dead, other];
                    pair.sort_unstable();
                    pairs.push(pair);
                }
            }
            pairs
        });
        pairs.unwrap_or_default()
    }

    /// The nearest facts that a signal depends on, including those through the legality of
    /// moves.
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

    /// Whether a fact of an `exactly` group was observed to follow every other one, directly or
    /// through others of the group.
    fn seen_from_all(&mut self, fact: u32, group: u32) -> bool {
        let facts = &self.groups.groups[group as usize].facts;
        let Ok(place) = facts.binary_search(&fact) else {
            return false;
        };
        if !self.groups.groups[group as usize].exactly || facts.len() > LONGEST {
            return false;
        }
        let known = self.sources.entry(group);
        let sources = known.or_insert_with(|| self.observed.sources(facts));
        let mut reached = FixedBitSet::with_capacity(facts.len());
        reached.insert(place);
        let mut open = vec![place];
        while let Some(at) = open.pop() {
            let more: Vec<usize> = sources[at].difference(&reached).collect();
            reached.extend(more.iter().copied());
            open.extend(more);
        }
        reached.is_full()
    }

    /// The facts of the literal's groups from which it can become true, including itself, all
    /// negated: once none of them holds, none ever will. `None` if it depends on other facts
    /// too, or on all of a group.
    fn closure(&mut self, literal: Literal, budget: &Budget) -> Option<Vec<Literal>> {
        if !literal.holds || self.of_facts[literal.fact as usize].is_empty() {
            return None;
        }
        // If one of them always holds, and the literal was observed to follow each of them, none
        // can be left out.
        if let &[only] = &self.of_facts[literal.fact as usize][..]
            && self.seen_from_all(literal.fact, only)
        {
            return None;
        }
        let mut cube = vec![!literal];
        let mut at = 0;
        while at < cube.len() {
            budget.check().ok()?;
            if self.prover.is_spent() {
                return None;
            }
            let given: Vec<Lit> = cube.iter().map(|&one| signal(self.logic, one)).collect();
            let comes = !next(self.logic, cube[at]);
            let (logic, groups, known) = (self.logic, self.groups, &cube);
            let numbers = &self.of_facts[literal.fact as usize];
            let near = |fact: u32| {
                let mut groups = numbers.iter().map(|&id| &groups.groups[id as usize]);
                let free = !known.iter().any(|one| one.fact == fact);
                free && groups.any(|group| group.facts.binary_search(&fact).is_ok())
            };
            // The facts missing for a proof; none if the proof succeeds.
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
            // If the conjunction never holds before play has ended, it is useless.
            let missing = missing??;
            // If these are negated too, the proof succeeds: each case needs one of them.
            at += 1;
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
        // A single literal is known as a latch already if it is proved. If a latch of another
        // literal follows, the conjunction adds nothing.
        let given: Vec<Lit> = cube.iter().map(|&one| signal(self.logic, one)).collect();
        let (logic, killers) = (self.logic, self.known.killers(literal));
        let spare = self.prover.under(&given, true, |prover| {
            let mut killers = killers.iter();
            killers.any(|&one| prover.known(signal(logic, one)) == Some(true))
        });
        (cube.len() > 1 && spare == Some(false)).then_some(cube)
    }
}

/// A fact that must hold for a signal to be true, among those that are `near`.
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

/// The goals that a proved latch alone decides. Also returns whether attempts were given up.
pub(super) fn goals(
    logic: &GameLogic,
    latches: &[Latch],
    observed: &Observed,
    prover: &mut Prover<'_>,
    budget: &Budget,
) -> (Vec<GoalLatch>, bool) {
    let mut goals = Vec::new();
    let first = prover.steps();
    let mut given_up = false;
    for (latch, found) in latches.iter().enumerate() {
        // The goals' circuits already cover pairs.
        if found.evidence != Evidence::Proved || found.literals.len() == 2 {
            continue;
        }
        if budget.check().is_err() {
            break;
        }
        if prover.steps() - first >= OF_GOALS {
            given_up = true;
            break;
        }
        let seen = observed.goals(&found.literals);
        if !seen.is_empty() && seen.iter().all(|seen| *seen == [true; 2]) {
            continue;
        }
        let literals = found.literals.iter();
        let given: Vec<Lit> = literals.map(|&one| signal(logic, one)).collect();
        prover.under(&given, false, |prover| {
            let mut seen = seen.into_iter();
            for (role, row) in logic.goals.iter().enumerate() {
                for &(value, lit) in row {
                    let [off, on] = seen.next().unwrap_or_default();
                    prover.bound(OF_GOAL);
                    let holds = match (on, off) {
                        (true, true) => continue,
                        (false, _) if prover.never(lit) => false,
                        (_, false) if prover.known(lit) == Some(true) => true,
                        _ => {
                            given_up |= prover.is_spent();
                            continue;
                        }
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
    prover.bound(u64::MAX);
    (goals, given_up)
}
