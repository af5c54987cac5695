//! The possible changes of the cases of a count.

use super::formula::{Case, Term};
use budget::Budget;
use invariants::{Groups, Prover};
use netlist::{GameLogic, Lit};
use std::collections::BTreeMap;

/// Proves which cases each case of a count can change to during play.
pub(super) struct Changes<'l> {
    logic: &'l GameLogic,
    prover: Prover<'l>,
    /// For each list of cases, the cases that each can change to.
    known: BTreeMap<Vec<u32>, Vec<Vec<usize>>>,
}

impl<'l> Changes<'l> {
    pub fn new(logic: &'l GameLogic, groups: &Groups) -> Self {
        Changes {
            logic,
            prover: Prover::new(logic, groups),
            known: BTreeMap::new(),
        }
    }

    /// For each case of a term, the least and the greatest value that the term can still reach;
    /// `None` if time runs out. `never`: the first case, in which none of the others holds, does
    /// not occur.
    pub fn spans(&mut self, term: &Term, never: bool, budget: &Budget) -> Option<Vec<(i32, i32)>> {
        let becomes = self.becomes(term, never, budget)?;
        let spans = becomes.iter().map(|cases| {
            let weights = cases.iter().map(|&case| term.cases[case].1);
            let (least, most) = (weights.clone().min(), weights.max());
            (least.unwrap_or(i32::MIN / 4), most.unwrap_or(i32::MAX / 4))
        });
        Some(spans.collect())
    }

    /// For each case, the cases that it can change to, including itself.
    fn becomes(&mut self, term: &Term, never: bool, budget: &Budget) -> Option<Vec<Vec<usize>>> {
        let key: Vec<u32> = (term.cases.iter())
            .map(|&(case, _)| match case {
                Case::Fact(fact) => fact,
                _ => u32::MAX,
            })
            .collect();
        if let Some(known) = self.known.get(&key) {
            return Some(known.clone());
        }
        let facts: Vec<Option<Lit>> = (key.iter())
            .map(|&fact| self.logic.facts.get(fact as usize).copied())
            .collect();
        let all: Vec<Lit> = facts.iter().copied().flatten().collect();
        let mut may: Vec<Vec<bool>> = Vec::new();
        for (from, fact) in facts.iter().enumerate() {
            let given: Vec<Lit> = match fact {
                Some(fact) => vec![*fact],
                None => all.iter().map(|&lit| !lit).collect(),
            };
            let mut row = Vec::new();
            for (to, &fact) in key.iter().enumerate() {
                budget.check().ok()?;
                let skipped = never && (from == 0 || to == 0);
                if from == to || skipped {
                    row.push(from == to);
                    continue;
                }
                let excluded = self.prover.under(&given, true, |prover| {
                    match self.logic.next.get(fact as usize) {
                        Some(&next) => prover.never(next),
                        None => {
                            // The case without a fact can only follow if this fact does not
                            // stay.
                            let stays =
                                key.get(from).and_then(|&f| self.logic.next.get(f as usize));
                            stays.is_some_and(|&stays| prover.never(!stays))
                        }
                    }
                });
                // If this case does not occur before play has ended, it cannot change.
                row.push(!excluded.unwrap_or(true));
            }
            may.push(row);
        }
        // The transitive closure: cases reached in several steps.
        for via in 0..may.len() {
            let further = may[via].clone();
            for row in may.iter_mut().filter(|row| row[via]) {
                for (own, more) in row.iter_mut().zip(&further) {
                    *own |= more;
                }
            }
        }
        let becomes = may
            .iter()
            .map(|row| (0..row.len()).filter(|&to| row[to]).collect());
        let becomes: Vec<Vec<usize>> = becomes.collect();
        self.known.insert(key, becomes.clone());
        Some(becomes)
    }
}
