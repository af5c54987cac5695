//! Statements about states that are assumed while they are being proved.

use crate::groups::Group;

/// A statement about the facts of a state.
#[derive(Debug, Clone)]
pub enum Invariant {
    /// Some facts exclude each other.
    Group(Group),
    /// A fact has always this value.
    Constant(u32, bool),
    /// Nothing: it could not be proved.
    Dropped,
}

/// The statements assumed, by number; and by fact.
#[derive(Debug, Default)]
pub struct Assumed {
    invariants: Vec<Invariant>,
    /// For each fact the numbers of its groups.
    groups: Vec<Vec<u32>>,
    constants: Vec<Option<(u32, bool)>>,
}

impl Assumed {
    /// Nothing assumed of so many facts.
    pub fn new(facts: usize) -> Self {
        Assumed {
            invariants: Vec::new(),
            groups: vec![Vec::new(); facts],
            constants: vec![None; facts],
        }
    }

    /// How many statements there are, with those dropped.
    pub fn len(&self) -> usize {
        self.invariants.len()
    }

    /// A statement.
    pub fn get(&self, id: u32) -> &Invariant {
        &self.invariants[id as usize]
    }

    /// The groups that a fact is in.
    pub fn of(&self, fact: u32) -> &[u32] {
        &self.groups[fact as usize]
    }

    /// The value of a fact that never changes, and which statement says so.
    pub fn constant(&self, fact: u32) -> Option<(u32, bool)> {
        self.constants[fact as usize]
    }

    /// Assumes one more; its number.
    pub fn add(&mut self, invariant: Invariant) -> u32 {
        let id = self.invariants.len() as u32;
        self.invariants.push(Invariant::Dropped);
        self.replace(id, invariant);
        id
    }

    /// Assumes something else in its place.
    pub fn replace(&mut self, id: u32, invariant: Invariant) {
        match &self.invariants[id as usize] {
            Invariant::Group(group) => {
                for &fact in &group.facts {
                    self.groups[fact as usize].retain(|&other| other != id);
                }
            }
            Invariant::Constant(fact, _) => self.constants[*fact as usize] = None,
            Invariant::Dropped => {}
        }
        match &invariant {
            Invariant::Group(group) => {
                for &fact in &group.facts {
                    self.groups[fact as usize].push(id);
                }
            }
            &Invariant::Constant(fact, value) => {
                self.constants[fact as usize] = Some((id, value));
            }
            Invariant::Dropped => {}
        }
        self.invariants[id as usize] = invariant;
    }

    /// All statements in order.
    pub fn iter(&self) -> impl Iterator<Item = &Invariant> {
        self.invariants.iter()
    }
}
