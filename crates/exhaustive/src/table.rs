//! The transposition table.

use crate::answer::Verdict;
use game::State;
use rustc_hash::FxHashMap;

/// The value that one of the two searches gives to a state beyond the horizon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Lost for the role: then a yes is proved.
    Attack,
    /// Won for the role: then a no is proved.
    Defend,
}

/// What is known of a state.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry {
    proved: Verdict,
    /// For a yes, the most own moves that it takes.
    takes: u32,
    /// For each mode, one more than the own moves with which nothing was proved.
    failed: [u32; 2],
    /// The child that decided last, by its number.
    pub best: u32,
}

/// The table of one question: one role, one value, one reading.
#[derive(Default)]
pub(crate) struct Table {
    entries: FxHashMap<State, Entry>,
    bytes: usize,
}

impl Table {
    pub fn get(&self, state: &State) -> Option<&Entry> {
        self.entries.get(state)
    }

    /// Approximate memory of the entries in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Stores the verdict of a search with `left` own moves.
    pub fn put(&mut self, state: &State, mode: Mode, left: u32, verdict: Verdict, best: u32) {
        let size = std::mem::size_of::<(State, Entry)>() + 16 + 8 * state.words().len();
        let mut added = 0;
        let entry = self.entries.entry(state.clone()).or_insert_with(|| {
            // The map is between half and fully loaded.
            added = size + size / 2;
            Entry {
                proved: Verdict::Unknown,
                takes: 0,
                failed: [0; 2],
                best,
            }
        });
        self.bytes += added;
        entry.best = best;
        match verdict {
            Verdict::Unknown => {
                let failed = &mut entry.failed[mode as usize];
                *failed = (*failed).max(left.saturating_add(1));
            }
            Verdict::Yes(_) => {
                if entry.proved.is_yes() {
                    entry.takes = entry.takes.min(left);
                } else {
                    entry.takes = left;
                }
                entry.proved = verdict;
            }
            Verdict::No(_) => entry.proved = verdict,
        }
    }
}

impl Entry {
    /// The verdict of the entry for a search with `left` own moves, if it has one.
    pub fn verdict(&self, mode: Mode, left: u32) -> Option<Verdict> {
        match self.proved {
            Verdict::Yes(_) if left >= self.takes => Some(self.proved),
            // The known proof needs more moves than are left, but a shorter one may exist.
            Verdict::Yes(_) => (left < self.failed[mode as usize]).then_some(Verdict::Unknown),
            Verdict::No(_) => Some(self.proved),
            Verdict::Unknown => (left < self.failed[mode as usize]).then_some(Verdict::Unknown),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_yes_counts_only_with_as_many_moves_as_it_takes() {
        let mut table = Table::default();
        let state = State::from_words(vec![1]);
        table.put(&state, Mode::Attack, 3, Verdict::Yes(100), 0);
        let entry = table.get(&state).unwrap();
        assert_eq!(entry.verdict(Mode::Attack, 3), Some(Verdict::Yes(100)));
        assert_eq!(entry.verdict(Mode::Attack, 2), None);
        table.put(&state, Mode::Attack, 2, Verdict::Unknown, 0);
        let entry = table.get(&state).unwrap();
        assert_eq!(entry.verdict(Mode::Attack, 2), Some(Verdict::Unknown));
        assert_eq!(entry.verdict(Mode::Defend, 2), None);
        assert_eq!(entry.verdict(Mode::Attack, 3), Some(Verdict::Yes(100)));
    }

    #[test]
    fn a_no_counts_with_any_number_of_moves() {
        let mut table = Table::default();
        let state = State::from_words(vec![1]);
        table.put(&state, Mode::Defend, 3, Verdict::No(50), 0);
        let entry = table.get(&state).unwrap();
        assert_eq!(entry.verdict(Mode::Attack, 0), Some(Verdict::No(50)));
        assert!(table.bytes() > 0);
    }
}
