//! What can be seen of all parts at once that gives a result.

use crate::judge::Possible;
use analysis::factors::{Combination, Input};
use budget::{Budget, Exhausted};
use netlist::Lit;

/// Choices of what is to be seen that are looked at, at most.
const MOST: usize = 200_000;

/// What one part can be made to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Offer {
    /// What is seen of it, by its number.
    pub sight: u32,
    /// A position where it is.
    pub position: u32,
    /// The moves that it takes.
    pub moves: usize,
}

/// Looks for offers, one of each part, with which play can end in a result.
pub(crate) struct Combiner<'a> {
    pub combination: &'a Combination,
    /// The parts, by their numbers.
    pub parts: &'a [usize],
    /// What each of them can show, the best first.
    pub offers: &'a [Vec<Offer>],
    /// Whether an output of a part (by its place in `parts`) is on in a sight.
    pub sees: &'a dyn Fn(usize, u32, usize) -> bool,
    pub budget: &'a Budget,
}

impl Combiner<'_> {
    /// Hands all combinations that may bring the first role `result` to `take` until it is content.
    /// Whether it was, and whether all were looked at.
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

    /// What follows from the offers that are chosen.
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
