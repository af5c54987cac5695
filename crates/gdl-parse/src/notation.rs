//! Recognises files that are not rulesheets in prefix notation, so that they get one error that
//! names what they are instead of dozens that lead astray.

use crate::diagnostic::Diagnostic;
use crate::span::Span;

/// How much of a text is looked at.
const LOOK: usize = 64 << 10;

/// What a text is, if it is no rulesheet in prefix notation.
struct Other {
    /// What it is, in words.
    what: &'static str,
    /// What gave it away.
    mark: &'static str,
    help: &'static str,
}

/// How rules are to be written.
const PREFIX: &str = "write rules in prefix notation, as (<= (legal r m) (true f))";

/// Bytes at the beginning of files that are not text.
const BINARY: &[(&[u8], &str)] = &[
    (&[0x1f, 0x8b], "a gzip archive"),
    (b"PK\x03\x04", "a zip archive"),
    (b"BZh", "a bzip2 archive"),
    (&[0xfd, b'7', b'z', b'X', b'Z'], "an xz archive"),
    (b"%PDF", "a PDF document"),
    (&[0x89, b'P', b'N', b'G'], "a picture"),
    (&[0x7f, b'E', b'L', b'F'], "a program"),
];

/// The error for bytes that are no text in UTF-8, if it is known what they are.
pub(crate) fn of_bytes(bytes: &[u8]) -> Option<Diagnostic> {
    if let Some((_, what)) = BINARY.iter().find(|(begins, _)| bytes.starts_with(begins)) {
        let message = format!("this is {what}, not a rulesheet");
        return Some(error(
            Span::default(),
            message,
            "unpack it, or choose another file",
        ));
    }
    let zeros = bytes.iter().take(LOOK).filter(|&&byte| byte == 0).count();
    let wide = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
    // Half the bytes of Latin letters are zero.
    let looked = bytes.len().min(LOOK);
    (wide || looked > 8 && (looked / 3..=looked * 2 / 3).contains(&zeros)).then(|| {
        let message = "the text is UTF-16".to_owned();
        error(Span::default(), message, "save the file as UTF-8")
    })
}

/// The error for a text in another notation, or damaged on the way, if it is one.
pub(crate) fn of_text(source: &str) -> Option<Diagnostic> {
    let end = (0..=LOOK.min(source.len())).rev();
    let end = end.into_iter().find(|&at| source.is_char_boundary(at))?;
    let text = &source[..end];
    let other = damaged(text).or_else(|| notation(text))?;
    let at = text.find(other.mark).unwrap_or(0);
    let span = Span::new(at, at + other.mark.len());
    Some(error(span, other.what.to_owned(), other.help))
}

fn error(span: Span, message: String, help: &str) -> Diagnostic {
    Diagnostic::error("other-notation", span, message).with_help(help)
}

/// Rules in prefix notation that something has rewritten.
fn damaged(text: &str) -> Option<Other> {
    let prefix = text.contains("(<=");
    let of = |what, mark, help| Some(Other { what, mark, help });
    if !prefix && text.contains("&lt;=") {
        return of(
            "the text is HTML-escaped: `&lt;=` stands for `<=`",
            "&lt;=",
            "replace &lt; by <, &gt; by >, &amp; by & and &quot; by a double quote",
        );
    }
    if !prefix && (text.contains("%28role%20") || text.contains("%28init%20")) {
        return of(
            "the text is URL-encoded: `%28` stands for `(`",
            "%28",
            "decode it first",
        );
    }
    if text.contains("(<=3D") {
        return of(
            "the text is encoded as quoted-printable: `=3D` stands for `=`",
            "=3D",
            "decode it first",
        );
    }
    None
}

/// Another language.
fn notation(text: &str) -> Option<Other> {
    let body = significant(text);
    let of = |what, mark, help| Some(Other { what, mark, help });
    let begins = |text: &str| body.starts_with(text);
    if begins("(game \"") || begins("(define \"") {
        let mark = if begins("(game") { "(game" } else { "(define" };
        return of(
            "this is a game of Ludii (.lud), not a rulesheet in GDL",
            mark,
            "games of Ludii have to be written anew in GDL",
        );
    }
    if begins("(") {
        return None;
    }
    if begins("<") && !begins("<=") {
        let first = &body.as_bytes()[..body.len().min(5)];
        let html = first.eq_ignore_ascii_case(b"<html") || first.eq_ignore_ascii_case(b"<!doc");
        return match html {
            true => of(
                "this is a page in HTML",
                "<",
                "save the rulesheet itself, not its page",
            ),
            false => of("this is XML, not a rulesheet", "<", PREFIX),
        };
    }
    if begins("{") || begins("[") {
        let mark = if begins("{") { "{" } else { "[" };
        return of(
            "this is JSON, not a rulesheet",
            mark,
            "a match record is read by `rocinante replay`; a rulesheet is text",
        );
    }
    if begins("#players") || begins("#pieces") || begins("#variables") || begins("#board") {
        return of(
            "this is a game in RBG (regular boardgames), not a rulesheet in GDL",
            "#",
            "games in RBG have to be written anew in GDL",
        );
    }
    if begins("type ") && body.contains("begin") && body.contains("->") {
        return of(
            "this is a game in RG (regular games), not a rulesheet in GDL",
            "type ",
            "games in RG have to be written anew in GDL",
        );
    }
    infix(text, body)
}

/// Names with their arguments behind them, as in `legal(r,m)`.
fn infix(text: &str, body: &str) -> Option<Other> {
    let code: String = body
        .lines()
        .map(|line| line.split(['%', ';']).next().unwrap_or(""))
        .collect::<Vec<_>>()
        .join("\n");
    if code.contains("(<=") {
        return None;
    }
    let applied = |name: &str| code.contains(&format!("{name}("));
    let keyword = ["role", "init", "legal", "goal", "next", "true", "does"];
    if !keyword.iter().any(|name| applied(name)) {
        return None;
    }
    let of = |what, mark| {
        Some(Other {
            what,
            mark,
            help: PREFIX,
        })
    };
    if code.contains("::") || code.contains("==>") {
        let mark = if text.contains("==>") { "==>" } else { "::" };
        return of(
            "this is a rulesheet in Epilog, not in the prefix notation of GDL",
            mark,
        );
    }
    let rule = if code.contains(":-") { ":-" } else { "<=" };
    let dots = code
        .lines()
        .filter(|line| line.trim_end().ends_with('.'))
        .count();
    let lines = code.lines().filter(|line| !line.trim().is_empty()).count();
    if code.contains(":-") && 2 * dots > lines || code.contains("\\+") {
        return of("this is Prolog, not the prefix notation of GDL", rule);
    }
    let mark = if text.contains(rule) { rule } else { "(" };
    of(
        "this is the infix notation of GDL (HRF), which is not read",
        mark,
    )
}

/// The text from the first character on that is no white space and in no comment.
fn significant(text: &str) -> &str {
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    while rest.starts_with([';', '%']) {
        rest = rest
            .split_once('\n')
            .map_or("", |(_, rest)| rest)
            .trim_start();
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> Option<String> {
        of_text(text).map(|error| error.message)
    }

    #[test]
    fn other_notations_are_named() {
        for (text, word) in [
            (
                "role(x)\nlegal(x,go) :- true(at(1)) & ~true(at(2))",
                "infix",
            ),
            ("% a game\nrole(x)\ninit(p)\nnext(q) <= true(p)", "infix"),
            (
                "role(x).\nlegal(x,go) :- true(p).\nterminal :- true(q).",
                "Prolog",
            ),
            ("role(x)\nbase(p)\ngo(X) :: p ==> ~p & q", "Epilog"),
            ("<?xml version='1.0'?>\n<match/>", "XML"),
            ("\u{feff}<rulesheet>(role x)</rulesheet>", "XML"),
            ("<!DOCTYPE html><p>", "HTML"),
            ("{\"rulesheet\": \"(role x)\"}", "JSON"),
            ("[1, 2]", "JSON"),
            ("; no\n#players = white(100), black(100)", "RBG"),
            (
                "type Player = { x };\nbegin, x: player = x;\n a -> b;",
                "RG",
            ),
            ("(game \"Hex\" (players 2))", "Ludii"),
            ("(role x)\n(&lt;= terminal (true p))", "HTML-escaped"),
            ("%28role%20x%29", "URL"),
            ("(role x) (<=3D terminal (true p))", "quoted-printable"),
        ] {
            let found = message(text);
            assert!(
                found.as_ref().is_some_and(|found| found.contains(word)),
                "{text}: {found:?}"
            );
        }
    }

    #[test]
    fn rulesheets_are_left_alone() {
        for text in [
            "",
            "; a comment with role(x) :- y and &lt;= in it\n(role x) (<= terminal (true p))",
            "(role x) (init (a:-b)) (<= (legal x go) (true (a:-b)))",
            "((role x) (<= terminal (true p)))",
            "terminal (role x)",
            "(role x) (legal x [1]) (goal x 100)",
            "(game x) (role x) (<= terminal (true p))",
        ] {
            assert_eq!(message(text), None, "{text}");
        }
    }

    #[test]
    fn files_that_are_no_text_are_named() {
        let named = |bytes: &[u8]| of_bytes(bytes).map(|error| error.message);
        assert!(named(&[0x1f, 0x8b, 8, 0]).is_some_and(|text| text.contains("gzip")));
        let wide: Vec<u8> = "(role x) (init p)".bytes().flat_map(|b| [b, 0]).collect();
        assert!(named(&wide).is_some_and(|text| text.contains("UTF-16")));
        assert_eq!(named(b"(role \xe9)"), None);
    }
}
