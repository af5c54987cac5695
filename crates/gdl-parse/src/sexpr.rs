//! Tokens to nested lists, without recursion: a hostile text can exhaust neither stack nor memory.

use crate::diagnostic::Diagnostic;
use crate::span::Span;
use crate::token::{Token, Tokens};

/// A word or a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sexpr<'a> {
    /// A word as it stands in the text.
    Word(&'a str, Span),
    /// A list and where it stands, parentheses included.
    List(Vec<Sexpr<'a>>, Span),
}

impl Sexpr<'_> {
    /// Where it stands.
    pub fn span(&self) -> Span {
        match self {
            Sexpr::Word(_, span) | Sexpr::List(_, span) => *span,
        }
    }
}

/// Bounds on what is read.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Longest text in bytes. [default: 16 MiB]
    pub bytes: usize,
    /// Deepest nesting of lists. [default: 200]
    pub depth: usize,
    /// Most words and lists together. [default: 4 million]
    pub nodes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            bytes: 16 << 20,
            depth: 200,
            nodes: 4_000_000,
        }
    }
}

/// Reads all expressions of a text. What is unbalanced is reported and closed or dropped, so that
/// the rest can be read; a text beyond the limits is reported and read up to there.
pub fn read_all<'a>(source: &'a str, limits: &Limits) -> (Vec<Sexpr<'a>>, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let mut top = Vec::new();
    if source.len() > limits.bytes {
        diagnostics.push(
            Diagnostic::error(
                "too-large",
                Span::new(0, 0),
                format!(
                    "the text has {} bytes, more than {}",
                    source.len(),
                    limits.bytes
                ),
            )
            .with_help("no playable rulesheet is this large; check what was sent"),
        );
        return (top, diagnostics);
    }
    let mut open: Vec<(Vec<Sexpr<'a>>, Span)> = Vec::new();
    let mut nodes = 0;
    for (token, span) in Tokens::new(source) {
        nodes += 1;
        if nodes > limits.nodes {
            diagnostics.push(
                Diagnostic::error(
                    "too-large",
                    span,
                    format!("more than {} words", limits.nodes),
                )
                .with_help("no playable rulesheet is this large; check what was sent"),
            );
            break;
        }
        let done = match token {
            Token::Word(word) => Sexpr::Word(word, span),
            Token::Open => {
                if open.len() >= limits.depth {
                    diagnostics.push(
                        Diagnostic::error(
                            "too-deep",
                            span,
                            format!("lists are nested more than {} deep", limits.depth),
                        )
                        .with_help("close some of the parentheses"),
                    );
                    return (top, diagnostics);
                }
                open.push((Vec::new(), span));
                continue;
            }
            Token::Close => match open.pop() {
                Some((items, start)) => Sexpr::List(items, start.to(span)),
                None => {
                    diagnostics.push(
                        Diagnostic::error(
                            "unbalanced-parenthesis",
                            span,
                            "this closing parenthesis has no opening one",
                        )
                        .with_help("remove it, or open a list before it"),
                    );
                    continue;
                }
            },
        };
        match open.last_mut() {
            Some((items, _)) => items.push(done),
            None => top.push(done),
        }
    }
    while let Some((items, start)) = open.pop() {
        if open.is_empty() {
            diagnostics.push(
                Diagnostic::error(
                    "unbalanced-parenthesis",
                    start,
                    "this parenthesis is never closed",
                )
                .with_help("add a closing parenthesis where the list ends"),
            );
        }
        let list = Sexpr::List(items, start);
        match open.last_mut() {
            Some((items, _)) => items.push(list),
            None => top.push(list),
        }
    }
    (top, diagnostics)
}
