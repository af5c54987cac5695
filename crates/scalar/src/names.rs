//! Maps between numbers and the terms of the rules.

use game::{GroundTerm, MoveId, RoleId};
use propnet::Vocabulary;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The terms of a game, with look-up in both directions.
#[derive(Debug)]
pub(crate) struct Names {
    pub vocabulary: Arc<Vocabulary>,
    facts: FxHashMap<GroundTerm, u32>,
    moves: Vec<FxHashMap<GroundTerm, u32>>,
    /// The facts in the order of their texts.
    pub by_text: Vec<u32>,
}

impl Names {
    pub fn new(vocabulary: Arc<Vocabulary>) -> Names {
        let numbered =
            |terms: &[GroundTerm]| (0..).zip(terms).map(|(i, t)| (t.clone(), i)).collect();
        let mut by_text: Vec<u32> = (0..vocabulary.facts.len() as u32).collect();
        by_text.sort_by_cached_key(|&fact| vocabulary.facts[fact as usize].to_string());
        Names {
            facts: numbered(&vocabulary.facts),
            moves: vocabulary.moves.iter().map(|m| numbered(m)).collect(),
            by_text,
            vocabulary,
        }
    }

    pub fn fact(&self, term: &GroundTerm) -> Option<u32> {
        self.facts.get(term).copied()
    }

    pub fn find_move(&self, role: RoleId, term: &GroundTerm) -> Option<MoveId> {
        self.moves.get(role.0)?.get(term).copied().map(MoveId)
    }

    pub fn move_term(&self, role: RoleId, mv: MoveId) -> GroundTerm {
        let moves = self.vocabulary.moves.get(role.0);
        let term = moves.and_then(|moves| moves.get(mv.0 as usize));
        term.cloned().unwrap_or_else(|| GroundTerm::constant("?"))
    }
}
