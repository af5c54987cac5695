//! The moves that control facts allow.

use super::control::{Control, among};
use analysis::reads::{Cone, value};
use budget::Budget;
use invariants::Groups;
use netlist::GameLogic;
use std::collections::BTreeMap;

/// Maximum number of nodes evaluated.
const WORK: usize = 100_000_000;

/// For each combination of the control facts that legality reads, the moves that may be legal.
pub(super) struct Phases {
    /// For each combination and role, whether each of its moves may be legal.
    pub open: Vec<Vec<Vec<bool>>>,
    /// For each combination, whether it decides all legality.
    pub decided: Vec<bool>,
    /// For each step of play up to its latest end, or until control facts repeat, its
    /// combination.
    pub steps: Vec<usize>,
}

impl Phases {
    /// Computes the phases; no moves are played after `most` steps. Returns `None` if the
    /// control facts were not followed to their end, or if time runs out.
    pub fn new(
        logic: &GameLogic,
        groups: &Groups,
        control: &Control,
        most: Option<u32>,
        budget: &Budget,
    ) -> Option<Phases> {
        let most = most.map(|most| most as usize);
        if control.back.is_none() && most.is_none_or(|most| most > control.steps.len()) {
            return None;
        }
        let legal = || logic.legal.iter().flatten().copied();
        let read = among(control, logic, &logic.reach(legal()).0);
        let cone = Cone::new(logic, legal());
        let mut numbers: BTreeMap<Vec<u32>, usize> = BTreeMap::new();
        let mut values = vec![None; logic.net.len()];
        let mut phases = Phases {
            open: Vec::new(),
            decided: Vec::new(),
            steps: Vec::new(),
        };
        for holding in control.steps.iter().take(most.unwrap_or(usize::MAX)) {
            let of = |fact: &&u32| read.binary_search(fact).is_ok();
            let facts: Vec<u32> = holding.iter().filter(of).copied().collect();
            if let Some(&number) = numbers.get(&facts) {
                phases.steps.push(number);
                continue;
            }
            budget.check().ok()?;
            if (numbers.len() + 1) * cone.size() > WORK {
                return None;
            }
            let known = |fact: u32| match read.binary_search(&fact) {
                Ok(_) => Some(facts.binary_search(&fact).is_ok()),
                Err(_) => groups.constant(fact),
            };
            cone.partly(logic, known, &mut values);
            let values = |lit| value(&values, lit);
            let possible = |&lit: &_| values(lit) != Some(false);
            let rows = logic.legal.iter();
            phases
                .open
                .push(rows.map(|row| row.iter().map(possible).collect()).collect());
            phases
                .decided
                .push(legal().all(|lit| values(lit).is_some()));
            phases.steps.push(numbers.len());
            numbers.insert(facts, phases.steps[phases.steps.len() - 1]);
        }
        Some(phases)
    }

    /// Whether in every combination at most one role may have more than one move.
    pub fn alternating(&self) -> bool {
        let several = |open: &Vec<Vec<bool>>| open.iter().filter(|row| count(row) > 1).count();
        self.open.iter().all(|open| several(open) <= 1)
    }

    /// Whether a role never has more than one move.
    pub fn forced(&self, role: usize) -> bool {
        self.open.iter().all(|open| count(&open[role]) <= 1)
    }

    /// The number of steps after which the same moves repeat, if only the step decides them. The
    /// number divides `length`, the length of the game.
    pub fn period(&self, length: usize) -> Option<usize> {
        if length > self.steps.len() || !self.steps[..length].iter().all(|&n| self.decided[n]) {
            return None;
        }
        let open = |step: usize| &self.open[self.steps[step]];
        let goes_round = |p: &usize| (0..length - p).all(|step| open(step) == open(step + p));
        (1..length)
            .find(goes_round)
            .filter(|&p| length.is_multiple_of(p))
    }
}

fn count(row: &[bool]) -> usize {
    row.iter().filter(|&&open| open).count()
}
