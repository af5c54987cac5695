//! Why results are possible or not, remembered from state to state.
//!
//! Whether a result is out of reach may take thousands of facts to tell, but what decides it mostly is few: one
//! line that is still open, or for every line one fact that closes it. Those facts are kept, with their values,
//! and a state in which all of them have these values is told the same without another look. States that a
//! search asks about are much alike, so that is what happens nearly always.

use super::range::Ranges;
static HITS: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
static MISS: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
static TIME: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);

/// Reasons that are kept for each result of a role.
const KEPT: usize = 32;

/// Facts by their bits in a word of the state, and which of them hold.
#[derive(Debug, Clone, Copy)]
struct Word {
    at: u32,
    facts: u64,
    hold: u64,
}

/// Facts which alone decide something, with what they are.
#[derive(Debug, Clone, Default)]
pub(super) struct Reason(Vec<Word>);

impl Reason {
    /// Adds facts, given by bits of a word of which the value is given.
    pub fn add(&mut self, at: u32, facts: u64, word: u64) {
        let hold = word & facts;
        match self.0.iter_mut().find(|mine| mine.at == at) {
            Some(mine) => {
                mine.facts |= facts;
                mine.hold |= hold;
            }
            None => self.0.push(Word { at, facts, hold }),
        }
    }

    fn holds(&self, state: &[u64]) -> bool {
        let same = |word: &Word| super::range::read(state, word.at) & word.facts == word.hold;
        self.0.iter().all(same)
    }
}

/// What was found of one result lately, the latest use first.
type Recent = Vec<(Reason, bool)>;

/// What was found of the results of roles lately, and why. It belongs to the [`Ranges`] that it is used with.
#[derive(Debug, Clone, Default)]
pub struct Reasons {
    /// For each role and result, in the order of the ranges.
    recent: Vec<Vec<Recent>>,
}

impl Reasons {
    /// The same as [`Ranges::is_excluded`].
    pub fn is_excluded(&mut self, ranges: &Ranges, state: &[u64], role: usize, value: u8) -> bool {
        let Some(goals) = ranges.goals.get(role) else {
            return false;
        };
        if self.recent.len() != ranges.goals.len() {
            let recent = |goals: &Vec<_>| vec![Recent::new(); goals.len()];
            self.recent = ranges.goals.iter().map(recent).collect();
        }
        let (mut any, mut all) = (false, true);
        for ((_, test), recent) in goals
            .iter()
            .zip(&mut self.recent[role])
            .filter(|(goal, _)| goal.0 == value)
        {
            any = true;
            if let Some(known) = recent.iter().position(|(reason, _)| reason.holds(state)) {
                recent[..=known].rotate_right(1); HITS.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            } else {
                let mut reason = Reason::default();
                let t0 = std::time::Instant::now();
                let passed = test.passed(state);
                test.why(state, &mut reason);
                let dt = t0.elapsed().as_nanos() as u64; let m = MISS.fetch_add(1, std::sync::atomic::Ordering::Relaxed); TIME.fetch_add(dt, std::sync::atomic::Ordering::Relaxed); if m % 200000 == 0 { eprintln!("hits {HITS:?} miss {m} ns {TIME:?}; {role} {value} {passed} {}", reason.0.iter().map(|w| w.facts.count_ones()).sum::<u32>()); }
                recent.truncate(KEPT - 1);
                recent.insert(0, (reason, passed));
            }
            all &= recent[0].1;
        }
        any && all
    }
}
