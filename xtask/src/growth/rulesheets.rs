//! Games of any size, generated from our fixtures.
//!
//! The rules of a board game are valid for any board; only some facts define its size. The
//! lines of these facts are removed from a fixture and generated for the requested size.

use std::fmt::Write;

/// A family of games that differ only in size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// Breakthrough on square boards.
    Breakthrough,
    /// Connect four on boards with more columns and rows.
    ConnectFour,
    /// Hex on square boards; its growth is not measured.
    Hex,
}

/// Columns and rows.
pub type Size = (usize, usize);

const BREAKTHROUGH: &str = include_str!("../../../fixtures/games/breakthrough.gdl");
const CONNECT_FOUR: &str = include_str!("../../../fixtures/games/connect_four.gdl");
const HEX: &str = include_str!("../../../fixtures/games/hex.gdl");

impl Family {
    /// The families whose growth is measured.
    pub const ALL: [Family; 2] = [Family::Breakthrough, Family::ConnectFour];

    /// The name of the family.
    pub fn name(self) -> &'static str {
        match self {
            Family::Breakthrough => "breakthrough",
            Family::ConnectFour => "connect_four",
            Family::Hex => "hex",
        }
    }

    /// The sizes at which growth is measured.
    pub fn sizes(self) -> &'static [Size] {
        match self {
            Family::Breakthrough => &[(6, 6), (8, 8), (12, 12), (16, 16), (24, 24)],
            Family::ConnectFour => &[(7, 6), (10, 9), (14, 12), (20, 18), (28, 24)],
            Family::Hex => &[(9, 9)],
        }
    }

    /// The rules of `NAME_WxH`, such as `connect_four_8x6`, if there is such a family.
    pub fn rules_of(name: &str) -> Option<String> {
        let (name, size) = name.rsplit_once('_')?;
        let (columns, rows) = size.split_once('x')?;
        let size = (columns.parse().ok()?, rows.parse().ok()?);
        let families = [Family::Breakthrough, Family::ConnectFour, Family::Hex];
        let family = families.into_iter().find(|own| own.name() == name)?;
        Some(family.rules(size))
    }

    /// The rules for a size.
    pub fn rules(self, size: Size) -> String {
        let (columns, rows) = size;
        match self {
            Family::Breakthrough => {
                let kept = without(BREAKTHROUGH, &["(index", "(succ", "(home", "(far_rank"]);
                let last = columns.max(rows);
                kept + &numbers("index", last)
                    + &successors(last)
                    + &format!(
                        "(home white 1) (home white 2) (home black {}) (home black {rows})\n\
                         (far_rank white {rows}) (far_rank black 1)\n",
                        rows - 1
                    )
            }
            Family::ConnectFour => {
                let kept = without(CONNECT_FOUR, &["(column", "(row", "(top", "(succ"]);
                kept + &numbers("column", columns)
                    + &numbers("row", rows)
                    + &format!("(top {rows})\n")
                    + &successors(columns.max(rows))
            }
            Family::Hex => {
                // The far edges are the heads of rules.
                let far = HEX.replace("?x 9)", &format!("?x {rows})"));
                let far = far.replace("blue 9 ", &format!("blue {rows} "));
                without(&far, &["(index", "(succ"]) + &numbers("index", rows) + &successors(rows)
            }
        }
    }
}

/// The text without the lines that begin with one of `beginnings`. Rules begin otherwise, and
/// their conditions are indented.
fn without(text: &str, beginnings: &[&str]) -> String {
    let begins = |line: &str, with: &str| line.split(' ').next() == Some(with);
    let kept = text
        .lines()
        .filter(|line| !beginnings.iter().any(|with| begins(line, with)));
    kept.flat_map(|line| [line, "\n"]).collect()
}

fn numbers(relation: &str, last: usize) -> String {
    (1..=last).fold(String::new(), |mut text, number| {
        let _ = writeln!(text, "({relation} {number})");
        text
    })
}

fn successors(last: usize) -> String {
    (1..last).fold(String::new(), |mut text, number| {
        let _ = writeln!(text, "(succ {number} {})", number + 1);
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::signature::of_rules;
    use prepare::EngineChoice;

    #[test]
    fn the_original_size_gives_the_original_game() {
        for (family, size, text) in [
            (Family::Breakthrough, (8, 8), BREAKTHROUGH),
            (Family::ConnectFour, (7, 6), CONNECT_FOUR),
            (Family::Hex, (9, 9), HEX),
        ] {
            let play = |rules: &str| of_rules(rules, EngineChoice::Propnet, 1).unwrap();
            assert_eq!(play(&family.rules(size)), play(text), "{}", family.name());
            assert_ne!(play(&family.rules((5, 5))), play(text), "{}", family.name());
        }
    }

    #[test]
    fn every_fact_is_generated_once() {
        for family in Family::ALL {
            for &size in family.sizes() {
                let rules = family.rules(size);
                let facts = rules.lines().filter(|line| line.starts_with('('));
                let mut facts: Vec<&str> = facts.filter(|line| !line.starts_with("(<=")).collect();
                let count = facts.len();
                facts.sort_unstable();
                facts.dedup();
                assert_eq!(facts.len(), count, "{} {size:?}", family.name());
                let next = format!("(succ {} {})", size.0 - 1, size.0);
                assert_eq!(
                    rules.matches(&next).count(),
                    1,
                    "{} {size:?}",
                    family.name()
                );
            }
        }
    }
}
