//! Mutations of rulesheets that keep them trees: expressions are dropped, repeated, exchanged,
//! wrapped and replaced.
//!
//! Fuzzers change bytes, and nearly every changed rulesheet is one with a missing parenthesis.
//! Changed trees are still read as rules, so that what comes after the parser is reached.

use gdl_parse::{Limits, Sexpr, Span, read_all};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Words that mean something, and shapes of which the language has few.
const WORDS: &[&str] = &[
    "role",
    "init",
    "true",
    "does",
    "next",
    "legal",
    "goal",
    "terminal",
    "base",
    "input",
    "not",
    "or",
    "and",
    "distinct",
    "<=",
    "sees",
    "random",
    "nil",
    "0",
    "1",
    "7",
    "50",
    "100",
    "101",
    "?x",
    "?y",
    "a",
    "f",
    "(f a)",
    "(f ?x)",
    "(f (f ?x))",
    "()",
    "(or)",
    "(not)",
    "(true ?x)",
    "(role ?x)",
];

/// What is put around an expression: the text before and behind it.
const WRAPS: &[(&str, &str)] = &[
    ("(not ", ")"),
    ("(or ", " (true a))"),
    ("(and ", ")"),
    ("(f ", ")"),
    ("(true ", ")"),
    ("(next ", ")"),
    ("(<= ", ")"),
    ("(", ")"),
    ("(distinct a ", ")"),
];

/// A changed rulesheet of at most `longest` bytes. The same seed gives the same change. Text
/// without an expression stays as it is.
pub fn rules(text: &str, longest: usize, seed: u64) -> String {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut text = text.to_owned();
    for _ in 0..rng.random_range(1..=3) {
        let Some(changed) = change(&text, &mut rng) else {
            break;
        };
        if changed.len() <= longest {
            text = changed;
        }
    }
    text
}

/// Changes the first `size` bytes of `data` in place, to at most `longest` bytes, in the form
/// that fuzzers ask for. One change in eight is left to `damage`, which changes bytes. Returns
/// the new size.
pub fn in_place(
    data: &mut [u8],
    size: usize,
    longest: usize,
    seed: u32,
    damage: impl FnOnce(&mut [u8], usize, usize) -> usize,
) -> usize {
    let text = std::str::from_utf8(&data[..size]).unwrap_or_default();
    if seed.is_multiple_of(8) || text.is_empty() {
        return damage(data, size, longest);
    }
    let changed = rules(text, longest, u64::from(seed));
    data[..changed.len()].copy_from_slice(changed.as_bytes());
    changed.len()
}

fn change(text: &str, rng: &mut Xoshiro256PlusPlus) -> Option<String> {
    let (exprs, _) = read_all(text, &Limits::default());
    let mut spans = Vec::new();
    for expr in &exprs {
        collect(expr, &mut spans);
    }
    let here = *spans.choose(rng)?;
    let other = spans.choose(rng)?.text(text);
    let own = here.text(text);
    let new = match rng.random_range(0..8) {
        0 => String::new(),
        1 => format!("{own} {own}"),
        2 => format!("{other} {own}"),
        3 | 4 => other.to_owned(),
        5 => {
            let (before, behind) = WRAPS.choose(rng)?;
            format!("{before}{own}{behind}")
        }
        6 => (*WORDS.choose(rng)?).to_owned(),
        // The list without its parentheses.
        _ => own
            .strip_prefix('(')?
            .strip_suffix(')')
            .unwrap_or(own)
            .to_owned(),
    };
    let (start, end) = (here.start as usize, here.end as usize);
    Some(format!("{}{new}{}", &text[..start], &text[end..]))
}

fn collect(expr: &Sexpr<'_>, spans: &mut Vec<Span>) {
    spans.push(expr.span());
    if let Sexpr::List(items, _) = expr {
        for item in items {
            collect(item, spans);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_rulesheets_are_still_read_and_differ() {
        let text = testkit::games::random_game(3);
        let (mut read, mut same) = (0, 0);
        for seed in 0..200 {
            let changed = rules(&text, 10_000, seed);
            assert_eq!(changed, rules(&text, 10_000, seed));
            let parsed = gdl_parse::parse(&changed, &Default::default());
            read += usize::from(parsed.sheet.rules.len() > 5);
            same += usize::from(changed == text);
        }
        assert!(read > 150, "{read} of 200 were read");
        assert!(same < 40, "{same} of 200 were not changed");
    }

    #[test]
    fn changes_respect_the_length() {
        let mut text = testkit::games::random_game(3);
        let longest = text.len() + 100;
        for seed in 0..300 {
            text = rules(&text, longest, seed);
            assert!(text.len() <= longest);
        }
        assert_eq!(rules("", 100, 1), "");
    }
}
