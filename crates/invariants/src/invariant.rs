//! Candidate invariants, which are assumed while they are being proved.

use crate::groups::Group;

/// A property of the facts of a state.
#[derive(Debug, Clone)]
pub enum Invariant {
    /// At most one fact of the group holds, or exactly one.
    Group(Group),
    /// The fact always has this value.
    Constant(u32, bool),
    /// Nothing: no proof was found.
    Dropped,
}

/// The assumed invariants, by number and by fact.
#[derive(Debug, Default)]
pub struct Assumed {
    invariants: Vec<Invariant>,
    /// For each fact, the numbers of its groups.
    groups: Vec<Vec<u32>>,
    constants: Vec<Option<(u32, bool)>>,
}

impl Assumed {
    /// No assumptions about this number of facts.
    pub fn new(facts: usize) -> Self {
        Assumed {
            invariants: Vec::new(),
            groups: vec![Vec::new(); facts],
            constants: vec![None; facts],
        }
    }

    /// The number of invariants, including dropped ones.
    pub fn len(&self) -> usize {
        self.invariants.len()
    }

    /// The invariant with this number.
    pub fn get(&self, id: u32) -> &Invariant {
        &self.invariants[id as usize]
    }

    /// The numbers of the groups that contain the fact.
    pub fn of(&self, fact: u32) -> &[u32] {
        &self.groups[fact as usize]
    }

    /// The number of the invariant that makes the fact constant, and the constant value. `None`
    /// if no invariant does.
    pub fn constant(&self, fact: u32) -> Option<(u32, bool)> {
        self.constants[fact as usize]
    }

    /// Adds an invariant and returns its number.
    pub fn add(&mut self, invariant: Invariant) -> u32 {
        let id = self.invariants.len() as u32;
        self.invariants.push(Invariant::Dropped);
        self.replace(id, invariant);
        id
    }

    /// Replaces the invariant with this number by another one.
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

    /// All invariants, in order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = &Invariant> {
        self.invariants.iter()
    }
}
