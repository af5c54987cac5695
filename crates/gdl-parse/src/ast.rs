//! The syntax tree of a rulesheet.
//!
//! Two [`Rulesheet`]s are equal if their names and structure are equal. Spans do not count.

use crate::span::Span;
use crate::symbol::{Keyword, Symbol, Symbols};

/// A rulesheet, in the order of its text. Facts are rules without a body.
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
    /// The atom that holds if the body holds.
    pub head: Atom,
    /// The conditions, all of which must hold.
    pub body: Vec<Literal>,
    /// The span of the whole rule.
    pub span: Span,
}

/// A condition in a body.
#[derive(Debug, Clone)]
pub enum Literal {
    /// A relation holds.
    Atom(Atom),
    /// A condition does not hold.
    Not(Box<Literal>, Span),
    /// One of the conditions holds. False if there are none.
    Or(Vec<Literal>, Span),
    /// All of the conditions hold.
    And(Vec<Literal>, Span),
    /// Two terms differ.
    Distinct(Term, Term, Span),
}

/// A relation applied to terms. Keywords such as `true` and `legal` are relations too.
#[derive(Debug, Clone)]
pub struct Atom {
    /// The relation.
    pub relation: Symbol,
    /// Its arguments.
    pub args: Vec<Term>,
    /// The span of the whole atom.
    pub span: Span,
}

/// A term.
#[derive(Debug, Clone)]
pub enum Term {
    /// An object constant.
    Constant(Symbol, Span),
    /// A variable. The name is stored without its question mark.
    Variable(Symbol, Span),
    /// A function applied to at least one term.
    Compound(Symbol, Vec<Term>, Span),
}

impl Atom {
    /// The keyword that this atom is about. `None` for ordinary relations, to which keywords with
    /// another number of arguments belong: `(next 1 2)` says nothing of the next state.
    pub fn keyword(&self) -> Option<Keyword> {
        let keyword = self.relation.keyword();
        keyword.filter(|keyword| keyword.arity() == Some(self.args.len()))
    }
}

impl Literal {
    /// The span of the literal.
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
    /// The span of the term.
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
