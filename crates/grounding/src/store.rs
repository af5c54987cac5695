//! Ground atoms: the interned tuples of each relation, and which of them are derived.

use crate::shards::Shards;
use datalog::{RelationId, TermId};
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// The number of a ground atom in an [`AtomStore`].
pub(crate) type AtomNo = u32;

/// The tuples of one relation.
///
/// `derived` lists the tuples that hold, in order of derivation. The fixpoint processes it in
/// batches: `..old` were settled before the current batch, `old..settled` are the batch, and
/// the rest is pending.
#[derive(Debug, Default)]
pub(crate) struct Tuples {
    arity: usize,
    cells: Vec<TermId>,
    atoms: Vec<AtomNo>,
    table: Shards,
    pub(crate) derived: Vec<u32>,
    pub(crate) old: u32,
    pub(crate) settled: u32,
}

impl Tuples {
    /// The arguments of a tuple.
    pub(crate) fn args(&self, tuple: u32) -> &[TermId] {
        &self.cells[tuple as usize * self.arity..][..self.arity]
    }

    /// The atom of a tuple.
    pub(crate) fn atom(&self, tuple: u32) -> AtomNo {
        self.atoms[tuple as usize]
    }

    /// Whether derived tuples are pending.
    pub(crate) fn is_pending(&self) -> bool {
        (self.settled as usize) < self.derived.len()
    }

    fn bytes(&self) -> usize {
        (self.cells.capacity() + self.atoms.capacity() + self.derived.capacity()) * 4
            + self.table.bytes()
    }
}

fn hash(args: &[TermId]) -> u64 {
    let mut hasher = FxHasher::default();
    for arg in args {
        hasher.write_u32(arg.0);
    }
    hasher.finish()
}

/// All known ground atoms, whether derived or only mentioned in a negation.
#[derive(Debug, Default)]
pub(crate) struct AtomStore {
    relations: Vec<Tuples>,
    /// For each atom its relation and tuple.
    atoms: Vec<(RelationId, u32)>,
    holds: Vec<bool>,
    pub(crate) derived: usize,
}

impl AtomStore {
    /// Creates an empty store for relations of these arities.
    pub(crate) fn new(arities: impl Iterator<Item = usize>) -> Self {
        AtomStore {
            relations: arities
                .map(|arity| Tuples {
                    arity,
                    ..Tuples::default()
                })
                .collect(),
            ..AtomStore::default()
        }
    }

    /// The number of atoms.
    pub(crate) fn len(&self) -> usize {
        self.atoms.len()
    }

    /// Approximate number of bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.relations.iter().map(Tuples::bytes).sum::<usize>() + self.atoms.capacity() * 9
    }

    /// The tuples of a relation.
    pub(crate) fn tuples(&self, relation: RelationId) -> &Tuples {
        &self.relations[relation.index()]
    }

    /// The tuples of a relation, mutable.
    pub(crate) fn tuples_mut(&mut self, relation: RelationId) -> &mut Tuples {
        &mut self.relations[relation.index()]
    }

    /// The relation of an atom.
    pub(crate) fn relation(&self, atom: AtomNo) -> RelationId {
        self.atoms[atom as usize].0
    }

    /// The arguments of an atom.
    pub(crate) fn args(&self, atom: AtomNo) -> &[TermId] {
        let (relation, tuple) = self.atoms[atom as usize];
        self.tuples(relation).args(tuple)
    }

    /// Whether the atom is derived.
    pub(crate) fn holds(&self, atom: AtomNo) -> bool {
        self.holds[atom as usize]
    }

    /// Returns the number of an atom, which is added if it is new.
    #[inline]
    pub(crate) fn intern(&mut self, relation: RelationId, args: &[TermId]) -> AtomNo {
        let tuples = &mut self.relations[relation.index()];
        let hashed = hash(args);
        let found = tuples
            .table
            .of(hashed)
            .find(hashed, |&tuple| tuples.args(tuple) == args);
        if let Some(&tuple) = found {
            return tuples.atom(tuple);
        }
        let atom = self.atoms.len() as AtomNo;
        let tuple = tuples.atoms.len() as u32;
        tuples.cells.extend_from_slice(args);
        tuples.atoms.push(atom);
        let (cells, arity) = (&tuples.cells, tuples.arity);
        let part = tuples.table.of_mut(hashed);
        part.insert_unique(hashed, tuple, |&other| {
            hash(&cells[other as usize * arity..][..arity])
        });
        self.atoms.push((relation, tuple));
        self.holds.push(false);
        atom
    }

    /// Finds the number of a derived atom.
    pub(crate) fn find(&self, relation: RelationId, args: &[TermId]) -> Option<AtomNo> {
        let tuples = self.tuples(relation);
        let hashed = hash(args);
        let tuple = tuples
            .table
            .of(hashed)
            .find(hashed, |&tuple| tuples.args(tuple) == args)?;
        Some(tuples.atom(*tuple))
    }

    /// Marks an atom as derived. Returns true if it was not derived before.
    #[inline]
    pub(crate) fn derive(&mut self, atom: AtomNo) -> bool {
        if std::mem::replace(&mut self.holds[atom as usize], true) {
            return false;
        }
        let (relation, tuple) = self.atoms[atom as usize];
        self.relations[relation.index()].derived.push(tuple);
        self.derived += 1;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interned_atoms_are_not_derived() {
        let mut atoms = AtomStore::new([1, 2].into_iter());
        let relation = RelationId(1);
        let atom = atoms.intern(relation, &[TermId(3), TermId(4)]);
        assert_eq!(atoms.intern(relation, &[TermId(3), TermId(4)]), atom);
        assert!(!atoms.holds(atom));
        assert!(!atoms.tuples(relation).is_pending());
        assert!(atoms.derive(atom));
        assert!(!atoms.derive(atom));
        assert!(atoms.tuples(relation).is_pending());
        assert_eq!(atoms.args(atom), [TermId(3), TermId(4)]);
    }

    #[test]
    fn atoms_without_arguments_differ_by_relation() {
        let mut atoms = AtomStore::new([0, 0].into_iter());
        let (a, b) = (
            atoms.intern(RelationId(0), &[]),
            atoms.intern(RelationId(1), &[]),
        );
        assert_ne!(a, b);
        assert_eq!(atoms.find(RelationId(1), &[]), Some(b));
    }
}
