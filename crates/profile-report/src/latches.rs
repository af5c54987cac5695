//! Conditions that can no longer change, and the results that are still possible.

use crate::page::{Page, count, some};
use crate::words;
use analysis::Evidence;
use analysis::latches::Latch;
use profile::Profile;
use serde_json::{Value, json};

pub fn text(profile: &Profile, page: &mut Page) {
    let (latches, words) = (&profile.latches, &profile.compiled.logic.words);
    page.begin("latches");
    let all = &latches.latches;
    let kinds = [
        "once true, stay true",
        "once false, stay false",
        "conjunctions that stay",
    ];
    let kind = |latch: &Latch| match latch.literals[..] {
        [one] => usize::from(!one.holds),
        _ => 2,
    };
    for (number, what) in kinds.iter().enumerate() {
        let these: Vec<&Latch> = all.iter().filter(|latch| kind(latch) == number).collect();
        let sure = these
            .iter()
            .filter(|latch| latch.evidence == Evidence::Proved);
        let sure = sure.count();
        if !these.is_empty() {
            let names = some(these.iter().map(|latch| name(profile, latch)));
            page.line(format!("{} {what} ({sure} proved): {names}", these.len()));
        }
    }
    if all.is_empty() {
        page.line("none found");
    }
    if !latches.goals.is_empty() {
        let goals = latches.goals.iter().map(|goal| {
            let role = words::role(words, goal.role.into());
            let never = if goal.holds { "certain" } else { "lost" };
            let latch = name(profile, &latches.latches[goal.latch]);
            format!("{latch}: {role} {} {never}", goal.value)
        });
        page.line(format!(
            "{} decided by a single latch: {}",
            count(latches.goals.len(), "goal"),
            some(goals)
        ));
    }
    let ranges = ranges(profile).into_iter();
    let ranges = ranges.map(|(role, least, most)| format!("{role} {least} to {most}"));
    page.line(format!("possible at the start: {}", some(ranges)));
}

fn name(profile: &Profile, latch: &Latch) -> String {
    const MOST: usize = 3;
    let words = &profile.compiled.logic.words;
    let literals = latch.literals.iter().take(MOST);
    let mut names: Vec<String> = literals
        .map(|&literal| words::literal(words, literal))
        .collect();
    if latch.literals.len() > MOST {
        names.push(format!("{} others", latch.literals.len() - MOST));
    }
    names.join(" & ")
}

/// The range of results of each role that no latch excludes in the initial state.
fn ranges(profile: &Profile) -> Vec<(String, u8, u8)> {
    let words = &profile.compiled.logic.words;
    let mut state = vec![0u64; words.facts.len().div_ceil(64)];
    for &fact in &words.initial {
        state[fact as usize / 64] |= 1 << (fact % 64);
    }
    (0..words.roles.len())
        .map(|role| {
            let (least, most) = profile.latches.ranges.of(&state, role);
            (words::role(words, role), least, most)
        })
        .collect()
}

pub fn json(profile: &Profile) -> Value {
    let (latches, words) = (&profile.latches, &profile.compiled.logic.words);
    let literals = |latch: &Latch| -> Vec<Value> {
        let literals = latch.literals.iter();
        literals
            .map(|literal| {
                json!({ "fact": words::fact(words, literal.fact), "holds": literal.holds })
            })
            .collect()
    };
    let all = latches.latches.iter().map(|latch| {
        json!({
            "literals": literals(latch),
            "evidence": words::evidence_json(latch.evidence),
            "seconds": latch.time.as_secs_f64(),
        })
    });
    let goals = latches.goals.iter().map(|goal| {
        let latch = &latches.latches[goal.latch];
        json!({
            "latch": literals(latch),
            "evidence": words::evidence_json(latch.evidence),
            "role": goal.role,
            "value": goal.value,
            "holds": goal.holds,
        })
    });
    let start = ranges(profile).into_iter();
    let start = start.map(|(_, least, most)| json!([least, most]));
    json!({
        "latches": all.collect::<Vec<_>>(),
        "goals": goals.collect::<Vec<_>>(),
        "start": start.collect::<Vec<_>>(),
    })
}
