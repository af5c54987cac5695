//! Parts of the game that can be played by themselves.

use crate::page::{Page, count, some};
use crate::words;
use analysis::profile::Profile;
use serde_json::{Value, json};

pub fn text(profile: &Profile, page: &mut Page) {
    let (factors, words) = (&profile.factors, &profile.logic.words);
    page.begin("factors");
    if factors.factors.is_empty() {
        page.line("the game does not fall apart");
        return;
    }
    page.line(format!(
        "the game falls apart into {}",
        count(factors.count(), "part")
    ));
    for factor in &factors.factors {
        let facts = factor.facts.iter().map(|&fact| words::fact(words, fact));
        let note = match factor.relevant {
            true => "",
            false => " (nothing that matters)",
        };
        page.line(format!(
            "  {}{note}: {}",
            count(factor.facts.len(), "fact"),
            some(facts)
        ));
    }
}

pub fn json(profile: &Profile) -> Value {
    let (factors, words) = (&profile.factors, &profile.logic.words);
    let all = factors.factors.iter().map(|factor| {
        let facts = factor.facts.iter().map(|&fact| words::fact(words, fact));
        json!({ "relevant": factor.relevant, "facts": facts.collect::<Vec<_>>() })
    });
    json!({ "count": factors.count(), "factors": all.collect::<Vec<_>>() })
}
