//! When play ends.

use super::control::{Control, among};
use analysis::Evidence;
use analysis::observe::Observed;
use analysis::reads::{Cone, value};
use budget::Budget;
use invariants::Groups;
use netlist::GameLogic;

/// Nodes evaluated at most.
const WORK: usize = 100_000_000;

/// How many steps games take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ends {
    /// The number of steps that all games take, if they do. Where there is a way to end that no
    /// playout took, such as a puzzle's solution, that all playouts took as long says nothing.
    pub fixed: Option<u32>,
    /// How sure that is: proved by what control facts alone say of `terminal`, or not seen to be
    /// otherwise.
    pub evidence: Evidence,
    /// No game is over before so many steps. Proved.
    pub least: u32,
    /// No game lasts longer than so many steps, as long as every role has a move. Proved, if given.
    pub most: Option<u32>,
}

impl Ends {
    /// Finds out.
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
            // Where play begins it has not ended, so that one step is the least anyway.
            (None, Some(length)) if !observed.unseen.is_empty() && length > least.max(1) => {
                (None, Evidence::Unknown)
            }
            (None, seen) => {
                let samples = observed.playouts;
                // Two playouts of different lengths are proof that there is no fixed one.
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

/// What control facts alone say of `terminal`, step by step.
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
