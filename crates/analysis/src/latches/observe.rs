//! Literals that random play never changes back, and sampled transitions that refute other
//! claims cheaply.

use super::Literal;
use budget::Budget;
use fixedbitset::FixedBitSet;
use invariants::Play;
use netlist::GameLogic;
use std::time::Duration;

/// Maximum time for random play.
const TIME: Duration = Duration::from_millis(60);
/// Steps of 64 games: the minimum, if the budget allows, and the maximum.
const STEPS: std::ops::Range<usize> = 48..512;

/// Maximum number of steps whose transitions are kept; fewer for games with many facts.
const KEPT: usize = 128;
/// Maximum number of words that are kept.
const WORDS: usize = 1 << 20;

/// A step of 64 games: the facts before and after, and the goals before.
struct Step {
    going: u64,
    before: Vec<u64>,
    after: Vec<u64>,
    goals: Vec<u64>,
}

/// The observations of random play.
pub(super) struct Observed {
    steps: Vec<Step>,
    /// For each fact, the number of transitions before which it did not hold (0) and held (1).
    before: Vec<[u64; 2]>,
    /// For each fact, whether it became true (0) and became false (1) in some transition.
    changed: Vec<[bool; 2]>,
    /// The number of all transitions.
    pub transitions: u64,
}

impl Observed {
    /// The number of transitions before which the literal held; `None` if it changed back in
    /// one.
    pub fn kept(&self, literal: Literal) -> Option<u64> {
        let (fact, side) = (literal.fact as usize, usize::from(literal.holds));
        (!self.changed[fact][side]).then(|| self.before[fact][side])
    }

    /// The steps and lanes in which a literal became true.
    pub fn comes(&self, literal: Literal) -> Vec<(usize, u64)> {
        let steps = self.steps.iter().enumerate().map(|(at, step)| {
            let came = !literal.word(&step.before) & literal.word(&step.after);
            (at, came & step.going)
        });
        steps.filter(|&(_, lanes)| lanes != 0).collect()
    }

    /// Whether a literal held before the step in some of these lanes.
    pub fn held(&self, literal: Literal, lanes: &[(usize, u64)]) -> bool {
        let mut lanes = lanes.iter();
        lanes.any(|&(at, lanes)| literal.word(&self.steps[at].before) & lanes != 0)
    }

    /// For each goal in the order of the logic, whether it was false (0) and true (1) in some
    /// state in which all the literals hold.
    pub fn goals(&self, literals: &[Literal]) -> Vec<[bool; 2]> {
        let goals = self.steps.first().map_or(0, |step| step.goals.len());
        let mut seen = vec![[false; 2]; goals];
        for step in &self.steps {
            let words = literals.iter().map(|one| one.word(&step.before));
            let holds = words.fold(u64::MAX, |all, word| all & word);
            if holds != 0 {
                for (seen, goal) in seen.iter_mut().zip(&step.goals) {
                    seen[0] |= holds & !goal != 0;
                    seen[1] |= holds & goal != 0;
                }
            }
        }
        seen
    }

    /// For each fact of a group, the positions of those that held in some step before it became
    /// true.
    pub fn sources(&self, group: &[u32]) -> Vec<FixedBitSet> {
        let literal = |&fact: &u32| Literal { fact, holds: true };
        let sources = group.iter().map(|fact| {
            let comes = self.comes(literal(fact));
            let held = |from: &u32| self.held(literal(from), &comes);
            let held = group.iter().enumerate().filter(|(_, from)| held(from));
            held.map(|(at, _)| at).collect()
        });
        sources.collect()
    }
}

/// Plays at random and records all transitions.
pub(super) fn observe(logic: &GameLogic, seed: u64, budget: &Budget) -> Observed {
    let facts = logic.facts.len();
    let mut observed = Observed {
        steps: Vec::new(),
        before: vec![[0; 2]; facts],
        changed: vec![[false; 2]; facts],
        transitions: 0,
    };
    let kept = KEPT.min(WORDS / (2 * facts).max(1));
    let mut play = Play::new(logic, seed);
    let short = budget.clone().with_timeout(TIME);
    let mut before: Vec<u64> = logic.facts.iter().map(|&lit| play.word(lit)).collect();
    for step in 0..STEPS.end {
        if budget.check().is_err() || step >= STEPS.start && short.check().is_err() {
            break;
        }
        let going = going(logic, &play);
        let goals: Vec<u64> = match step < kept {
            true => {
                play.results();
                logic.goal_roots().map(|lit| play.word(lit)).collect()
            }
            false => Vec::new(),
        };
        let old = (step < kept).then(|| before.clone());
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
        if let Some(old) = old {
            observed.steps.push(Step {
                going,
                before: old,
                after: before.clone(),
                goals,
            });
        }
    }
    observed
}

/// The lanes whose game continues with the next step instead of restarting.
fn going(logic: &GameLogic, play: &Play<'_>) -> u64 {
    let able = |legal: &Vec<_>| legal.iter().fold(0, |any, &lit| any | play.word(lit));
    let legal = logic.legal.iter();
    legal.fold(!play.word(logic.terminal), |going, row| going & able(row))
}
