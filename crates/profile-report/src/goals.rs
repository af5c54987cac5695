//! The form of results: counts, comparisons, sums.

use crate::page::{Page, some};
use crate::words;
use analysis::goals::{Condition, Count, Form, Scope};
use profile::Profile;
use serde_json::{Value, json};

pub fn text(profile: &Profile, page: &mut Page) {
    let (goals, words) = (&profile.goals, &profile.compiled.logic.words);
    page.begin("goals");
    for (role, form) in goals.forms.iter().enumerate() {
        page.line(format!("{}: {}", words::role(words, role), kind(*form)));
        let counts = counts(profile, role);
        if matches!(form, Form::Unknown | Form::Constant | Form::Facts) {
            continue;
        }
        for count in counts {
            page.line(format!("  {}", sum(profile, count)));
        }
    }
}

fn kind(form: Form) -> &'static str {
    match form {
        Form::Unknown => "results are no function of few counts of facts, as far as was found",
        Form::Constant => "always the same result",
        Form::Facts => "a few single facts decide",
        Form::Counter => "the result is read from a counter (proved)",
        Form::Cardinality => "how many facts of a set hold (proved)",
        Form::Threshold => "whether enough facts of a set hold (proved)",
        Form::More => "who has more (proved)",
        Form::Sum => "a sum of weights (proved)",
        Form::Several => "several counts together (proved)",
    }
}

/// The counts that the results of a role depend on, without duplicates.
fn counts(profile: &Profile, role: usize) -> Vec<&Count> {
    let goals = profile.goals.goals.get(role).into_iter().flatten();
    let conditions = goals.filter_map(|(_, condition)| condition.as_ref());
    let mut counts: Vec<&Count> = Vec::new();
    for count in conditions.flat_map(|condition| &condition.formula.counts) {
        if !counts.contains(&count) {
            counts.push(count);
        }
    }
    counts
}

/// Formats a count: `1 for each of 32 facts: ...; -1 for each of ...`.
fn sum(profile: &Profile, count: &Count) -> String {
    let words = &profile.compiled.logic.words;
    let (weights, constant) = count.weights(&words.initial);
    let mut kinds: Vec<i32> = weights.iter().map(|&(_, weight)| weight).collect();
    kinds.sort_unstable();
    kinds.dedup();
    const MOST: usize = 4;
    let mut parts: Vec<String> = kinds
        .iter()
        .take(MOST)
        .map(|&kind| {
            let facts: Vec<String> = weights
                .iter()
                .filter(|&&(_, weight)| weight == kind)
                .map(|&(fact, _)| words::fact(words, fact))
                .collect();
            format!("{kind:+} for each of {}", some(facts.into_iter()))
        })
        .collect();
    if kinds.len() > MOST {
        parts.push(format!("{} other weights", kinds.len() - MOST));
    }
    if constant != 0 {
        parts.push(format!("{constant:+}"));
    }
    format!("{}: from {} to {}", parts.join("; "), count.low, count.high)
}

pub fn json(profile: &Profile) -> Value {
    let goals = &profile.goals;
    let forms = goals.forms.iter().map(|form| {
        json!(match form {
            Form::Unknown => "unknown",
            Form::Constant => "constant",
            Form::Facts => "facts",
            Form::Counter => "counter",
            Form::Cardinality => "cardinality",
            Form::Threshold => "threshold",
            Form::More => "more",
            Form::Sum => "sum",
            Form::Several => "several",
        })
    });
    let condition = |condition: &Option<Condition>| {
        condition.as_ref().map(|condition| {
            let counts = condition.formula.counts.iter();
            let counts: Vec<Value> = counts.map(|count| weights(profile, count)).collect();
            json!({
                "counts": counts,
                "holds": condition.formula.holds,
                "scope": match condition.scope {
                    Scope::Everywhere => "everywhere",
                    Scope::Terminal => "terminal",
                },
            })
        })
    };
    let roles = goals.goals.iter().map(|goals| {
        let goals = goals.iter();
        let goals =
            goals.map(|(value, one)| json!({ "value": value, "condition": condition(one) }));
        goals.collect::<Vec<_>>()
    });
    json!({
        "forms": forms.collect::<Vec<_>>(),
        "goals": roles.collect::<Vec<_>>(),
        "end": { "condition": condition(&goals.terminal) },
    })
}

/// The weight of each fact in a count; `null` if it also counts other signals.
fn weights(profile: &Profile, count: &Count) -> Value {
    let words = &profile.compiled.logic.words;
    let of_facts = count.of(&[]).is_some();
    let (weights, constant) = count.weights(&words.initial);
    let weights = weights.into_iter();
    let weights = weights.map(|(fact, weight)| (words::fact(words, fact), json!(weight)));
    json!({
        "weights": of_facts.then(|| weights.collect::<serde_json::Map<_, _>>()),
        "constant": constant,
        "low": count.low,
        "high": count.high,
    })
}
