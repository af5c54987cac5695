//! Distances between conditions and the facts and moves that they depend on.

use crate::page::Page;
use crate::words;
use analysis::distances::{Condition, Distances, FAR, NEVER, Origin};
use profile::Profile;
use serde_json::{Map, Value, json};

/// The text counts facts and moves up to this distance.
const NEAR: usize = 6;

pub fn text(profile: &Profile, page: &mut Page) {
    page.begin("distances");
    let Some(distances) = &profile.distances else {
        page.line("none known in time");
        return;
    };
    page.line("facts and moves at each number of transitions before");
    let mut row = Vec::new();
    for condition in wanted(distances) {
        if distances
            .row(Origin::Condition(condition), &mut row)
            .is_none()
        {
            continue;
        }
        let (facts, moves) = row.split_at(distances.columns().facts());
        page.line(format!(
            "  {}: facts {}; moves {}",
            words::condition(&profile.compiled.logic.words, condition),
            counts(facts),
            counts(moves),
        ));
    }
    if let Some((known, why)) = distances.cut() {
        page.line(format!("known up to {known} ({why})"));
    }
}

/// The best result of each role, and terminality.
fn wanted(distances: &Distances) -> Vec<Condition> {
    let all: Vec<Condition> = distances.conditions().collect();
    let best = |condition: &Condition| {
        match *condition {
        Condition::Terminal => true,
        Condition::Goal { role, value } => !all.iter().any(|other| {
            matches!(*other, Condition::Goal { role: same, value: more } if same == role && more > value)
        }),
    }
    };
    all.iter().copied().filter(best).collect()
}

/// The number of cells of each distance: `0: 8, 1: 16`.
fn counts(cells: &[u8]) -> String {
    let mut of = [0usize; 256];
    cells.iter().for_each(|&cell| of[usize::from(cell)] += 1);
    let mut parts: Vec<String> = (0..NEAR)
        .filter(|&distance| of[distance] > 0)
        .map(|distance| format!("{distance}: {}", of[distance]))
        .collect();
    let more: usize = of[NEAR..usize::from(NEVER)].iter().sum();
    if more > 0 {
        parts.push(format!("more: {more}"));
    }
    if of[usize::from(NEVER)] > 0 {
        parts.push(format!("never: {}", of[usize::from(NEVER)]));
    }
    parts.join(", ")
}

pub fn json(profile: &Profile) -> Value {
    let Some(distances) = &profile.distances else {
        return Value::Null;
    };
    let words = &profile.compiled.logic.words;
    let mut row = Vec::new();
    let mut all = Map::new();
    for condition in distances.conditions() {
        if distances
            .row(Origin::Condition(condition), &mut row)
            .is_none()
        {
            continue;
        }
        let cells = row.iter().enumerate().filter(|&(_, &cell)| cell < FAR);
        let cells: Map<String, Value> = cells
            .filter_map(|(column, &cell)| {
                let met = distances.columns().met(column)?;
                let name = match met {
                    analysis::distances::Met::Fact(_) => words::met(words, met),
                    analysis::distances::Met::Move(role, _) => {
                        format!(
                            "(does {} {})",
                            words::role(words, role.0),
                            words::met(words, met)
                        )
                    }
                };
                Some((name, json!(cell)))
            })
            .collect();
        all.insert(words::condition(words, condition), Value::Object(cells));
    }
    json!({ "from": all, "known_up_to": distances.cut().map(|(known, _)| known) })
}
