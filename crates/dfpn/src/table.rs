//! What was found out of states, in a fixed number of bytes.

use foldhash::quality::FixedState;
use game::State;
use std::hash::{BuildHasher, Hash, Hasher};

/// How much is left to be proved of a state, at least: leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Numbers {
    /// So that the answer is yes; 0 if it is.
    pub yes: u32,
    /// So that it is no; 0 if it is.
    pub no: u32,
}

impl Numbers {
    /// More than can be proved.
    pub const NEVER: u32 = u32::MAX >> 2;
    /// The answer is yes.
    pub const YES: Numbers = Numbers {
        yes: 0,
        no: Numbers::NEVER,
    };
    /// The answer is no.
    pub const NO: Numbers = Numbers {
        yes: Numbers::NEVER,
        no: 0,
    };
    /// There is no answer, and none is looked for.
    pub const CLOSED: Numbers = Numbers {
        yes: Numbers::NEVER,
        no: Numbers::NEVER,
    };

    /// Whether there is an answer.
    pub fn is_known(self) -> bool {
        self.yes == 0 || self.no == 0
    }
}

/// A state, with a question about it, as the table knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Name {
    /// Tells where it lies.
    place: u64,
    /// Tells it from others that lie there; never 0.
    check: u64,
}

/// What is kept of a state.
#[derive(Debug, Clone, Copy)]
struct Entry {
    /// 0 if there is nothing.
    check: u64,
    numbers: Numbers,
    /// How many states were looked at for that.
    effort: u32,
    /// If there is an answer, joint moves to the end of play on the ways that prove it, at most.
    plies: u16,
    /// The turn in which it was written.
    turn: u8,
}

const EMPTY: Entry = Entry {
    check: 0,
    numbers: Numbers { yes: 0, no: 0 },
    effort: 0,
    plies: 0,
    turn: 0,
};

/// Entries that lie together. Whatever takes the least effort makes room.
const TOGETHER: usize = 4;

#[derive(Debug)]
pub(crate) struct Table {
    /// A power of two, and at least [`TOGETHER`].
    entries: Box<[Entry]>,
    hashers: [FixedState; 2],
    turn: u8,
}

impl Table {
    /// A table of at most `bytes` bytes, but for a few entries that it has always.
    pub fn new(bytes: usize) -> Table {
        let most = (bytes / size_of::<Entry>()).max(TOGETHER);
        let count = 1 << most.ilog2();
        Table {
            entries: vec![EMPTY; count].into(),
            hashers: [1, 2].map(FixedState::with_seed),
            turn: 0,
        }
    }

    /// What was written before now gives way to what is written from now on.
    pub fn next_turn(&mut self) {
        self.turn = self.turn.wrapping_add(1);
    }

    /// The name of the question whether a role gets at least so much from a state.
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

    /// What is known, and within how many joint moves play ends, if it is an answer.
    pub fn get(&self, name: Name) -> Option<(Numbers, u16)> {
        let from = self.begin(name);
        let mut all = self.entries[from..from + TOGETHER].iter();
        let found = all.find(|entry| entry.check == name.check)?;
        Some((found.numbers, found.plies))
    }

    /// Notes what was found out by looking at so many states.
    pub fn put(&mut self, name: Name, numbers: Numbers, plies: u16, effort: u64) {
        let (from, turn) = (self.begin(name), self.turn);
        let all = &mut self.entries[from..from + TOGETHER];
        let worth = |entry: &Entry| match entry.turn == turn {
            true => entry.effort,
            false => 0,
        };
        let same = all.iter().position(|entry| entry.check == name.check);
        let least = || (0..TOGETHER).min_by_key(|&at| (worth(&all[at]), all[at].effort));
        if let Some(at) = same.or_else(least) {
            all[at] = Entry {
                check: name.check,
                numbers,
                effort: u32::try_from(effort).unwrap_or(u32::MAX),
                plies,
                turn,
            };
        }
    }

    fn begin(&self, name: Name) -> usize {
        let mask = self.entries.len() as u64 - 1;
        (name.place & mask) as usize & !(TOGETHER - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn what_took_little_and_what_is_old_makes_room() {
        let mut table = Table::new(0);
        let name = |word| {
            let table = Table::new(0);
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
