//! Rule instances in one flat array.

use crate::store::AtomNo;

/// A literal of an instance: twice the atom, plus one if it is negated. A negation therefore
/// sorts directly after its atom.
pub(crate) type LiteralCode = u32;

/// The code of a positive literal.
pub(crate) fn positive(atom: AtomNo) -> LiteralCode {
    atom << 1
}

/// The code of a negative literal.
pub(crate) fn negative(atom: AtomNo) -> LiteralCode {
    atom << 1 | 1
}

/// Words that may be added between two looks at [`Instances::is_full`].
const RESERVE: u32 = 1 << 24;

/// Rule instances. Each is stored as its head, the length of its body and the literals of its
/// body.
#[derive(Debug, Default)]
pub(crate) struct Instances {
    words: Vec<u32>,
    len: usize,
}

/// An instance of a rule.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Instance<'a> {
    pub(crate) head: AtomNo,
    pub(crate) body: &'a [LiteralCode],
}

impl Instances {
    /// The number of instances.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Approximate number of bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.words.capacity() * 4
    }

    /// Whether there are about as many words as 32 bits can count.
    pub(crate) fn is_full(&self) -> bool {
        self.words.len() > (u32::MAX - RESERVE) as usize
    }

    /// The number of words that the bodies of all instances take, with their lengths.
    pub(crate) fn body_words(&self) -> usize {
        self.words.len() - self.len
    }

    /// Adds an instance. Sorts `body` and removes its duplicates. A body that contradicts
    /// itself adds nothing.
    #[inline]
    pub(crate) fn push(&mut self, head: AtomNo, body: &mut Vec<LiteralCode>) {
        body.sort_unstable();
        body.dedup();
        if body.windows(2).any(|pair| pair[0] ^ 1 == pair[1]) {
            return;
        }
        self.words.push(head);
        self.words.push(body.len() as u32);
        self.words.extend_from_slice(body);
        self.len += 1;
    }

    /// Iterates over all instances in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Instance<'_>> {
        let mut rest = self.words.as_slice();
        std::iter::from_fn(move || {
            let (&head, tail) = rest.split_first()?;
            let (&len, tail) = tail.split_first()?;
            let (body, tail) = tail.split_at(len as usize);
            rest = tail;
            Some(Instance { head, body })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_are_sets() {
        let mut instances = Instances::default();
        instances.push(7, &mut vec![positive(3), negative(1), positive(3)]);
        instances.push(8, &mut vec![positive(3), negative(3)]);
        instances.push(9, &mut vec![]);
        let all: Vec<(u32, Vec<u32>)> = instances
            .iter()
            .map(|i| (i.head, i.body.to_vec()))
            .collect();
        assert_eq!(all, [(7, vec![3, 6]), (9, vec![])]);
    }
}
