//! Converts tokens to nested lists, without recursion: a hostile text exhausts neither stack
//! nor memory.

use crate::diagnostic::{Diagnostic, Findings};
use crate::span::Span;
use crate::symbol::Keyword;
use crate::token::{Token, Tokens};

/// A word or a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sexpr<'a> {
    /// A word as written in the text.
    Word(&'a str, Span),
    /// A list and its span, including the parentheses.
    List(Vec<Sexpr<'a>>, Span),
}

impl Sexpr<'_> {
    /// The span of the expression.
    pub fn span(&self) -> Span {
        match self {
            Sexpr::Word(_, span) | Sexpr::List(_, span) => *span,
        }
    }
}

/// Limits on a text.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Maximum length of the text in bytes. [default: 16 MiB]
    pub bytes: usize,
    /// Maximum nesting depth of lists. [default: 200]
    pub depth: usize,
    /// Maximum number of words and parentheses together. [default: 1 million]
    pub nodes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            bytes: 16 << 20,
            depth: 200,
            nodes: 1_000_000,
        }
    }
}

/// Reads all expressions of a text. Unbalanced parentheses are reported and closed or dropped,
/// so that the rest can be read. A text beyond the limits is reported and read up to the limit.
pub fn read_all<'a>(source: &'a str, limits: &Limits) -> (Vec<Sexpr<'a>>, Vec<Diagnostic>) {
    let mut findings = Findings::default();
    let exprs = read(source, limits, None, &mut findings);
    (exprs, findings.into_sorted())
}

/// As [`read_all`], for a text of rules.
///
/// No rule is nested in another. A `(<=` inside a list therefore shows that the list was never
/// closed, and the following text can still be read. A list around all rules, as in a START
/// message, is removed.
pub(crate) fn read_rules<'a>(
    source: &'a str,
    limits: &Limits,
    findings: &mut Findings,
) -> Vec<Sexpr<'a>> {
    let wrapping = wrapping(source);
    let outermost = usize::from(wrapping != Wrapping::None);
    let mut exprs = read(source, limits, Some(outermost), findings);
    if let ([Sexpr::List(items, _)], Wrapping::Whole) = (exprs.as_mut_slice(), &wrapping) {
        exprs = std::mem::take(items);
    }
    while let [Sexpr::List(items, _)] = exprs.as_mut_slice()
        && matches!(items.first(), Some(Sexpr::List(..)))
    {
        exprs = std::mem::take(items);
    }
    exprs
}

/// Whether there is a list around all rules. Rules are lists, except for facts without
/// arguments.
#[derive(PartialEq)]
enum Wrapping {
    None,
    /// The text begins with two opening parentheses.
    Begun,
    /// The text is a single list that contains rules.
    Whole,
}

fn wrapping(source: &str) -> Wrapping {
    let mut depth = 0;
    let mut rules = false;
    let mut previous = None;
    for (i, (token, _)) in Tokens::new(source).enumerate() {
        match token {
            _ if i > 0 && depth == 0 => return Wrapping::None,
            Token::Open if i == 1 => return Wrapping::Begun,
            Token::Open => depth += 1,
            Token::Close if depth == 0 => return Wrapping::None,
            Token::Close => depth -= 1,
            Token::Word(word) => {
                let begins = previous == Some(Token::Open) && word == Keyword::If.name();
                match depth {
                    1 if begins => return Wrapping::None,
                    2 => rules |= begins,
                    _ => {}
                }
            }
        }
        previous = Some(token);
    }
    match rules && depth == 0 {
        true => Wrapping::Whole,
        false => Wrapping::None,
    }
}

const TOO_LARGE: &str = "no playable rulesheet is this large; check what was sent";

/// The finding about a text of `len` bytes, if that is too long.
pub(crate) fn too_large(len: usize, limits: &Limits) -> Option<Diagnostic> {
    let most = limits.bytes.min(u32::MAX as usize);
    let message = format!("the text has {len} bytes, more than {most}");
    let finding = Diagnostic::error("too-large", Span::default(), message).with_help(TOO_LARGE);
    (len > most).then_some(finding)
}

/// Reads expressions. With `rules`, a rule nested in more lists than that closes the open lists
/// around it.
fn read<'a>(
    source: &'a str,
    limits: &Limits,
    rules: Option<usize>,
    findings: &mut Findings,
) -> Vec<Sexpr<'a>> {
    if let Some(finding) = too_large(source.len(), limits) {
        findings.push(finding);
        return Vec::new();
    }
    let mut lists = Lists::default();
    for (nodes, (token, span)) in Tokens::new(source).enumerate() {
        if nodes >= limits.nodes {
            let message = format!("more than {} words and parentheses", limits.nodes);
            findings.push(Diagnostic::error("too-large", span, message).with_help(TOO_LARGE));
            break;
        }
        match token {
            Token::Word(word) => {
                if let (Some(outermost), true) = (rules, word == Keyword::If.name()) {
                    lists.close_unfinished(outermost, findings);
                }
                lists.add(Sexpr::Word(word, span));
            }
            Token::Open if lists.open.len() >= limits.depth => {
                let message = format!("lists are nested more than {} deep", limits.depth);
                findings.push(
                    Diagnostic::error("too-deep", span, message)
                        .with_help("close some of the parentheses"),
                );
                // All open lists enclose the error, so none of them can be trusted.
                return lists.done;
            }
            Token::Open => lists.open.push((Vec::new(), span)),
            Token::Close => {
                if !lists.close(span) {
                    let message = "this closing parenthesis has no opening one";
                    findings.push(
                        Diagnostic::error("unbalanced-parenthesis", span, message)
                            .with_help("remove it, or open a list before it"),
                    );
                }
            }
        }
    }
    if let Some((_, outermost)) = lists.open.first() {
        report_unclosed(*outermost, findings);
    }
    while let Some((_, start)) = lists.open.last() {
        let start = *start;
        lists.close(start);
    }
    lists.done
}

fn report_unclosed(span: Span, findings: &mut Findings) {
    findings.push(
        Diagnostic::error(
            "unbalanced-parenthesis",
            span,
            "this parenthesis is never closed",
        )
        .with_help("add a closing parenthesis where the list ends"),
    );
}

/// The finished lists, and the open ones, outermost first.
#[derive(Default)]
struct Lists<'a> {
    done: Vec<Sexpr<'a>>,
    open: Vec<(Vec<Sexpr<'a>>, Span)>,
}

impl<'a> Lists<'a> {
    fn add(&mut self, expr: Sexpr<'a>) {
        match self.open.last_mut() {
            Some((items, _)) => items.push(expr),
            None => self.done.push(expr),
        }
    }

    /// Closes the innermost list. Returns false if none is open.
    fn close(&mut self, end: Span) -> bool {
        let Some((mut items, start)) = self.open.pop() else {
            return false;
        };
        // Most lists are short and there may be millions of them, so free the unused capacity.
        items.shrink_to_fit();
        self.add(Sexpr::List(items, start.to(end)));
        true
    }

    /// Closes unfinished lists around a rule that is about to begin in the innermost list.
    /// Unfinished lists are those with contents, other than the `base` outermost ones.
    fn close_unfinished(&mut self, base: usize, findings: &mut Findings) {
        let Some((rule, around)) = self.open.split_last() else {
            return;
        };
        let starts_rule = rule.0.is_empty();
        let unfinished = around
            .iter()
            .skip(base)
            .find(|(items, _)| !items.is_empty());
        if let (true, Some((_, span))) = (starts_rule, unfinished) {
            report_unclosed(*span, findings);
            let rule = self.open.pop();
            while self.open.len() > base {
                let start = self.open[self.open.len() - 1].1;
                self.close(start);
            }
            self.open.extend(rule);
        }
    }
}
