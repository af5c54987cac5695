//! The number of transitions until moves can affect the same target.

use crate::page::Page;
use crate::words;
use analysis::couplings::Objection;
use profile::Profile;
use propnet::Vocabulary;
use serde_json::{Value, json};

pub fn text(profile: &Profile, page: &mut Page) {
    page.begin("moves");
    let Some(moves) = &profile.moves else {
        page.line("nothing known in time");
        return;
    };
    let distribution = &moves.distribution;
    if let (Some(mean), Some(near)) = (distribution.mean(), distribution.within(1)) {
        page.line(format!(
            "two moves can touch the same thing within {mean:.1} turns in the mean, {:.0} % within one",
            near * 100.0
        ));
    }
    if distribution.moves < distribution.of {
        page.line(format!(
            "(pairs of {} of {} moves)",
            distribution.moves, distribution.of
        ));
    }
    if moves.local_search.applies() {
        page.line("local search applies");
    } else {
        page.line("local search does not apply:");
    }
    for reason in told(profile, reason) {
        page.line(format!("  {reason}"));
    }
}

/// The objections to local search, formatted by `tell`, without duplicates.
fn told<T: PartialEq>(profile: &Profile, tell: impl Fn(Objection, &Vocabulary) -> T) -> Vec<T> {
    let moves = profile.moves.iter();
    let mut told = Vec::new();
    for &objection in moves.flat_map(|moves| &moves.local_search.objections) {
        let reason = tell(objection, &profile.compiled.logic.words);
        if !told.contains(&reason) {
            told.push(reason);
        }
    }
    told
}

fn objection(objection: Objection, words: &Vocabulary) -> Value {
    match objection {
        Objection::Roles(roles) => json!({ "roles": roles }),
        Objection::NoLocalGoal(role) => json!({ "no_local_goal": words::role(words, role.0) }),
        Objection::Joint(coupling) => json!({ "joint": words::condition(words, coupling.of) }),
        Objection::Near(share) => json!({ "near": share }),
        Objection::NoPairs => json!("no_pairs"),
        Objection::Unknown(why) => json!({ "unknown": why.to_string() }),
        _ => json!("other"),
    }
}

fn reason(objection: Objection, words: &Vocabulary) -> String {
    match objection {
        Objection::Roles(roles) => format!("it is for two roles, not {roles}"),
        Objection::NoLocalGoal(role) => format!(
            "no way to the best result of {} is about a part of the game",
            words::role(words, role.0)
        ),
        Objection::Joint(coupling) => format!(
            "{} takes several moves together",
            words::condition(words, coupling.of)
        ),
        Objection::Near(share) => {
            format!(
                "{:.0} % of all pairs of moves are near each other",
                share * 100.0
            )
        }
        Objection::NoPairs => "there are no pairs of moves".to_string(),
        Objection::Unknown(why) => format!("near moves are not known ({why})"),
        _ => "for a reason that has no words yet".to_string(),
    }
}

pub fn json(profile: &Profile) -> Value {
    let Some(moves) = &profile.moves else {
        return Value::Null;
    };
    let last = moves
        .distribution
        .pairs
        .iter()
        .rposition(|&pairs| pairs > 0);
    json!({
        "pairs": moves.distribution.pairs[..last.map_or(0, |last| last + 1)],
        "mean": moves.distribution.mean(),
        "moves_counted": moves.distribution.moves,
        "local_search": moves.local_search.applies(),
        "objections": told(profile, objection),
    })
}
