//! Permutations that leave the game unchanged.

use crate::page::Page;
use crate::words;
use profile::Profile;
use profile::symmetries::Symmetry;
use serde_json::{Map, Value, json};

/// Maximum number of facts in the text on a generator.
const EXAMPLES: usize = 3;

pub fn text(profile: &Profile, page: &mut Page) {
    let symmetries = &profile.symmetries;
    page.begin("symmetries");
    if symmetries.generators.is_empty() {
        page.line("none found");
        return;
    }
    let mut line = format!("{}, the identity included", symmetries.order);
    let kept = [
        (symmetries.fixing_initial, "the initial state"),
        (symmetries.fixing_roles, "roles"),
    ];
    for (count, what) in kept {
        if let Some(count) = count {
            line.push_str(&format!("; {count} keep {what}"));
        }
    }
    page.line(line);
    page.line("all are made of these:");
    for generator in &symmetries.generators {
        page.line(format!("  {}", told(profile, generator)));
    }
}

/// Formats a symmetry: `(cell 1 1 b) to (cell 3 1 b), ...; exchanges roles; proved`.
fn told(profile: &Profile, symmetry: &Symmetry) -> String {
    let words = &profile.compiled.logic.words;
    let moved: Vec<(u32, u32)> = moved(symmetry).collect();
    let examples = moved.iter().take(EXAMPLES);
    let examples: Vec<String> = examples
        .map(|&(from, to)| format!("{} to {}", words::fact(words, from), words::fact(words, to)))
        .collect();
    let mut parts = vec![format!(
        "moves {} facts: {}",
        moved.len(),
        examples.join(", ")
    )];
    if exchanges(symmetry) {
        let roles = symmetry.roles.iter().enumerate();
        let roles = roles.map(|(from, &to)| {
            format!(
                "{} to {}",
                words::role(words, from),
                words::role(words, to.into())
            )
        });
        parts.push(format!("roles: {}", roles.collect::<Vec<_>>().join(", ")));
    }
    parts.push(words::evidence(symmetry.agrees));
    parts.join("; ")
}

fn moved(symmetry: &Symmetry) -> impl Iterator<Item = (u32, u32)> + '_ {
    let facts = (0..).zip(&symmetry.facts).map(|(from, &to)| (from, to));
    facts.filter(|(from, to)| from != to)
}

fn exchanges(symmetry: &Symmetry) -> bool {
    let mut roles = symmetry.roles.iter().enumerate();
    roles.any(|(from, &to)| from != usize::from(to))
}

pub fn json(profile: &Profile) -> Value {
    let (symmetries, words) = (&profile.symmetries, &profile.compiled.logic.words);
    let generators = symmetries.generators.iter().map(|symmetry| {
        let facts = moved(symmetry);
        let facts: Map<String, Value> = facts
            .map(|(from, to)| (words::fact(words, from), json!(words::fact(words, to))))
            .collect();
        json!({
            "facts": facts,
            "roles": symmetry.roles,
            "fixes_initial": symmetry.fixes_initial,
            "sure": words::evidence_json(symmetry.agrees),
        })
    });
    // Numbers larger than JSON can hold are written as text.
    json!({
        "order": symmetries.order.to_string(),
        "fixing_initial": symmetries.fixing_initial.map(|count| count.to_string()),
        "fixing_roles": symmetries.fixing_roles.map(|count| count.to_string()),
        "generators": generators.collect::<Vec<_>>(),
    })
}
