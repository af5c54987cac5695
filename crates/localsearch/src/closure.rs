//! What a set of literals implies in the states that play reaches.

use crate::cube::Literal;
use invariants::Groups;
use netlist::Equal;

/// Literals that are known to be true together, with what they imply.
#[derive(Debug, Clone, Default)]
pub(crate) struct Facts {
    /// By [`Literal::code`].
    known: Vec<bool>,
    /// In the order in which they became known.
    order: Vec<Literal>,
}

impl Facts {
    /// Whether the literal is known to be true.
    pub fn has(&self, literal: Literal) -> bool {
        self.known[literal.code()]
    }

    /// All that is known.
    pub fn iter(&self) -> impl Iterator<Item = Literal> {
        self.order.iter().copied()
    }

    fn add(&mut self, literal: Literal) {
        if !std::mem::replace(&mut self.known[literal.code()], true) {
            self.order.push(literal);
        }
    }
}

/// What was proved of the facts, in a form in which it is quickly used.
#[derive(Debug, Clone)]
pub(crate) struct Closure {
    groups: Vec<(Vec<u32>, bool)>,
    of_fact: Vec<Vec<u32>>,
    equal: Vec<Vec<Equal>>,
    always: Vec<Literal>,
}

impl Closure {
    pub fn new(groups: &Groups, facts: usize) -> Closure {
        let mut equal = vec![Vec::new(); facts];
        for both in &groups.equal {
            equal[both.fact as usize].push(*both);
            equal[both.like as usize].push(*both);
        }
        let constants = groups.constants.iter();
        Closure {
            groups: (groups
                .groups
                .iter()
                .map(|group| (group.facts.clone(), group.exactly)))
            .collect(),
            of_fact: groups.of_facts(facts),
            equal,
            always: constants
                .map(|&(fact, value)| Literal::new(fact, value))
                .collect(),
        }
    }

    /// The number of facts.
    pub fn facts(&self) -> usize {
        self.of_fact.len()
    }

    /// Forgets everything but what always holds.
    pub fn reset(&self, known: &mut Facts) {
        known.known.clear();
        known.known.resize(2 * self.facts(), false);
        known.order.clear();
        for &literal in &self.always {
            self.add(known, literal);
        }
    }

    /// Adds a literal and what it implies.
    pub fn add(&self, known: &mut Facts, literal: Literal) {
        let mut next = known.order.len();
        known.add(literal);
        while let Some(&literal) = known.order.get(next) {
            next += 1;
            let fact = literal.fact();
            for both in &self.equal[fact as usize] {
                let other = if both.fact == fact {
                    both.like
                } else {
                    both.fact
                };
                known.add(Literal::new(other, literal.holds() != both.opposite));
            }
            for &group in &self.of_fact[fact as usize] {
                let (facts, exactly) = &self.groups[group as usize];
                if literal.holds() {
                    for &other in facts.iter().filter(|&&other| other != fact) {
                        known.add(Literal::new(other, false));
                    }
                } else if *exactly {
                    let mut open =
                        (facts.iter()).filter(|&&other| !known.has(Literal::new(other, false)));
                    if let (Some(&last), None) = (open.next(), open.next()) {
                        known.add(Literal::new(last, true));
                    }
                }
            }
        }
    }

    /// Leaves out literals that others imply: first those that do not hold.
    pub fn reduced(&self, literals: &[Literal], scratch: &mut Facts) -> Box<[Literal]> {
        self.reset(scratch);
        let mut kept: Vec<Literal> = Vec::with_capacity(literals.len());
        for holds in [true, false] {
            for &literal in literals.iter().filter(|literal| literal.holds() == holds) {
                if !scratch.has(literal) {
                    self.add(scratch, literal);
                    kept.push(literal);
                }
            }
        }
        kept.sort_unstable();
        kept.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use invariants::Group;

    fn literal(fact: u32, holds: bool) -> Literal {
        Literal::new(fact, holds)
    }

    #[test]
    fn groups_and_equal_facts_imply_others() {
        let group = |facts: &[u32], exactly| Group {
            facts: facts.to_vec(),
            exactly,
        };
        let groups = Groups {
            groups: vec![group(&[0, 1, 2], true), group(&[2, 3], false)],
            constants: vec![(5, false)],
            equal: vec![Equal {
                fact: 4,
                like: 3,
                opposite: true,
            }],
            ..Groups::default()
        };
        let closure = Closure::new(&groups, 6);
        let mut known = Facts::default();
        closure.reset(&mut known);
        assert!(known.has(literal(5, false)));
        closure.add(&mut known, literal(0, false));
        assert!(!known.has(literal(2, true)));
        // Then only 2 is left of the first group, which excludes 3, the opposite of 4.
        closure.add(&mut known, literal(1, false));
        for (fact, holds) in [(2, true), (3, false), (4, true)] {
            assert!(known.has(literal(fact, holds)), "{fact}");
        }
        let all = [literal(1, false), literal(2, true), literal(4, true)];
        assert_eq!(*closure.reduced(&all, &mut known), [literal(2, true)]);
    }
}
