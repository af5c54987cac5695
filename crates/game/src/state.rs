//! States as engines pass them around.

use smallvec::SmallVec;

/// The words of a state: up to four of them lie in the state itself, as those of most games do, so that
/// no memory has to be asked for to keep one.
pub type Words = SmallVec<[u64; 4]>;

/// A state of a game: opaque words whose meaning only the engine that made them, and its forks,
/// know.
///
/// # Equality
/// Two states of one engine are equal, and hash alike, exactly if the same facts hold in them.
///
/// # Cost
/// A clone of more than four words is one allocation; [`Clone::clone_from`] reuses the memory of its target.
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

    /// Bytes that it takes beside its own size, about.
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
