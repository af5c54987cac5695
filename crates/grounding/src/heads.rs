//! Rule instances by the atoms that they derive.

use crate::error::GroundError;
use crate::instances::{Instance, Instances, LiteralCode};
use crate::meter::Meter;
use crate::store::AtomNo;

/// Where a body lies.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place(u32);

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
        self.places(head).map(|(_, body)| body)
    }

    /// The same, with the place of each.
    fn places(&self, head: AtomNo) -> impl Iterator<Item = (Place, &[LiteralCode])> {
        let (mut next, end) = (self.start[head as usize], self.start[head as usize + 1]);
        std::iter::from_fn(move || {
            let place = Place(next);
            let body = (next < end).then(|| self.body(place))?;
            next += 1 + body.len() as u32;
            Some((place, body))
        })
    }

    /// The body at a place.
    #[inline]
    pub(crate) fn body(&self, place: Place) -> &[LiteralCode] {
        let at = place.0 as usize;
        &self.words[at + 1..][..self.words[at] as usize]
    }

    /// All instances, with the places of their bodies.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Place, Instance<'_>)> {
        let heads = 0..self.atoms() as AtomNo;
        heads.flat_map(|head| {
            let places = self.places(head);
            places.map(move |(place, body)| (place, Instance { head, body }))
        })
    }

    /// Approximate number of bytes held.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.start) + size_of_val(&*self.words)
    }
}
