//! The order in which invariants are proved, and the assumptions of each proof.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The state of the proof of one invariant.
#[derive(Debug, Default)]
struct Entry {
    /// Whether all parts are proved.
    proved: bool,
    /// For each proved part, the invariants that its proof assumed.
    parts: Vec<Option<Vec<u32>>>,
    /// The invariants whose proofs assumed this one.
    users: Vec<u32>,
    /// The effort of the next attempt: raised each time the effort did not suffice.
    level: u8,
    /// The steps that the last attempt took.
    cost: u64,
    /// How often the invariant was weakened.
    weakenings: u32,
    /// How often its proof was lost.
    lost: u32,
}

/// A priority queue of unproved invariants, with the dependencies between proofs.
///
/// An invariant is proved in parts. When it is weakened, the parts that assumed it must be
/// proved again, but no others. Expensive invariants come last, when the invariants that they
/// need are settled.
#[derive(Debug, Default)]
pub struct Agenda {
    entries: Vec<Entry>,
    /// Expected cost, serial number of opening, and invariant.
    queue: BinaryHeap<Reverse<(u64, u64, u32)>>,
    opened: u64,
}

impl Agenda {
    /// Adds an invariant, which is still to be proved.
    pub fn add(&mut self) {
        let id = self.entries.len() as u32;
        self.entries.push(Entry::default());
        self.open(id);
    }

    /// Adds an invariant that is proved already.
    pub fn add_known(&mut self) {
        self.entries.push(Entry {
            proved: true,
            ..Entry::default()
        });
    }

    /// Adds an invariant that came from weakening this one.
    pub fn add_part_of(&mut self, id: u32) {
        let weakenings = self.entries[id as usize].weakenings;
        self.add();
        if let Some(entry) = self.entries.last_mut() {
            entry.weakenings = weakenings;
        }
    }

    /// How often the invariant was weakened.
    pub fn weakenings(&self, id: u32) -> u32 {
        self.entries[id as usize].weakenings
    }

    /// The next invariant to prove, and the effort to spend on it.
    pub fn next(&mut self) -> Option<(u32, u8)> {
        while let Some(Reverse((_, _, id))) = self.queue.pop() {
            let entry = &self.entries[id as usize];
            if !entry.proved {
                return Some((id, entry.level));
            }
        }
        None
    }

    /// Records the steps that the last attempt at an invariant took.
    pub fn spent(&mut self, id: u32, steps: u64) {
        self.entries[id as usize].cost = steps;
    }

    /// Schedules the invariant again, later and with more effort.
    pub fn defer(&mut self, id: u32) {
        self.entries[id as usize].level += 1;
        self.open(id);
    }

    /// The invariants that the proof of a part assumed. `None` if the part is not proved.
    pub fn part(&self, id: u32, part: usize) -> Option<&[u32]> {
        self.entries[id as usize].parts.get(part)?.as_deref()
    }

    /// The number of proved parts of an invariant.
    pub fn parts(&self, id: u32) -> usize {
        self.entries[id as usize].parts.iter().flatten().count()
    }

    /// Records that a part is proved, and what its proof assumed.
    pub fn keep_part(&mut self, id: u32, part: usize, used: Vec<u32>) {
        for &other in &used {
            let users = &mut self.entries[other as usize].users;
            if users.last() != Some(&id) {
                users.push(id);
            }
        }
        let parts = &mut self.entries[id as usize].parts;
        if parts.len() <= part {
            parts.resize(part + 1, None);
        }
        parts[part] = Some(used);
    }

    /// Records that all parts of an invariant are proved.
    pub fn keep(&mut self, id: u32) {
        self.entries[id as usize].proved = true;
    }

    /// Records that an invariant was weakened, or dropped if `again` is false.
    ///
    /// Everything proved with it is open again. Its own proofs are forgotten only if they
    /// assumed it.
    pub fn weakened(&mut self, id: u32, again: bool) {
        let entry = &mut self.entries[id as usize];
        entry.proved = false;
        entry.level = 0;
        entry.weakenings += 1;
        let mut users = std::mem::take(&mut entry.users);
        users.sort_unstable();
        users.dedup();
        if again {
            self.open(id);
        }
        for user in users {
            let entry = &mut self.entries[user as usize];
            let mut lost = false;
            for part in &mut entry.parts {
                if part.as_ref().is_some_and(|used| used.contains(&id)) {
                    *part = None;
                    lost = true;
                }
            }
            if lost && std::mem::replace(&mut entry.proved, false) {
                entry.lost += 1;
                self.open(user);
            }
        }
    }

    /// Keeps only these parts of an invariant, given by their old numbers, in this order.
    pub fn choose_parts(&mut self, id: u32, parts: &[usize]) {
        let entry = &mut self.entries[id as usize];
        let mut old = std::mem::take(&mut entry.parts);
        let part = |&part: &usize| old.get_mut(part).and_then(Option::take);
        entry.parts = parts.iter().map(part).collect();
    }

    /// For each invariant, whether its proof rests on proved invariants only, directly and
    /// indirectly.
    pub fn founded(&self) -> Vec<bool> {
        let mut founded: Vec<bool> = self.entries.iter().map(|entry| entry.proved).collect();
        loop {
            let mut changed = false;
            for (id, entry) in self.entries.iter().enumerate() {
                let mut used = entry.parts.iter().flatten().flatten();
                if founded[id] && used.any(|&other| !founded[other as usize]) {
                    founded[id] = false;
                    changed = true;
                }
            }
            if !changed {
                return founded;
            }
        }
    }

    fn open(&mut self, id: u32) {
        let entry = &self.entries[id as usize];
        self.opened += 1;
        // Each level costs ten times the steps of the one before. An invariant that loses its
        // proof repeatedly waits until more is settled.
        let cost = (entry.cost + 1) * 10u64.pow(u32::from(entry.level));
        let key = cost.saturating_mul(1 << entry.lost.min(10));
        self.queue.push(Reverse((key, self.opened, id)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agenda(statements: usize) -> Agenda {
        let mut agenda = Agenda::default();
        (0..statements).for_each(|_| agenda.add());
        agenda
    }

    #[test]
    fn weakening_reopens_dependent_proofs() {
        let mut agenda = agenda(3);
        let order = [agenda.next(), agenda.next(), agenda.next(), agenda.next()];
        assert_eq!(order, [Some((0, 0)), Some((1, 0)), Some((2, 0)), None]);
        agenda.keep_part(1, 0, vec![0]);
        agenda.keep_part(1, 1, vec![2]);
        agenda.keep(1);
        agenda.keep_part(2, 0, vec![]);
        agenda.keep(2);
        agenda.weakened(0, false);
        // Only the part that assumed it is lost.
        assert_eq!(agenda.part(1, 0), None);
        assert_eq!(agenda.part(1, 1), Some(&[2][..]));
        assert_eq!(agenda.next(), Some((1, 0)));
        assert_eq!(agenda.founded(), [false, false, true]);
    }

    #[test]
    fn proofs_on_unproved_assumptions_are_unfounded() {
        let mut agenda = agenda(4);
        for (id, used) in [(0, vec![1]), (1, vec![0]), (2, vec![3])] {
            agenda.keep_part(id, 0, used);
            agenda.keep(id);
        }
        // Two that support each other, one unproved, and one that rests on the unproved one.
        assert_eq!(agenda.founded(), [true, true, false, false]);
    }

    #[test]
    fn expensive_invariants_come_last() {
        let mut agenda = agenda(2);
        assert_eq!(agenda.next(), Some((0, 0)));
        agenda.spent(0, 100);
        agenda.weakened(0, true);
        assert_eq!(agenda.next(), Some((1, 0)));
        agenda.spent(1, 20);
        agenda.defer(1);
        // Ten times the effort.
        assert_eq!(agenda.next(), Some((0, 0)));
        assert_eq!(agenda.next(), Some((1, 1)));
    }
}
