//! Nested lists to rules.

use crate::ast::{Atom, Literal, Rule, Rulesheet, Term};
use crate::diagnostic::{Diagnostic, Level};
use crate::sexpr::{Limits, Sexpr, read_all};
use crate::span::Span;
use crate::symbol::{Keyword, Symbol, Symbols};

/// How to read a text.
#[derive(Debug, Clone, Default)]
pub struct ParseOptions {
    /// Fold all names to lower case, for servers that upper-case everything. [default: false]
    pub fold_case: bool,
    /// Bounds on the text.
    pub limits: Limits,
}

/// Rules, and what was wrong with their text.
#[derive(Debug, Clone)]
pub struct Parsed {
    /// The rules that could be understood.
    pub sheet: Rulesheet,
    /// Findings in order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

impl Parsed {
    /// Whether any finding is an error.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|d| d.level == Level::Error)
    }
}

/// Reads a rulesheet that may not be text at all.
///
/// Invalid UTF-8 is an error at the first bad byte; what stands before it is still read.
pub fn parse_bytes(bytes: &[u8], options: &ParseOptions) -> Parsed {
    match std::str::from_utf8(bytes) {
        Ok(source) => parse(source, options),
        Err(error) => {
            let valid = error.valid_up_to();
            let source = std::str::from_utf8(&bytes[..valid]).unwrap_or("");
            let mut parsed = parse(source, options);
            parsed.diagnostics.push(
                Diagnostic::error(
                    "invalid-utf8",
                    Span::new(valid, valid),
                    "the text is not UTF-8",
                )
                .with_help("save the file as UTF-8"),
            );
            parsed
        }
    }
}

/// Reads a rulesheet, with or without parentheses around the whole.
pub fn parse(source: &str, options: &ParseOptions) -> Parsed {
    let (mut exprs, diagnostics) = read_all(source, &options.limits);
    // A START message wraps the rules in one list; a list of lists is no rule otherwise.
    if let [Sexpr::List(items, _)] = exprs.as_mut_slice()
        && matches!(items.first(), Some(Sexpr::List(..)))
    {
        exprs = std::mem::take(items);
    }
    let mut lower = Lower {
        symbols: Symbols::default(),
        diagnostics,
        fold_case: options.fold_case,
    };
    let rules = exprs.iter().filter_map(|expr| lower.rule(expr)).collect();
    let Lower {
        symbols,
        mut diagnostics,
        ..
    } = lower;
    diagnostics.sort_by_key(|d| d.span);
    Parsed {
        sheet: Rulesheet { symbols, rules },
        diagnostics,
    }
}

struct Lower {
    symbols: Symbols,
    diagnostics: Vec<Diagnostic>,
    fold_case: bool,
}

impl Lower {
    fn intern(&mut self, name: &str) -> Symbol {
        if self.fold_case {
            self.symbols.intern(&name.to_ascii_lowercase())
        } else {
            self.symbols.intern(name)
        }
    }

    /// A name where a relation or connective stands: keywords count in any case.
    fn intern_head(&mut self, name: &str) -> Symbol {
        match Keyword::from_name(name) {
            Some(keyword) => keyword.symbol(),
            None => self.intern(name),
        }
    }

    fn error(&mut self, code: &'static str, span: Span, message: &str, help: &str) {
        self.diagnostics
            .push(Diagnostic::error(code, span, message).with_help(help));
    }

    fn rule(&mut self, expr: &Sexpr<'_>) -> Option<Rule> {
        if let Sexpr::List(items, span) = expr
            && let Some(Sexpr::Word(name, _)) = items.first()
            && Keyword::from_name(name) == Some(Keyword::If)
        {
            let Some(head) = items.get(1) else {
                self.error(
                    "empty-rule",
                    *span,
                    "this rule has no head",
                    "write (<= head body ...)",
                );
                return None;
            };
            let head = self.atom(head)?;
            // A body literal that cannot be read drops the rule: without it the rule would say
            // more than was written.
            let body = items[2..]
                .iter()
                .map(|item| self.literal(item))
                .collect::<Option<Vec<_>>>()?;
            return Some(Rule {
                head,
                body,
                span: *span,
            });
        }
        let head = self.atom(expr)?;
        Some(Rule {
            span: head.span,
            head,
            body: Vec::new(),
        })
    }

    fn atom(&mut self, expr: &Sexpr<'_>) -> Option<Atom> {
        match expr {
            Sexpr::Word(word, span) => {
                if word.starts_with('?') {
                    self.error(
                        "variable-as-sentence",
                        *span,
                        "a variable cannot stand where a sentence is expected",
                        "write a relation",
                    );
                    return None;
                }
                Some(Atom {
                    relation: self.intern_head(word),
                    args: Vec::new(),
                    span: *span,
                })
            }
            Sexpr::List(items, span) => match items.split_first() {
                Some((Sexpr::Word(name, _), args)) if !name.starts_with('?') => Some(Atom {
                    relation: self.intern_head(name),
                    args: args
                        .iter()
                        .map(|arg| self.term(arg))
                        .collect::<Option<_>>()?,
                    span: *span,
                }),
                // ((p a)): needless parentheses around a sentence.
                Some((inner @ Sexpr::List(..), [])) => self.atom(inner),
                _ => {
                    self.error(
                        "no-relation",
                        *span,
                        "a sentence must begin with the name of a relation",
                        "write (relation argument ...)",
                    );
                    None
                }
            },
        }
    }

    fn literal(&mut self, expr: &Sexpr<'_>) -> Option<Literal> {
        if let Sexpr::List(items, span) = expr {
            match items.split_first() {
                Some((Sexpr::Word(name, _), args)) => match (Keyword::from_name(name), args) {
                    (Some(Keyword::Not), [inner]) => {
                        return Some(Literal::Not(Box::new(self.literal(inner)?), *span));
                    }
                    (Some(Keyword::Not), _) => {
                        self.error(
                            "not-arity",
                            *span,
                            "`not` takes exactly one sentence",
                            "write (not sentence)",
                        );
                        return None;
                    }
                    (Some(Keyword::Or), args) => {
                        return Some(Literal::Or(self.literals(args)?, *span));
                    }
                    (Some(Keyword::And), args) => {
                        return Some(Literal::And(self.literals(args)?, *span));
                    }
                    (Some(Keyword::Distinct), [a, b]) => {
                        return Some(Literal::Distinct(self.term(a)?, self.term(b)?, *span));
                    }
                    _ => {}
                },
                Some((inner @ Sexpr::List(..), [])) => return self.literal(inner),
                _ => {}
            }
        }
        self.atom(expr).map(Literal::Atom)
    }

    fn literals(&mut self, exprs: &[Sexpr<'_>]) -> Option<Vec<Literal>> {
        exprs.iter().map(|expr| self.literal(expr)).collect()
    }

    fn term(&mut self, expr: &Sexpr<'_>) -> Option<Term> {
        match expr {
            Sexpr::Word(word, span) => Some(match word.strip_prefix('?') {
                Some(name) => Term::Variable(self.intern(name), *span),
                None => Term::Constant(self.intern(word), *span),
            }),
            Sexpr::List(items, span) => match items.split_first() {
                Some((Sexpr::Word(name, _), [])) => Some(Term::Constant(self.intern(name), *span)),
                Some((Sexpr::Word(name, _), args)) if !name.starts_with('?') => {
                    let functor = self.intern(name);
                    let args = args
                        .iter()
                        .map(|arg| self.term(arg))
                        .collect::<Option<_>>()?;
                    Some(Term::Compound(functor, args, *span))
                }
                _ => {
                    self.error(
                        "no-function",
                        *span,
                        "a term must begin with the name of a function",
                        "write (function argument ...)",
                    );
                    None
                }
            },
        }
    }
}
