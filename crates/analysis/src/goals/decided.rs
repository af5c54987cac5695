//! States in which the results are fixed, though play goes on.
//!
//! A count that cannot go back bounds what it will be at the end: a majority that is reached stays
//! one. What each case of a count may still become is proved by cases; where two counters share what
//! there is to be had, and always come to the same total at the end, what one has the other cannot
//! get. That total is not proved but observed.

use super::formula::{Case, Count, Formula, Term};
use super::{Changes, Condition, Goals, Writer};
use crate::Evidence;
use budget::Budget;
use invariants::{Groups, Play};
use netlist::{GameLogic, Lit, copied};
use std::time::Duration;

/// Time for random play at most, and its steps of 64 games.
const TIME: Duration = Duration::from_millis(200);
const STEPS: usize = 2048;
/// Final states that a total must have been seen in.
const FINALS: u64 = 500;

/// When results are fixed though play goes on.
#[derive(Debug, Clone)]
pub struct Decided {
    /// For each role its results, and what fixes each.
    results: Vec<Vec<(u8, Vec<Fixed>)>>,
    /// How sure it is: proved, or observed in so many final states.
    pub evidence: Evidence,
}

/// A result is fixed if one of the first conditions holds, and one of the second; where a list is
/// empty, nothing is needed of it.
#[derive(Debug, Clone)]
struct Fixed {
    above: Vec<Formula>,
    below: Vec<Formula>,
}

impl Decided {
    /// Finds out what can be told of the goals; `None` if nothing is ever fixed before the end.
    /// `goals` must be those of `logic`. The seed is that of random play.
    pub fn find(
        logic: &GameLogic,
        groups: &Groups,
        goals: &Goals,
        seed: u64,
        budget: &Budget,
    ) -> Option<Decided> {
        // All roles' results must be known for play to be over.
        let counts =
            |goals: &Vec<(u8, Option<Condition>)>| goals.iter().any(|g| single(g).is_some());
        if !goals.goals.iter().all(counts) {
            return None;
        }
        let mut search = Search {
            changes: Changes::new(logic, groups),
            budget,
            seen: Seen::new(logic, goals, seed, budget),
            observed: false,
        };
        let mut results = Vec::new();
        for role in &goals.goals {
            let mut of_role = Vec::new();
            for goal in role {
                let Some((count, holds)) = single(goal) else {
                    continue;
                };
                let fixed = search.fixed(count, holds)?;
                if !fixed.is_empty() {
                    of_role.push((goal.0, fixed));
                }
            }
            if of_role.is_empty() {
                return None;
            }
            results.push(of_role);
        }
        let evidence = match search.observed {
            true => Evidence::Observed {
                samples: search.seen.finals,
            },
            false => Evidence::Proved,
        };
        Some(Decided { results, evidence })
    }

    /// The result of a role at the end, whatever is played from this state on; `None` if that is
    /// open. Fact `f` is bit `f % 64` of word `f / 64`.
    pub fn result(&self, state: &[u64], role: usize) -> Option<u8> {
        let holds = |formula: &Formula| formula.of(state) == Some(true);
        let any = |list: &Vec<Formula>| list.is_empty() || list.iter().any(holds);
        let mut results = self.results.get(role)?.iter();
        let fixed = |fixed: &Fixed| any(&fixed.above) && any(&fixed.below);
        results
            .find(|(_, ways)| ways.iter().any(fixed))
            .map(|(value, _)| *value)
    }

    /// The results of all roles, if all are fixed.
    pub fn results(&self, state: &[u64]) -> Option<Vec<u8>> {
        (0..self.results.len())
            .map(|role| self.result(state, role))
            .collect()
    }

    /// The game that ends as soon as all results are fixed, with these results. `logic` must be that
    /// of the game, with its goals in whatever form.
    pub fn ended(&self, logic: &GameLogic) -> Option<GameLogic> {
        let mut writer = Writer::new(logic);
        let mut over = Vec::new();
        let mut fixed = Vec::new();
        for results in &self.results {
            let mut of_role = Vec::new();
            for (value, ways) in results {
                let mut any = Vec::new();
                for way in ways {
                    let above = written(&mut writer, &way.above)?;
                    let below = written(&mut writer, &way.below)?;
                    any.push(writer.net.and(above, below));
                }
                of_role.push((*value, writer.net.or_all(any)));
            }
            over.push(writer.net.or_all(of_role.iter().map(|&(_, lit)| lit)));
            fixed.push(of_role);
        }
        let over = writer.net.and_all(over);
        let mut goals = logic.goals.clone();
        for (row, fixed) in goals.iter_mut().zip(&fixed) {
            for (value, lit) in row {
                let known = fixed.iter().find(|(other, _)| other == value);
                let known = known.map_or(Lit::FALSE, |&(_, lit)| lit);
                *lit = writer.net.mux(over, known, *lit);
            }
        }
        let terminal = writer.net.or(logic.terminal, over);
        let ended = GameLogic {
            net: writer.net,
            goals,
            terminal,
            ..logic.clone()
        };
        Some(ended.rebuilt(copied))
    }
}

/// The one count of facts that a result depends on, and where it is so.
fn single((_, condition): &(u8, Option<Condition>)) -> Option<(&Count, &[Option<bool>])> {
    condition.as_ref()?.single()
}

/// Any of the conditions, or nothing needed.
fn written(writer: &mut Writer<'_>, formulas: &[Formula]) -> Option<Lit> {
    if formulas.is_empty() {
        return Some(Lit::TRUE);
    }
    let lits: Option<Vec<Lit>> = formulas.iter().map(|f| writer.formula(f)).collect();
    Some(writer.net.or_all(lits?))
}

/// What random play showed.
struct Seen {
    /// For terms with a rest case: whether that was ever so.
    rest: Vec<(Term, bool)>,
    /// For counts of two terms: the difference of the two at the end, if it was always the same.
    totals: Vec<(Count, Option<i32>)>,
    finals: u64,
}

impl Seen {
    fn new(logic: &GameLogic, goals: &Goals, seed: u64, budget: &Budget) -> Seen {
        let mut seen = Seen {
            rest: Vec::new(),
            totals: Vec::new(),
            finals: 0,
        };
        let conditions = goals
            .goals
            .iter()
            .flatten()
            .filter_map(|goal| goal.1.as_ref());
        for count in conditions.flat_map(|condition| &condition.formula.counts) {
            for term in &count.terms {
                let counter = term.cases.len() > 3 && term.cases[0].0 == Case::Otherwise;
                if counter && !seen.rest.iter().any(|(other, _)| other == term) {
                    seen.rest.push((term.clone(), false));
                }
            }
            let known = seen.totals.iter().any(|(other, _)| other == count);
            if count.terms.len() == 2 && !known {
                seen.totals.push((count.clone(), None));
            }
        }
        if seen.rest.is_empty() && seen.totals.is_empty() {
            return seen;
        }
        let mut play = Play::new(logic, seed);
        let short = budget.clone().with_timeout(TIME);
        let mut clash = vec![false; seen.totals.len()];
        for _ in 0..STEPS {
            if short.check().is_err() {
                break;
            }
            for (term, rest) in &mut seen.rest {
                let any = term.cases.iter().fold(0, |any, &(case, _)| match case {
                    Case::Fact(fact) => any | play.word(logic.facts[fact as usize]),
                    _ => any,
                });
                *rest |= any != u64::MAX;
            }
            let mut terminal = play.word(logic.terminal);
            seen.finals += u64::from(terminal.count_ones());
            while terminal != 0 {
                let lane = terminal.trailing_zeros();
                terminal &= terminal - 1;
                for ((count, total), clash) in seen.totals.iter_mut().zip(&mut clash) {
                    let mut weights = count.terms.iter().map(|term| {
                        let holds = |case: &Case| match *case {
                            Case::Fact(fact) => {
                                play.word(logic.facts[fact as usize]) >> lane & 1 == 1
                            }
                            _ => false,
                        };
                        let case = term.cases.iter().find(|(case, _)| holds(case));
                        case.map_or(0, |&(_, weight)| weight)
                    });
                    let (one, two) = (weights.next().unwrap_or(0), weights.next().unwrap_or(0));
                    *clash |= total.is_some_and(|total| total != one - two);
                    *total = Some(one - two);
                }
            }
            play.step();
        }
        for ((_, total), clash) in seen.totals.iter_mut().zip(clash) {
            if clash || seen.finals < FINALS {
                *total = None;
            }
        }
        seen
    }
}

struct Search<'a, 'l> {
    changes: Changes<'l>,
    budget: &'a Budget,
    seen: Seen,
    observed: bool,
}

impl Search<'_, '_> {
    /// The ways in which a condition on a count becomes true for good; `None` without time.
    fn fixed(&mut self, count: &Count, holds: &[Option<bool>]) -> Option<Vec<Fixed>> {
        let mut spans = Vec::new();
        for term in &count.terms {
            spans.push(self.spans(term)?);
        }
        // Counts of the least and the greatest that each term can come to, each alone and together.
        let bound = |pick: fn(&(i32, i32)) -> i32, terms: &[usize]| {
            let terms = terms.iter().map(|&at| {
                let weights = spans[at].iter().map(pick);
                let cases = count.terms[at].cases.iter().map(|&(case, _)| case);
                Term {
                    cases: cases.zip(weights).collect(),
                }
            });
            counted(terms.collect())
        };
        let all: Vec<usize> = (0..count.terms.len()).collect();
        let (least, most) = (bound(|span| span.0, &all), bound(|span| span.1, &all));
        let total = self.seen.totals.iter().find(|(other, _)| other == count);
        let total = total.and_then(|&(_, total)| total);
        let mut fixed = Vec::new();
        for (from, to) in runs(holds) {
            let (low, high) = (from + count.low, to + count.low);
            let mut ways = Fixed {
                above: Vec::new(),
                below: Vec::new(),
            };
            if low > count.low {
                ways.above.push(asked(&least, |n| n >= low));
                if let Some(total) = total {
                    // The sum is twice the one less the total, twice the other and the total.
                    ways.above
                        .push(asked(&bound(|s| s.0, &[0]), |n| 2 * n - total >= low));
                    ways.above
                        .push(asked(&bound(|s| s.0, &[1]), |n| 2 * n + total >= low));
                }
            }
            if high < count.high {
                ways.below.push(asked(&most, |n| n <= high));
                if let Some(total) = total {
                    ways.below
                        .push(asked(&bound(|s| s.1, &[0]), |n| 2 * n - total <= high));
                    ways.below
                        .push(asked(&bound(|s| s.1, &[1]), |n| 2 * n + total <= high));
                }
            }
            // A condition that no state meets does not help.
            for list in [&mut ways.above, &mut ways.below] {
                let needed = !list.is_empty();
                list.retain(|formula| formula.holds.contains(&Some(true)));
                if needed && list.is_empty() {
                    list.push(Formula {
                        counts: Vec::new(),
                        holds: vec![Some(false)],
                    });
                }
            }
            let never = |list: &Vec<Formula>| {
                !list.is_empty() && list.iter().all(|f| f.as_constant() == Some(false))
            };
            if !never(&ways.above) && !never(&ways.below) {
                self.observed |= total.is_some();
                fixed.push(ways);
            }
        }
        Some(fixed)
    }

    /// For each case of a term, the least and the greatest that the term can come to.
    fn spans(&mut self, term: &Term) -> Option<Vec<(i32, i32)>> {
        let rest = self.seen.rest.iter().find(|(other, _)| other == term);
        let never = rest.is_some_and(|&(_, seen)| !seen) && self.seen.finals >= FINALS;
        self.observed |= never;
        self.changes.spans(term, never, self.budget)
    }
}

/// The longest ranges of a table where it is true or no state is.
fn runs(holds: &[Option<bool>]) -> Vec<(i32, i32)> {
    let mut runs = Vec::new();
    let mut at = 0;
    while at < holds.len() {
        if holds[at] == Some(false) {
            at += 1;
            continue;
        }
        let begin = at;
        while at < holds.len() && holds[at] != Some(false) {
            at += 1;
        }
        if holds[begin..at].contains(&Some(true)) {
            runs.push((begin as i32, at as i32 - 1));
        }
    }
    runs
}

/// Terms as a count.
fn counted(terms: Vec<Term>) -> Count {
    let bound = |pick: fn(&Term) -> Option<i32>| terms.iter().filter_map(pick).sum();
    Count {
        low: bound(|term| term.cases.iter().map(|case| case.1).min()),
        high: bound(|term| term.cases.iter().map(|case| case.1).max()),
        terms,
    }
}

/// Where a count meets a condition.
fn asked(count: &Count, condition: impl Fn(i32) -> bool) -> Formula {
    Formula {
        counts: vec![count.clone()],
        holds: (count.low..=count.high)
            .map(|n| Some(condition(n)))
            .collect(),
    }
}
