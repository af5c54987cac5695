//! Rule instances by the atoms that they derive.

use crate::error::GroundError;
use crate::instances::{Instance, Instances, LiteralCode};
use crate::meter::Meter;
use crate::store::AtomNo;

/// All instances, in the order of their heads. Everything after evaluation goes from heads to
/// bodies, and finds the bodies of a head side by side.
pub(crate) struct ByHead {
    /// For each atom where its bodies start.
    start: Vec<u32>,
    /// Each body as its length and its literals.
    words: Vec<u32>,
    len: usize,
}

impl ByHead {
    /// Sorts the instances of so many atoms. `held` bytes are held beside them.
    pub(crate) fn new(
        instances: Instances,
        atoms: usize,
        held: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Self, GroundError> {
        let held = held + instances.bytes() + atoms * 4;
        let mut start = vec![0u32; atoms + 1];
        for instance in instances.iter() {
            meter.watch(held)?;
            start[instance.head as usize + 1] += 1 + instance.body.len() as u32;
        }
        for atom in 0..atoms {
            start[atom + 1] += start[atom];
        }
        let held = held + instances.body_words() * 4;
        meter.look(held)?;
        let mut words = vec![0u32; instances.body_words()];
        let mut next = start.clone();
        for Instance { head, body } in instances.iter() {
            meter.watch(held)?;
            let next = &mut next[head as usize];
            let at = *next as usize;
            *next += 1 + body.len() as u32;
            words[at] = body.len() as u32;
            words[at + 1..at + 1 + body.len()].copy_from_slice(body);
        }
        let len = instances.len();
        Ok(ByHead { start, words, len })
    }

    /// The number of atoms, with instances or without.
    pub(crate) fn atoms(&self) -> usize {
        self.start.len() - 1
    }

    /// The number of instances.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The bodies from which an atom follows.
    pub(crate) fn bodies(&self, head: AtomNo) -> impl Iterator<Item = &[LiteralCode]> {
        let range = self.start[head as usize]..self.start[head as usize + 1];
        let mut rest = &self.words[range.start as usize..range.end as usize];
        std::iter::from_fn(move || {
            let (&len, tail) = rest.split_first()?;
            let (body, tail) = tail.split_at(len as usize);
            rest = tail;
            Some(body)
        })
    }

    /// All instances.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Instance<'_>> {
        let heads = 0..self.atoms() as AtomNo;
        heads.flat_map(|head| self.bodies(head).map(move |body| Instance { head, body }))
    }

    /// Approximate number of bytes held.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.start) + size_of_val(&*self.words)
    }
}
