//! Finds the atoms that depend on the moves alone.

use crate::error::GroundError;
use crate::ground::{AtomId, AtomKind, GroundGame, GroundRule};

/// The atoms that depend on the moves alone.
pub(super) struct Made {
    /// For each role the number of its first move, where moves are numbered across all roles.
    pub(super) first: Vec<u32>,
    /// The role of each move.
    pub(super) roles: Vec<u32>,
    /// The `does` atom of each move.
    pub(super) does: Vec<AtomId>,
    /// For each atom whether it depends on the moves alone.
    pub(super) only: Vec<bool>,
    /// For each atom that holds exactly if one of some moves is played, these moves.
    pub(super) sets: Vec<Option<Box<[u32]>>>,
}

/// The depth to which views of moves are expanded.
const DEPTH: usize = 3;

/// Atoms that stand for larger sets of moves are not expanded. No more atoms are expanded once
/// all sets together exceed [`MAX_SETS`].
const MAX_SET: usize = 1 << 16;
const MAX_SETS: usize = 1 << 23;

impl Made {
    /// Finds them. `watch` is called for every head.
    pub(super) fn new(
        game: &GroundGame,
        watch: &mut dyn FnMut() -> Result<(), GroundError>,
    ) -> Result<Self, GroundError> {
        let mut first = Vec::with_capacity(game.roles.len() + 1);
        let mut roles = Vec::new();
        for (role, moves) in game.moves.iter().enumerate() {
            first.push(roles.len() as u32);
            roles.extend(std::iter::repeat_n(role as u32, moves.len()));
        }
        first.push(roles.len() as u32);
        let mut made = Made {
            does: vec![AtomId(0); roles.len()],
            only: vec![false; game.atoms.len()],
            sets: vec![None; game.atoms.len()],
            roles,
            first,
        };
        for (atom, kind) in game.atoms.iter().enumerate() {
            if let AtomKind::Does { role, mv } = *kind {
                let number = made.first[role as usize] + mv;
                made.does[number as usize] = AtomId(atom as u32);
                made.only[atom] = true;
                made.sets[atom] = Some([number].into());
            }
        }
        let mut held = 0;
        for _ in 0..DEPTH {
            let mut changed = false;
            for rules in game.rules.chunk_by(|a, b| a.head == b.head) {
                watch()?;
                let head = rules[0].head.index();
                if made.only[head] || game.atoms[head] != AtomKind::View {
                    continue;
                }
                let mut literals = rules.iter().flat_map(|rule| &rule.body);
                if literals.all(|literal| made.only[literal.atom.index()]) {
                    made.sets[head] = made.union(rules).filter(|_| held < MAX_SETS);
                    held += made.sets[head].as_ref().map_or(0, |set| set.len());
                    made.only[head] = true;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        Ok(made)
    }

    /// The moves of which one must be played for one of the rules to apply. `None` if the rules
    /// have other conditions.
    fn union(&self, rules: &[GroundRule]) -> Option<Box<[u32]>> {
        let mut moves: Vec<u32> = Vec::new();
        for rule in rules {
            let [only] = *rule.body else { return None };
            let set = self.sets[only.atom.index()].as_ref()?;
            if only.negated || moves.len() + set.len() > MAX_SET {
                return None;
            }
            moves.extend_from_slice(set);
        }
        moves.sort_unstable();
        moves.dedup();
        Some(moves.into())
    }

    pub(super) fn role(&self, mv: u32) -> usize {
        self.roles[mv as usize] as usize
    }
}
