//! Converts nested lists to rules.

use crate::ast::{Atom, Literal, Rule, Term};
use crate::case::Names;
use crate::diagnostic::{Diagnostic, Findings, count, quote};
use crate::sexpr::Sexpr;
use crate::span::Span;
use crate::symbol::{Keyword, Symbol, Symbols};

/// Converts expressions to rules and collects findings about them.
///
/// Its functions return `None` where they reported an error. A part that cannot be read
/// invalidates its whole rule: without that part, the rule would have a different meaning.
pub(crate) struct Lower {
    symbols: Symbols,
    findings: Findings,
    names: Names,
    fold_case: bool,
}

/// The connective or other keyword that a word denotes.
fn keyword(expr: Option<&Sexpr<'_>>) -> Option<Keyword> {
    match expr {
        Some(Sexpr::Word(word, _)) => Keyword::from_name(word),
        _ => None,
    }
}

/// The rest of `word` after a leading `<=` without a space, as in `(<=terminal (true done))`.
fn glued_rule(word: &str) -> Option<&str> {
    word.strip_prefix(Keyword::If.name())
        .filter(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()))
}

impl Lower {
    pub(crate) fn new(fold_case: bool, findings: Findings) -> Self {
        Lower {
            symbols: Symbols::default(),
            findings,
            names: Names::default(),
            fold_case,
        }
    }

    pub(crate) fn finish(mut self) -> (Symbols, Findings) {
        self.names.end(&self.symbols, &mut self.findings);
        (self.symbols, self.findings)
    }

    fn intern(&mut self, name: &str) -> Symbol {
        if self.fold_case {
            self.symbols.intern(&name.to_ascii_lowercase())
        } else {
            self.symbols.intern(name)
        }
    }

    fn name(&mut self, name: &str, span: Span) -> Symbol {
        let symbol = self.intern(name);
        self.names.constant(symbol, span);
        symbol
    }

    fn error(&mut self, code: &'static str, span: Span, message: &str, help: &str) {
        self.findings
            .push(Diagnostic::error(code, span, message).with_help(help));
    }

    fn warn(&mut self, code: &'static str, span: Span, message: &str, help: &str) {
        self.findings
            .push(Diagnostic::warning(code, span, message).with_help(help));
    }

    fn rule_inside(&mut self, span: Span) {
        self.error(
            "misplaced-connective",
            span,
            "a rule stands inside another",
            "close the rule before it",
        );
    }

    fn needless_parentheses(&mut self, span: Span) {
        self.warn(
            "needless-parentheses",
            span,
            "these parentheses enclose a single thing",
            "leave them out; some players reject them",
        );
    }

    /// Reads a rule or fact, or a list of them.
    pub(crate) fn rules(&mut self, expr: &Sexpr<'_>, into: &mut Vec<Rule>) {
        match expr {
            Sexpr::List(items, span) if items.is_empty() => self.warn(
                "empty-list",
                *span,
                "an empty list says nothing",
                "remove it",
            ),
            Sexpr::List(items, span) if matches!(items.first(), Some(Sexpr::List(..))) => {
                if items.len() == 1 {
                    self.needless_parentheses(*span);
                } else {
                    self.warn(
                        "needless-parentheses",
                        *span,
                        "these parentheses enclose several rules",
                        "leave them out; only a START message encloses all rules in a list",
                    );
                }
                for item in items {
                    self.rules(item, into);
                }
            }
            _ => {
                into.extend(self.rule(expr));
                self.names.end_rule(&self.symbols, &mut self.findings);
            }
        }
    }

    fn rule(&mut self, expr: &Sexpr<'_>) -> Option<Rule> {
        if let Sexpr::List(items, span) = expr
            && let Some((Sexpr::Word(word, at), rest)) = items.split_first()
        {
            if Keyword::from_name(word) == Some(Keyword::If) {
                let Some((head, body)) = rest.split_first() else {
                    self.error(
                        "empty-rule",
                        *span,
                        "this rule has no head",
                        "write (<= head condition ...)",
                    );
                    return None;
                };
                return self.rule_of(head, body, *span);
            }
            if let Some(name) = glued_rule(word) {
                self.warn(
                    "glued-rule",
                    *at,
                    "there is no space after `<=`",
                    "put a space between `<=` and the head",
                );
                let start = at.end as usize - name.len();
                let head = Sexpr::Word(name, Span::new(start, at.end as usize));
                return self.rule_of(&head, rest, *span);
            }
        }
        let head = self.atom(expr)?;
        Some(Rule {
            span: head.span,
            head,
            body: Vec::new(),
        })
    }

    fn rule_of(&mut self, head: &Sexpr<'_>, body: &[Sexpr<'_>], span: Span) -> Option<Rule> {
        if body.is_empty() {
            self.warn(
                "empty-body",
                span,
                "a rule without conditions is a fact",
                "write the head alone",
            );
        }
        let (head, body) = (self.atom(head), self.literals(body));
        Some(Rule {
            head: head?,
            body: body?,
            span,
        })
    }

    fn literals(&mut self, exprs: &[Sexpr<'_>]) -> Option<Vec<Literal>> {
        // Read all of them, so that all errors of a rule are reported at once.
        let read: Vec<Option<Literal>> = exprs.iter().map(|expr| self.literal(expr)).collect();
        read.into_iter().collect()
    }

    fn literal(&mut self, expr: &Sexpr<'_>) -> Option<Literal> {
        let Sexpr::List(items, span) = expr else {
            return self.atom(expr).map(Literal::Atom);
        };
        if let [inner @ Sexpr::List(..)] = items.as_slice() {
            self.needless_parentheses(*span);
            return self.literal(inner);
        }
        if let [Sexpr::List(..), ..] = items.as_slice() {
            self.warn(
                "list-of-conditions",
                *span,
                "a list of conditions where one is expected",
                "leave out the parentheses around them; here all of them must hold",
            );
            return Some(Literal::And(self.literals(items)?, *span));
        }
        let args = items.get(1..).unwrap_or_default();
        match keyword(items.first()) {
            Some(Keyword::Not) => match args {
                [inner] => Some(Literal::Not(Box::new(self.literal(inner)?), *span)),
                _ => {
                    self.error(
                        "not-arity",
                        *span,
                        &format!("`not` takes one condition, not {}", args.len()),
                        "write (not condition)",
                    );
                    None
                }
            },
            Some(Keyword::Or) => Some(Literal::Or(self.literals(args)?, *span)),
            Some(Keyword::And) => Some(Literal::And(self.literals(args)?, *span)),
            Some(Keyword::Distinct) if args.len() == 2 => {
                let (a, b) = (self.term(&args[0]), self.term(&args[1]));
                Some(Literal::Distinct(a?, b?, *span))
            }
            _ => self.atom(expr).map(Literal::Atom),
        }
    }

    fn atom(&mut self, expr: &Sexpr<'_>) -> Option<Atom> {
        let (name, at, args, span) = match expr {
            Sexpr::Word(word, span) => (*word, *span, [].as_slice(), *span),
            Sexpr::List(items, span) => match items.split_first() {
                Some((Sexpr::Word(name, at), args)) => (*name, *at, args, *span),
                Some((inner @ Sexpr::List(..), [])) => {
                    self.needless_parentheses(*span);
                    return self.atom(inner);
                }
                _ => {
                    self.error(
                        "no-relation",
                        *span,
                        "a sentence must begin with the name of a relation",
                        "write (relation argument ...)",
                    );
                    return None;
                }
            },
        };
        if name.starts_with('?') {
            self.error(
                "variable-as-sentence",
                at,
                "a variable stands where the name of a relation is expected",
                "write a relation",
            );
            return None;
        }
        if glued_rule(name).is_some() {
            self.error(
                "glued-rule",
                at,
                "a rule stands where a sentence is expected",
                "close what is before it, and put a space between `<=` and the head",
            );
            return None;
        }
        let relation = match Keyword::from_name(name) {
            Some(keyword) => {
                self.keyword_arity(keyword, args.len(), span)?;
                keyword.symbol()
            }
            None => self.name(name, at),
        };
        if args.is_empty() && matches!(expr, Sexpr::List(..)) {
            self.needless_parentheses(span);
        }
        let args = self.terms(args)?;
        Some(Atom {
            relation,
            args,
            span,
        })
    }

    /// Reports connectives where no atom can stand, and keywords with another number of
    /// arguments. Relations are told apart by name and number of arguments, so that the latter are
    /// ordinary relations.
    fn keyword_arity(&mut self, keyword: Keyword, found: usize, span: Span) -> Option<()> {
        let name = keyword.name();
        let Some(expected) = keyword.arity() else {
            if keyword == Keyword::If {
                self.rule_inside(span);
                return None;
            }
            let message = format!("`{name}` stands where a sentence is expected");
            let help = format!("`{name}` may only begin a condition of a rule");
            self.error("misplaced-connective", span, &message, &help);
            return None;
        };
        if found == expected {
            return Some(());
        }
        let message = format!(
            "`{name}` takes {}, not {found}",
            count(expected, "argument")
        );
        let example = match keyword {
            Keyword::Does | Keyword::Legal | Keyword::Input => "role move",
            Keyword::Goal => "role value",
            Keyword::Role => "name",
            Keyword::Distinct => "term term",
            Keyword::Terminal => "",
            _ => "fact",
        };
        let sentence = match example {
            "" => name.to_owned(),
            _ => format!("({name} {example})"),
        };
        self.findings.push(
            Diagnostic::warning("keyword-arity", span, message)
                .with_label("read as a relation of its own, without that meaning")
                .with_help(format!("write {sentence}, or rename the relation")),
        );
        Some(())
    }

    fn terms(&mut self, exprs: &[Sexpr<'_>]) -> Option<Vec<Term>> {
        let read: Vec<Option<Term>> = exprs.iter().map(|expr| self.term(expr)).collect();
        read.into_iter().collect()
    }

    fn term(&mut self, expr: &Sexpr<'_>) -> Option<Term> {
        let (items, span) = match expr {
            Sexpr::Word(word, span) => return Some(self.word(word, *span)),
            Sexpr::List(items, span) => (items, *span),
        };
        match items.split_first() {
            Some((Sexpr::Word(word, _), [])) => {
                self.needless_parentheses(span);
                Some(self.word(word, span))
            }
            Some((inner @ Sexpr::List(..), [])) => {
                self.needless_parentheses(span);
                self.term(inner)
            }
            Some((Sexpr::Word(name, _), _)) if Keyword::from_name(name) == Some(Keyword::If) => {
                self.rule_inside(span);
                None
            }
            Some((Sexpr::Word(name, at), args)) if !name.starts_with('?') => {
                let functor = self.name(name, *at);
                Some(Term::Compound(functor, self.terms(args)?, span))
            }
            Some((Sexpr::Word(name, at), _)) => {
                let message = format!("the variable {} is used as a function", quote(name));
                self.error("no-function", *at, &message, "write the function's name");
                None
            }
            _ => {
                self.error(
                    "no-function",
                    span,
                    "a term must begin with the name of a function",
                    "write (function argument ...)",
                );
                None
            }
        }
    }

    fn word(&mut self, word: &str, span: Span) -> Term {
        match word.strip_prefix('?') {
            Some(name) => {
                let symbol = self.intern(name);
                self.names.variable(symbol, span);
                Term::Variable(symbol, span)
            }
            None => Term::Constant(self.name(word, span), span),
        }
    }
}
