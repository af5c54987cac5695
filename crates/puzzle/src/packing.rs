//! States in as few bits as the proved groups of facts allow, without loss.

use invariants::Groups;

/// Facts that share a number, of which at most one holds.
struct Field {
    facts: Vec<u32>,
    word: usize,
    shift: u32,
    width: u32,
}

/// How states are packed into words.
///
/// Every state that play reaches has words of its own, so states are equal if their words are.
pub(crate) struct Packing {
    fields: Vec<Field>,
    /// For each fact, its field and the number that stands for it there; `None` if it is constant.
    places: Vec<Option<(u32, u64)>>,
    /// The constant facts that hold.
    held: Vec<u32>,
    /// The words of a state.
    pub unpacked: usize,
    /// All words of a packed state.
    pub words: usize,
    /// The first words, which do not count time.
    pub timeless: usize,
}

impl Packing {
    /// For states of words that nothing is known of.
    pub fn plain(words: usize) -> Packing {
        Packing {
            fields: Vec::new(),
            places: Vec::new(),
            held: Vec::new(),
            unpacked: words,
            words,
            timeless: words,
        }
    }

    /// For states of facts. `time` says which facts do nothing but count time; they come last.
    pub fn of(facts: usize, groups: &Groups, time: &[bool]) -> Packing {
        let mut covered = vec![false; facts];
        let mut held = Vec::new();
        for &(fact, value) in &groups.constants {
            covered[fact as usize] = true;
            if value {
                held.push(fact);
            }
        }
        let mut sets: Vec<Vec<u32>> = Vec::new();
        let mut by_size: Vec<_> = groups.groups.iter().collect();
        by_size.sort_by_key(|group| std::cmp::Reverse(group.facts.len()));
        for group in by_size {
            for of_time in [false, true] {
                let open =
                    |fact: &&u32| !covered[**fact as usize] && time[**fact as usize] == of_time;
                let facts: Vec<u32> = group.facts.iter().filter(open).copied().collect();
                // Two facts take two bits, shared or not.
                if facts.len() > 2 {
                    facts.iter().for_each(|&fact| covered[fact as usize] = true);
                    sets.push(facts);
                }
            }
        }
        let single = (0..facts as u32).filter(|&fact| !covered[fact as usize]);
        sets.extend(single.map(|fact| vec![fact]));
        sets.sort_by_key(|set| time[set[0] as usize]);
        let mut packing = Packing {
            fields: Vec::new(),
            places: vec![None; facts],
            held,
            unpacked: facts.div_ceil(64),
            words: 0,
            timeless: 0,
        };
        let (mut word, mut shift, mut timeless) = (0, 0, None);
        for set in sets {
            // 0 stands for none of them.
            let width = usize::BITS - set.len().leading_zeros();
            let begins = timeless.is_none() && time[set[0] as usize];
            if begins {
                timeless = Some(word + usize::from(shift > 0));
            }
            if shift + width > 64 || begins && shift > 0 {
                (word, shift) = (word + 1, 0);
            }
            for (value, &fact) in (1..).zip(&set) {
                packing.places[fact as usize] = Some((packing.fields.len() as u32, value));
            }
            packing.fields.push(Field {
                facts: set,
                word,
                shift,
                width,
            });
            shift += width;
        }
        packing.words = word + usize::from(shift > 0);
        packing.timeless = timeless.unwrap_or(packing.words);
        packing
    }

    /// Replaces `key` by the packed words of a state.
    pub fn pack(&self, state: &[u64], key: &mut Vec<u64>) {
        key.clear();
        if self.places.is_empty() {
            key.extend_from_slice(state);
            return;
        }
        key.resize(self.words, 0);
        for (at, &word) in state.iter().enumerate() {
            let mut left = word;
            while left != 0 {
                let fact = at * 64 + left.trailing_zeros() as usize;
                left &= left - 1;
                if let Some((field, value)) = self.places[fact] {
                    let field = &self.fields[field as usize];
                    key[field.word] |= value << field.shift;
                }
            }
        }
    }

    /// Replaces `state` by the words of the state that was packed.
    pub fn unpack(&self, key: &[u64], state: &mut Vec<u64>) {
        state.clear();
        if self.places.is_empty() {
            state.extend_from_slice(key);
            return;
        }
        state.resize(self.unpacked, 0);
        let mut hold = |fact: u32| state[fact as usize / 64] |= 1 << (fact % 64);
        self.held.iter().for_each(|&fact| hold(fact));
        for field in &self.fields {
            let value = key[field.word] >> field.shift & (u64::MAX >> (64 - field.width));
            if value > 0 {
                hold(field.facts[value as usize - 1]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use invariants::Group;

    #[test]
    fn what_is_packed_comes_back_and_time_lies_apart() {
        let facts = 200;
        let groups = Groups {
            groups: vec![
                Group {
                    facts: (0..60).collect(),
                    exactly: false,
                },
                Group {
                    facts: (100..180).collect(),
                    exactly: true,
                },
            ],
            constants: vec![(190, true), (191, false)],
            ..Groups::default()
        };
        let time: Vec<bool> = (0..facts).map(|fact| (100..180).contains(&fact)).collect();
        let packing = Packing::of(facts, &groups, &time);
        assert!(packing.words < 4 && packing.timeless < packing.words);
        let (mut first, mut key, mut back) = (Vec::new(), Vec::new(), Vec::new());
        for (one, other, single) in [(None, 100, 60), (Some(0), 179, 99), (Some(59), 133, 199)] {
            let mut state = vec![0u64; 4];
            for fact in one.into_iter().chain([other, single, 190]) {
                state[fact / 64] |= 1 << (fact % 64);
            }
            packing.pack(&state, &mut key);
            packing.unpack(&key, &mut back);
            assert_eq!(back, state);
            // The same at another time differs in the last words alone.
            state[other / 64] ^= 1 << (other % 64);
            state[101 / 64] |= 1 << (101 % 64);
            first.clone_from(&key);
            packing.pack(&state, &mut key);
            assert_eq!(key[..packing.timeless], first[..packing.timeless]);
            assert_ne!(key, first);
        }
    }
}
