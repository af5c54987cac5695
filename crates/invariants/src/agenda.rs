//! What is to be proved next, and what proofs rest on.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A statement's place in the search for proofs.
#[derive(Debug, Default)]
struct Entry {
    /// Whether all of it is proved.
    proved: bool,
    /// For each part that is proved, the statements that this assumed.
    parts: Vec<Option<Vec<u32>>>,
    /// Statements of which proofs assumed this one.
    users: Vec<u32>,
    /// How much effort it is worth next: grows when it was not enough.
    level: u8,
    /// What was spent when it was last looked at.
    cost: u64,
    /// How often it was weakened.
    weakenings: u32,
    /// How often its proof was lost.
    lost: u32,
}

/// The statements, by number: which are proved, by what, and which come next.
///
/// A statement is proved in parts. When one is weakened, the parts that assumed it have to be proved
/// anew, but no others; and what is costly comes last, when what it needs has become certain.
#[derive(Debug, Default)]
pub struct Agenda {
    entries: Vec<Entry>,
    /// Expected cost, when it was opened, and which.
    queue: BinaryHeap<Reverse<(u64, u64, u32)>>,
    opened: u64,
}

impl Agenda {
    /// One more statement, which is to be proved.
    pub fn add(&mut self) {
        let id = self.entries.len() as u32;
        self.entries.push(Entry::default());
        self.open(id);
    }

    /// One more, which comes of weakening this one.
    pub fn add_part_of(&mut self, id: u32) {
        let weakenings = self.entries[id as usize].weakenings;
        self.add();
        if let Some(entry) = self.entries.last_mut() {
            entry.weakenings = weakenings;
        }
    }

    /// How often a statement was weakened.
    pub fn weakenings(&self, id: u32) -> u32 {
        self.entries[id as usize].weakenings
    }

    /// The next statement to be proved, and the effort that it is worth.
    pub fn next(&mut self) -> Option<(u32, u8)> {
        while let Some(Reverse((_, _, id))) = self.queue.pop() {
            let entry = &self.entries[id as usize];
            if !entry.proved {
                return Some((id, entry.level));
            }
        }
        None
    }

    /// Notes what it cost to look at a statement.
    pub fn spent(&mut self, id: u32, steps: u64) {
        self.entries[id as usize].cost = steps;
    }

    /// Comes back to a statement later, with more effort.
    pub fn defer(&mut self, id: u32) {
        self.entries[id as usize].level += 1;
        self.open(id);
    }

    /// What the proof of a part assumed, if it is proved.
    pub fn part(&self, id: u32, part: usize) -> Option<&[u32]> {
        self.entries[id as usize].parts.get(part)?.as_deref()
    }

    /// How many parts of a statement are proved.
    pub fn parts(&self, id: u32) -> usize {
        self.entries[id as usize].parts.iter().flatten().count()
    }

    /// Notes that a part is proved, and what this assumed.
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

    /// Notes that all parts of a statement are proved.
    pub fn keep(&mut self, id: u32) {
        self.entries[id as usize].proved = true;
    }

    /// Notes that a statement says less now, or nothing if it is not to be proved again: what was
    /// proved with it is open again. Its own proofs are only forgotten if they assumed it.
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

    /// The parts of a statement are these now, by their numbers till now; others are forgotten.
    pub fn choose_parts(&mut self, id: u32, parts: &[usize]) {
        let entry = &mut self.entries[id as usize];
        let mut old = std::mem::take(&mut entry.parts);
        let part = |&part: &usize| old.get_mut(part).and_then(Option::take);
        entry.parts = parts.iter().map(part).collect();
    }

    /// Whether each statement was proved with the help of nothing but such statements.
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
        // A level is worth ten times the steps of the one before; and what loses its proof again
        // and again waits until more is settled.
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
    fn what_was_proved_with_a_weakened_statement_is_open_again() {
        let mut agenda = agenda(3);
        let order = [agenda.next(), agenda.next(), agenda.next(), agenda.next()];
        assert_eq!(order, [Some((0, 0)), Some((1, 0)), Some((2, 0)), None]);
        agenda.keep_part(1, 0, vec![0]);
        agenda.keep_part(1, 1, vec![2]);
        agenda.keep(1);
        agenda.keep_part(2, 0, vec![]);
        agenda.keep(2);
        agenda.weakened(0, false);
        // Only the part that needed it is lost.
        assert_eq!(agenda.part(1, 0), None);
        assert_eq!(agenda.part(1, 1), Some(&[2][..]));
        assert_eq!(agenda.next(), Some((1, 0)));
        assert_eq!(agenda.founded(), [false, false, true]);
    }

    #[test]
    fn what_rests_on_something_open_is_not_founded() {
        let mut agenda = agenda(4);
        for (id, used) in [(0, vec![1]), (1, vec![0]), (2, vec![3])] {
            agenda.keep_part(id, 0, used);
            agenda.keep(id);
        }
        // Two that support each other, and one that rests on what is not proved.
        assert_eq!(agenda.founded(), [true, true, false, false]);
    }

    #[test]
    fn costly_statements_come_last() {
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
