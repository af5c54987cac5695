//! Which moves decided states so far.

use game::MoveId;

/// A score at which all scores of a role are halved, so that what is recent counts more.
const MOST: u32 = 1 << 24;

/// A score for each move of each role.
#[derive(Debug)]
pub(crate) struct History(Vec<Vec<u32>>);

impl History {
    pub fn new(roles: usize) -> History {
        History(vec![Vec::new(); roles])
    }

    /// The score of a move.
    pub fn score(&self, role: usize, mv: MoveId) -> u32 {
        let scores = &self.0[role];
        scores.get(mv.0 as usize).copied().unwrap_or(0)
    }

    /// A move has decided a state, in a search of `states` states. Long searches count more, but
    /// not in proportion.
    pub fn decided(&mut self, role: usize, mv: MoveId, states: u64) {
        let (scores, at) = (&mut self.0[role], mv.0 as usize);
        if scores.len() <= at {
            scores.resize(at + 1, 0);
        }
        let bits = u64::BITS - states.leading_zeros();
        scores[at] += bits * bits;
        if scores[at] > MOST {
            scores.iter_mut().for_each(|score| *score /= 2);
        }
    }
}
