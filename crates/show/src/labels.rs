//! Short texts that stand for things on a board.

use std::collections::BTreeMap;

/// Short texts that distinguish the things: the things themselves if short, otherwise the initials
/// of their words or letters of their names.
pub(crate) fn labels<'a>(things: impl Iterator<Item = &'a str>) -> BTreeMap<String, String> {
    let mut labels = BTreeMap::new();
    let mut long = Vec::new();
    for thing in things {
        if thing.chars().count() <= 2 && thing != "." {
            labels.insert(thing.to_string(), thing.to_string());
        } else {
            long.push(thing);
        }
    }
    for thing in long {
        let free = |label: &String| !labels.values().any(|taken| taken == label);
        let own = thing.chars().filter(|c| c.is_alphanumeric());
        let letter = initials(thing)
            .into_iter()
            .chain(own.map(|c| c.to_string()))
            .chain(('A'..='Z').map(|c| c.to_string()))
            .find(free);
        let label = letter.unwrap_or_else(|| thing.chars().take(8).collect());
        labels.insert(thing.to_string(), label);
    }
    labels
}

/// For a name of two words, such as `white knight`: the initial of the first with each letter of
/// the second, so that knights beside kings are `wn`.
fn initials(thing: &str) -> Vec<String> {
    let words: Vec<&str> = thing.split([' ', '_', '-']).collect();
    let [first, second] = words[..] else {
        return Vec::new();
    };
    let Some(initial) = first.chars().next() else {
        return Vec::new();
    };
    let letters = second.chars().filter(|c| c.is_alphanumeric());
    letters.map(|letter| format!("{initial}{letter}")).collect()
}
