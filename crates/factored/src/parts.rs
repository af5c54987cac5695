//! A game with its independent parts.

use analysis::Evidence;
use analysis::factors::{Factor, Factors, Sharing};
use budget::Budget;
use compile::{Compiled, Proved};
use game::GroundTerm;
use netlist::{GameLogic, Lit};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Half of the points.
const HALF: u8 = 50;

/// A game that consists of independent parts.
pub struct Parts {
    /// The whole game.
    pub compiled: Arc<Compiled>,
    /// Its factors, at least one of which is relevant.
    pub factors: Factors,
}

impl Parts {
    /// Finds the parts of a game. `None` if it has none, or they are not found within the
    /// budget.
    ///
    /// `seed` is that of random play.
    pub fn find(proved: &Proved, seed: u64, budget: &Budget) -> Option<Parts> {
        let logic = &proved.compiled.logic;
        // Games with recursive rules are not factored.
        if !logic.fixes.is_empty() {
            return None;
        }
        let factors = Factors::find(logic, &proved.groups, seed, budget);
        let matter = factors.factors.iter().any(|factor| factor.relevant);
        let compiled = proved.compiled.clone();
        matter.then_some(Parts { compiled, factors })
    }

    /// Whether each part can be searched as a game of its own, and how the parts share the
    /// turns.
    ///
    /// That requires that the factors are proved, several roles play, there are several parts,
    /// and every role has moves in each of them. [`Sharing::One`] if the turn decides in which
    /// part to move, [`Sharing::Several`] if a role chooses the part in which it moves.
    ///
    /// A part ends where it would end the whole. A part cannot see which of the parts ends
    /// first. So play is the best within each part, not more. Where a role chooses the part,
    /// the end of any of them must be that of the whole: otherwise, as with the heaps of nim,
    /// the value of one part depends on the others.
    pub fn searched(&self) -> Option<Sharing> {
        let choice = *self.factors.choices.iter().max()?;
        let shared = |factor: &Factor| factor.actions.iter().all(|actions| actions.len() > 1);
        let can = self.factors.evidence == Evidence::Proved
            && self.factors.choices.len() > 1
            && match choice {
                Sharing::One => true,
                Sharing::Several => self.relevant().all(|(_, factor)| factor.ends),
                Sharing::Each => false,
            }
            && self.relevant().count() > 1
            && self.relevant().all(|(_, factor)| shared(factor));
        can.then_some(choice)
    }

    /// A factor as a game in which no role ever has more than one idle move, since all idle
    /// moves have the same effect.
    ///
    /// Where roles choose the part in which they move, they do not pass in it while they can
    /// move there. A caller that compares parts computes the value of passing once and then
    /// letting another role answer. Such a part also ends where no role can move in it; if that
    /// is not an end with results, it is a draw.
    pub fn game(&self, factor: usize) -> GameLogic {
        let factor = &self.factors.factors[factor];
        let mut logic = factor.logic.clone();
        let passes = self.searched() != Some(Sharing::Several);
        let mut moved = Lit::FALSE;
        for (row, actions) in logic.legal.iter_mut().zip(&factor.actions) {
            let own = row.iter().zip(actions).filter(|(_, action)| !action.idle);
            let own = own.map(|(&legal, _)| legal).collect::<Vec<_>>();
            let own = logic.net.or_all(own);
            moved = logic.net.or(moved, own);
            let mut before = if passes { Lit::FALSE } else { own };
            for (legal, action) in row.iter_mut().zip(actions) {
                if action.idle {
                    let own = *legal;
                    *legal = logic.net.and(own, !before);
                    before = logic.net.or(before, own);
                }
            }
        }
        if !passes {
            end(&mut logic, !moved);
        }
        logic
    }

    /// The facts of a factor, and the control facts, that hold in a state of the whole.
    ///
    /// Bits are by position in the vocabulary.
    pub fn facts(&self, factor: usize, whole: &[u64]) -> Vec<GroundTerm> {
        let context = self.factors.factors[factor].context.iter();
        let held = context.filter(|&&fact| whole[fact as usize / 64] >> (fact % 64) & 1 == 1);
        held.map(|&fact| self.compiled.logic.words.facts[fact as usize].clone())
            .collect()
    }

    /// The relevant factors, on which goals or the end depend, with their numbers.
    pub fn relevant(&self) -> impl Iterator<Item = (usize, &Factor)> {
        let all = self.factors.factors.iter().enumerate();
        all.filter(|factor| factor.1.relevant)
    }
}

/// Makes a game end wherever `stuck` holds, too.
///
/// If it would not have ended there and no role has a better result than another, every role
/// gets half of the points.
fn end(logic: &mut GameLogic, stuck: Lit) {
    let net = &mut logic.net;
    let values: BTreeSet<u8> = logic.goals.iter().flatten().map(|goal| goal.0).collect();
    let mut alike = Vec::new();
    let mut none = Lit::TRUE;
    for value in values {
        let has = |goals: &Vec<(u8, Lit)>| {
            let goal = goals.iter().find(|goal| goal.0 == value);
            goal.map_or(Lit::FALSE, |goal| goal.1)
        };
        let all: Vec<Lit> = logic.goals.iter().map(has).collect();
        let some = net.or_all(all.iter().copied());
        none = net.and(none, !some);
        alike.push(net.and_all(all));
    }
    alike.push(none);
    let alike = net.or_all(alike);
    let open = net.and(stuck, !logic.terminal);
    let drawn = net.and(open, alike);
    for goals in &mut logic.goals {
        for (_, goal) in goals.iter_mut() {
            *goal = net.and(*goal, !drawn);
        }
        match goals.iter_mut().find(|goal| goal.0 == HALF) {
            Some((_, goal)) => *goal = net.or(*goal, drawn),
            None => goals.push((HALF, drawn)),
        }
    }
    logic.terminal = net.or(logic.terminal, stuck);
}
