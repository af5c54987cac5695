//! Relations and functions with varying numbers of arguments, and names that are both.

use crate::context::{Context, for_each_term};
use gdl_parse::diagnostic::count;
use gdl_parse::{Atom, Diagnostic, Findings, Span, Symbol, Term};
use rustc_hash::FxHashMap;

/// The first use of a name, and the other numbers of arguments that were reported.
struct First {
    arity: usize,
    text: String,
    reported: Vec<usize>,
}

#[derive(Default)]
struct Arities {
    kind: &'static str,
    first: FxHashMap<Symbol, First>,
}

pub(crate) fn check(context: &Context<'_>, findings: &mut Findings) {
    let mut relations = Arities {
        kind: "relation",
        ..Arities::default()
    };
    let mut functions = Arities {
        kind: "function",
        ..Arities::default()
    };
    let heads = context.sheet.rules.iter().map(|rule| &rule.head);
    let atoms: Vec<&Atom> = heads
        .chain(context.uses.iter().map(|used| used.atom))
        .filter(|atom| atom.relation.keyword().is_none())
        .collect();
    for atom in &atoms {
        let text = || context.atom(atom);
        relations.add(
            context,
            atom.relation,
            atom.args.len(),
            atom.span,
            text,
            findings,
        );
    }
    for rule in &context.sheet.rules {
        for_each_term(rule, &mut |term| {
            if let Term::Compound(name, args, span) = term {
                let text = || context.term(term);
                functions.add(context, *name, args.len(), *span, text, findings);
            }
        });
    }
    for atom in atoms {
        // Taking the entry out reports each name once.
        if let Some(function) = functions.first.remove(&atom.relation) {
            let message = format!(
                "{} is the name of a relation and of a function",
                context.name(atom.relation)
            );
            let label = format!("the function is used in {}", function.text);
            findings.push(
                Diagnostic::warning("relation-and-function", atom.span, message)
                    .with_label(label)
                    .with_help("rename one; a fact of the state needs `true` around it"),
            );
        }
    }
}

impl Arities {
    fn add(
        &mut self,
        context: &Context<'_>,
        name: Symbol,
        arity: usize,
        span: Span,
        text: impl Fn() -> String,
        findings: &mut Findings,
    ) {
        let first = self.first.entry(name).or_insert_with(|| First {
            arity,
            text: text(),
            reported: Vec::new(),
        });
        // Names have a handful of arities at most, but for hostile texts.
        if arity == first.arity || first.reported.contains(&arity) || first.reported.len() > 100 {
            return;
        }
        first.reported.push(arity);
        let message = format!(
            "the {} {} has {} here and {} in {}",
            self.kind,
            context.name(name),
            count(arity, "argument"),
            first.arity,
            first.text
        );
        findings.push(
            Diagnostic::warning("arity-clash", span, message)
                .with_label("taken for something else")
                .with_help("give it the same number of arguments everywhere, or two names"),
        );
    }
}
