//! The table of examined states, of fixed size, which several threads may share.
//!
//! `alphabeta` keeps what it proves in one, too.

use crate::Numbers;
use bytemuck::Zeroable;
use foldhash::quality::FixedState;
use game::State;
use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The key of a question: a state and a result asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Name {
    /// Selects the group of entries.
    place: u64,
    /// Tells the key from others in its group; never 0.
    check: u64,
}

impl Name {
    /// The bits that tell it from others, never 0.
    pub(crate) fn check(self) -> u64 {
        self.check
    }
}

/// What the table holds of a question, in 64 bits.
///
/// From the top: the two numbers with 23 bits each, of which all set are infinity; 9 bits for the
/// most joint moves to the end of play on the lines that prove it, if it is decided; 6 for the
/// number of states examined below it; 3 for the turn in which it was written.
#[derive(Debug, Clone, Copy)]
struct Entry(u64);

const NUMBER_BITS: u32 = 23;
const PLIES_BITS: u32 = 9;
const EFFORT_BITS: u32 = 6;
const TURN_BITS: u32 = 3;

/// So many low bits, all set.
const fn ones(bits: u32) -> u64 {
    (1 << bits) - 1
}

impl Entry {
    fn new(numbers: Numbers, plies: u16, effort: u64, turn: u8) -> Entry {
        let number = |number: u32| match number {
            Numbers::NEVER.. => ones(NUMBER_BITS),
            number => u64::from(number).min(ones(NUMBER_BITS) - 1),
        };
        let mut word = number(numbers.yes);
        word = word << NUMBER_BITS | number(numbers.no);
        word = word << PLIES_BITS | u64::from(plies).min(ones(PLIES_BITS));
        word = word << EFFORT_BITS | doubled_logarithm(effort);
        Entry(word << TURN_BITS | u64::from(turn) & ones(TURN_BITS))
    }

    fn numbers(self) -> Numbers {
        let number = |shift: u32| match self.0 >> shift & ones(NUMBER_BITS) {
            all if all == ones(NUMBER_BITS) => Numbers::NEVER,
            number => number as u32,
        };
        let no = TURN_BITS + EFFORT_BITS + PLIES_BITS;
        Numbers {
            yes: number(no + NUMBER_BITS),
            no: number(no),
        }
    }

    fn plies(self) -> u16 {
        (self.0 >> (TURN_BITS + EFFORT_BITS) & ones(PLIES_BITS)) as u16
    }

    /// What it is worth to keep it in this turn: any entry of this turn more than all others.
    fn worth(self, turn: u8) -> u64 {
        let effort = self.0 >> TURN_BITS & ones(EFFORT_BITS);
        let current = self.0 & ones(TURN_BITS) == u64::from(turn) & ones(TURN_BITS);
        u64::from(current) << EFFORT_BITS | effort
    }
}

/// Twice the logarithm to base two, rounded down, below 64.
fn doubled_logarithm(number: u64) -> u64 {
    let number = number.clamp(1, u64::from(u32::MAX));
    let whole = number.ilog2();
    // The bit below the highest one says whether it is in the upper half of the octave.
    u64::from(2 * whole) + (number << 1 >> whole & 1)
}

/// Where an entry is stored, without a lock: the check bits of its key, combined with the entry by
/// exclusive or, and the entry. Halves that two threads wrote fit no key (Hyatt and Mann, "A
/// lock-less transposition table implementation for parallel search", 2002).
#[derive(Debug, Zeroable)]
struct Slot([AtomicU64; 2]);

impl Slot {
    /// The check bits, which are 0 if nothing is stored, and the entry.
    #[inline]
    fn load(&self) -> (u64, Entry) {
        // What was written before the entry is visible to those who find it.
        let [check, entry] = [0, 1].map(|at: usize| self.0[at].load(Ordering::Acquire));
        (check ^ entry, Entry(entry))
    }

    #[inline]
    fn store(&self, check: u64, entry: Entry) {
        self.0[0].store(check ^ entry.0, Ordering::Release);
        self.0[1].store(entry.0, Ordering::Release);
    }
}

/// Entries in a group. The one with the least effort is replaced.
const TOGETHER: usize = 4;

/// Entries that a key selects, in one cache line.
#[derive(Debug, Zeroable)]
#[repr(align(64))]
struct Group([Slot; TOGETHER]);

/// What is known of questions: the numbers of each, and the plies to the end of play if it is
/// decided.
#[derive(Debug)]
pub struct Table {
    /// As many as a power of two.
    groups: Arc<Box<[Group]>>,
    hashers: [FixedState; 2],
    turn: u8,
}

impl Table {
    /// A table of at most `bytes` bytes, but with at least one group of entries.
    pub fn new(bytes: usize) -> Table {
        let most = (bytes / size_of::<Group>()).max(1);
        let count: usize = 1 << most.ilog2();
        Table {
            // The system zeroes pages when they are first used, and many never are.
            groups: Arc::new(bytemuck::zeroed_slice_box(count)),
            hashers: [1, 2].map(FixedState::with_seed),
            turn: 0,
        }
    }

    /// The same table for another thread. Each has to begin its own turns.
    pub fn share(&self) -> Table {
        Table {
            groups: self.groups.clone(),
            hashers: self.hashers,
            turn: self.turn,
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
        prefetch::item(self.group(name));
    }

    /// The numbers of a key, and within how many joint moves play ends if it is decided.
    pub fn get(&self, name: Name) -> Option<(Numbers, u16)> {
        let mut all = self.group(name).0.iter().map(Slot::load);
        let (_, found) = all.find(|(check, _)| *check == name.check)?;
        Some((found.numbers(), found.plies()))
    }

    /// Stores the numbers of a key, with the number of states examined for it.
    ///
    /// Numbers from 8,388,606 on are all stored as this one, and plies from 511 on.
    pub fn put(&self, name: Name, numbers: Numbers, plies: u16, effort: u64) {
        let mut least = (&self.group(name).0[0], u64::MAX);
        for slot in &self.group(name).0 {
            let (check, entry) = slot.load();
            if check == name.check {
                least = (slot, 0);
                break;
            }
            let worth = entry.worth(self.turn);
            if worth < least.1 {
                least = (slot, worth);
            }
        }
        let (slot, _) = least;
        slot.store(name.check, Entry::new(numbers, plies, effort, self.turn));
    }

    fn group(&self, name: Name) -> &Group {
        let mask = self.groups.len() as u64 - 1;
        &self.groups[(name.place & mask) as usize]
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
        let table = Table::new(1 << 12);
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
    fn entries_keep_what_is_stored_as_far_as_it_fits() {
        let table = Table::new(0);
        let name = table.name(&State::from_words(vec![1]), 100);
        let all = [
            (Numbers::YES, 0),
            (Numbers::NO, 510),
            (Numbers::CLOSED, 1),
            (numbers(8_388_605), 0),
        ];
        for (numbers, plies) in all {
            table.put(name, numbers, plies, 1);
            assert_eq!(table.get(name), Some((numbers, plies)));
        }
        table.put(name, numbers(Numbers::NEVER - 1), 600, u64::MAX);
        assert_eq!(table.get(name), Some((numbers(8_388_606), 511)));
    }

    #[test]
    fn half_octaves_are_told_apart() {
        let efforts = [0, 2, 3, 4, 6, 8, 1 << 20, u64::MAX];
        let logarithms = efforts.map(doubled_logarithm);
        assert_eq!(logarithms, [0, 2, 3, 4, 5, 6, 40, 63]);
    }

    #[test]
    fn threads_never_read_halves_of_two_entries() {
        let table = Table::new(0);
        let names: Vec<Name> = (0..8)
            .map(|word| table.name(&State::from_words(vec![word]), 100))
            .collect();
        // What belongs to a key can be told from its numbers.
        let write = |table: &Table| {
            for round in 0..20_000 {
                for (number, &name) in (1..).zip(&names) {
                    if let Some((found, plies)) = table.get(name) {
                        assert_eq!(
                            (found.yes % 8, u32::from(plies)),
                            (number % 8, found.yes / 8)
                        );
                    }
                    let yes = round % 500 * 8 + number % 8;
                    table.put(name, numbers(yes), (yes / 8) as u16, 1);
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..3 {
                let table = table.share();
                scope.spawn(move || write(&table));
            }
        });
    }

    #[test]
    fn entries_of_little_effort_or_old_turns_are_replaced() {
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
