//! Random rulesheets: every form that the syntax tree can take, whether or not it makes sense.

use gdl_parse::{ParseOptions, Rulesheet, parse};
use proptest::collection::vec;
use proptest::prelude::*;

/// The configuration of property tests: failing cases are stored beside the test, to be
/// committed.
pub fn config() -> ProptestConfig {
    ProptestConfig {
        failure_persistence: Some(Box::new(
            proptest::test_runner::FileFailurePersistence::WithSource("regressions"),
        )),
        ..ProptestConfig::default()
    }
}

/// Names of constants, functions, relations and variables: unusual ones, numbers, and some that
/// differ only in case.
fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-d]",
        1 => "[A-D]",
        1 => "[0-9]{1,3}",
        1 => "[a-z][a-z0-9_]{0,12}",
        1 => Just("+".to_owned()),
        1 => Just("é-λ".to_owned()),
    ]
    .prop_map(|name| match gdl_parse::Keyword::from_name(&name) {
        Some(_) => format!("{name}1"),
        None => name,
    })
}

fn list(name: &str, items: &[String]) -> String {
    match items {
        [] => name.to_owned(),
        _ => format!("({name} {})", items.join(" ")),
    }
}

/// Terms, with variables.
pub fn term() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![3 => name(), 2 => name().prop_map(|name| format!("?{name}"))];
    leaf.prop_recursive(4, 16, 3, |inner| {
        (name(), vec(inner, 1..4)).prop_map(|(name, args)| list(&name, &args))
    })
}

/// Terms without variables.
pub fn ground_term() -> impl Strategy<Value = String> {
    name().prop_recursive(4, 16, 3, |inner| {
        (name(), vec(inner, 1..4)).prop_map(|(name, args)| list(&name, &args))
    })
}

/// Atoms of keywords and of other relations.
fn atom() -> impl Strategy<Value = String> {
    let unary = prop::sample::select(vec!["role", "init", "true", "next", "base"]);
    let binary = prop::sample::select(vec!["does", "legal", "goal", "input"]);
    prop_oneof![
        4 => (name(), vec(term(), 0..4)).prop_map(|(name, args)| list(&name, &args)),
        3 => (unary, term()).prop_map(|(name, arg)| format!("({name} {arg})")),
        2 => (binary, term(), term()).prop_map(|(name, a, b)| format!("({name} {a} {b})")),
        1 => Just("terminal".to_owned()),
    ]
}

/// Conditions of rules.
fn literal() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        4 => atom(),
        1 => (term(), term()).prop_map(|(a, b)| format!("(distinct {a} {b})")),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        let connective = prop::sample::select(vec!["or", "and"]);
        prop_oneof![
            inner.clone().prop_map(|inner| format!("(not {inner})")),
            (connective, vec(inner, 1..4)).prop_map(|(name, items)| list(name, &items)),
        ]
    })
}

/// The text of a rulesheet in the form of the compact printer: one rule per line, single
/// spaces. Like every game, it contains at least one rule with a condition.
pub fn rulesheet_text() -> impl Strategy<Value = String> {
    let rule = (atom(), vec(literal(), 0..4)).prop_map(|(head, body)| match body.as_slice() {
        [] => head,
        _ => format!("(<= {head} {})", body.join(" ")),
    });
    vec(rule, 2..12).prop_map(|rules| rules.join("\n") + "\n(<= terminal (true done))\n")
}

/// A random rulesheet.
pub fn rulesheet() -> impl Strategy<Value = Rulesheet> {
    rulesheet_text().prop_map(|text| parse(&text, &ParseOptions::default()).sheet)
}

/// Text that is nearly a rulesheet: its words and parentheses in any order, with comments,
/// unusual characters and unfinished lists.
pub fn near_rulesheet() -> impl Strategy<Value = String> {
    let words = [
        "(",
        "(",
        "(",
        ")",
        ")",
        ")",
        "(<= ",
        "<=",
        "?x",
        "?",
        "role",
        "ROLE",
        "true",
        "does",
        "next",
        "init",
        "legal",
        "goal",
        "terminal",
        "base",
        "input",
        "not",
        "or",
        "and",
        "distinct",
        "a",
        "b",
        "1",
        "(a b)",
        "(role a)",
        "(true (p ?x))",
        "(not (true p))",
        "; comment\n",
        "\n",
        "\0",
        "é",
        "<=terminal",
        "((",
        "))",
    ];
    vec(prop::sample::select(words.to_vec()), 0..60).prop_map(|words| words.join(" "))
}

/// The same text with other white space, and with comments between words.
pub fn noisy(text: &str, mut noise: impl FnMut() -> u32) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            ' ' | '\n' | '(' | ')' => {
                let before = if c == '(' {
                    ["", " ", "\n", "\t; (\n"]
                } else {
                    ["", " ", "\r\n", " ;)\n"]
                };
                out.push_str(before[noise() as usize % 4]);
                out.push(c);
            }
            _ => out.push(c),
        }
    }
    out
}
