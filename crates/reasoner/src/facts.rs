//! The facts of the current state, with look-up by any pattern.

use crate::code::{PathCode, PathId, Shape};
use crate::table::KeyIndex;
use datalog::{TermId, TermStore};
use game::State;
use gdl_parse::Symbol;
use rustc_hash::FxHashMap;

/// Pads the last word of a state with an odd number of facts.
const NO_FACT: u32 = u32::MAX;

/// Packs facts into a state: a sorted list, two facts per word.
pub(crate) fn pack(facts: &mut Vec<TermId>, state: &mut State) {
    facts.sort_unstable();
    facts.dedup();
    let words = state.words_mut();
    words.clear();
    words.extend(facts.chunks(2).map(|pair| {
        let second = pair.get(1).map_or(NO_FACT, |t| t.0);
        u64::from(pair[0].0) | u64::from(second) << 32
    }));
}

/// The facts of a state.
pub(crate) fn unpack(state: &State) -> impl Iterator<Item = TermId> + Clone {
    state
        .words()
        .iter()
        .flat_map(|&word| [word as u32, (word >> 32) as u32])
        .filter(|&id| id != NO_FACT)
        .map(TermId)
}

/// The entries of each key along a path: for each fact its id, followed by its outs.
#[derive(Debug, Clone, Default)]
struct Path {
    index: KeyIndex,
    entries: Vec<Vec<TermId>>,
    /// Number of known facts that have been entered.
    entered: usize,
}

/// A dense number for facts with the same function symbol.
type Kind = u32;

#[derive(Debug, Clone, Default)]
pub(crate) struct Facts {
    /// Every fact seen in any state so far.
    known: Vec<TermId>,
    /// By term: the stamp of the last state that contained it. 0 for a term that was never a
    /// fact.
    stamps: Vec<u64>,
    stamp: u64,
    kinds: FxHashMap<(Symbol, usize), Kind>,
    kind_of: Vec<Kind>,
    /// By kind: the facts of the current state.
    current: Vec<Vec<TermId>>,
    paths: Vec<Path>,
}

/// Where the facts of a look-up are stored.
pub(crate) enum Found {
    /// In an entry list of the path, which also contains facts of other states.
    Entries(u32),
    /// Among all facts of this kind in the current state.
    Kind(u32),
    /// There are none.
    Nothing,
}

impl Facts {
    pub(crate) fn new(paths: &[PathCode]) -> Self {
        Facts {
            paths: paths
                .iter()
                .map(|path| Path {
                    index: KeyIndex::new(path.keys),
                    ..Path::default()
                })
                .collect(),
            ..Facts::default()
        }
    }

    /// Sets the current state to `facts`.
    pub(crate) fn set(&mut self, facts: impl Iterator<Item = TermId>, terms: &TermStore) {
        self.stamp += 1;
        self.current.iter_mut().for_each(Vec::clear);
        if self.stamps.len() < terms.len() {
            self.stamps.resize(terms.len(), 0);
            self.kind_of.resize(terms.len(), 0);
        }
        for fact in facts {
            if self.stamps[fact.index()] == 0 {
                self.learn(fact, terms);
            }
            self.stamps[fact.index()] = self.stamp;
            self.current[self.kind_of[fact.index()] as usize].push(fact);
        }
    }

    fn learn(&mut self, fact: TermId, terms: &TermStore) {
        self.known.push(fact);
        let next = self.current.len() as Kind;
        let kind = (terms.functor(fact), terms.args(fact).len());
        let kind = *self.kinds.entry(kind).or_insert(next);
        if kind == next {
            self.current.push(Vec::new());
        }
        self.kind_of[fact.index()] = kind;
    }

    #[inline]
    pub(crate) fn holds(&self, fact: TermId) -> bool {
        self.stamps.get(fact.index()) == Some(&self.stamp)
    }

    /// Finds where the facts with these keys are stored.
    #[inline]
    pub(crate) fn find(
        &mut self,
        id: PathId,
        code: &PathCode,
        keys: &[TermId],
        terms: &TermStore,
    ) -> Found {
        if self.paths[id as usize].entered < self.known.len() {
            self.enter(id, code, terms);
        }
        let path = &self.paths[id as usize];
        let Some(list) = path.index.find(keys) else {
            return Found::Nothing;
        };
        // A long list contains mostly facts of other states. The current facts of the kind are
        // then fewer.
        let entries = &path.entries[list as usize];
        let length = entries.len() / (code.outs + 1);
        if length > 8 && !matches!(code.shape, Shape::Out(_)) {
            let kind = self.kind_of[entries[0].index()];
            if length > 2 * self.current[kind as usize].len() {
                return Found::Kind(kind);
            }
        }
        Found::Entries(list)
    }

    /// Enters the facts that became known since the path was last used.
    #[cold]
    fn enter(&mut self, id: PathId, code: &PathCode, terms: &TermStore) {
        let path = &mut self.paths[id as usize];
        let (mut keys, mut outs) = (vec![NONE; code.keys], vec![NONE; code.outs]);
        for &fact in &self.known[path.entered..] {
            keys.fill(NONE);
            outs.fill(NONE);
            if !learn_from(&code.shape, fact, &mut keys, &mut outs, terms) {
                continue;
            }
            let list = path.index.find_or_insert(&keys) as usize;
            if list == path.entries.len() {
                path.entries.push(Vec::new());
            }
            path.entries[list].push(fact);
            path.entries[list].extend_from_slice(&outs);
        }
        path.entered = self.known.len();
    }

    /// The entry at `position` of a list: whether its fact holds, and its outs. `None` past the
    /// end.
    #[inline]
    pub(crate) fn entry(
        &self,
        path: PathId,
        list: u32,
        position: usize,
        outs: usize,
    ) -> Option<(bool, &[TermId])> {
        let entries = &self.paths[path as usize].entries[list as usize];
        let start = position * (outs + 1);
        let entry = entries.get(start..start + outs + 1)?;
        Some((self.holds(entry[0]), &entry[1..]))
    }

    /// The fact at `position` among the facts of a kind in the current state.
    #[inline]
    pub(crate) fn of_kind(&self, kind: u32, position: usize) -> Option<TermId> {
        self.current[kind as usize].get(position).copied()
    }

    /// Approximate number of bytes held by indices.
    pub(crate) fn bytes(&self) -> usize {
        let entries: usize = self
            .paths
            .iter()
            .flat_map(|path| &path.entries)
            .map(|e| e.capacity() * 4 + 24)
            .sum();
        entries + self.stamps.len() * 12
    }
}

/// No term. Marks slots that are not yet filled.
pub(crate) const NONE: TermId = TermId(u32::MAX);

/// Matches a fact with a shape. Empty slots of `keys` and `outs` are filled, filled ones are
/// compared.
pub(crate) fn learn_from(
    shape: &Shape,
    term: TermId,
    keys: &mut [TermId],
    outs: &mut [TermId],
    terms: &TermStore,
) -> bool {
    fn fill(place: &mut TermId, term: TermId) -> bool {
        if *place == NONE {
            *place = term;
        }
        *place == term
    }
    match shape {
        Shape::Term(expected) => *expected == term,
        Shape::Key(i) => fill(&mut keys[*i as usize], term),
        Shape::Out(i) => fill(&mut outs[*i as usize], term),
        Shape::Compound(functor, args) => {
            terms.functor(term) == *functor
                && terms.args(term).len() == args.len()
                && args
                    .iter()
                    .zip(terms.args(term))
                    .all(|(shape, &arg)| learn_from(shape, arg, keys, outs, terms))
        }
    }
}
