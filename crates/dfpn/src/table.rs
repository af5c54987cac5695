//! The table of examined states, of fixed size.
//!
//! `alphabeta` keeps what it proves in one, too.

use foldhash::quality::FixedState;
use game::State;
use std::hash::{BuildHasher, Hash, Hasher};

/// The key of a question: a state and a result asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Name {
    /// Selects the group of entries.
    place: u64,
    /// Tells the key from others in its group; never 0.
    check: u64,
}

/// An entry of the table.
#[derive(Debug, Clone, Copy, Default)]
struct Entry<V> {
    /// The check bits of the key; 0 if the entry is empty.
    check: u64,
    value: V,
    /// The number of states examined below it.
    effort: u32,
    /// If it is decided: the most joint moves to the end of play on the lines that prove it.
    plies: u16,
    /// The turn in which it was written.
    turn: u8,
}

/// Entries in a group. The one with the least effort is replaced.
const TOGETHER: usize = 4;

/// Entries that a key selects. They lie in two cache lines.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(32))]
struct Group<V>([Entry<V>; TOGETHER]);

/// What is known of questions: a value `V` for each, and the plies to the end of play if it is
/// decided.
#[derive(Debug)]
pub struct Table<V> {
    /// As many as a power of two.
    groups: Box<[Group<V>]>,
    hashers: [FixedState; 2],
    turn: u8,
}

impl<V: Copy + Default> Table<V> {
    /// A table of at most `bytes` bytes, but with at least one group of entries.
    pub fn new(bytes: usize) -> Table<V> {
        let most = (bytes / size_of::<Group<V>>()).max(1);
        let count = 1 << most.ilog2();
        Table {
            groups: vec![Group::default(); count].into(),
            hashers: [1, 2].map(FixedState::with_seed),
            turn: 0,
        }
    }

    /// Begins a new turn: entries written before are replaced first.
    pub fn next_turn(&mut self) {
        self.turn = self.turn.wrapping_add(1);
    }

    /// The key of the question whether a role gets at least `at_least` from a state.
    pub fn name(&self, state: &State, at_least: u8) -> Name {
        let [place, check] = [0, 1].map(|which: usize| {
            let mut hasher = self.hashers[which].build_hasher();
            at_least.hash(&mut hasher);
            for &word in state.words() {
                hasher.write_u64(word);
            }
            hasher.finish()
        });
        Name {
            place,
            check: check.max(1),
        }
    }

    /// Prefetches what [`Table::get`] reads.
    #[inline]
    pub fn prefetch(&self, name: Name) {
        prefetch::item(&self.groups[self.group(name)]);
    }

    /// The value of a key, and within how many joint moves play ends if it is decided.
    pub fn get(&self, name: Name) -> Option<(V, u16)> {
        let mut all = self.groups[self.group(name)].0.iter();
        let found = all.find(|entry| entry.check == name.check)?;
        Some((found.value, found.plies))
    }

    /// Stores the value of a key, with the number of states examined for it.
    pub fn put(&mut self, name: Name, value: V, plies: u16, effort: u64) {
        let (group, turn) = (self.group(name), self.turn);
        let all = &mut self.groups[group].0;
        let worth = |entry: &Entry<V>| match entry.turn == turn {
            true => entry.effort,
            false => 0,
        };
        let same = all.iter().position(|entry| entry.check == name.check);
        let least = || (0..TOGETHER).min_by_key(|&at| (worth(&all[at]), all[at].effort));
        if let Some(at) = same.or_else(least) {
            all[at] = Entry {
                check: name.check,
                value,
                effort: u32::try_from(effort).unwrap_or(u32::MAX),
                plies,
                turn,
            };
        }
    }

    fn group(&self, name: Name) -> usize {
        let mask = self.groups.len() as u64 - 1;
        (name.place & mask) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Numbers;

    fn numbers(yes: u32) -> Numbers {
        Numbers { yes, no: 1 }
    }

    #[test]
    fn questions_are_told_apart() {
        let mut table = Table::new(1 << 12);
        let states = [1, 2].map(|word| State::from_words(vec![word]));
        let names = [
            table.name(&states[0], 50),
            table.name(&states[0], 100),
            table.name(&states[1], 50),
        ];
        for (number, &name) in (1..).zip(&names) {
            assert_eq!(table.get(name), None);
            table.put(name, numbers(number), 0, 1);
        }
        for (number, &name) in (1..).zip(&names) {
            assert_eq!(table.get(name), Some((numbers(number), 0)));
        }
    }

    #[test]
    fn entries_of_little_effort_or_old_turns_are_replaced() {
        let mut table = Table::new(0);
        let name = |word| {
            let table = Table::<Numbers>::new(0);
            table.name(&State::from_words(vec![word]), 100)
        };
        table.put(name(0), numbers(7), 0, 1_000);
        for word in 1..100 {
            table.put(name(word), numbers(1), 0, word);
        }
        assert_eq!(table.get(name(0)), Some((numbers(7), 0)));
        assert_eq!(table.get(name(99)), Some((numbers(1), 0)));
        assert_eq!(table.get(name(1)), None);
        table.next_turn();
        for word in 100..104 {
            table.put(name(word), numbers(1), 0, 1);
        }
        assert_eq!(table.get(name(0)), None);
    }
}
