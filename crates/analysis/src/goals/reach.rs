//! Results that a count has put out of reach.
//!
//! What each part of a count may still become is proved by cases, so that in every state the count at
//! the end is known to lie in a span: pieces that are never taken away again, points that are never
//! lost. A result for which the count would have to lie outside of it cannot be had any more.

use super::formula::{Case, Count};
use super::{Changes, Condition, Goals};
use budget::Budget;
use invariants::Groups;
use netlist::GameLogic;

/// What a case adds to the least and to the greatest that a count can still come to.
#[derive(Debug, Clone, Copy)]
struct Weight {
    fact: u32,
    least: i32,
    most: i32,
}

/// A count with what it can still come to.
#[derive(Debug, Clone)]
struct Span {
    /// The facts whose cases change something; no two cases of a term are so at once.
    weights: Vec<Weight>,
    /// What the rest adds.
    least: i32,
    most: i32,
}

/// A result that a count decides.
#[derive(Debug, Clone)]
struct Wanted {
    value: u8,
    /// The count, by its position.
    span: usize,
    /// The least number that the count can be.
    low: i32,
    /// For each number from the least on, how many of those below it bring the result.
    below: Vec<u32>,
}

/// Which results counts have put out of reach. Whatever it says is proved.
#[derive(Debug, Clone, Default)]
pub struct Reach {
    spans: Vec<Span>,
    roles: Vec<Vec<Wanted>>,
}

impl Reach {
    /// Finds out what can be told of the goals within the budget. `goals` must be those of `logic`.
    pub fn find(logic: &GameLogic, groups: &Groups, goals: &Goals, budget: &Budget) -> Reach {
        let mut changes = Changes::new(logic, groups);
        let mut reach = Reach::default();
        let mut counts: Vec<(&Count, Option<usize>)> = Vec::new();
        for role in &goals.goals {
            let mut wanted = Vec::new();
            for (value, condition) in role {
                let Some((count, holds)) = condition.as_ref().and_then(Condition::single) else {
                    continue;
                };
                let known = counts.iter().find(|(other, _)| *other == count);
                let span = match known {
                    Some(&(_, span)) => span,
                    None => {
                        let found = span(&mut changes, count, budget);
                        let span = found.map(|span| {
                            reach.spans.push(span);
                            reach.spans.len() - 1
                        });
                        counts.push((count, span));
                        span
                    }
                };
                let Some(span) = span else { continue };
                let mut sum = 0;
                let mut below = vec![0];
                below.extend(holds.iter().map(|&holds| {
                    // What no state has is not counted on.
                    sum += u32::from(holds != Some(false));
                    sum
                }));
                let low = count.low;
                wanted.push(Wanted {
                    value: *value,
                    span,
                    low,
                    below,
                });
            }
            reach.roles.push(wanted);
        }
        reach
    }

    /// Whether nothing is ever out of reach.
    pub fn is_empty(&self) -> bool {
        self.roles.iter().all(Vec::is_empty)
    }

    /// Whether this result is out of reach for a role from this state on. Fact `f` is bit `f % 64` of
    /// word `f / 64`.
    pub fn is_excluded(&self, state: &[u64], role: usize, value: u8) -> bool {
        let wanted = self.roles.get(role).into_iter().flatten();
        let mut wanted = wanted.filter(|one| one.value == value);
        wanted.any(|one| {
            let (least, most) = self.spans[one.span].of(state);
            let last = one.below.len() as i32 - 1;
            let from = (least - one.low).clamp(0, last) as usize;
            let to = (most - one.low + 1).clamp(0, last) as usize;
            from >= to || one.below[from] == one.below[to]
        })
    }
}

impl Span {
    /// The least and the greatest.
    fn of(&self, state: &[u64]) -> (i32, i32) {
        let weights = self.weights.iter();
        weights.fold((self.least, self.most), |(least, most), weight| {
            let word = state.get(weight.fact as usize / 64).copied().unwrap_or(0);
            let bit = (word >> (weight.fact % 64) & 1) as i32;
            (least + bit * weight.least, most + bit * weight.most)
        })
    }
}

/// What a count can still come to; `None` if that is not known in time, or nothing but what it can
/// come to at all.
fn span(changes: &mut Changes<'_>, count: &Count, budget: &Budget) -> Option<Span> {
    let mut span = Span {
        weights: Vec::new(),
        least: 0,
        most: 0,
    };
    for term in &count.terms {
        let spans = changes.spans(term, false, budget)?;
        let cases = term.cases.iter().zip(&spans);
        let rest = cases
            .clone()
            .find(|((case, _), _)| *case == Case::Otherwise);
        // Without such a case one of the facts holds, so that nothing is added besides.
        let (least, most) = rest.map_or((0, 0), |(_, &span)| span);
        span.least += least;
        span.most += most;
        for (&(case, _), own) in cases {
            match case {
                Case::Fact(fact) if *own != (least, most) => span.weights.push(Weight {
                    fact,
                    least: own.0 - least,
                    most: own.1 - most,
                }),
                Case::Fact(_) | Case::Otherwise => {}
                Case::Signal(_) => return None,
            }
        }
    }
    Some(span)
}
