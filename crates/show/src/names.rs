//! Squares with one name each, such as `a1` and `c12`: a letter and a number.

use crate::layout::Fact;
use gdl_parse::GroundTerm;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The constants of a game that name squares by themselves.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names(Arc<BTreeSet<String>>);

impl Names {
    /// Finds them in sampled states: where an argument of a relation is always a letter and a
    /// number, of which there are several each, in many of their combinations.
    pub(crate) fn find(states: &[Vec<GroundTerm>]) -> Names {
        let none = Names::default();
        let mut places: BTreeMap<(String, usize), BTreeSet<String>> = BTreeMap::new();
        for fact in states.iter().flatten().map(|term| Fact::of(term, &none)) {
            for (position, arg) in fact.args.into_iter().enumerate() {
                let place = (fact.shape.clone(), position);
                places.entry(place).or_default().insert(arg);
            }
        }
        let grids = places.into_values().filter(is_grid);
        Names(Arc::new(grids.flatten().collect()))
    }

    /// The column and the row of a square's name; `None` for any other constant.
    pub fn parts<'a>(&self, name: &'a str) -> Option<(&'a str, &'a str)> {
        parts(name).filter(|_| self.0.contains(name))
    }
}

fn parts(name: &str) -> Option<(&str, &str)> {
    let letter = name.starts_with(|c: char| c.is_ascii_lowercase());
    let (letter, number) = name.split_at_checked(1).filter(|_| letter)?;
    let digits = number.bytes().all(|byte| byte.is_ascii_digit());
    let plain = (1..=2).contains(&number.len()) && digits && !number.starts_with('0');
    plain.then_some((letter, number))
}

fn is_grid(values: &BTreeSet<String>) -> bool {
    let all: Option<Vec<(&str, &str)>> = values.iter().map(|name| parts(name)).collect();
    let Some(all) = all else { return false };
    let letters: BTreeSet<&str> = all.iter().map(|(letter, _)| *letter).collect();
    let numbers: BTreeSet<&str> = all.iter().map(|(_, number)| *number).collect();
    let (across, up) = (letters.len(), numbers.len());
    across > 1 && up > 1 && all.len() > across.max(up) && 3 * all.len() > across * up
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(facts: &str) -> Names {
        let terms = facts.split(';').map(|fact| fact.parse().expect("a fact"));
        Names::find(&[terms.collect()])
    }

    #[test]
    fn letters_with_numbers_name_squares_if_both_vary() {
        let board = names("(cell a1 red); (cell a2 blue); (cell b1 red); (cell b3 blank)");
        assert_eq!(board.parts("b3"), Some(("b", "3")));
        assert_eq!((board.parts("red"), board.parts("c1")), (None, None));
        for other in [
            "(pit p1 s3); (pit p2 s3); (pit p3 s1)",
            "(cell a1 red); (cell b2 red); (cell c3 red)",
            "(cell a1 red); (cell b2 red); (cell store red); (cell a2 red)",
        ] {
            assert_eq!(names(other), Names::default(), "{other}");
        }
    }
}
