//! Moves with the same effect.

use crate::page::{Page, count, some};
use crate::words;
use profile::Profile;
use profile::structure::Covered;
use serde_json::{Value, json};

pub fn text(profile: &Profile, page: &mut Page) {
    let duplicates = &profile.structure.duplicates;
    let words = &profile.compiled.logic.words;
    page.begin("duplicates");
    if duplicates.is_empty() {
        page.line(match duplicates.complete {
            true => "no two moves of a role do the same",
            false => "none were found; not all moves were looked at",
        });
        return;
    }
    for (role, classes) in duplicates.classes.iter().enumerate() {
        if classes.is_empty() {
            continue;
        }
        let covered: usize = classes.iter().map(|class| class.covered.len()).sum();
        page.line(format!(
            "{}: {} of moves that do the same, {} never needed",
            words::role(words, role),
            count(classes.len(), "set"),
            count(covered, "move"),
        ));
        let sets = classes.iter().map(|class| {
            let moves = class.moves.iter().map(|&mv| words::mv(words, role, mv));
            format!("{} ({})", some(moves), words::evidence(class.evidence))
        });
        page.line(format!("  {}", some(sets)));
    }
}

pub fn json(profile: &Profile) -> Value {
    let duplicates = &profile.structure.duplicates;
    let words = &profile.compiled.logic.words;
    let roles = duplicates
        .classes
        .iter()
        .enumerate()
        .map(|(role, classes)| {
            let mv = |mv: u32| words::mv(words, role, mv);
            let covered = |covered: &Covered| {
                json!({
                    "move": mv(covered.mv),
                    "by": mv(covered.by),
                    "same": covered.same,
                    "evidence": words::evidence_json(covered.evidence),
                })
            };
            let classes = classes.iter().map(|class| {
                json!({
                    "moves": class.moves.iter().map(|&number| mv(number)).collect::<Vec<_>>(),
                    "evidence": words::evidence_json(class.evidence),
                    "covered": class.covered.iter().map(covered).collect::<Vec<_>>(),
                })
            });
            classes.collect::<Vec<_>>()
        });
    json!({ "roles": roles.collect::<Vec<_>>(), "complete": duplicates.complete })
}
