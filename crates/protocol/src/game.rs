//! The game in START and PREVIEW: rules, and clocks around them.
//!
//! The usual form is one list of rules and the clocks behind it. Older programs, and the
//! examples of the old specification, write the rules without a list of their own; others send
//! them as a string, or the clocks first or as text. All of these have one possible meaning.

use crate::MessageError;
use gdl_parse::{Limits, Sexpr, read_all};
use std::time::Duration;

/// The longest clock that is accepted, ten days. A longer one only means that there is plenty
/// of time.
const LONGEST_CLOCK: Duration = Duration::from_secs(10 * 24 * 60 * 60);

/// Splits the arguments of `message` into the text of the rules and the clocks of these names.
///
/// # Errors
/// If rules or a clock are missing, or cannot be told from each other.
pub(crate) fn split<const N: usize>(
    message: &'static str,
    source: &str,
    items: &[Sexpr<'_>],
    names: [&'static str; N],
) -> Result<(String, [Duration; N]), MessageError> {
    let bad = |what, text: &str| MessageError::bad(message, what, text);
    let missing = |missing| MessageError::Missing { message, missing };
    let items = flat(items);
    let Some(first) = items.first() else {
        return Err(missing("rules"));
    };
    if let Some((rules, clocks)) = divide(&items) {
        return match rules_text(source, rules) {
            Ok(text) => Ok((text, clocks)),
            Err(text) => Err(bad("rules", text)),
        };
    }
    let given = items
        .iter()
        .rev()
        .take_while(|item| clock_of(item).is_some());
    match (first, items.get(1)) {
        // A list that ends with the clocks: its own parenthesis is missing.
        (Sexpr::List(inner, _), None) if divide::<N>(&flat(inner)).is_some() => {
            split(message, source, inner, names)
        }
        (Sexpr::List(inner, _), None) => {
            let given = inner
                .iter()
                .rev()
                .take_while(|item| clock_of(item).is_some());
            Err(missing(names[given.count().min(N - 1)]))
        }
        (Sexpr::List(..), Some(Sexpr::Word(..))) => {
            let clocks = items[1..].iter().take(N);
            let valid = clocks.take_while(|item| clock_of(item).is_some()).count();
            match items.get(1 + valid) {
                Some(item) => Err(bad(names[valid], item.span().text(source))),
                None => Err(missing(names[valid])),
            }
        }
        (Sexpr::List(..), Some(Sexpr::List(..))) => Err(missing(names[given.count().min(N - 1)])),
        (Sexpr::Word(word, _), _) => Err(bad("rules", word)),
    }
}

/// The rules among the items, and the clocks.
fn divide<'a, 'b, const N: usize>(
    items: &'b [&'b Sexpr<'a>],
) -> Option<(&'b [&'b Sexpr<'a>], [Duration; N])> {
    let clocks = |at: usize| {
        let mut found = [Duration::ZERO; N];
        for (i, clock) in found.iter_mut().enumerate() {
            *clock = clock_of(items.get(at + i)?)?;
        }
        Some(found)
    };
    if let (Some(Sexpr::List(..)), Some(found)) = (items.first(), clocks(1)) {
        // Whatever follows the usual form is ignored.
        return Some((&items[..1], found));
    }
    if let (Some(found), true) = (clocks(0), items.len() > N) {
        return Some((&items[N..], found));
    }
    let mut last = (1..items.len()).rev();
    last.find_map(|at| Some((&items[..at], clocks(at)?)))
}

/// The items, with lists that hold only clocks replaced by these.
fn flat<'a, 'b>(items: &'b [Sexpr<'a>]) -> Vec<&'b Sexpr<'a>> {
    let mut flat = Vec::with_capacity(items.len());
    for item in items {
        match item {
            Sexpr::List(inner, _)
                if !inner.is_empty()
                    && inner.iter().all(|item| {
                        matches!(item, Sexpr::Word(..)) && clock_of(item).is_some()
                    }) =>
            {
                flat.extend(inner);
            }
            item => flat.push(item),
        }
    }
    flat
}

/// The time that a word denotes: seconds, or a number with a unit, perhaps in quotes.
fn clock_of(item: &Sexpr<'_>) -> Option<Duration> {
    let Sexpr::Word(word, _) = item else {
        return None;
    };
    let text = word.trim_matches(['"', '\'']).to_ascii_lowercase();
    let units = [
        ("ms", 0.001),
        ("seconds", 1.0),
        ("secs", 1.0),
        ("sec", 1.0),
        ("s", 1.0),
    ];
    let (number, unit) = units
        .into_iter()
        .find_map(|(name, unit)| Some((text.strip_suffix(name)?, unit)))
        .unwrap_or((&text, 1.0));
    let seconds: f64 = number
        .parse()
        .ok()
        .filter(|number: &f64| !number.is_nan())?;
    let seconds = (seconds * unit).clamp(0.0, LONGEST_CLOCK.as_secs_f64());
    Some(Duration::from_secs_f64(seconds))
}

/// The text of these expressions, which must hold a list.
///
/// # Errors
/// What is there instead.
fn rules_text<'a>(source: &'a str, rules: &[&Sexpr<'_>]) -> Result<String, &'a str> {
    let (Some(first), Some(last)) = (rules.first(), rules.last()) else {
        return Err("");
    };
    let text = first.span().to(last.span()).text(source);
    if matches!(first, Sexpr::Word(word, _) if !word.starts_with(['"', '\''])) {
        return Err(text);
    }
    let closed = |rule: &&&Sexpr<'_>| match rule {
        Sexpr::List(_, span) => span.text(source).ends_with(')'),
        Sexpr::Word(..) => false,
    };
    match rules.iter().rfind(|rule| matches!(rule, Sexpr::List(..))) {
        // Between rules without a list around them nothing may be closed that was not opened.
        Some(_) if rules.len() > 1 && !read_all(text, &Limits::default()).1.is_empty() => Err(text),
        Some(list) if closed(&list) => Ok(unquoted(text)),
        Some(list) => Err(list.span().text(source)),
        None => Err(text),
    }
}

/// The contents of a string in quotes, with escapes resolved; any other text as it is.
fn unquoted(text: &str) -> String {
    let inner = ['"', '\''].iter().find_map(|&quote| {
        let inner = text.strip_prefix(quote)?.strip_suffix(quote)?;
        Some(inner.trim())
    });
    let Some(inner) = inner else {
        return text.to_string();
    };
    let mut plain = String::with_capacity(inner.len());
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        match (c, chars.as_str().chars().next()) {
            ('\\', Some(escaped @ ('n' | 'r' | 't' | '"' | '\'' | '\\'))) => {
                plain.push(match escaped {
                    'n' | 'r' => '\n',
                    't' => ' ',
                    quoted => quoted,
                });
                chars.next();
            }
            (c, _) => plain.push(c),
        }
    }
    plain
}
