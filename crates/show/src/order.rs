//! Finds ordered values: numbers, constants that the rules chain together, and names that count.

use gdl_parse::{Rulesheet, Term};
use std::collections::{BTreeMap, BTreeSet};

/// The maximum length of a board's side. Longer sequences count something else, such as steps.
const LONGEST: usize = 40;

/// The sequences of constants that a rulesheet defines, the longest first.
///
/// They come from every binary relation given by facts alone in which each constant has at most
/// one successor and one predecessor, such as `(next_file a b) (next_file b c)`.
pub fn chains(sheet: &Rulesheet) -> Vec<Vec<String>> {
    let mut edges: BTreeMap<_, Vec<(&str, &str)>> = BTreeMap::new();
    let mut others = BTreeSet::new();
    for rule in &sheet.rules {
        let relation = rule.head.relation;
        match rule.head.args.as_slice() {
            [Term::Constant(from, _), Term::Constant(to, _)] if rule.body.is_empty() => {
                let edge = (sheet.symbols.name(*from), sheet.symbols.name(*to));
                edges.entry(relation).or_default().push(edge);
            }
            _ => drop(others.insert(relation)),
        }
    }
    edges.retain(|relation, _| !others.contains(relation));
    let mut chains: Vec<_> = edges.values().flat_map(|edges| paths(edges)).collect();
    chains.sort_by_key(|chain| std::cmp::Reverse(chain.len()));
    chains
}

/// The paths that the edges form. Empty if they branch. A circle, as of the files of a board on a
/// cylinder, is cut before its first edge in the rules.
fn paths(edges: &[(&str, &str)]) -> Vec<Vec<String>> {
    /// Fewer are opposites, such as two players.
    const CIRCLE: usize = 3;
    let mut after = BTreeMap::new();
    let mut before = BTreeSet::new();
    for &(from, to) in edges {
        if after.insert(from, to).is_some() || !before.insert(to) {
            return Vec::new();
        }
    }
    let mut seen = BTreeSet::new();
    let starts = after.keys().filter(|from| !before.contains(*from)).copied();
    let mut paths = Vec::new();
    for start in starts.chain(edges.iter().map(|edge| edge.0)) {
        let in_circle = before.contains(start);
        let mut path = Vec::new();
        let mut at = Some(start);
        while let Some(value) = at.filter(|value| seen.insert(*value)) {
            path.push(value.to_string());
            at = after.get(value).copied();
        }
        if path.len() > 1 && (!in_circle || path.len() >= CIRCLE) {
            paths.push(path);
        }
    }
    paths
}

/// The values in order, with gaps filled. `None` if they have no order or are more than a
/// board's side.
pub(crate) fn ordered(values: &BTreeSet<&str>, chains: &[Vec<String>]) -> Option<Vec<String>> {
    if values.len() < 2 {
        return None;
    }
    let numbers: Option<BTreeSet<i64>> = values.iter().map(|value| value.parse().ok()).collect();
    if let Some(numbers) = numbers {
        let (&low, &high) = (numbers.first()?, numbers.last()?);
        let whole = high.checked_sub(low)? < LONGEST as i64;
        return whole.then(|| (low..=high).map(|number| number.to_string()).collect());
    }
    let holds = |chain: &&Vec<String>| values.iter().all(|value| chain.iter().any(|c| c == value));
    let Some(chain) = chains.iter().find(holds) else {
        return counted(values);
    };
    let inside = |name: &String| values.contains(name.as_str());
    let first = chain.iter().position(inside)?;
    let last = chain.iter().rposition(inside)?;
    let part = &chain[first..=last];
    (part.len() <= LONGEST).then(|| part.to_vec())
}

/// Names in order that count by themselves, though no rule says so: letters of the alphabet
/// without gaps, or numbers behind the same word, such as `x1 x2 x3`.
fn counted(values: &BTreeSet<&str>) -> Option<Vec<String>> {
    let first = values.first()?;
    let in_row = |(at, value): (usize, &&str)| -> bool {
        matches!(value.as_bytes(), [letter @ b'a'..=b'z'] if usize::from(*letter) == at + usize::from(first.as_bytes()[0]))
    };
    if values.len() > 2 && values.iter().enumerate().all(in_row) {
        return Some(values.iter().map(ToString::to_string).collect());
    }
    let word = first.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = |value: &&str| -> Option<u32> {
        let digits = value.strip_prefix(word).filter(|_| !word.is_empty())?;
        digits
            .parse()
            .ok()
            .filter(|number: &u32| number.to_string() == digits)
    };
    let numbers: BTreeSet<u32> = values.iter().map(number).collect::<Option<_>>()?;
    let (&low, &high) = (numbers.first()?, numbers.last()?);
    let whole = high - low < LONGEST as u32;
    whole.then(|| {
        (low..=high)
            .map(|number| format!("{word}{number}"))
            .collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(values: &[&str]) -> Option<Vec<String>> {
        ordered(&values.iter().copied().collect(), &[])
    }

    #[test]
    fn names_that_count_are_in_order_without_rules() {
        let expect = |names: &str| Some(names.split(' ').map(str::to_owned).collect());
        assert_eq!(order(&["x10", "x8", "x9"]), expect("x8 x9 x10"));
        assert_eq!(order(&["y1", "y3"]), expect("y1 y2 y3"));
        assert_eq!(order(&["c", "b", "a"]), expect("a b c"));
        // Two letters may be anything, and so are letters with gaps and other names.
        for values in [
            ["a", "b"].as_slice(),
            &["a", "b", "x"],
            &["x1", "y2"],
            &["x1", "x01"],
            &["red", "blue"],
        ] {
            assert_eq!(order(values), None, "{values:?}");
        }
    }
}
