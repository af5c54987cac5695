//! Literals that random play does not see to change back.

use super::Literal;
use budget::Budget;
use invariants::Play;
use netlist::GameLogic;
use std::time::Duration;

/// Time for random play at most.
const TIME: Duration = Duration::from_millis(60);
/// Steps of 64 games: at least, if the budget allows, and at most.
const STEPS: std::ops::Range<usize> = 48..512;

/// What random play showed.
pub(super) struct Observed {
    /// For each fact, transitions in which it did not hold (0) and held (1) before.
    before: Vec<[u64; 2]>,
    /// For each fact, whether it was seen to come (0) and to go (1).
    changed: Vec<[bool; 2]>,
    /// All transitions.
    pub transitions: u64,
}

impl Observed {
    /// In how many transitions the literal held before; `None` if it was seen to change back.
    pub fn kept(&self, literal: Literal) -> Option<u64> {
        let (fact, side) = (literal.fact as usize, usize::from(literal.holds));
        (!self.changed[fact][side]).then(|| self.before[fact][side])
    }
}

/// Plays at random and looks at all transitions.
pub(super) fn observe(logic: &GameLogic, seed: u64, budget: &Budget) -> Observed {
    let facts = logic.facts.len();
    let mut observed = Observed {
        before: vec![[0; 2]; facts],
        changed: vec![[false; 2]; facts],
        transitions: 0,
    };
    let mut play = Play::new(logic, seed);
    let short = budget.clone().with_timeout(TIME);
    let mut before: Vec<u64> = logic.facts.iter().map(|&lit| play.word(lit)).collect();
    for step in 0..STEPS.end {
        if budget.check().is_err() || step >= STEPS.start && short.check().is_err() {
            break;
        }
        let going = going(logic, &play);
        play.step();
        observed.transitions += u64::from(going.count_ones());
        for (fact, &lit) in logic.facts.iter().enumerate() {
            let (old, new) = (before[fact], play.word(lit));
            let [absent, held] = [!old & going, old & going];
            observed.before[fact][0] += u64::from(absent.count_ones());
            observed.before[fact][1] += u64::from(held.count_ones());
            observed.changed[fact][0] |= absent & new != 0;
            observed.changed[fact][1] |= held & !new != 0;
            before[fact] = new;
        }
    }
    observed
}

/// The lanes whose game goes on with the next step, rather than beginning anew.
fn going(logic: &GameLogic, play: &Play<'_>) -> u64 {
    let able = |legal: &Vec<_>| legal.iter().fold(0, |any, &lit| any | play.word(lit));
    let legal = logic.legal.iter();
    legal.fold(!play.word(logic.terminal), |going, row| going & able(row))
}
