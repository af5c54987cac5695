//! States as engines pass them around.

use smallvec::SmallVec;

/// The words of a state.
///
/// Up to four lie in the state itself, enough for most games, so that keeping a state needs no
/// allocation.
pub type Words = SmallVec<[u64; 4]>;

/// A state of a game: opaque words that only the engine that generated them, and its forks, can
/// interpret.
///
/// # Equality
/// Two states of one engine are equal, and hash alike, exactly if the same facts hold in them.
///
/// # Cost
/// A clone of more than four words is one allocation. [`Clone::clone_from`] reuses the memory
/// of its target.
#[derive(Debug, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct State {
    words: Words,
}

impl State {
    /// The state with these words.
    pub fn from_words(words: Vec<u64>) -> Self {
        State {
            words: words.into(),
        }
    }

    /// The words, for engines.
    #[inline]
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Approximate heap memory in bytes, beside the size of the struct itself.
    pub fn heap(&self) -> usize {
        match self.words.spilled() {
            true => self.words.capacity() * size_of::<u64>() + 2 * size_of::<usize>(),
            false => 0,
        }
    }

    /// The words, to be overwritten, for engines.
    #[inline]
    pub fn words_mut(&mut self) -> &mut Words {
        &mut self.words
    }
}

impl Clone for State {
    fn clone(&self) -> Self {
        State {
            words: SmallVec::from_slice(&self.words),
        }
    }

    fn clone_from(&mut self, source: &Self) {
        self.words.clear();
        self.words.extend_from_slice(&source.words);
    }
}
