//! Longer and longer questions, and the line of play that a proof promises.

use crate::children::Children;
use crate::cube::Claim;
use crate::search::{Proof, Search};
use budget::Budget;
use game::{MoveId, RoleId, State};

impl Search {
    /// Asks for more and more joint moves, up to `plies`, until the role can force the result,
    /// it never can, or time or `states` are used up.
    ///
    /// Returns the win, or else the failure within the most joint moves; `None` if nothing was
    /// proved.
    pub fn deepen(
        &mut self,
        facts: &State,
        plies: u16,
        states: u64,
        budget: &Budget,
    ) -> Option<Proof> {
        let most = self.states().saturating_add(states);
        let mut best: Option<Proof> = None;
        // Where roles take turns, an end comes after an own move, if not by the other's mistake.
        let first = match self.stride() {
            2 if !self.is_own(facts) => 2,
            _ => 1,
        };
        // The result may also come with a move of the other, so that the last length counts.
        let shorter = (first..plies).step_by(self.stride());
        for within in shorter.chain(std::iter::once(plies)) {
            if best
                .as_ref()
                .is_some_and(|proof| proof.cube.claim.answers(within))
            {
                continue;
            }
            let left = most.saturating_sub(self.states());
            match self.ask(facts, within, left, budget) {
                Some(proof) if proof.cube.claim.wins() => return Some(proof),
                Some(proof) => best = Some(proof),
                None => break,
            }
        }
        best
    }

    /// The line of play after a won question, in which all others hold out as long as is known:
    /// the roles that choose, and their moves. It ends where play does, or with the budget.
    pub fn line(
        &mut self,
        facts: &State,
        plies: u16,
        states: u64,
        budget: &Budget,
    ) -> Vec<(RoleId, MoveId)> {
        let (mut facts, mut line) = (facts.clone(), Vec::new());
        let mut left = plies;
        while left > 0 {
            let Some(proof) = self.deepen(&facts, left, states, budget) else {
                break;
            };
            let Claim::Wins(within) = proof.cube.claim else {
                break;
            };
            if within == 0 {
                break;
            }
            let Some(children) = self.children() else {
                break;
            };
            let Some(child) = children.decided.or_else(|| longest(children)) else {
                break;
            };
            line.push((RoleId(children.chooser), MoveId(children.moves[child])));
            facts = children.facts(child);
            left = left.min(within) - 1;
        }
        line
    }
}

/// The child that is won last, as far as is known.
fn longest(children: &Children) -> Option<usize> {
    let plies = |&child: &usize| {
        let proof = children.proofs[child].as_ref();
        proof.map_or(0, |cube| cube.claim.plies())
    };
    (0..children.moves.len()).max_by_key(|child| (plies(child), std::cmp::Reverse(*child)))
}
