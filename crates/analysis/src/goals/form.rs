//! The form of the function that gives a role's results.

use super::Condition;
use super::formula::{Case, Count};

/// The form of the function that gives a role's results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Form {
    /// Not found to be a function of few counts of facts.
    Unknown,
    /// Always the same.
    Constant,
    /// A function of a few single facts.
    Facts,
    /// A function of one counter: facts of which one holds, each with its own number.
    Counter,
    /// A function of the number of facts of a set that hold.
    Cardinality,
    /// Whether at least a given number of facts of a set hold.
    Threshold,
    /// A comparison: which of two sets has more facts that hold, or which of two counters is
    /// higher.
    More,
    /// A function of a weighted sum.
    Sum,
    /// A function of several counts.
    Several,
}

/// Minimum number of facts for a set or a counter.
const SET: usize = 4;

impl Form {
    /// The form of a role's results, from their conditions.
    pub(super) fn of(goals: &[(u8, Option<Condition>)]) -> Form {
        let formulas: Option<Vec<_>> = (goals.iter())
            .map(|(_, condition)| condition.as_ref().map(|c| &c.formula))
            .collect();
        let Some(formulas) = formulas else {
            return Form::Unknown;
        };
        if !formulas.iter().all(|formula| formula.is_of_facts()) {
            return Form::Unknown;
        }
        let mut counts: Vec<&Count> = Vec::new();
        for count in formulas.iter().flat_map(|formula| &formula.counts) {
            if !counts.contains(&count) {
                counts.push(count);
            }
        }
        let terms: usize = counts.iter().map(|count| count.terms.len()).sum();
        let widest = counts.iter().flat_map(|count| &count.terms);
        let widest = widest.map(|term| term.cases.len()).max().unwrap_or(0);
        match &counts[..] {
            [] => Form::Constant,
            _ if terms < SET && widest < SET => Form::Facts,
            [only] => {
                let steps = formulas.iter().map(|formula| changes(&formula.holds));
                Form::of_count(only, steps.max().unwrap_or(0))
            }
            // Equality of two counters reads both of them; a comparison reads their difference.
            several => {
                let all = variables(several);
                let whole = several.iter().find(|count| variables(&[count]) == all);
                match whole.map(|count| Form::of_count(count, 1)) {
                    Some(Form::More) if several.iter().all(|c| c.terms.len() < 3) => Form::More,
                    _ if all.len() == 1 => Form::Counter,
                    _ => Form::Several,
                }
            }
        }
    }

    fn of_count(count: &Count, changes: usize) -> Form {
        if let [only] = &count.terms[..] {
            return match only.cases.len() < SET {
                true => Form::Facts,
                false => Form::Counter,
            };
        }
        let counters = |least: usize| count.terms.iter().all(|term| term.cases.len() > least);
        if count.terms.len() == 2 && counters(SET) {
            return Form::More;
        }
        // The range of weights of each term.
        let spans = count.terms.iter().map(|term| {
            let weights = term.cases.iter().map(|&(_, weight)| weight);
            let (least, most) = (weights.clone().min(), weights.max());
            (least.unwrap_or(0), most.unwrap_or(0), &term.cases)
        });
        let spans: Vec<_> = spans.collect();
        let two_sided = |&(least, most, cases): &(i32, i32, &Vec<(Case, i32)>)| {
            let otherwise = cases.iter().find(|c| c.0 == Case::Otherwise);
            match otherwise {
                Some(&(_, zero)) => zero - least == 1 && most - zero == 1,
                None => most - least == 2,
            }
        };
        let one_sided = |&(least, most, _): &(i32, i32, &Vec<(Case, i32)>)| most - least == 1;
        if spans.iter().all(two_sided) {
            return Form::More;
        }
        let rising = |term: &&super::Term| {
            term.cases.iter().map(|&(_, w)| w).max() > term.cases.first().map(|c| c.1)
        };
        if spans.iter().all(one_sided) {
            let rising = count.terms.iter().filter(rising).count();
            let binary = count
                .terms
                .iter()
                .all(|term| term.cases[0].0 == Case::Otherwise);
            // Two sets of facts with opposite weights.
            if binary && rising > 0 && rising < count.terms.len() {
                return if 2 * rising == count.terms.len() {
                    Form::More
                } else {
                    Form::Sum
                };
            }
            return match changes {
                0 | 1 => Form::Threshold,
                _ => Form::Cardinality,
            };
        }
        Form::Sum
    }
}

/// The number of changes of value along a count.
fn changes(holds: &[Option<bool>]) -> usize {
    let known: Vec<bool> = holds.iter().copied().flatten().collect();
    known.windows(2).filter(|pair| pair[0] != pair[1]).count()
}

/// The distinct lists of cases of the counts.
fn variables(counts: &[&Count]) -> Vec<Vec<Case>> {
    let mut variables: Vec<Vec<Case>> = Vec::new();
    for term in counts.iter().flat_map(|count| &count.terms) {
        let cases: Vec<Case> = term.cases.iter().map(|&(case, _)| case).collect();
        if !variables.contains(&cases) {
            variables.push(cases);
        }
    }
    variables.sort_by_key(|cases| format!("{cases:?}"));
    variables
}
