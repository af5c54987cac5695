//! States and joint moves as texts.

use gdl_parse::{Limits, Sexpr, read_all};

/// A list of terms as records write states: `( (at 1) (at 2) )`.
pub(super) fn list_of(terms: Vec<String>) -> String {
    match terms.is_empty() {
        true => "( )".into(),
        false => format!("( {} )", terms.join(" ")),
    }
}

/// A state, with the list around its facts if that was left out. A text whose parentheses do not
/// balance stays as it is, since another list would be added whenever it is read.
pub(super) fn state(text: &str) -> String {
    let (exprs, problems) = read_all(text, &Limits::default());
    let text = text.trim();
    match exprs.len() > 1 && problems.is_empty() {
        true => format!("( {text} )"),
        false => text.to_string(),
    }
}

/// The moves in the text of a joint move of `count` roles, if that is known: `( (go 1) noop )`,
/// `(go 1) noop`, or one move where a role plays alone.
pub(super) fn joint(text: &str, count: Option<usize>) -> Vec<String> {
    let (exprs, _) = read_all(text, &Limits::default());
    let list = match exprs.as_slice() {
        [Sexpr::List(items, _)] => match items.first() {
            Some(Sexpr::List(..)) => items.as_slice(),
            // `(noop noop)` is a term too; only the number of roles tells.
            _ if count.is_some_and(|count| count > 1 && count == items.len()) => items.as_slice(),
            _ => exprs.as_slice(),
        },
        exprs => exprs,
    };
    let own = |expr: &Sexpr<'_>| expr.span().text(text).to_string();
    match list.is_empty() {
        true => vec![text.trim().to_string()],
        false => list.iter().map(own).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joint_moves_are_split() {
        for (text, count, moves) in [
            ("( (go 1) noop )", Some(2), &["(go 1)", "noop"][..]),
            ("((go 1) noop)", None, &["(go 1)", "noop"]),
            ("(noop noop)", Some(2), &["noop", "noop"]),
            ("( go 2 )", Some(1), &["( go 2 )"]),
            ("(go 2)", None, &["(go 2)"]),
            ("noop", None, &["noop"]),
            ("(go 1) noop", None, &["(go 1)", "noop"]),
            ("", None, &[""]),
        ] {
            assert_eq!(joint(text, count), moves, "{text:?} of {count:?}");
        }
    }

    #[test]
    fn states_have_a_list_around_their_facts() {
        for (text, whole) in [
            (" ( (at 1) ) ", "( (at 1) )"),
            ("(at 1) (at 2)", "( (at 1) (at 2) )"),
            ("()", "()"),
            ("", ""),
            ("(at 1)) (at 2)", "(at 1)) (at 2)"),
        ] {
            assert_eq!(state(text), whole, "{text:?}");
        }
        assert_eq!(list_of(vec![]), "( )");
        assert_eq!(list_of(vec!["a".into(), "(b 1)".into()]), "( a (b 1) )");
    }
}
