//! Tests of latches, derived from the circuits of the goals.
//!
//! A signal is dead if it can never be true again. An and-gate is dead if one of its inputs is,
//! an or-gate if both are, and a fact if a latch excludes it. The resulting test has the shape
//! of the goal: a goal with lines on a board is dead when every line has a dead square.

use super::parts::{ALWAYS, NEVER, Part, Parts, some};
use super::range::{Masks, Ranges, Test};
use super::single::Known;
use super::{GoalLatch, Latch, Literal};
use crate::Evidence;
use budget::Budget;
use netlist::{GameLogic, Gate, Lit, Source};
use std::sync::Arc;

/// The signals, by code, on whose death the death of the goals depends.
fn needed(logic: &GameLogic) -> Vec<bool> {
    let mut needed = vec![false; 2 * logic.net.len()];
    for root in logic.goal_roots() {
        needed[root.code() as usize] = true;
    }
    for node in (1..logic.net.len()).rev() {
        for negated in [false, true] {
            if !needed[Lit::new(node, negated).code() as usize] {
                continue;
            }
            match logic.net.gate(node) {
                Gate::And(a, b) => {
                    needed[(a ^ negated).code() as usize] = true;
                    needed[(b ^ negated).code() as usize] = true;
                }
                Gate::Xor(a, b) => {
                    for lit in [a, !a, b, !b] {
                        needed[lit.code() as usize] = true;
                    }
                }
                Gate::False | Gate::Input(_) => {}
            }
        }
    }
    needed
}

/// The literal that an input stands for.
fn literal(logic: &GameLogic, lit: Lit) -> Option<Literal> {
    let Gate::Input(number) = logic.net.gate(lit.node()) else {
        return None;
    };
    match logic.sources[number as usize] {
        Source::Fact(fact) => Some(Literal {
            fact,
            holds: !lit.is_negated(),
        }),
        Source::Does { .. } | Source::Fix(_) => None,
    }
}

/// The literals that goals require and that no latch of a single literal makes permanently
/// false.
pub(super) fn wanted(logic: &GameLogic, known: &Known) -> Vec<Literal> {
    let needed = needed(logic);
    let lits = (1..logic.net.len()).flat_map(|node| [Lit::new(node, false), Lit::new(node, true)]);
    let asked = lits.filter(|lit| needed[lit.code() as usize]);
    let literals = asked.filter_map(|lit| literal(logic, lit));
    literals
        .filter(|&one| known.constant(one.fact).is_none() && !known.is_latch(!one))
        .collect()
}

/// For each literal of a fact, the conditions that make it permanently false.
struct Deaths<'a> {
    known: &'a Known,
    /// For each fact, proved conjunctions that contain its absence (0) or presence (1).
    cubes: Vec<[Vec<&'a [Literal]>; 2]>,
}

impl<'a> Deaths<'a> {
    fn new(logic: &GameLogic, known: &'a Known, latches: &'a [Latch]) -> Self {
        let mut cubes: Vec<[Vec<&[Literal]>; 2]> = vec![Default::default(); logic.facts.len()];
        for latch in latches {
            if latch.literals.len() < 2 || latch.evidence != Evidence::Proved {
                continue;
            }
            for one in &latch.literals {
                cubes[one.fact as usize][usize::from(one.holds)].push(&latch.literals);
            }
        }
        Deaths { known, cubes }
    }

    fn of(&self, literal: Literal, parts: &mut Parts) -> u32 {
        if let Some(value) = self.known.constant(literal.fact) {
            return if value == literal.holds {
                NEVER
            } else {
                ALWAYS
            };
        }
        let mut tests = Vec::new();
        let killers = self.known.killers(literal);
        if !killers.is_empty() {
            tests.push(Test::Any(Masks::new(&killers)));
        }
        if !self.known.is_latch(!literal) {
            let dead = !literal;
            let cubes = &self.cubes[literal.fact as usize][usize::from(dead.holds)];
            let other = |cube: &&[Literal]| match cube {
                [a, b] if *a == dead => Some(*b),
                [a, b] if *b == dead => Some(*a),
                _ => None,
            };
            // Merge all pairs into one test: the literal is false, and one of the others holds.
            let others: Vec<Literal> = cubes.iter().filter_map(other).collect();
            if !others.is_empty() {
                tests.push(Test::Guarded(Masks::new(&[dead]), Masks::new(&others)));
            }
            let long = cubes.iter().filter(|cube| cube.len() > 2);
            tests.extend(long.map(|cube| Test::Cube(Masks::new(cube))));
        }
        match tests.len() {
            0 => NEVER,
            size => parts.add(Part::Leaf(tests), size),
        }
    }
}

/// The tests of all goals. If time runs out, tests that exclude nothing.
pub(super) fn ranges(
    logic: &GameLogic,
    known: &Known,
    latches: &[Latch],
    decided: &[GoalLatch],
    budget: &Budget,
) -> Ranges {
    let needed = needed(logic);
    let deaths = Deaths::new(logic, known, latches);
    let mut parts = Parts::new();
    let mut dead = vec![[NEVER; 2]; logic.net.len()];
    dead[0] = [ALWAYS, NEVER];
    for node in 1..logic.net.len() {
        if node % 1024 == 0 && budget.check().is_err() {
            // The roots then keep tests that never pass.
            break;
        }
        for negated in [false, true] {
            let lit = Lit::new(node, negated);
            if !needed[lit.code() as usize] {
                continue;
            }
            let of = |lit: Lit| dead[lit.node()][usize::from(lit.is_negated())];
            let part = match logic.net.gate(node) {
                Gate::And(a, b) if negated => {
                    let (a, b) = (of(!a), of(!b));
                    parts.every(a, b)
                }
                Gate::And(a, b) => {
                    let (a, b) = (of(a), of(b));
                    parts.some(a, b)
                }
                Gate::Xor(a, b) => {
                    let (b, not_b) = (of(b ^ negated), of(!b ^ negated));
                    let (a, not_a) = (of(a), of(!a));
                    let (both, neither) = (parts.every(not_a, not_b), parts.every(a, b));
                    parts.some(both, neither)
                }
                Gate::False | Gate::Input(_) => {
                    literal(logic, lit).map_or(NEVER, |one| deaths.of(one, &mut parts))
                }
            };
            dead[node][usize::from(negated)] = part;
        }
    }
    let goals = logic.goals.iter().enumerate().map(|(role, goals)| {
        let tests = goals.iter().map(|&(value, lit)| {
            let part = dead[lit.node()][usize::from(lit.is_negated())];
            let never = decided.iter().filter(|goal| {
                !goal.holds && (usize::from(goal.role), goal.value) == (role, value)
            });
            let cubes = never.map(|goal| &latches[goal.latch].literals[..]);
            (value, goal_test(cubes, &parts.test(part)))
        });
        let mut tests: Vec<(u8, Test)> = tests.collect();
        tests.sort_by_key(|goal| goal.0);
        tests
    });
    Ranges {
        goals: goals.collect(),
    }
}

/// A goal is excluded by any latch that alone decides it, or by its circuit.
fn goal_test<'a>(cubes: impl Iterator<Item = &'a [Literal]>, circuit: &Arc<Test>) -> Test {
    let (single, long): (Vec<&[Literal]>, Vec<&[Literal]>) =
        cubes.partition(|cube| cube.len() == 1);
    let mut tests = Vec::new();
    if !single.is_empty() {
        tests.push(Test::Any(Masks::new(&single.concat())));
    }
    // Pairs are numerous, and a circuit that reads their facts includes them all.
    let long = long.into_iter().filter(|cube| cube.len() > 2);
    tests.extend(long.map(|cube| Test::Cube(Masks::new(cube))));
    let mut tests: Vec<Arc<Test>> = tests.into_iter().map(Arc::new).collect();
    match **circuit {
        Test::Constant(false) => {}
        Test::Constant(true) => return Test::Constant(true),
        _ => tests.push(circuit.clone()),
    }
    some(tests)
}
