//! Invented words that are easy to distinguish and have no meaning.

use rand::Rng;
use rand::seq::IndexedRandom;
use rustc_hash::FxHashSet;

const CONSONANTS: &[&str] = &[
    "b", "d", "f", "g", "h", "j", "k", "l", "m", "n", "p", "r", "s", "t", "v", "w", "z", "ch", "sh",
];
const VOWELS: &[&str] = &["a", "e", "i", "o", "u"];

/// A generator of words that are new and not in the initial set of taken words.
pub(crate) struct Words {
    taken: FxHashSet<String>,
}

impl Words {
    /// Creates a generator of words that differ from all of `taken`, ignoring case.
    pub(crate) fn new<'a>(taken: impl IntoIterator<Item = &'a str>) -> Self {
        let taken = taken.into_iter().map(str::to_ascii_lowercase).collect();
        Words { taken }
    }

    /// A new word in lower case, of two syllables, or more once those are scarce.
    pub(crate) fn next(&mut self, rng: &mut impl Rng) -> String {
        let mut word = String::new();
        loop {
            for part in [CONSONANTS, VOWELS] {
                word.push_str(part.choose(rng).unwrap_or(&""));
            }
            if word.len() > 3 && self.taken.insert(word.clone()) {
                return word;
            }
        }
    }
}
