//! The input of joins: the tuples of a relation that have a certain shape, as flat rows.
//!
//! Most relations of a game have one argument that is a compound term, as in `(true (cell 1 2
//! b))`. An index on whole arguments would be useless there. A [`View`] of the shape `(cell * *
//! *)` has three columns, one for each leaf of the shape. Matching a literal reads the rows
//! without decomposing terms. Hash indices can be built over any of the columns.

use crate::shards::Shards;
use crate::store::{AtomNo, AtomStore};
use datalog::{Atom, Pattern, RelationId, TermId, TermStore};
use gdl_parse::Symbol;
use hashbrown::hash_table::Entry;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::Hasher;

/// One element of a shape, in a left-to-right walk over the arguments of a tuple.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Shape {
    /// A column that holds the whole term.
    Leaf,
    /// A compound term with this function symbol and arity. The shapes of its arguments follow.
    Compound(Symbol, u32),
}

/// A leaf of a literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Leaf {
    /// A ground term.
    Term(TermId),
    /// A variable.
    Var(u16),
}

/// A hash index over some columns of a view.
#[derive(Debug)]
struct Index {
    columns: Box<[u16]>,
    /// For each key the newest row.
    heads: Shards,
    /// For each row the next older row with the same key, or `NONE`.
    older: Vec<u32>,
}

const NONE: u32 = u32::MAX;

/// The tuples of a relation that have a certain shape.
///
/// Rows are in order of derivation, so "before this batch" and "in this batch" are ranges of
/// row numbers.
#[derive(Debug)]
pub(crate) struct View {
    relation: RelationId,
    shape: Box<[Shape]>,
    width: usize,
    cells: Vec<TermId>,
    atoms: Vec<AtomNo>,
    /// Number of rows settled before the current batch.
    old_rows: u32,
    /// Number of the relation's derived tuples that have been read.
    read: u32,
    indices: Vec<Index>,
    /// For each column the estimate of [`View::distinct`] and the number of rows it is based
    /// on.
    distinct: Vec<(u32, f64)>,
}

fn hash_cells(cells: impl Iterator<Item = TermId>) -> u64 {
    let mut hasher = FxHasher::default();
    for cell in cells {
        hasher.write_u32(cell.0);
    }
    hasher.finish()
}

impl View {
    /// The number of rows.
    pub(crate) fn rows(&self) -> u32 {
        self.atoms.len() as u32
    }

    /// The number of rows settled before the current batch.
    pub(crate) fn old_rows(&self) -> u32 {
        self.old_rows
    }

    /// The leaves of a row.
    #[inline]
    pub(crate) fn row(&self, row: u32) -> &[TermId] {
        &self.cells[row as usize * self.width..][..self.width]
    }

    /// The atom of a row.
    #[inline]
    pub(crate) fn atom(&self, row: u32) -> AtomNo {
        self.atoms[row as usize]
    }

    fn bytes(&self) -> usize {
        let indices: usize = self
            .indices
            .iter()
            .map(|index| index.older.capacity() * 4 + index.heads.bytes())
            .sum();
        (self.cells.capacity() + self.atoms.capacity()) * 4 + indices
    }

    /// Reads the derived tuples up to `to`.
    fn read_to(&mut self, to: u32, atoms: &AtomStore, terms: &TermStore, stack: &mut Vec<TermId>) {
        let tuples = atoms.tuples(self.relation);
        for &tuple in &tuples.derived[self.read as usize..to as usize] {
            let start = self.cells.len();
            stack.clear();
            stack.extend(tuples.args(tuple).iter().rev());
            let mut fits = true;
            for step in &self.shape {
                // The shape has an element for each term that is popped.
                let Some(term) = stack.pop() else { break };
                match *step {
                    Shape::Leaf => self.cells.push(term),
                    Shape::Compound(functor, arity) => {
                        let args = terms.args(term);
                        if terms.functor(term) != functor || args.len() != arity as usize {
                            fits = false;
                            break;
                        }
                        stack.extend(args.iter().rev());
                    }
                }
            }
            if fits {
                self.atoms.push(tuples.atom(tuple));
            } else {
                self.cells.truncate(start);
            }
        }
        self.read = to;
        for position in 0..self.indices.len() {
            self.extend_index(position);
        }
    }

    fn extend_index(&mut self, position: usize) {
        let (cells, width) = (&self.cells, self.width);
        let index = &mut self.indices[position];
        let columns = &index.columns;
        let key = |row: u32| {
            let row = &cells[row as usize * width..][..width];
            columns.iter().map(|&column| row[column as usize])
        };
        for row in index.older.len() as u32..self.atoms.len() as u32 {
            let hashed = hash_cells(key(row));
            let entry = index.heads.of_mut(hashed).entry(
                hashed,
                |&other| key(other).eq(key(row)),
                |&other| hash_cells(key(other)),
            );
            match entry {
                Entry::Occupied(mut head) => {
                    index.older.push(*head.get());
                    *head.get_mut() = row;
                }
                Entry::Vacant(slot) => {
                    index.older.push(NONE);
                    slot.insert(row);
                }
            }
        }
    }

    /// The index over `columns`, built if it does not exist.
    pub(crate) fn index(&mut self, columns: &[u16]) -> usize {
        if let Some(found) = self.indices.iter().position(|i| *i.columns == *columns) {
            return found;
        }
        self.indices.push(Index {
            columns: columns.into(),
            heads: Shards::default(),
            older: Vec::new(),
        });
        let position = self.indices.len() - 1;
        self.extend_index(position);
        position
    }

    /// The newest row whose indexed columns equal `key`.
    #[inline]
    pub(crate) fn newest(&self, index: usize, key: &[TermId]) -> Option<u32> {
        let index = &self.indices[index];
        let hashed = hash_cells(key.iter().copied());
        index
            .heads
            .of(hashed)
            .find(hashed, |&row| {
                let row = self.row(row);
                index
                    .columns
                    .iter()
                    .zip(key)
                    .all(|(&column, &term)| row[column as usize] == term)
            })
            .copied()
    }

    /// The next older row with the same key.
    #[inline]
    pub(crate) fn older(&self, index: usize, row: u32) -> Option<u32> {
        match self.indices[index].older[row as usize] {
            NONE => None,
            row => Some(row),
        }
    }

    /// Estimates the number of distinct values in a column, from a sample.
    pub(crate) fn distinct(&mut self, column: u16) -> f64 {
        let rows = self.rows();
        let (sampled, estimate) = self.distinct[column as usize];
        if sampled <= rows && rows <= sampled.saturating_mul(2) && estimate > 0.0 {
            return estimate;
        }
        let estimate = self.sample_distinct(column);
        self.distinct[column as usize] = (rows, estimate);
        estimate
    }

    fn sample_distinct(&self, column: u16) -> f64 {
        const SAMPLE: u32 = 512;
        let rows = self.rows();
        let stride = rows.div_ceil(SAMPLE).max(1);
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        let mut sampled = 0u32;
        let mut row = 0;
        while row < rows {
            // An odd offset within each stride prevents aliasing with the period of a regular
            // table.
            let at = (row + sampled.wrapping_mul(7919) % stride).min(rows - 1);
            seen.insert(self.row(at)[column as usize]);
            sampled += 1;
            row += stride;
        }
        let seen = seen.len() as f64;
        // The sample has few repetitions: treat the column as a key.
        if sampled > 0 && seen * 2.0 > f64::from(sampled) {
            seen / f64::from(sampled) * f64::from(rows)
        } else {
            seen.max(1.0)
        }
    }
}

/// All views.
#[derive(Debug, Default)]
pub(crate) struct Views {
    views: Vec<View>,
    by_shape: FxHashMap<(RelationId, Box<[Shape]>), usize>,
    by_relation: Vec<Vec<usize>>,
    stack: Vec<TermId>,
}

impl Views {
    /// Creates an empty set of views, for this many relations.
    pub(crate) fn new(relations: usize) -> Self {
        Views {
            by_relation: vec![Vec::new(); relations],
            ..Views::default()
        }
    }

    /// A view.
    #[inline]
    pub(crate) fn get(&self, view: usize) -> &View {
        &self.views[view]
    }

    /// A view, mutable.
    pub(crate) fn get_mut(&mut self, view: usize) -> &mut View {
        &mut self.views[view]
    }

    /// Approximate number of bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.views.iter().map(View::bytes).sum()
    }

    /// The view to match `atom` with, and the atom's leaves in the order of its columns.
    pub(crate) fn for_atom(
        &mut self,
        atom: &Atom,
        atoms: &AtomStore,
        terms: &TermStore,
    ) -> (usize, Vec<Leaf>) {
        let mut shape = Vec::new();
        let mut leaves = Vec::new();
        for arg in &atom.args {
            flatten(arg, &mut shape, &mut leaves);
        }
        let key = (atom.relation, shape.into_boxed_slice());
        if let Some(&view) = self.by_shape.get(&key) {
            return (view, leaves);
        }
        let mut view = View {
            relation: atom.relation,
            shape: key.1.clone(),
            width: leaves.len(),
            cells: Vec::new(),
            atoms: Vec::new(),
            old_rows: 0,
            read: 0,
            indices: Vec::new(),
            distinct: vec![(0, 0.0); leaves.len()],
        };
        let tuples = atoms.tuples(atom.relation);
        view.read_to(tuples.old, atoms, terms, &mut self.stack);
        view.old_rows = view.rows();
        view.read_to(tuples.settled, atoms, terms, &mut self.stack);
        let position = self.views.len();
        self.views.push(view);
        self.by_relation[atom.relation.index()].push(position);
        self.by_shape.insert(key, position);
        (position, leaves)
    }

    /// Makes the relation's derived tuples up to `settled` visible as the current batch.
    pub(crate) fn settle(&mut self, relation: RelationId, atoms: &AtomStore, terms: &TermStore) {
        for &view in &self.by_relation[relation.index()] {
            let view = &mut self.views[view];
            view.old_rows = view.rows();
            view.read_to(
                atoms.tuples(relation).settled,
                atoms,
                terms,
                &mut self.stack,
            );
        }
    }
}

fn flatten(pattern: &Pattern, shape: &mut Vec<Shape>, leaves: &mut Vec<Leaf>) {
    match pattern {
        Pattern::Term(term) => {
            shape.push(Shape::Leaf);
            leaves.push(Leaf::Term(*term));
        }
        Pattern::Var(var) => {
            shape.push(Shape::Leaf);
            leaves.push(Leaf::Var(*var));
        }
        Pattern::Compound(functor, args) => {
            shape.push(Shape::Compound(*functor, args.len() as u32));
            for arg in args {
                flatten(arg, shape, leaves);
            }
        }
    }
}
