//! Combinations of the parts' outputs that give a result.

use crate::judge::Possible;
use analysis::factors::{Combination, Input};
use budget::{Budget, Exhausted};
use netlist::Lit;

/// The most combinations that are examined.
const MOST: usize = 200_000;

/// An output vector that one part can reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Offer {
    /// The output vector, by its number.
    pub sight: u32,
    /// A position with this output vector.
    pub position: u32,
    /// The number of moves to the position.
    pub moves: usize,
}

/// Searches for offers, one of each part, with which play can end in a result.
pub(crate) struct Combiner<'a> {
    pub combination: &'a Combination,
    /// The parts, by their numbers.
    pub parts: &'a [usize],
    /// The offers of each part, the best first.
    pub offers: &'a [Vec<Offer>],
    /// Whether an output of a part (by its place in `parts`) is on in an output vector.
    pub sees: &'a dyn Fn(usize, u32, usize) -> bool,
    pub budget: &'a Budget,
}

impl Combiner<'_> {
    /// Passes all combinations that may bring the first role `result` to `take`, until `take`
    /// accepts one.
    ///
    /// Returns whether it accepted one, and whether all combinations were examined.
    ///
    /// # Errors
    /// If the budget ran out.
    pub fn search(
        &self,
        result: u8,
        control: &mut dyn FnMut(u32) -> Option<bool>,
        take: &mut dyn FnMut(&[Offer]) -> Result<bool, Exhausted>,
    ) -> Result<(bool, bool), Exhausted> {
        let goals = self.combination.goals[0].iter();
        let goals: Vec<Lit> = goals
            .filter(|goal| goal.0 == result)
            .map(|goal| goal.1)
            .collect();
        let mut chosen = Vec::new();
        let mut left = MOST;
        let found = self.go_on(&goals, &mut chosen, control, take, &mut left)?;
        Ok((found, left > 0))
    }

    fn go_on(
        &self,
        goals: &[Lit],
        chosen: &mut Vec<Offer>,
        control: &mut dyn FnMut(u32) -> Option<bool>,
        take: &mut dyn FnMut(&[Offer]) -> Result<bool, Exhausted>,
        left: &mut usize,
    ) -> Result<bool, Exhausted> {
        if *left == 0 {
            return Ok(false);
        }
        *left -= 1;
        if left.is_multiple_of(64) {
            self.budget.check()?;
        }
        let possible = self.possible(chosen, control);
        let may =
            possible.may(self.combination.terminal) && goals.iter().any(|&goal| possible.may(goal));
        if !may {
            return Ok(false);
        }
        let Some(offers) = self.offers.get(chosen.len()) else {
            return take(chosen);
        };
        for &offer in offers {
            chosen.push(offer);
            let found = self.go_on(goals, chosen, control, take, left)?;
            chosen.pop();
            if found {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What the chosen offers imply for the whole.
    pub fn possible(
        &self,
        chosen: &[Offer],
        control: &mut dyn FnMut(u32) -> Option<bool>,
    ) -> Possible {
        Possible::of(self.combination, |input| match input {
            Input::Control(fact) => control(fact),
            Input::Output { factor, output } => {
                let place = self.parts.iter().position(|&part| part == factor)?;
                let offer = chosen.get(place)?;
                Some((self.sees)(place, offer.sight, output))
            }
        })
    }
}
