//! The syntax tree of a rulesheet.
//!
//! Equality of [`Rulesheet`]s is equality of what they say: names and structure, not spans.

use crate::span::Span;
use crate::symbol::{Symbol, Symbols};

/// A whole rulesheet, in the order of its text. Facts are rules without a body.
#[derive(Debug, Clone, Default)]
pub struct Rulesheet {
    /// The names that the rules use.
    pub symbols: Symbols,
    /// All rules and facts.
    pub rules: Vec<Rule>,
}

/// `(<= head body...)`, or a fact when the body is empty.
#[derive(Debug, Clone)]
pub struct Rule {
    /// What holds if the body does.
    pub head: Atom,
    /// What must hold, all of it.
    pub body: Vec<Literal>,
    /// The whole rule.
    pub span: Span,
}

/// A condition in a body.
#[derive(Debug, Clone)]
pub enum Literal {
    /// A relation holds.
    Atom(Atom),
    /// A condition does not hold.
    Not(Box<Literal>, Span),
    /// One of the conditions holds; an empty one never does.
    Or(Vec<Literal>, Span),
    /// All of the conditions hold.
    And(Vec<Literal>, Span),
    /// Two terms differ.
    Distinct(Term, Term, Span),
}

/// A relation applied to terms; keywords such as `true` and `legal` are relations too.
#[derive(Debug, Clone)]
pub struct Atom {
    /// The relation.
    pub relation: Symbol,
    /// Its arguments.
    pub args: Vec<Term>,
    /// The whole atom.
    pub span: Span,
}

/// A term.
#[derive(Debug, Clone)]
pub enum Term {
    /// An object constant.
    Constant(Symbol, Span),
    /// A variable; the name is kept without its question mark.
    Variable(Symbol, Span),
    /// A function applied to at least one term.
    Compound(Symbol, Vec<Term>, Span),
}

impl Literal {
    /// Where the literal stands.
    pub fn span(&self) -> Span {
        match self {
            Literal::Atom(atom) => atom.span,
            Literal::Not(_, span)
            | Literal::Or(_, span)
            | Literal::And(_, span)
            | Literal::Distinct(_, _, span) => *span,
        }
    }
}

impl Term {
    /// Where the term stands.
    pub fn span(&self) -> Span {
        match self {
            Term::Constant(_, span) | Term::Variable(_, span) | Term::Compound(_, _, span) => *span,
        }
    }
}

impl PartialEq for Rulesheet {
    fn eq(&self, other: &Self) -> bool {
        self.to_string() == other.to_string()
    }
}

impl Eq for Rulesheet {}
