//! Parts of the game that can be played by themselves.

use crate::page::{Page, count, some};
use crate::words;
use analysis::factors::{Action, Factor, Sharing};
use profile::Profile;
use serde_json::{Value, json};

pub fn text(profile: &Profile, page: &mut Page) {
    let (factors, words) = (&profile.factors, &profile.compiled.logic.words);
    page.begin("factors");
    if factors.factors.is_empty() {
        let report = factors.report;
        page.line(match report.bounded || report.exhausted.is_some() {
            true => "it is not known whether the game falls apart",
            false => "the game does not fall apart",
        });
        return;
    }
    let kind = match factors.are_pseudo() {
        true => "; a turn is used in one of several",
        false => "",
    };
    page.line(format!(
        "the game falls apart into {}{kind} ({})",
        count(factors.count(), "part"),
        words::evidence(factors.evidence)
    ));
    for factor in &factors.factors {
        let facts = factor.facts.iter().map(|&fact| words::fact(words, fact));
        let note = match factor.relevant {
            true => "",
            false => " (nothing that matters)",
        };
        page.line(format!(
            "  {}, {}{note}: {}",
            count(factor.facts.len(), "fact"),
            count(actions(factor), "action"),
            some(facts)
        ));
    }
}

/// The number of actions in a factor, without idle ones.
pub fn actions(factor: &Factor) -> usize {
    let actions = factor.actions.iter().flatten();
    actions.filter(|action| !action.idle).count()
}

pub fn json(profile: &Profile) -> Value {
    let (factors, words) = (&profile.factors, &profile.compiled.logic.words);
    let all = factors.factors.iter().map(|factor| {
        let facts = factor.facts.iter().map(|&fact| words::fact(words, fact));
        let roles = factor.actions.iter().enumerate().map(|(role, actions)| {
            let action = |action: &Action| {
                let moves = action.moves.iter().map(|&mv| words::mv(words, role, mv));
                json!({ "idle": action.idle, "moves": moves.collect::<Vec<_>>() })
            };
            actions.iter().map(action).collect::<Vec<_>>()
        });
        json!({
            "relevant": factor.relevant,
            "facts": facts.collect::<Vec<_>>(),
            "actions": roles.collect::<Vec<_>>(),
        })
    });
    let choices = factors.choices.iter().map(|choice| match choice {
        Sharing::One => "one",
        Sharing::Several => "several",
        Sharing::Each => "each",
    });
    json!({
        "count": factors.count(),
        "factors": all.collect::<Vec<_>>(),
        "choices": choices.collect::<Vec<_>>(),
        "sure": words::evidence_json(factors.evidence),
    })
}
