//! Facts that exclude each other, never change, or equal others.

use crate::page::{Page, count, some};
use crate::words;
use profile::Profile;
use serde_json::{Value, json};

pub fn text(profile: &Profile, page: &mut Page) {
    let (groups, words) = (&profile.groups, &profile.compiled.logic.words);
    page.begin("groups");
    let exactly = groups.groups.iter().filter(|group| group.exactly).count();
    page.line(format!(
        "{} of facts that exclude each other, {exactly} with always one that holds (proved)",
        count(groups.groups.len(), "group"),
    ));
    if let Some(largest) = groups.groups.iter().max_by_key(|group| group.facts.len()) {
        let facts = largest.facts.iter().map(|&fact| words::fact(words, fact));
        page.line(format!("the largest: {}", some(facts)));
    }
    if !groups.constants.is_empty() {
        let constants = groups.constants.iter().map(|&(fact, _)| fact);
        page.line(format!(
            "never change: {}",
            some(constants.map(|fact| words::fact(words, fact)))
        ));
    }
    if !groups.equal.is_empty() {
        page.line(format!(
            "{} always like another one",
            count(groups.equal.len(), "fact")
        ));
    }
}

pub fn json(profile: &Profile) -> Value {
    let (groups, words) = (&profile.groups, &profile.compiled.logic.words);
    let exclusive = groups.groups.iter().map(|group| {
        let facts = group.facts.iter().map(|&fact| words::fact(words, fact));
        json!({ "exactly_one": group.exactly, "facts": facts.collect::<Vec<_>>() })
    });
    let constants = groups.constants.iter();
    let constants =
        constants.map(|&(fact, value)| json!({ "fact": words::fact(words, fact), "value": value }));
    let equal = groups.equal.iter();
    let equal = equal.map(|equal| {
        json!({
            "fact": words::fact(words, equal.fact),
            "like": words::fact(words, equal.like),
            "opposite": equal.opposite,
        })
    });
    json!({
        "exclusive": exclusive.collect::<Vec<_>>(),
        "constant": constants.collect::<Vec<_>>(),
        "equal": equal.collect::<Vec<_>>(),
    })
}
