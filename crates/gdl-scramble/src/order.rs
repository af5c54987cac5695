//! Reorders rules and conditions without changing their meaning.

use gdl_parse::{Keyword, Literal, Rule};
use rand::Rng;
use rand::seq::SliceRandom;

/// Shuffles rules and conditions, but keeps the order of the roles.
pub(crate) fn shuffle(rules: &mut [Rule], rng: &mut impl Rng) {
    let is_role = |rule: &Rule| rule.head.relation == Keyword::Role.symbol();
    let roles: Vec<Rule> = rules.iter().filter(|rule| is_role(rule)).cloned().collect();
    rules.shuffle(rng);
    let places = rules.iter_mut().filter(|rule| is_role(rule));
    for (place, role) in places.zip(roles) {
        *place = role;
    }
    for rule in rules {
        shuffle_literals(&mut rule.body, rng);
    }
}

fn shuffle_literals(literals: &mut [Literal], rng: &mut impl Rng) {
    literals.shuffle(rng);
    for literal in literals {
        match literal {
            Literal::Or(items, _) | Literal::And(items, _) => shuffle_literals(items, rng),
            Literal::Not(inner, _) => shuffle_literals(std::slice::from_mut(&mut **inner), rng),
            Literal::Atom(_) | Literal::Distinct(..) => {}
        }
    }
}
