//! Hash-consed terms: equal terms have equal ids.

use gdl_parse::{GroundTerm, Symbol, Symbols};
use hashbrown::HashTable;

/// The id of an interned ground term.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TermId(pub u32);

impl TermId {
    /// Returns the id as an index. Ids are dense from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Debug, Clone, Copy)]
struct Node {
    functor: Symbol,
    start: u32,
    arity: u32,
}

/// A store of all ground terms seen so far. Ids are assigned in order of interning and never
/// change.
#[derive(Debug, Clone, Default)]
pub struct TermStore {
    symbols: Symbols,
    nodes: Vec<Node>,
    args: Vec<TermId>,
    index: HashTable<TermId>,
}

/// Hashes a term. Ids are small and regular, so every step folds the high half of the product
/// back: a plain multiplicative hash collides badly on grids.
fn hash(functor: Symbol, args: &[TermId]) -> u64 {
    let ids = args.iter().map(|arg| u64::from(arg.0));
    ids.fold(
        0x9E37_79B9_7F4A_7C15 ^ functor.index() as u64,
        |hash, id| {
            let product = (hash.rotate_left(7) ^ id).wrapping_mul(0xD6E8_FEB8_6659_FD93);
            product ^ product >> 32
        },
    )
    // The hash of a constant must also be well distributed.
    .wrapping_mul(0xD6E8_FEB8_6659_FD93)
}

impl TermStore {
    /// Creates an empty store that contains the names of `symbols`.
    pub fn new(symbols: Symbols) -> Self {
        TermStore {
            symbols,
            ..TermStore::default()
        }
    }

    /// Returns the names.
    pub fn symbols(&self) -> &Symbols {
        &self.symbols
    }

    /// The number of terms.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no term.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Approximate number of bytes held.
    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.args.capacity() * size_of::<TermId>()
            + self.index.capacity() * 5
    }

    /// The name of the constant `term`, or the function symbol of a compound term.
    pub fn functor(&self, term: TermId) -> Symbol {
        self.nodes[term.index()].functor
    }

    /// The arguments of `term`. Empty for a constant.
    pub fn args(&self, term: TermId) -> &[TermId] {
        let node = self.nodes[term.index()];
        &self.args[node.start as usize..(node.start + node.arity) as usize]
    }

    /// Interns a name.
    pub fn symbol(&mut self, name: &str) -> Symbol {
        self.symbols.intern(name)
    }

    /// Interns a constant.
    pub fn constant(&mut self, symbol: Symbol) -> TermId {
        self.compound(symbol, &[])
    }

    /// Interns a function applied to terms, or a constant if there are none.
    pub fn compound(&mut self, functor: Symbol, args: &[TermId]) -> TermId {
        if let Some(term) = self.find(functor, args) {
            return term;
        }
        let term = TermId(self.nodes.len() as u32);
        self.nodes.push(Node {
            functor,
            start: self.args.len() as u32,
            arity: args.len() as u32,
        });
        self.args.extend_from_slice(args);
        let (nodes, all_args) = (&self.nodes, &self.args);
        self.index.insert_unique(hash(functor, args), term, |t| {
            let node = nodes[t.index()];
            let range = node.start as usize..(node.start + node.arity) as usize;
            hash(node.functor, &all_args[range])
        });
        term
    }

    /// Finds a term that has been interned.
    #[inline]
    pub fn find(&self, functor: Symbol, args: &[TermId]) -> Option<TermId> {
        self.index
            .find(hash(functor, args), |&t| {
                self.functor(t) == functor && self.args(t) == args
            })
            .copied()
    }

    /// Interns a term from outside the store.
    pub fn intern(&mut self, term: &GroundTerm) -> TermId {
        match term {
            GroundTerm::Constant(name) => {
                let symbol = self.symbols.intern(name);
                self.constant(symbol)
            }
            GroundTerm::Compound(name, args) => {
                let args: Vec<TermId> = args.iter().map(|arg| self.intern(arg)).collect();
                let symbol = self.symbols.intern(name);
                self.compound(symbol, &args)
            }
        }
    }

    /// Converts a term for use outside the store.
    pub fn ground(&self, term: TermId) -> GroundTerm {
        let name = self.symbols.name(self.functor(term)).into();
        match self.args(term) {
            [] => GroundTerm::Constant(name),
            args => GroundTerm::Compound(name, args.iter().map(|&arg| self.ground(arg)).collect()),
        }
    }

    /// Adds all terms of `other`, which must be an extended copy of this store. Ids stay equal
    /// in both.
    pub fn catch_up(&mut self, other: &TermStore) {
        for (_, name) in other.symbols.iter().skip(self.symbols.len()) {
            self.symbols.intern(name);
        }
        for index in self.len()..other.len() {
            let term = TermId(index as u32);
            self.compound(other.functor(term), other.args(term));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_terms_have_equal_ids() {
        let mut store = TermStore::default();
        let a: GroundTerm = "(cell 1 (at 2 b))".parse().unwrap();
        let id = store.intern(&a);
        assert_eq!(store.intern(&a.clone()), id);
        assert_eq!(store.ground(id), a);
        assert_ne!(store.intern(&"(cell 1 (at 2 c))".parse().unwrap()), id);
    }

    #[test]
    fn a_copy_catches_up_with_the_same_ids() {
        let mut first = TermStore::default();
        first.intern(&"(f a)".parse().unwrap());
        let mut second = first.clone();
        let late = first.intern(&"(g (f a) new)".parse().unwrap());
        second.catch_up(&first);
        assert_eq!(second.ground(late), first.ground(late));
        assert_eq!(second.len(), first.len());
    }
}
