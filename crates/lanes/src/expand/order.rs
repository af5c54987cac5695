//! The positions of facts in the states of an engine.

use game::{Engine, State};

/// The order of facts in the words of an engine's states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// For each bit of the words, its fact, if it has one.
    facts: Vec<Option<u32>>,
    /// For each fact its bit.
    places: Vec<u32>,
}

impl Order {
    /// The order of an engine, whose network has this many facts. `None` if its states are not
    /// one bit per fact.
    pub fn of(engine: &dyn Engine, facts: usize) -> Option<Order> {
        let words = engine.initial().words().len();
        let mut order = Order {
            facts: vec![None; 64 * words],
            places: vec![u32::MAX; facts],
        };
        if !engine.is_plain() {
            return None;
        }
        let mut told = State::default();
        for place in 0..64 * words {
            let mut single = vec![0; words];
            single[place / 64] = 1 << (place % 64);
            // A bit that is in no valid state may have no fact.
            if !engine.bits(&State::from_words(single), &mut told) {
                continue;
            }
            let ones = told.words().iter().map(|word| word.count_ones());
            let word = told.words().iter().position(|&word| word != 0);
            match (ones.sum::<u32>(), word) {
                (0, _) => {}
                (1, Some(word)) => {
                    let fact = 64 * word as u32 + told.words()[word].trailing_zeros();
                    *order.places.get_mut(fact as usize)? = place as u32;
                    order.facts[place] = Some(fact);
                }
                _ => return None,
            }
        }
        let all = order.places.iter().all(|&place| place != u32::MAX);
        all.then_some(order)
    }

    /// For each bit of the words of a state, its fact, if it has one.
    pub fn facts(&self) -> &[Option<u32>] {
        &self.facts
    }

    /// The number of words of a state.
    pub fn words(&self) -> usize {
        self.facts.len() / 64
    }

    /// Whether a fact holds in the state with these words.
    #[inline]
    pub fn holds(&self, words: &[u64], fact: usize) -> bool {
        let place = self.places[fact];
        words[place as usize / 64] >> (place % 64) & 1 == 1
    }
}
