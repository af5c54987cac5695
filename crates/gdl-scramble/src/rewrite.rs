//! Applies a mapping to the syntax tree.

use crate::mapping::Mapping;
use gdl_parse::{Atom, Literal, Rule, Rulesheet, Symbol, Symbols, Term};

/// The rules of `sheet` with other names and other argument orders.
pub(crate) fn rewrite(sheet: &Rulesheet, mapping: &Mapping) -> Rulesheet {
    let mut rewriter = Rewriter {
        from: &sheet.symbols,
        to: Symbols::default(),
        mapping,
    };
    let rules = sheet
        .rules
        .iter()
        .map(|rule| Rule {
            head: rewriter.atom(&rule.head),
            body: rewriter.literals(&rule.body),
            span: rule.span,
        })
        .collect();
    Rulesheet {
        symbols: rewriter.to,
        rules,
    }
}

struct Rewriter<'a> {
    from: &'a Symbols,
    to: Symbols,
    mapping: &'a Mapping,
}

impl Rewriter<'_> {
    fn name(&mut self, name: Symbol) -> Symbol {
        self.to.intern(self.mapping.name(self.from.name(name)))
    }

    fn terms(&mut self, name: Symbol, args: &[Term]) -> Vec<Term> {
        match self.mapping.sources(self.from.name(name), args.len()) {
            None => args.iter().map(|arg| self.term(arg)).collect(),
            Some(sources) => sources.iter().map(|&i| self.term(&args[i])).collect(),
        }
    }

    fn atom(&mut self, atom: &Atom) -> Atom {
        Atom {
            relation: self.name(atom.relation),
            args: self.terms(atom.relation, &atom.args),
            span: atom.span,
        }
    }

    fn literals(&mut self, literals: &[Literal]) -> Vec<Literal> {
        literals.iter().map(|item| self.literal(item)).collect()
    }

    fn literal(&mut self, literal: &Literal) -> Literal {
        match literal {
            Literal::Atom(atom) => Literal::Atom(self.atom(atom)),
            Literal::Not(inner, span) => Literal::Not(Box::new(self.literal(inner)), *span),
            Literal::Or(items, span) => Literal::Or(self.literals(items), *span),
            Literal::And(items, span) => Literal::And(self.literals(items), *span),
            Literal::Distinct(a, b, span) => Literal::Distinct(self.term(a), self.term(b), *span),
        }
    }

    fn term(&mut self, term: &Term) -> Term {
        match term {
            Term::Constant(name, span) => Term::Constant(self.name(*name), *span),
            Term::Variable(name, span) => {
                let new = match self.mapping.variables.get(name) {
                    Some(new) => new,
                    None => self.from.name(*name),
                };
                Term::Variable(self.to.intern(new), *span)
            }
            Term::Compound(name, args, span) => {
                Term::Compound(self.name(*name), self.terms(*name, args), *span)
            }
        }
    }
}
