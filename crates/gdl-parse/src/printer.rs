//! Prints the syntax tree compactly. The text reads back as the same tree.

use crate::ast::{Atom, Literal, Rule, Rulesheet, Term};
use crate::symbol::{Keyword, Symbol, Symbols};
use std::fmt::{self, Display, Write};

impl Display for Rulesheet {
    /// Prints one rule per line, with single spaces.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rules
            .iter()
            .try_for_each(|rule| writeln!(f, "{}", rule.display(&self.symbols)))
    }
}

impl Rulesheet {
    /// The wire form: one line with a single list of all rules, as in a START message. It reads
    /// back as the same tree if there is a rule with a body or the first fact has arguments.
    pub fn to_wire(&self) -> String {
        let lines = self.to_string();
        format!("({})", lines.trim_end().replace('\n', " "))
    }
}

/// A part of a rulesheet together with its names, printed with single spaces.
struct Shown<'a, T>(&'a T, &'a Symbols);

macro_rules! display {
    ($($type:ident)*) => {$(
        impl $type {
            /// The text of this part of a rulesheet, with single spaces. `symbols` must belong
            /// to that rulesheet.
            pub fn display<'a>(&'a self, symbols: &'a Symbols) -> impl Display + 'a {
                Shown(self, symbols)
            }
        }
    )*};
}

display! { Rule Literal Atom Term }

/// Prints `(name item ...)`.
fn list<'a, T: 'a>(
    f: &mut fmt::Formatter<'_>,
    symbols: &'a Symbols,
    name: &str,
    items: impl IntoIterator<Item = &'a T>,
) -> fmt::Result
where
    Shown<'a, T>: Display,
{
    write!(f, "({name}")?;
    for item in items {
        write!(f, " {}", Shown(item, symbols))?;
    }
    f.write_char(')')
}

fn application(
    f: &mut fmt::Formatter<'_>,
    symbols: &Symbols,
    name: Symbol,
    args: &[Term],
) -> fmt::Result {
    match args {
        [] => f.write_str(symbols.name(name)),
        _ => list(f, symbols, symbols.name(name), args),
    }
}

impl Display for Shown<'_, Rule> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shown(rule, symbols) = *self;
        if rule.body.is_empty() {
            return Shown(&rule.head, symbols).fmt(f);
        }
        write!(f, "({} {}", Keyword::If.name(), Shown(&rule.head, symbols))?;
        for literal in &rule.body {
            write!(f, " {}", Shown(literal, symbols))?;
        }
        f.write_char(')')
    }
}

impl Display for Shown<'_, Literal> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shown(literal, symbols) = *self;
        match literal {
            Literal::Atom(atom) => Shown(atom, symbols).fmt(f),
            Literal::Not(inner, _) => list(f, symbols, Keyword::Not.name(), [&**inner]),
            Literal::Or(items, _) => list(f, symbols, Keyword::Or.name(), items),
            Literal::And(items, _) => list(f, symbols, Keyword::And.name(), items),
            Literal::Distinct(a, b, _) => list(f, symbols, Keyword::Distinct.name(), [a, b]),
        }
    }
}

impl Display for Shown<'_, Atom> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        application(f, self.1, self.0.relation, &self.0.args)
    }
}

impl Display for Shown<'_, Term> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shown(term, symbols) = *self;
        match term {
            Term::Constant(symbol, _) => f.write_str(symbols.name(*symbol)),
            Term::Variable(symbol, _) => write!(f, "?{}", symbols.name(*symbol)),
            Term::Compound(symbol, args, _) => application(f, symbols, *symbol, args),
        }
    }
}
