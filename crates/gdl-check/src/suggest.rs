//! Suggests names that the author may have meant.

/// Maximum number of candidates examined. No rulesheet written by people has as many names.
const MOST: usize = 2000;

/// The candidate whose spelling is closest to `name`, if any is close.
pub(crate) fn closest<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let limit = match name.chars().count() {
        0..=2 => 0,
        3..=5 => 1,
        6..=60 => 2,
        _ => return None,
    };
    let folded = name.to_lowercase();
    candidates
        .into_iter()
        .take(MOST)
        .filter(|candidate| *candidate != name && candidate.len() <= 4 * 62)
        .map(|candidate| (distance(&folded, &candidate.to_lowercase()), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// The number of characters to insert, remove, replace, or exchange with their neighbours.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > 2 {
        return a.len().abs_diff(b.len());
    }
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before_last[j - 2] + 1);
            }
            row.push(best);
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closest_name_is_found() {
        let names = ["cell", "control", "succ", "x", "Line"];
        for (name, meant) in [
            ("cel", Some("cell")),
            ("contorl", Some("control")),
            ("sucessor", None),
            ("line", Some("Line")),
            ("y", None),
            ("lime", Some("Line")),
        ] {
            assert_eq!(closest(name, names), meant, "{name}");
        }
    }

    #[test]
    fn the_distance_counts_edits() {
        for (a, b, edits) in [
            ("", "", 0),
            ("ab", "ba", 1),
            ("cell", "call", 1),
            ("a", "abc", 2),
        ] {
            assert_eq!(distance(a, b), edits, "{a} {b}");
        }
    }
}
