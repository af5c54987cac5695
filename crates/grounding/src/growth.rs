//! Terms that rules build ever deeper.
//!
//! Lists and counters that only a test of the state bounds have no end where every atom counts
//! as possible. The budget would end that as well, but with all of it spent.

use crate::error::GroundError;
use datalog::{TermId, TermStore};

/// Levels of nesting beyond those of the terms that the rules begin with. Rules that build terms
/// out of others, once, stay within them.
const BEYOND: u16 = 3;

/// The number of terms nested more deeply than that for which no network is worthwhile.
const MOST: usize = 1 << 20;

/// Watches how deep terms become.
#[derive(Default)]
pub(crate) struct Growth {
    /// The levels of nesting of each term seen so far.
    depths: Vec<u16>,
    /// The levels that do not count as deep.
    flat: u16,
    deep: usize,
}

impl Growth {
    /// Begins with the terms there are.
    pub(crate) fn of(terms: &TermStore) -> Growth {
        let mut growth = Growth {
            flat: u16::MAX,
            ..Growth::default()
        };
        growth.measure(terms);
        let deepest = growth.depths.iter().max().unwrap_or(&0);
        growth.flat = deepest.saturating_add(BEYOND);
        growth
    }

    /// Looks at the terms that are new since the last time.
    ///
    /// # Errors
    /// If too many are too deep.
    pub(crate) fn check(&mut self, terms: &TermStore) -> Result<(), GroundError> {
        self.measure(terms);
        match self.deep > MOST {
            true => Err(GroundError::Growing {
                terms: self.deep,
                levels: self.flat.into(),
            }),
            false => Ok(()),
        }
    }

    fn measure(&mut self, terms: &TermStore) {
        for term in self.depths.len()..terms.len() {
            // Arguments are interned before the terms they occur in.
            let args = terms.args(TermId(term as u32)).iter();
            let deepest = args.map(|arg| self.depths[arg.index()]).max();
            let depth = deepest.map_or(0, |depth| depth.saturating_add(1));
            self.deep += usize::from(depth > self.flat);
            self.depths.push(depth);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gdl_parse::Symbols;

    #[test]
    fn terms_may_be_many_or_deep_but_not_both() {
        let mut terms = TermStore::new(Symbols::default());
        let (zero, s) = (terms.symbol("zero"), terms.symbol("s"));
        let zero = terms.constant(zero);
        let mut growth = Growth::of(&terms);
        // Flat ones do not count, however many there are.
        let flat = |terms: &mut TermStore, number: usize| {
            let name = terms.symbol(&format!("n{number}"));
            let name = terms.constant(name);
            terms.compound(s, &[name])
        };
        for number in 0..100 {
            flat(&mut terms, number);
        }
        growth.check(&terms).expect("all are flat");
        assert_eq!(growth.deep, 0);
        let mut tower = zero;
        for _ in 0..100 {
            tower = terms.compound(s, &[tower]);
        }
        growth.check(&terms).expect("there are few");
        assert_eq!(growth.deep, 100 - usize::from(BEYOND));
        while terms.len() <= MOST + 400 {
            tower = terms.compound(s, &[tower]);
        }
        let error = growth.check(&terms).expect_err("a million are deep");
        assert!(matches!(error, GroundError::Growing { .. }), "{error}");
    }
}
