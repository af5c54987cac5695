//! A game with the parts that it falls apart into.

use analysis::Evidence;
use analysis::factors::{Choice, Factor, Factors};
use budget::Budget;
use game::GroundTerm;
use invariants::Groups;
use netlist::{GameLogic, Lit};
use std::sync::Arc;

/// The part of the time for what is known of facts that exclude each other.
const GROUPS: u32 = 4;

/// A game that falls apart.
pub struct Parts {
    /// The logic of the whole.
    pub logic: Arc<GameLogic>,
    /// Its factors, at least one of which matters.
    pub factors: Factors,
}

impl Parts {
    /// The parts of a game; `None` if it does not fall apart, or that cannot be told within the
    /// budget. The seed is that of random play.
    pub fn find(logic: Arc<GameLogic>, seed: u64, budget: &Budget) -> Option<Parts> {
        // Of games with recursive rules no parts are found: no time for the groups then.
        if !logic.fixes.is_empty() {
            return None;
        }
        let groups = Groups::find(&logic, seed, &budget.share(GROUPS));
        let factors = Factors::find(&logic, &groups, seed, budget);
        let matter = factors.factors.iter().any(|factor| factor.relevant);
        matter.then_some(Parts { logic, factors })
    }

    /// Whether each part can be searched as a game of its own: that is proved, several roles play, there are several
    /// parts, every role has a say in each of them, and it depends on nothing but the turn where.
    ///
    /// A part ends where it would end the whole. Which of the parts ends first is not seen in any of
    /// them, so that play in each is as good as it can be there, not more.
    pub fn can_be_searched(&self) -> bool {
        let choices = &self.factors.choices;
        let shared = |factor: &Factor| factor.actions.iter().all(|actions| actions.len() > 1);
        self.factors.evidence == Evidence::Proved
            && choices.len() > 1
            && choices.iter().all(|choice| *choice == Choice::One)
            && self.relevant().count() > 1
            && self.relevant().all(|(_, factor)| shared(factor))
    }

    /// A factor as a game in which no role ever has more than one idle move: all of them do the same.
    pub fn game(&self, factor: usize) -> GameLogic {
        let factor = &self.factors.factors[factor];
        let mut logic = factor.logic.clone();
        for (row, actions) in logic.legal.iter_mut().zip(&factor.actions) {
            let mut before = Lit::FALSE;
            for (legal, action) in row.iter_mut().zip(actions) {
                if action.idle {
                    let own = *legal;
                    *legal = logic.net.and(own, !before);
                    before = logic.net.or(before, own);
                }
            }
        }
        logic
    }

    /// The facts of a factor, and those that no move changes, that hold in a state of the whole; bits
    /// by position in the vocabulary.
    pub fn facts(&self, factor: usize, whole: &[u64]) -> Vec<GroundTerm> {
        let context = self.factors.factors[factor].context.iter();
        let held = context.filter(|&&fact| whole[fact as usize / 64] >> (fact % 64) & 1 == 1);
        held.map(|&fact| self.logic.words.facts[fact as usize].clone())
            .collect()
    }

    /// The factors that goals or the end depend on, with their numbers.
    pub fn relevant(&self) -> impl Iterator<Item = (usize, &Factor)> {
        let all = self.factors.factors.iter().enumerate();
        all.filter(|factor| factor.1.relevant)
    }
}
