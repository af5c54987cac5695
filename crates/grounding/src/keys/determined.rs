//! Variables that others determine.

use super::{Arguments, Keys, Subject, has};
use datalog::{Atom, Pattern, TermId, TermStore, VarId};

/// More combinations of terms are not compared with sole facts.
const MAX_COMBINATIONS: usize = 64;

/// Variables of a condition of which one value each fits in a state, once those of others are
/// known.
#[derive(Debug)]
pub(crate) struct Determined {
    /// The variables that determine.
    pub(crate) by: Vec<VarId>,
    /// The variables that are determined: at least one.
    pub(crate) vars: Vec<VarId>,
}

impl Keys {
    /// The variables that a condition determines, in each way that is known. `constants` are the
    /// terms that a variable can stand for, if these are known constants.
    pub(crate) fn determined(
        &self,
        condition: &Atom,
        constants: impl Fn(VarId) -> Option<Vec<TermId>>,
        terms: &TermStore,
    ) -> Vec<Determined> {
        let Some((subject, args)) = Subject::of_condition(condition, terms) else {
            return Vec::new();
        };
        let mut keys: Vec<Arguments> = self.of(subject).to_vec();
        if let Subject::Facts(functor, arity) = subject {
            let soles = self.sole_of(functor, arity);
            for alike in soles.iter().map(|sole| sole.arguments()) {
                let is_sole = |asked: &[TermId]| {
                    let mut soles = soles.iter().filter(|sole| sole.arguments() == alike);
                    soles.any(|sole| {
                        sole.common(terms)
                            .map(|(_, term)| term)
                            .eq(asked.iter().copied())
                    })
                };
                let asked = args.iter().enumerate().filter(|(at, _)| has(alike, *at));
                let all = combinations(asked.map(|(_, arg)| arg), &constants);
                if !keys.contains(&alike) && all.is_some_and(|all| all.iter().all(|c| is_sole(c))) {
                    keys.push(alike);
                }
            }
        }
        let ways = keys.into_iter().map(|key| {
            let mut way = Determined {
                by: Vec::new(),
                vars: Vec::new(),
            };
            for (at, arg) in args.iter().enumerate() {
                let vars = if has(key, at) {
                    &mut way.by
                } else {
                    &mut way.vars
                };
                arg.for_each_var(&mut |var| vars.push(var));
            }
            way.vars.retain(|var| !way.by.contains(var));
            for vars in [&mut way.by, &mut way.vars] {
                vars.sort_unstable();
                vars.dedup();
            }
            way
        });
        ways.filter(|way| !way.vars.is_empty()).collect()
    }
}

/// All terms that some arguments can be together. `None` if they are not known, or many.
fn combinations<'p>(
    args: impl Iterator<Item = &'p Pattern>,
    constants: impl Fn(VarId) -> Option<Vec<TermId>>,
) -> Option<Vec<Vec<TermId>>> {
    let mut all = vec![Vec::new()];
    for arg in args {
        let terms = match arg {
            Pattern::Term(term) => vec![*term],
            Pattern::Var(var) => constants(*var)?,
            Pattern::Compound(..) => return None,
        };
        if all.len() * terms.len() > MAX_COMBINATIONS {
            return None;
        }
        let longer = |less: &Vec<TermId>| {
            let less = less.clone();
            terms
                .iter()
                .map(move |&term| [less.as_slice(), &[term]].concat())
                .collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    Some(all)
}
