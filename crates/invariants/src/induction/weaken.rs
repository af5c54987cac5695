//! What takes the place of an invariant without a proof: weaker ones, and later perhaps stronger
//! ones again.

use super::Induction;
use crate::groups::Group;
use crate::invariant::Invariant;

/// How often an invariant is weakened before it is dropped.
const WEAKENINGS: u32 = 12;

impl Induction<'_> {
    /// Replaces an invariant by `weaker` ones, and opens what was proved with it.
    pub(super) fn weaken(&mut self, id: u32, weaker: Vec<Invariant>) {
        self.report.failed += 1;
        let mut weaker = weaker.into_iter();
        if self.agenda.weakenings(id) >= WEAKENINGS {
            weaker = Vec::new().into_iter();
        }
        let first = weaker.next();
        if let (Invariant::Group(old), Some(Invariant::Group(new))) =
            (self.refuter.assumed.get(id), &first)
        {
            let place = |fact: &u32| old.facts.binary_search(fact).unwrap_or(usize::MAX);
            let places: Vec<usize> = new.facts.iter().map(place).collect();
            self.agenda.choose_parts(id, &places);
        }
        self.agenda.weakened(id, first.is_some());
        let assumed = &mut self.refuter.assumed;
        assumed.replace(id, first.unwrap_or(Invariant::Dropped));
        for other in weaker {
            assumed.add(other);
            self.agenda.add_part_of(id);
        }
        self.refuter.grown();
    }

    /// Splits the group into parts without clashing pairs.
    pub(super) fn parts(&self, group: &Group, clashes: &[(usize, usize)]) -> Vec<Invariant> {
        let clash = |a: usize, b: usize| clashes.contains(&(a, b)) || clashes.contains(&(b, a));
        let mut parts: Vec<Vec<usize>> = Vec::new();
        for at in 0..group.facts.len() {
            let fits = |part: &&mut Vec<usize>| part.iter().all(|&other| !clash(at, other));
            match parts.iter_mut().find(fits) {
                Some(part) => part.push(at),
                None => parts.push(vec![at]),
            }
        }
        let parts = parts.into_iter().filter(|part| part.len() > 1);
        let parts = parts.map(|part| {
            let facts: Vec<u32> = part.iter().map(|&at| group.facts[at]).collect();
            let exactly = self.refusals.always(&facts);
            Invariant::Group(Group { facts, exactly })
        });
        parts.collect()
    }

    /// The proved part of an invariant, as invariants: members of a group that are proved to
    /// exclude all members after them.
    pub(super) fn salvaged(&self, id: u32) -> Vec<Invariant> {
        let Invariant::Group(group) = self.refuter.assumed.get(id) else {
            return Vec::new();
        };
        let places = (0..group.facts.len()).filter(|&at| self.agenda.part(id, at).is_some());
        let facts: Vec<u32> = places.map(|at| group.facts[at]).collect();
        match facts.len() {
            0 | 1 => Vec::new(),
            // All members exclude each other; unproved is only that one of them always holds.
            _ => vec![Invariant::Group(Group {
                exactly: false,
                facts,
            })],
        }
    }

    /// Whether every fact of the group is also in another group. Parts of it then need no proof.
    pub(super) fn is_spare(&self, id: u32, group: &Group) -> bool {
        let in_other = |&fact: &u32| {
            self.refuter
                .assumed
                .of(fact)
                .iter()
                .any(|&other| other != id)
        };
        group.facts.iter().all(in_other)
    }

    /// Puts facts together again that a candidate had together and that were separated when
    /// fewer clashes were settled. Returns whether there are any.
    pub(super) fn again(&mut self) -> bool {
        let before = self.refuter.assumed.len();
        let clash = |a: u32, b: u32| self.clashed.contains(&(a, b));
        for group in &self.candidates {
            let parts = (self.refusals).left(&Invariant::Group(group.clone()), usize::MAX, &clash);
            for part in parts {
                let Invariant::Group(part) = part else {
                    continue;
                };
                let assumed = &self.refuter.assumed;
                let mut of_first = assumed.of(part.facts[0]).iter();
                let known = of_first.any(|&id| match assumed.get(id) {
                    Invariant::Group(group) => {
                        let mut facts = part.facts.iter();
                        facts.all(|fact| group.facts.binary_search(fact).is_ok())
                    }
                    _ => false,
                });
                if !known {
                    self.refuter.assumed.add(Invariant::Group(part));
                    self.agenda.add();
                }
            }
        }
        self.refuter.grown();
        self.refuter.assumed.len() > before
    }
}
