//! Quantities in the state.

use crate::page::{Page, count};
use crate::words;
use analysis::numbers::{Direction, Quantity};
use profile::Profile;
use serde_json::{Value, json};

/// Maximum number of quantities in the text.
const FEW: usize = 8;

pub fn text(profile: &Profile, page: &mut Page) {
    let quantities = &profile.numbers.quantities;
    page.begin("numbers");
    if quantities.is_empty() {
        page.line("none found");
        return;
    }
    for quantity in quantities.iter().take(FEW) {
        page.line(told(profile, quantity));
    }
    if quantities.len() > FEW {
        page.line(format!("and {} more", quantities.len() - FEW));
    }
}

/// Formats a quantity:
/// `(score red 0) to (score red 9): red's, only forward (proved), 0 to 5 seen of 10 values`.
fn told(profile: &Profile, quantity: &Quantity) -> String {
    let words = &profile.compiled.logic.words;
    let (Some(&first), Some(&last)) = (quantity.facts.first(), quantity.facts.last()) else {
        return String::new();
    };
    let mut parts = Vec::new();
    if let Some(owner) = quantity.owner {
        parts.push(format!("{}'s", words::role(words, owner.into())));
    }
    if quantity.control {
        parts.push("whatever is played".to_string());
    }
    let way = match quantity.direction {
        Direction::Forward => "only this way",
        Direction::Both => "both ways",
    };
    parts.push(format!("{way} ({})", words::evidence(quantity.evidence)));
    parts.push(format!(
        "up to {} at once",
        count(quantity.stride as usize, "place")
    ));
    format!(
        "{} to {}, {}: {}",
        words::fact(words, first),
        words::fact(words, last),
        count(quantity.facts.len(), "value"),
        parts.join(", ")
    )
}

pub fn json(profile: &Profile) -> Value {
    let words = &profile.compiled.logic.words;
    let quantities = profile.numbers.quantities.iter().map(|quantity| {
        let facts = quantity.facts.iter().map(|&fact| words::fact(words, fact));
        json!({
            "facts": facts.collect::<Vec<_>>(),
            "exclusive": words::evidence_json(quantity.exclusive),
            "owner": quantity.owner.map(|role| words::role(words, role.into())),
            "direction": match quantity.direction {
                Direction::Forward => "forward",
                Direction::Both => "both",
            },
            "evidence": words::evidence_json(quantity.evidence),
            "stride_seen": quantity.stride,
            "seen": quantity.seen,
            "initial": quantity.initial,
            "control": quantity.control,
        })
    });
    Value::Array(quantities.collect())
}
