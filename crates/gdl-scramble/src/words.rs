//! Invented words: easy to tell apart, and without any meaning.

use rand::Rng;
use rand::seq::IndexedRandom;
use rustc_hash::FxHashSet;

const CONSONANTS: &[&str] = &[
    "b", "d", "f", "g", "h", "j", "k", "l", "m", "n", "p", "r", "s", "t", "v", "w", "z", "ch", "sh",
];
const VOWELS: &[&str] = &["a", "e", "i", "o", "u"];

/// Makes words that it has not made before, and that were not taken from the start.
pub(crate) struct Words {
    taken: FxHashSet<String>,
}

impl Words {
    /// Words that differ from all of `taken`, also when case is ignored.
    pub(crate) fn new<'a>(taken: impl IntoIterator<Item = &'a str>) -> Self {
        let taken = taken.into_iter().map(str::to_ascii_lowercase).collect();
        Words { taken }
    }

    /// A new word in lower case, of two syllables or, once those run short, more.
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
