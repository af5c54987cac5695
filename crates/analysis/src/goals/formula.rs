//! Conditions on counts, in the form in which other crates read them.

use super::forms::{FormId, Forms, Variable};
use super::table::{ANY, Table};
use netlist::Lit;

/// One of several cases, exactly one of which holds in every reachable state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Case {
    /// This fact holds, by its position in the vocabulary.
    Fact(u32),
    /// This signal of the logic is true.
    Signal(Lit),
    /// None of the others holds.
    Otherwise,
}

/// The contribution of one set of cases to a count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// The cases, and the contribution of each.
    pub cases: Vec<(Case, i32)>,
}

/// A number that depends on the state: the sum of its terms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Count {
    /// The terms.
    pub terms: Vec<Term>,
    /// The least value.
    pub low: i32,
    /// The greatest value.
    pub high: i32,
}

impl Count {
    /// The number of values from the least to the greatest.
    pub fn size(&self) -> usize {
        (self.high - self.low + 1) as usize
    }

    /// The value in a state, of which fact `f` is bit `f % 64` of word `f / 64`; `None` if it
    /// depends on other signals.
    pub fn of(&self, state: &[u64]) -> Option<i32> {
        let holds = |fact: u32| {
            let word = state.get(fact as usize / 64).copied().unwrap_or(0);
            word >> (fact % 64) & 1 == 1
        };
        self.terms.iter().try_fold(0, |sum, term| {
            let mut otherwise = 0;
            for &(case, weight) in &term.cases {
                match case {
                    Case::Fact(fact) if holds(fact) => return Some(sum + weight),
                    Case::Fact(_) => {}
                    Case::Otherwise => otherwise = weight,
                    Case::Signal(_) => return None,
                }
            }
            Some(sum + otherwise)
        })
    }

    /// The facts that contribute, with their weights, and a constant.
    ///
    /// Of two facts one of which always holds, both are listed if their weights can be split
    /// evenly (plus one for the one, minus one for the other). Otherwise only the one that does
    /// not hold initially is listed.
    pub fn weights(&self, initial: &[u32]) -> (Vec<(u32, i32)>, i32) {
        let (mut weights, mut constant) = (Vec::new(), 0);
        for term in &self.terms {
            let otherwise = term.cases.iter().find(|(case, _)| *case == Case::Otherwise);
            let begins = |&&(case, _): &&(Case, i32)| match case {
                Case::Fact(fact) => initial.binary_search(&fact).is_ok(),
                _ => false,
            };
            let zero = match (&term.cases[..], otherwise) {
                (_, Some(&(_, weight))) => weight,
                (&[(_, a), (_, b)], None) if (a - b) % 2 == 0 => (a + b) / 2,
                (cases, None) => cases.iter().find(begins).map_or(0, |&(_, weight)| weight),
            };
            constant += zero;
            for &(case, weight) in &term.cases {
                if let (Case::Fact(fact), true) = (case, weight != zero) {
                    weights.push((fact, weight - zero));
                }
            }
        }
        weights.sort_unstable();
        (weights, constant)
    }
}

/// A condition on a few counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Formula {
    /// The counts.
    pub counts: Vec<Count>,
    /// The truth value for every combination of values of the counts, each from its least to its
    /// greatest, the last count fastest. `None` for combinations that no state has.
    pub holds: Vec<Option<bool>>,
}

impl Formula {
    pub(super) fn new(table: &Table, forms: &Forms) -> Formula {
        let count = |&dim: &FormId| {
            let form = forms.get(dim);
            let terms = form.terms.iter().map(|(variable, weights)| {
                let cases: Vec<Case> = match &forms.variables[*variable as usize] {
                    Variable::Facts(values) => (values.iter())
                        .map(|value| value.map_or(Case::Otherwise, Case::Fact))
                        .collect(),
                    Variable::Signal(node) => {
                        let signal = Case::Signal(Lit::new(*node as usize, false));
                        vec![Case::Otherwise, signal]
                    }
                };
                Term {
                    cases: cases.into_iter().zip(weights.iter().copied()).collect(),
                }
            });
            Count {
                terms: terms.collect(),
                low: form.low,
                high: form.high,
            }
        };
        let holds = table.bits.iter().map(|&bit| match bit {
            ANY => None,
            bit => Some(bit == 1),
        });
        Formula {
            counts: table.dims.iter().map(count).collect(),
            holds: holds.collect(),
        }
    }

    /// Whether it depends on facts alone.
    pub fn is_of_facts(&self) -> bool {
        let terms = self.counts.iter().flat_map(|count| &count.terms);
        let mut cases = terms.flat_map(|term| &term.cases);
        cases.all(|(case, _)| !matches!(case, Case::Signal(_)))
    }

    /// The value, if it is constant.
    pub fn as_constant(&self) -> Option<bool> {
        match &self.holds[..] {
            [only] => *only,
            _ => None,
        }
    }

    /// The truth value in a state, of which fact `f` is bit `f % 64` of word `f / 64`; `None` if
    /// it depends on other signals, or if the state is not reachable.
    pub fn of(&self, state: &[u64]) -> Option<bool> {
        let mut at = 0;
        for count in &self.counts {
            let number = usize::try_from(count.of(state)? - count.low).ok()?;
            at = at * count.size() + number;
        }
        self.holds.get(at).copied().flatten()
    }
}
