//! One numbering of terms for an engine and all its forks.

use datalog::{TermId, TermStore};
use game::GroundTerm;
use gdl_parse::Symbol;
use parking_lot::Mutex;
use std::sync::Arc;

/// A copy of a common term store. Look-ups use only the copy. A term that is new here is first
/// interned in the common store, so that all copies assign the same id.
#[derive(Debug, Clone)]
pub(crate) struct SharedTerms {
    common: Arc<Mutex<TermStore>>,
    local: TermStore,
}

impl SharedTerms {
    pub(crate) fn new(terms: TermStore) -> Self {
        SharedTerms {
            common: Arc::new(Mutex::new(terms.clone())),
            local: terms,
        }
    }

    #[inline]
    pub(crate) fn local(&self) -> &TermStore {
        &self.local
    }

    pub(crate) fn catch_up(&mut self) {
        self.local.catch_up(&self.common.lock());
    }

    /// Whether the term exists in any copy. If so, this copy now contains it too.
    #[inline]
    pub(crate) fn knows(&mut self, term: TermId) -> bool {
        if term.index() >= self.local.len() {
            self.catch_up();
        }
        term.index() < self.local.len()
    }

    /// The term as a tree; `None` if no copy contains it. Copies nothing: to catch up with hundreds
    /// of thousands of terms takes longer than to look one up.
    pub(crate) fn ground(&self, term: TermId) -> Option<GroundTerm> {
        if term.index() < self.local.len() {
            return Some(self.local.ground(term));
        }
        let common = self.common.lock();
        (term.index() < common.len()).then(|| common.ground(term))
    }

    #[inline]
    pub(crate) fn compound(&mut self, functor: Symbol, args: &[TermId]) -> TermId {
        match self.local.find(functor, args) {
            Some(term) => term,
            None => self.new_compound(functor, args),
        }
    }

    #[cold]
    fn new_compound(&mut self, functor: Symbol, args: &[TermId]) -> TermId {
        let mut common = self.common.lock();
        let term = common.compound(functor, args);
        self.local.catch_up(&common);
        term
    }

    pub(crate) fn intern(&mut self, term: &GroundTerm) -> TermId {
        let mut common = self.common.lock();
        let id = common.intern(term);
        self.local.catch_up(&common);
        id
    }
}
