//! The mapping of names and argument positions.

use crate::words::Words;
use crate::{ScrambleOptions, Style};
use gdl_parse::{Atom, GroundTerm, Keyword, Literal, Rulesheet, Symbol, Term};
use rand::Rng;
use rand::seq::SliceRandom;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Maps the terms of a rulesheet to those of its scrambled form, and back.
///
/// Names that do not occur in the rulesheet are unchanged in both directions.
#[derive(Debug, Clone)]
pub struct Mapping {
    forth: Direction,
    back: Direction,
    /// The new names of variables, without the question mark.
    pub(crate) variables: FxHashMap<Symbol, String>,
}

/// A name and its arity.
type Functor = (Arc<str>, usize);

#[derive(Debug, Clone, Default)]
struct Direction {
    names: FxHashMap<Arc<str>, Arc<str>>,
    /// For each functor whose arguments move, the source of each new argument.
    sources: FxHashMap<Functor, Vec<usize>>,
}

impl Direction {
    fn name(&self, name: &Arc<str>) -> Arc<str> {
        self.names.get(name).unwrap_or(name).clone()
    }

    fn term(&self, term: &GroundTerm) -> GroundTerm {
        match term {
            GroundTerm::Constant(name) => GroundTerm::Constant(self.name(name)),
            GroundTerm::Compound(name, args) => {
                let moved = match self.sources.get(&(name.clone(), args.len())) {
                    None => args.iter().map(|arg| self.term(arg)).collect(),
                    Some(sources) => sources.iter().map(|&i| self.term(&args[i])).collect(),
                };
                GroundTerm::Compound(self.name(name), moved)
            }
        }
    }
}

impl Mapping {
    /// The scrambled form of a fact, a move or a role's name.
    pub fn scramble(&self, term: &GroundTerm) -> GroundTerm {
        self.forth.term(term)
    }

    /// The original form of a scrambled term.
    pub fn unscramble(&self, term: &GroundTerm) -> GroundTerm {
        self.back.term(term)
    }

    /// The new name of a constant, function or relation.
    pub(crate) fn name<'a>(&'a self, name: &'a str) -> &'a str {
        self.forth.names.get(name).map_or(name, |new| new)
    }

    /// The source of each new argument of `name`, if its arguments move.
    pub(crate) fn sources(&self, name: &str, arity: usize) -> Option<&[usize]> {
        let functor = (Arc::from(name), arity);
        self.forth.sources.get(&functor).map(Vec::as_slice)
    }

    pub(crate) fn new(sheet: &Rulesheet, options: &ScrambleOptions, rng: &mut impl Rng) -> Self {
        let mut used = Used::default();
        for rule in &sheet.rules {
            used.atom(&rule.head);
            rule.body.iter().for_each(|literal| used.literal(literal));
        }
        let mut words = Words::new(sheet.symbols.iter().map(|(_, name)| name));
        let mut mapping = Mapping {
            forth: Direction::default(),
            back: Direction::default(),
            variables: FxHashMap::default(),
        };
        let case = |word: String| match options.style {
            Style::GgpBase => word,
            Style::Dresden => word.to_ascii_uppercase(),
        };
        for symbol in used.names.order.into_iter().filter(|_| options.rename) {
            let old = sheet.symbols.name(symbol);
            let new = match (keeps(old, options.style), symbol.keyword()) {
                (false, _) => case(words.next(rng)),
                // Keywords are upper-cased when the rulesheet is printed, not in the tree.
                (true, Some(_)) => old.to_owned(),
                (true, None) => case(old.to_owned()),
            };
            mapping.rename(old.into(), new.into());
        }
        for symbol in used.variables.order.into_iter().filter(|_| options.rename) {
            mapping.variables.insert(symbol, case(words.next(rng)));
        }
        if options.shuffle_arguments {
            for (symbol, arity) in used.functors.order {
                let name = sheet.symbols.name(symbol);
                if Keyword::from_name(name).is_none() {
                    let mut sources: Vec<usize> = (0..arity).collect();
                    sources.shuffle(rng);
                    mapping.permute(name.into(), sources);
                }
            }
        }
        mapping
    }

    fn rename(&mut self, old: Arc<str>, new: Arc<str>) {
        self.back.names.insert(new.clone(), old.clone());
        self.forth.names.insert(old, new);
    }

    fn permute(&mut self, old: Arc<str>, sources: Vec<usize>) {
        let mut inverse = vec![0; sources.len()];
        for (to, &from) in sources.iter().enumerate() {
            inverse[from] = to;
        }
        let new = self.forth.name(&old);
        self.back.sources.insert((new, inverse.len()), inverse);
        self.forth.sources.insert((old, sources.len()), sources);
    }
}

/// Whether servers of that style keep `name`: keywords and integers.
fn keeps(name: &str, style: Style) -> bool {
    let digits = name.strip_prefix(['-', '+']).unwrap_or(name);
    let integer = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    let keyword = match (Keyword::from_name(name), style) {
        (Some(Keyword::Base | Keyword::Input), Style::Dresden) => false,
        (Some(_), _) => true,
        // The chance player of games with chance, if the server supports such games.
        (None, _) => name.eq_ignore_ascii_case("random") && style == Style::GgpBase,
    };
    integer || keyword
}

/// The names in a rulesheet in order of first use, so that the result does not depend on
/// hashing.
#[derive(Default)]
struct Used {
    names: Ordered<Symbol>,
    variables: Ordered<Symbol>,
    functors: Ordered<(Symbol, usize)>,
}

struct Ordered<T> {
    known: FxHashMap<T, ()>,
    order: Vec<T>,
}

impl<T> Default for Ordered<T> {
    fn default() -> Self {
        Ordered {
            known: FxHashMap::default(),
            order: Vec::new(),
        }
    }
}

impl<T: Copy + Eq + std::hash::Hash> Ordered<T> {
    fn add(&mut self, item: T) {
        if self.known.insert(item, ()).is_none() {
            self.order.push(item);
        }
    }
}

impl Used {
    fn application(&mut self, name: Symbol, args: &[Term]) {
        self.names.add(name);
        if args.len() > 1 {
            self.functors.add((name, args.len()));
        }
        args.iter().for_each(|arg| self.term(arg));
    }

    fn atom(&mut self, atom: &Atom) {
        self.application(atom.relation, &atom.args);
    }

    fn literal(&mut self, literal: &Literal) {
        match literal {
            Literal::Atom(atom) => self.atom(atom),
            Literal::Not(inner, _) => self.literal(inner),
            Literal::Or(items, _) | Literal::And(items, _) => {
                items.iter().for_each(|item| self.literal(item));
            }
            Literal::Distinct(a, b, _) => [a, b].into_iter().for_each(|term| self.term(term)),
        }
    }

    fn term(&mut self, term: &Term) {
        match term {
            Term::Constant(name, _) => self.names.add(*name),
            Term::Variable(name, _) => self.variables.add(*name),
            Term::Compound(name, args, _) => self.application(*name, args),
        }
    }
}
