//! Results that are out of reach because of a count.
//!
//! The possible changes of each term of a count are proved by cases. So in every state, the
//! final value of the count is known to lie in an interval: pieces that are never removed,
//! points that are never lost. A result that requires a value outside this interval is out of
//! reach.

use super::formula::{Case, Count};
use super::{Changes, Condition, Goals};
use budget::Budget;
use invariants::Groups;
use netlist::GameLogic;

/// The contribution of a case to the least and the greatest value that a count can still reach.
#[derive(Debug, Clone, Copy)]
struct Weight {
    fact: u32,
    least: i32,
    most: i32,
}

/// A count, with the values that it can still reach.
#[derive(Debug, Clone)]
struct Span {
    /// The facts whose cases change the interval; no two cases of a term hold at once.
    weights: Vec<Weight>,
    /// The contribution of all other cases.
    least: i32,
    most: i32,
}

/// A result that depends on one count.
#[derive(Debug, Clone)]
struct Wanted {
    value: u8,
    /// The position of its count.
    span: usize,
    /// The least value of the count.
    low: i32,
    /// For each value, from the least up, the number of smaller values that give the result.
    below: Vec<u32>,
}

/// The results that counts put out of reach. All of it is proved.
#[derive(Debug, Clone, Default)]
pub struct Reach {
    spans: Vec<Span>,
    roles: Vec<Vec<Wanted>>,
}

impl Reach {
    /// Finds them for the goals within the budget. `goals` must be those of `logic`.
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
                    // A value that no state has might give the result, to be safe.
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

    /// Whether no result is ever out of reach.
    pub fn is_empty(&self) -> bool {
        self.roles.iter().all(Vec::is_empty)
    }

    /// Whether this result is out of reach for a role from this state on. Fact `f` is bit `f %
    /// 64` of word `f / 64`.
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
    /// The least and the greatest value that the count can still reach from a state.
    fn of(&self, state: &[u64]) -> (i32, i32) {
        let weights = self.weights.iter();
        weights.fold((self.least, self.most), |(least, most), weight| {
            let word = state.get(weight.fact as usize / 64).copied().unwrap_or(0);
            let bit = (word >> (weight.fact % 64) & 1) as i32;
            (least + bit * weight.least, most + bit * weight.most)
        })
    }
}

/// The interval of a count; `None` if time runs out, or if it is never narrower than the whole
/// range.
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
        // Without an `Otherwise` case one of the facts holds, so nothing is added besides.
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
