//! Finds ordered values: numbers, and constants that the rules chain together.

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
    let chain = chains.iter().find(holds)?;
    let inside = |name: &String| values.contains(name.as_str());
    let first = chain.iter().position(inside)?;
    let last = chain.iter().rposition(inside)?;
    let part = &chain[first..=last];
    (part.len() <= LONGEST).then(|| part.to_vec())
}
