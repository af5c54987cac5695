//! Conditions on counts, for whoever reads them.

use super::forms::{FormId, Forms, Variable};
use super::table::{ANY, Table};
use netlist::Lit;

/// A case of which there are several, exactly one of which is so in every state that play reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Case {
    /// This fact holds, by its position in the vocabulary.
    Fact(u32),
    /// This signal of the logic is true.
    Signal(Lit),
    /// None of the others.
    Otherwise,
}

/// What one set of cases adds to a count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// The cases, and what each adds.
    pub cases: Vec<(Case, i32)>,
}

/// A number in a state: what its terms add up to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Count {
    /// The terms.
    pub terms: Vec<Term>,
    /// The least number that they can come to.
    pub low: i32,
    /// The greatest.
    pub high: i32,
}

impl Count {
    /// How many numbers there are from the least to the greatest.
    pub fn size(&self) -> usize {
        (self.high - self.low + 1) as usize
    }

    /// The number in a state, of which fact `f` is bit `f % 64` of word `f / 64`; `None` if that
    /// takes other signals.
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

    /// The facts that add something, with what, and what is added besides. Of two facts one of which
    /// always holds both are named if that can be done evenly (one more for the one, one less for
    /// the other), else the one that does not hold at the beginning.
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
    /// Whether it is true, for every combination of counts: each from its least to its greatest,
    /// the last one fastest. `None` where no state has the combination.
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

    /// Whether facts alone decide it.
    pub fn is_of_facts(&self) -> bool {
        let terms = self.counts.iter().flat_map(|count| &count.terms);
        let mut cases = terms.flat_map(|term| &term.cases);
        cases.all(|(case, _)| !matches!(case, Case::Signal(_)))
    }

    /// The value, if it is always the same.
    pub fn as_constant(&self) -> Option<bool> {
        match &self.holds[..] {
            [only] => *only,
            _ => None,
        }
    }

    /// Whether it is true in a state, of which fact `f` is bit `f % 64` of word `f / 64`; `None` if
    /// that takes other signals, or play does not reach the state.
    pub fn of(&self, state: &[u64]) -> Option<bool> {
        let mut at = 0;
        for count in &self.counts {
            let number = usize::try_from(count.of(state)? - count.low).ok()?;
            at = at * count.size() + number;
        }
        self.holds.get(at).copied().flatten()
    }
}
