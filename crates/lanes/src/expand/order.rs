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
    /// The order of the facts themselves: bit `i` is fact `i`.
    pub fn plain(facts: usize) -> Order {
        let bits = 0..facts.next_multiple_of(64);
        Order {
            facts: bits
                .map(|bit| (bit < facts).then_some(bit as u32))
                .collect(),
            places: (0..facts as u32).collect(),
        }
    }

    /// The order of an engine, whose network has this many facts. `None` if its states are not
    /// one bit per fact.
    pub fn of(engine: &dyn Engine, facts: usize) -> Option<Order> {
        if !engine.is_plain() {
            return None;
        }
        let words = engine.initial().words().len();
        let valid = valid(engine, words);
        // States of hundreds of thousands of bits are not asked about one by one: each state has
        // those whose number has a certain bit, or those whose number has not.
        let mut place_of = vec![0usize; facts];
        let mut told = State::default();
        for bit in 0..(64 * words).max(2).next_power_of_two().ilog2() {
            let mut seen = vec![0u64; facts.div_ceil(64)];
            for set in [true, false] {
                let asked = valid.iter().enumerate().map(|(at, &word)| {
                    let with = (0..64).filter(|place| (64 * at + place) >> bit & 1 == set.into());
                    with.fold(0, |mask, place| mask | 1 << place) & word
                });
                if !engine.bits(&State::from_words(asked.collect()), &mut told) {
                    return None;
                }
                for fact in ones(told.words()) {
                    let known = seen.get_mut(fact / 64)?;
                    if *known >> (fact % 64) & 1 == 1 {
                        return None;
                    }
                    *known |= 1 << (fact % 64);
                    *place_of.get_mut(fact)? |= usize::from(set) << bit;
                }
            }
            if seen.iter().map(|word| word.count_ones()).sum::<u32>() as usize != facts {
                return None;
            }
        }
        let mut order = Order {
            facts: vec![None; 64 * words],
            places: Vec::with_capacity(facts),
        };
        for (fact, place) in (0..).zip(place_of) {
            if order.facts.get_mut(place)?.replace(fact).is_some() {
                return None;
            }
            order.places.push(place as u32);
        }
        Some(order)
    }

    /// For each bit of the words of a state, its fact, if it has one.
    pub fn facts(&self) -> &[Option<u32>] {
        &self.facts
    }

    /// The number of words of a state.
    pub fn words(&self) -> usize {
        self.facts.len() / 64
    }

    /// The number of bits in the words of a state.
    pub(super) fn bits(&self) -> usize {
        self.facts.len()
    }

    /// For each fact its bit.
    pub(super) fn places(&self) -> &[u32] {
        &self.places
    }

    /// Whether a fact holds in the state with these words.
    #[inline]
    pub fn holds(&self, words: &[u64], fact: usize) -> bool {
        let place = self.places[fact];
        words[place as usize / 64] >> (place % 64) & 1 == 1
    }
}

/// The bits that may be set in states: others have no fact.
fn valid(engine: &dyn Engine, words: usize) -> Vec<u64> {
    let mut told = State::default();
    let mut taken = |at: usize, word: u64| {
        let mut alone = vec![0; words];
        alone[at] = word;
        engine.bits(&State::from_words(alone), &mut told)
    };
    let of_word = |at: usize| match taken(at, u64::MAX) {
        true => u64::MAX,
        false => (0..64)
            .map(|bit| 1 << bit)
            .filter(|&single| taken(at, single))
            .fold(0, |mask, single| mask | single),
    };
    (0..words).map(of_word).collect()
}

/// The numbers of the bits that are set.
fn ones(words: &[u64]) -> impl Iterator<Item = usize> {
    let each = words.iter().enumerate();
    each.flat_map(|(at, &word)| {
        (0..64)
            .filter(move |bit| word >> bit & 1 == 1)
            .map(move |bit| 64 * at + bit)
    })
}
