//! The syntax tree back to text.

use crate::ast::{Atom, Literal, Rule, Rulesheet, Term};
use crate::symbol::{Keyword, Symbols};
use std::fmt::{self, Display, Write};

impl Display for Rulesheet {
    /// One rule a line, single spaces.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rule in &self.rules {
            write_rule(f, &self.symbols, rule)?;
            f.write_char('\n')?;
        }
        Ok(())
    }
}

impl Rulesheet {
    /// The wire form: one line, a single list of all rules, as START carries it.
    pub fn to_wire(&self) -> String {
        let lines = self.to_string();
        format!("({})", lines.trim_end().replace('\n', " "))
    }
}

fn write_rule(out: &mut impl Write, symbols: &Symbols, rule: &Rule) -> fmt::Result {
    if rule.body.is_empty() {
        return write_atom(out, symbols, &rule.head);
    }
    write!(out, "({} ", Keyword::If.name())?;
    write_atom(out, symbols, &rule.head)?;
    for literal in &rule.body {
        out.write_char(' ')?;
        write_literal(out, symbols, literal)?;
    }
    out.write_char(')')
}

fn write_literal(out: &mut impl Write, symbols: &Symbols, literal: &Literal) -> fmt::Result {
    let list = |out: &mut dyn Write, keyword: Keyword, items: &[Literal]| {
        write!(out, "({}", keyword.name())?;
        for item in items {
            let mut text = String::new();
            write_literal(&mut text, symbols, item)?;
            write!(out, " {text}")?;
        }
        out.write_char(')')
    };
    match literal {
        Literal::Atom(atom) => write_atom(out, symbols, atom),
        Literal::Not(inner, _) => list(out, Keyword::Not, std::slice::from_ref(inner)),
        Literal::Or(items, _) => list(out, Keyword::Or, items),
        Literal::And(items, _) => list(out, Keyword::And, items),
        Literal::Distinct(a, b, _) => {
            write!(out, "({} ", Keyword::Distinct.name())?;
            write_term(out, symbols, a)?;
            out.write_char(' ')?;
            write_term(out, symbols, b)?;
            out.write_char(')')
        }
    }
}

fn write_atom(out: &mut impl Write, symbols: &Symbols, atom: &Atom) -> fmt::Result {
    write_application(out, symbols, symbols.name(atom.relation), &atom.args)
}

fn write_application(
    out: &mut impl Write,
    symbols: &Symbols,
    name: &str,
    args: &[Term],
) -> fmt::Result {
    if args.is_empty() {
        return out.write_str(name);
    }
    write!(out, "({name}")?;
    for arg in args {
        out.write_char(' ')?;
        write_term(out, symbols, arg)?;
    }
    out.write_char(')')
}

fn write_term(out: &mut impl Write, symbols: &Symbols, term: &Term) -> fmt::Result {
    match term {
        Term::Constant(symbol, _) => out.write_str(symbols.name(*symbol)),
        Term::Variable(symbol, _) => write!(out, "?{}", symbols.name(*symbol)),
        Term::Compound(symbol, args, _) => {
            write_application(out, symbols, symbols.name(*symbol), args)
        }
    }
}
