//! Checks relations and functions with varying numbers of arguments, and names that are both.

use crate::context::{Context, for_each_term};
use gdl_parse::diagnostic::count;
use gdl_parse::{Atom, Diagnostic, Findings, Span, Symbol, Term};
use rustc_hash::FxHashMap;

/// The first use of a name, and the other arities that were reported.
struct First<'a> {
    example: Example<'a>,
    reported: Vec<usize>,
}

/// A relation or function with its arguments.
#[derive(Clone, Copy)]
enum Example<'a> {
    Relation(&'a Atom),
    Function(&'a Term),
}

impl Example<'_> {
    fn arity(self) -> usize {
        match self {
            Example::Relation(atom) => atom.args.len(),
            Example::Function(Term::Compound(_, args, _)) => args.len(),
            Example::Function(_) => 0,
        }
    }

    fn span(self) -> Span {
        match self {
            Example::Relation(atom) => atom.span,
            Example::Function(term) => term.span(),
        }
    }

    fn kind(self) -> &'static str {
        match self {
            Example::Relation(_) => "relation",
            Example::Function(_) => "function",
        }
    }

    fn text(self, context: &Context<'_>) -> String {
        match self {
            Example::Relation(atom) => context.atom(atom),
            Example::Function(term) => context.term(term),
        }
    }
}

/// The uses seen for the names of one kind.
type Arities<'a> = FxHashMap<Symbol, First<'a>>;

pub(crate) fn check(context: &Context<'_>, findings: &mut Findings) {
    let mut relations = Arities::default();
    let mut functions = Arities::default();
    let heads = context.sheet.rules.iter().map(|rule| &rule.head);
    let atoms: Vec<&Atom> = heads
        .chain(context.uses.iter().map(|used| used.atom))
        .filter(|atom| atom.relation.keyword().is_none())
        .collect();
    for atom in &atoms {
        let example = Example::Relation(atom);
        add(&mut relations, context, atom.relation, example, findings);
    }
    for rule in &context.sheet.rules {
        for_each_term(rule, &mut |term| {
            if let Term::Compound(name, ..) = term {
                add(
                    &mut functions,
                    context,
                    *name,
                    Example::Function(term),
                    findings,
                );
            }
        });
    }
    for atom in atoms {
        // Removing the entry ensures that each name is reported once.
        if let Some(function) = functions.remove(&atom.relation) {
            let message = format!(
                "{} is the name of a relation and of a function",
                context.name(atom.relation)
            );
            let label = format!("the function is used in {}", function.example.text(context));
            findings.push(
                Diagnostic::warning("relation-and-function", atom.span, message)
                    .with_label(label)
                    .with_help("rename one; a fact of the state needs `true` around it"),
            );
        }
    }
}

fn add<'a>(
    known: &mut Arities<'a>,
    context: &Context<'_>,
    name: Symbol,
    example: Example<'a>,
    findings: &mut Findings,
) {
    let first = known.entry(name).or_insert_with(|| First {
        example,
        reported: Vec::new(),
    });
    let arity = example.arity();
    // Names have few arities, except in hostile texts.
    if arity == first.example.arity()
        || first.reported.contains(&arity)
        || first.reported.len() > 100
    {
        return;
    }
    first.reported.push(arity);
    let message = format!(
        "the {} {} has {} here and {} in {}",
        example.kind(),
        context.name(name),
        count(arity, "argument"),
        first.example.arity(),
        first.example.text(context)
    );
    findings.push(
        Diagnostic::warning("arity-clash", example.span(), message)
            .with_label("taken for something else")
            .with_help("give it the same number of arguments everywhere, or two names"),
    );
}
