//! Prints the syntax tree in a readable layout.

use crate::ast::{Atom, Literal, Rule, Rulesheet, Term};
use crate::symbol::{Keyword, Symbol, Symbols};

/// The maximum line width in characters, where wrapping is possible.
const WIDTH: usize = 90;

/// The maximum indentation, however deep the nesting.
const DEEPEST: usize = 50;

impl Rulesheet {
    /// Prints the rules in a readable layout.
    ///
    /// Facts of one relation form a block, rules are separated by blank lines, each condition
    /// has its own line, and long lines are wrapped. The text reads back as the same rulesheet.
    /// Comments of the original text are not part of the tree and are lost.
    pub fn to_pretty(&self) -> String {
        let mut out = String::new();
        let mut previous: Option<&Rule> = None;
        for rule in &self.rules {
            let joined = previous.is_none_or(|previous| {
                let facts = previous.body.is_empty() && rule.body.is_empty();
                facts && previous.head.relation == rule.head.relation
            });
            if !joined {
                out.push('\n');
            }
            Node::rule(&self.symbols, rule).write(&mut out, 0);
            out.push('\n');
            previous = Some(rule);
        }
        out
    }
}

/// A word or a list, with its width when printed in one line.
struct Node<'a> {
    kind: Kind<'a>,
    width: usize,
}

enum Kind<'a> {
    Word(String),
    /// Written `(name item ...)`.
    List(&'a str, Vec<Node<'a>>),
    /// A rule. It is printed in one line only if it is short.
    Rule(Vec<Node<'a>>),
}

impl<'a> Node<'a> {
    fn word(text: String) -> Self {
        Node {
            width: text.chars().count(),
            kind: Kind::Word(text),
        }
    }

    fn list(name: &'a str, items: Vec<Node<'a>>) -> Self {
        let inner: usize = items.iter().map(|item| item.width + 1).sum();
        Node {
            width: name.chars().count() + inner + 2,
            kind: Kind::List(name, items),
        }
    }

    fn rule(symbols: &'a Symbols, rule: &'a Rule) -> Self {
        let head = Node::atom(symbols, &rule.head);
        if rule.body.is_empty() {
            return head;
        }
        let body = rule.body.iter().map(|item| Node::literal(symbols, item));
        let items: Vec<_> = std::iter::once(head).chain(body).collect();
        Node {
            width: items.iter().map(|item| item.width + 1).sum::<usize>() + 4,
            kind: Kind::Rule(items),
        }
    }

    fn literals(symbols: &'a Symbols, keyword: Keyword, items: &'a [Literal]) -> Self {
        let items = items.iter().map(|item| Node::literal(symbols, item));
        Node::list(keyword.name(), items.collect())
    }

    fn literal(symbols: &'a Symbols, literal: &'a Literal) -> Self {
        match literal {
            Literal::Atom(atom) => Node::atom(symbols, atom),
            Literal::Not(inner, _) => {
                Node::literals(symbols, Keyword::Not, std::slice::from_ref(inner))
            }
            Literal::Or(items, _) => Node::literals(symbols, Keyword::Or, items),
            Literal::And(items, _) => Node::literals(symbols, Keyword::And, items),
            Literal::Distinct(a, b, _) => {
                let items = [a, b].map(|term| Node::term(symbols, term));
                Node::list(Keyword::Distinct.name(), items.into())
            }
        }
    }

    fn atom(symbols: &'a Symbols, atom: &'a Atom) -> Self {
        Node::application(symbols, atom.relation, &atom.args)
    }

    fn term(symbols: &'a Symbols, term: &'a Term) -> Self {
        match term {
            Term::Constant(symbol, _) => Node::application(symbols, *symbol, &[]),
            Term::Variable(symbol, _) => Node::word(format!("?{}", symbols.name(*symbol))),
            Term::Compound(symbol, args, _) => Node::application(symbols, *symbol, args),
        }
    }

    fn application(symbols: &'a Symbols, name: Symbol, args: &'a [Term]) -> Self {
        let name = symbols.name(name);
        if args.is_empty() {
            return Node::word(name.to_owned());
        }
        Node::list(
            name,
            args.iter().map(|arg| Node::term(symbols, arg)).collect(),
        )
    }

    /// Prints the node at column `indent`, which is the current column.
    fn write(&self, out: &mut String, indent: usize) {
        let fits = indent + self.width <= WIDTH;
        let newline = |out: &mut String, column: usize| {
            out.push('\n');
            out.extend(std::iter::repeat_n(' ', column));
        };
        match &self.kind {
            Kind::Word(text) => out.push_str(text),
            Kind::Rule(items) => {
                out.push_str("(<= ");
                for (i, item) in items.iter().enumerate() {
                    if i > 0 {
                        newline(out, indent + 4);
                    }
                    item.write(out, indent + 4);
                }
                out.push(')');
            }
            Kind::List(name, items) => {
                out.push('(');
                out.push_str(name);
                // Items are aligned below each other after the name, or below the name if it is
                // long.
                let hanging = indent + name.chars().count() + 2;
                let (column, after_name) = match hanging <= DEEPEST {
                    true => (hanging, true),
                    false => ((indent + 2).min(DEEPEST), false),
                };
                for (i, item) in items.iter().enumerate() {
                    if fits || (i == 0 && after_name) {
                        out.push(' ');
                    } else {
                        newline(out, column);
                    }
                    // If a list fits on the line, its items fit too.
                    item.write(out, if fits { 0 } else { column });
                }
                out.push(')');
            }
        }
    }
}
