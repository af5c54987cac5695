//! The length of games.

use super::control::{Control, among};
use analysis::Evidence;
use analysis::observe::Observed;
use analysis::reads::{Cone, value};
use budget::Budget;
use invariants::Groups;
use netlist::GameLogic;

/// Maximum number of nodes evaluated.
const WORK: usize = 100_000_000;

/// Bounds on the number of steps of games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ends {
    /// The number of steps of all games, if it is fixed. If some disjunct of terminality held in
    /// no playout, such as a puzzle's solution, equal lengths of all playouts prove nothing.
    pub fixed: Option<u32>,
    /// The evidence for it: proved from what control facts alone imply about `terminal`, or
    /// observed.
    pub evidence: Evidence,
    /// No game ends before this number of steps. Proved.
    pub least: u32,
    /// No game lasts longer than this, as long as every role has a legal move. Proved, if given.
    pub most: Option<u32>,
}

impl Ends {
    /// Computes the bounds.
    pub(super) fn find(
        logic: &GameLogic,
        groups: &Groups,
        control: &Control,
        observed: &Observed,
        budget: &Budget,
    ) -> Ends {
        let (least, most) = bounds(logic, groups, control, budget);
        let proved = most.filter(|&most| most == least);
        let same = observed.shortest == observed.longest && observed.other == 0;
        let seen = (observed.playouts > 0 && same).then_some(observed.longest);
        let (fixed, evidence) = match (proved, seen) {
            (Some(length), _) => (Some(length), Evidence::Proved),
            (None, _) if observed.playouts == 0 => (None, Evidence::Unknown),
            // The initial state is not terminal, so one step is a minimum anyway.
            (None, Some(length)) if !observed.unseen.is_empty() && length > least.max(1) => {
                (None, Evidence::Unknown)
            }
            (None, seen) => {
                let samples = observed.playouts;
                // Two playouts of different lengths prove that the length is not fixed.
                let sure = observed.shortest < observed.longest;
                let seldom = Evidence::Observed { samples };
                (seen, if sure { Evidence::Proved } else { seldom })
            }
        };
        Ends {
            fixed,
            evidence,
            least,
            most,
        }
    }
}

/// Bounds from control facts alone: evaluates `terminal` step by step.
fn bounds(
    logic: &GameLogic,
    groups: &Groups,
    control: &Control,
    budget: &Budget,
) -> (u32, Option<u32>) {
    let cone = Cone::new(logic, [logic.terminal].into_iter());
    let (reach, _) = logic.reach([logic.terminal].into_iter());
    let read = among(control, logic, &reach);
    let mut values = vec![None; logic.net.len()];
    let mut least = 0;
    let mut before: Option<(Vec<u32>, Option<bool>)> = None;
    let mut work = 0;
    for (step, holding) in control.steps.iter().enumerate() {
        let of = |fact: &&u32| read.binary_search(fact).is_ok();
        let facts: Vec<u32> = holding.iter().filter(of).copied().collect();
        let terminal = match &before {
            Some((same, terminal)) if *same == facts => *terminal,
            _ => {
                work += cone.size();
                if work > WORK || budget.check().is_err() {
                    return (least, None);
                }
                let known = |fact: u32| match read.binary_search(&fact) {
                    Ok(_) => Some(facts.binary_search(&fact).is_ok()),
                    Err(_) => groups.constant(fact),
                };
                cone.partly(logic, known, &mut values);
                value(&values, logic.terminal)
            }
        };
        before = Some((facts, terminal));
        match terminal {
            Some(true) => return (least, Some(step as u32)),
            Some(false) if least == step as u32 => least += 1,
            _ => {}
        }
    }
    (least, None)
}
