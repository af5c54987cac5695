//! Sets of terms by column: which terms can occur at each place of a relation.
//!
//! A place is an argument of the relation, or an argument of a compound term at a place, and so
//! on. Columns are independent of each other. The sets are therefore coarse but cheap: bit sets
//! over the constants.

use datalog::{Atom, Pattern, RelationId, TermId, TermStore};
use fixedbitset::FixedBitSet;
use gdl_parse::Symbol;

/// Below this depth any term counts as possible, so that rules which build ever deeper terms
/// terminate.
const MAX_DEPTH: u32 = 6;

/// The size assumed for an unknown set. It also bounds estimates.
const MANY: f64 = 1e6;

/// Above this number of places, any term counts as possible at new places.
const MAX_PLACES: usize = 50_000;

type Node = usize;

/// The terms that can occur at one place.
#[derive(Debug, Clone, Default)]
struct Place {
    depth: u32,
    /// Whether any term is possible.
    any: bool,
    constants: FixedBitSet,
    /// For each function symbol and arity, the places of the arguments.
    compounds: Vec<((Symbol, usize), Vec<Node>)>,
}

/// The terms at the places of each relation.
#[derive(Debug)]
pub(crate) struct Columns {
    places: Vec<Place>,
    args: Vec<Vec<Node>>,
    /// Whether anything was added since the caller last cleared this flag.
    pub(crate) changed: bool,
}

/// The terms that a variable can stand for: a set of constants, and the compound terms of some
/// places.
#[derive(Debug, Clone)]
pub(crate) struct Domain {
    /// The constants. `None` means any term.
    pub(crate) constants: Option<FixedBitSet>,
    /// The compound terms: all those at one of these places of the columns it was read from.
    compounds: Vec<Node>,
}

impl Domain {
    /// The domain of all terms.
    pub(crate) fn any() -> Self {
        Domain {
            constants: None,
            compounds: Vec::new(),
        }
    }

    /// Whether it contains no compound terms.
    pub(crate) fn is_flat(&self) -> bool {
        self.compounds.is_empty()
    }

    /// Removes all compound terms. Returns whether there were any.
    pub(crate) fn clear_compounds(&mut self) -> bool {
        let any = !self.compounds.is_empty();
        self.compounds.clear();
        any
    }

    /// Whether it contains no term.
    pub(crate) fn is_empty(&self) -> bool {
        self.compounds.is_empty() && self.constants.as_ref().is_some_and(FixedBitSet::is_clear)
    }
}

impl Columns {
    /// Creates empty columns for relations of these arities.
    pub(crate) fn new(arities: impl Iterator<Item = usize>) -> Self {
        let mut columns = Columns {
            places: Vec::new(),
            args: Vec::new(),
            changed: false,
        };
        for arity in arities {
            let args = columns.new_places(arity, 0);
            columns.args.push(args);
        }
        columns
    }

    /// Approximate number of bytes held.
    pub(crate) fn bytes(&self) -> usize {
        let place = |place: &Place| size_of::<Place>() + place.constants.len() / 8;
        self.places.iter().map(place).sum()
    }

    fn new_places(&mut self, count: usize, depth: u32) -> Vec<Node> {
        let first = self.places.len();
        self.places.resize_with(first + count, || Place {
            depth,
            ..Place::default()
        });
        (first..first + count).collect()
    }

    /// Makes any term possible at all places of a relation.
    pub(crate) fn add_any(&mut self, relation: RelationId) {
        for place in self.args[relation.index()].clone() {
            self.set_any(place);
        }
    }

    /// Estimates the number of terms in a domain that was read from these columns.
    pub(crate) fn size(&self, domain: &Domain) -> f64 {
        let Some(constants) = &domain.constants else {
            return MANY;
        };
        let mut size = constants.count_ones(..) as f64;
        for &place in &domain.compounds {
            size += self.compounds_at(place);
        }
        size
    }

    /// Estimates the number of terms that can occur at each argument of a relation.
    pub(crate) fn sizes(&self, relation: RelationId) -> impl Iterator<Item = f64> {
        let places = self.args[relation.index()].iter();
        places.map(|&place| self.terms_at(place))
    }

    /// The number of constants that can occur in a relation, place by place.
    pub(crate) fn spread(&self, relation: RelationId) -> f64 {
        let places = self.args[relation.index()].iter();
        places.map(|&place| self.spread_at(place)).sum()
    }

    fn spread_at(&self, place: Node) -> f64 {
        let here = &self.places[place];
        if here.any {
            return MANY;
        }
        let inner = here.compounds.iter().flat_map(|(_, args)| args);
        here.constants.count_ones(..) as f64 + inner.map(|&arg| self.spread_at(arg)).sum::<f64>()
    }

    fn terms_at(&self, place: Node) -> f64 {
        let here = &self.places[place];
        if here.any {
            return MANY;
        }
        here.constants.count_ones(..) as f64 + self.compounds_at(place)
    }

    fn compounds_at(&self, place: Node) -> f64 {
        let of = |args: &Vec<Node>| args.iter().map(|&arg| self.terms_at(arg)).product::<f64>();
        let compounds = self.places[place].compounds.iter();
        compounds.map(|(_, args)| of(args).min(MANY)).sum()
    }

    fn set_any(&mut self, place: Node) {
        self.changed |= !std::mem::replace(&mut self.places[place].any, true);
    }

    /// Adds the instances of an atom whose variables have these domains. The domains were read
    /// from `source`, or from these columns if `source` is `None`.
    pub(crate) fn add(
        &mut self,
        atom: &Atom,
        domains: &[Domain],
        source: Option<&Columns>,
        terms: &TermStore,
    ) {
        let places = self.args[atom.relation.index()].clone();
        for (arg, place) in atom.args.iter().zip(places) {
            self.add_pattern(place, arg, domains, source, terms);
        }
    }

    /// Adds a fact.
    pub(crate) fn add_fact(&mut self, relation: RelationId, args: &[TermId], terms: &TermStore) {
        for (position, &arg) in args.iter().enumerate() {
            self.add_term(self.args[relation.index()][position], arg, terms);
        }
    }

    fn add_term(&mut self, place: Node, term: TermId, terms: &TermStore) {
        let args = terms.args(term);
        if args.is_empty() {
            let constants = &mut self.places[place].constants;
            constants.grow(term.index() + 1);
            self.changed |= !constants.put(term.index());
        } else if let Some(places) = self.children(place, terms.functor(term), args.len()) {
            for (place, &arg) in places.into_iter().zip(args) {
                self.add_term(place, arg, terms);
            }
        }
    }

    /// The places of a compound's arguments, created if needed. `None` if any term is possible
    /// here.
    fn children(&mut self, place: Node, functor: Symbol, arity: usize) -> Option<Vec<Node>> {
        if self.places[place].any {
            return None;
        }
        if let Some(children) = self.find_children(place, functor, arity) {
            return Some(children.to_vec());
        }
        let depth = self.places[place].depth + 1;
        if depth > MAX_DEPTH || self.places.len() > MAX_PLACES {
            self.set_any(place);
            return None;
        }
        let children = self.new_places(arity, depth);
        self.places[place]
            .compounds
            .push(((functor, arity), children.clone()));
        self.changed = true;
        Some(children)
    }

    fn find_children(&self, place: Node, functor: Symbol, arity: usize) -> Option<&[Node]> {
        let compounds = &self.places[place].compounds;
        let found = compounds.iter().find(|(key, _)| *key == (functor, arity));
        found.map(|(_, children)| children.as_slice())
    }

    fn add_pattern(
        &mut self,
        place: Node,
        pattern: &Pattern,
        domains: &[Domain],
        source: Option<&Columns>,
        terms: &TermStore,
    ) {
        match pattern {
            Pattern::Term(term) => self.add_term(place, *term, terms),
            Pattern::Var(var) => {
                let domain = &domains[*var as usize];
                let Some(constants) = &domain.constants else {
                    self.set_any(place);
                    return;
                };
                let here = &mut self.places[place].constants;
                if !constants.is_subset(here) {
                    here.union_with(constants);
                    self.changed = true;
                }
                for &from in &domain.compounds {
                    self.copy_compounds(place, from, source);
                }
            }
            Pattern::Compound(functor, args) => {
                if let Some(places) = self.children(place, *functor, args.len()) {
                    for (place, arg) in places.into_iter().zip(args) {
                        self.add_pattern(place, arg, domains, source, terms);
                    }
                }
            }
        }
    }

    /// Adds the compound terms at `from`, a place of `source` or else of these columns.
    fn copy_compounds(&mut self, place: Node, from: Node, source: Option<&Columns>) {
        let origin = &source.unwrap_or(self).places[from];
        if origin.any {
            self.set_any(place);
            return;
        }
        if source.is_none() && place == from {
            return;
        }
        for ((functor, arity), inner) in origin.compounds.clone() {
            let Some(children) = self.children(place, functor, arity) else {
                return;
            };
            for (to, from) in children.into_iter().zip(inner) {
                self.copy(to, from, source);
            }
        }
    }

    fn copy(&mut self, to: Node, from: Node, source: Option<&Columns>) {
        let origin = &source.unwrap_or(self).places[from];
        if origin.any {
            self.set_any(to);
            return;
        }
        if !origin.constants.is_subset(&self.places[to].constants) {
            let constants = origin.constants.clone();
            self.places[to].constants.union_with(&constants);
            self.changed = true;
        }
        self.copy_compounds(to, from, source);
    }

    /// Narrows the domains of an atom's variables to the terms at its places. Returns false if
    /// the atom has no instance. The domains' compounds are places of these columns.
    pub(crate) fn narrow(&self, atom: &Atom, domains: &mut [Domain], terms: &TermStore) -> bool {
        self.fits(atom, terms, &mut |var, place| {
            let here = &self.places[place];
            let domain = &mut domains[var];
            let compounds = !here.compounds.is_empty();
            match &mut domain.constants {
                None => {
                    domain.constants = Some(here.constants.clone());
                    if compounds {
                        domain.compounds = vec![place];
                    }
                }
                Some(constants) => {
                    constants.intersect_with(&here.constants);
                    if !compounds {
                        domain.compounds.clear();
                    }
                }
            }
            !domain.is_empty()
        })
    }

    /// Whether the terms of an atom are at its places. `narrow` says whether a variable can have
    /// the terms at a place; it is not asked about places that hold any term.
    fn fits(
        &self,
        atom: &Atom,
        terms: &TermStore,
        narrow: &mut dyn FnMut(usize, Node) -> bool,
    ) -> bool {
        let places = &self.args[atom.relation.index()];
        let mut pairs = atom.args.iter().zip(places);
        pairs.all(|(arg, &place)| self.fits_pattern(place, arg, terms, narrow))
    }

    fn fits_pattern(
        &self,
        place: Node,
        pattern: &Pattern,
        terms: &TermStore,
        narrow: &mut dyn FnMut(usize, Node) -> bool,
    ) -> bool {
        if self.places[place].any {
            return true;
        }
        match pattern {
            Pattern::Term(term) => self.holds(place, *term, terms),
            Pattern::Var(var) => narrow(*var as usize, place),
            Pattern::Compound(functor, args) => {
                match self.find_children(place, *functor, args.len()) {
                    Some(children) => children
                        .iter()
                        .zip(args)
                        .all(|(&child, arg)| self.fits_pattern(child, arg, terms, narrow)),
                    None => false,
                }
            }
        }
    }

    fn holds(&self, place: Node, term: TermId, terms: &TermStore) -> bool {
        let here = &self.places[place];
        let args = terms.args(term);
        if here.any {
            return true;
        }
        if args.is_empty() {
            return here.constants.contains(term.index());
        }
        self.find_children(place, terms.functor(term), args.len())
            .is_some_and(|children| {
                let pairs = children.iter().zip(args);
                pairs
                    .into_iter()
                    .all(|(&c, &arg)| self.holds(c, arg, terms))
            })
    }

    /// Narrows domains that were read from other columns to the constants at the places here.
    /// Compound terms are removed only where these columns have none. Returns false if the atom
    /// has no instance.
    pub(crate) fn restrict(&self, atom: &Atom, domains: &mut [Domain], terms: &TermStore) -> bool {
        self.fits(atom, terms, &mut |var, place| {
            let here = &self.places[place];
            let domain = &mut domains[var];
            // A domain of any term stays as it is: it is unknown here which compounds it contains.
            if let Some(constants) = &mut domain.constants {
                constants.intersect_with(&here.constants);
                if here.compounds.is_empty() {
                    domain.compounds.clear();
                }
            }
            !domain.is_empty()
        })
    }
}
