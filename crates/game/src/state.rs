//! States as engines pass them around.

/// A state of a game: opaque words whose meaning only the engine that made them, and its forks,
/// know.
///
/// # Equality
/// Two states of one engine are equal, and hash alike, exactly if the same facts hold in them.
///
/// # Cost
/// A clone is one allocation; [`Clone::clone_from`] reuses the memory of its target.
#[derive(Debug, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct State {
    words: Vec<u64>,
}

impl State {
    /// The state with these words.
    pub fn from_words(words: Vec<u64>) -> Self {
        State { words }
    }

    /// The words, for engines.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// The words, to be overwritten, for engines.
    pub fn words_mut(&mut self) -> &mut Vec<u64> {
        &mut self.words
    }
}

impl Clone for State {
    fn clone(&self) -> Self {
        State {
            words: self.words.clone(),
        }
    }

    fn clone_from(&mut self, source: &Self) {
        self.words.clone_from(&source.words);
    }
}
