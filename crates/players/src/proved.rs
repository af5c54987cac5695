//! What is proved of the results before the first move.

use crate::Setup;
use crate::grapher::Profile;
use analysis::structure::Goals;
use budget::Budget;
use game::RoleId;
use invariants::Groups;
use mcts::{Bounds, Prospects};
use netlist::GameLogic;
use prepare::logic_of;
use std::sync::Arc;
use std::time::Duration;

/// The parts of the start clock that may be spent on facts that exclude each other, which the ranges need too, and
/// on the sum.
const OF_GROUPS: u32 = 16;
const OF_SUM: u32 = 4;
/// The part of the rest that may be spent on the ranges.
const OF_RANGES: u32 = 16;
/// The most time that is spent on each of these.
const LONGEST: Duration = Duration::from_secs(5);

/// What is proved of the results; nothing of many games.
#[derive(Default)]
pub(crate) struct Proved {
    /// What the results of two roles add up to in every end of play.
    ///
    /// A search that knows it proves much more: a role that is sure of its part bounds the other, whatever
    /// moves are still open.
    pub sum: Option<u16>,
    /// Which results the facts of a state have put out of reach.
    pub prospects: Option<Arc<dyn Prospects>>,
}

impl Proved {
    /// Proves what it can within its parts of the budget, of what the profile asks for.
    pub fn find(setup: &Setup, profile: &Profile, budget: &Budget) -> Proved {
        let of_sum = profile.sum && setup.engine.roles().len() == 2;
        let of_ranges = profile.ranges && profile.config.solve;
        let logic = logic_of(&*setup.engine).filter(|_| of_sum || of_ranges);
        let Some(logic) = logic else {
            return Proved::default();
        };
        let share = |parts| budget.share(parts).with_timeout(LONGEST);
        let groups = Groups::find(&logic, setup.seed, &share(OF_GROUPS));
        let sum = match of_sum {
            true => Goals::proved_sum(&logic, &groups, setup.seed, &share(OF_SUM)),
            false => None,
        };
        let prospects = match of_ranges {
            true => Ranges::find(&logic, &groups, setup, profile, &share(OF_RANGES)),
            false => None,
        };
        Proved {
            sum: sum.and_then(|sum| u16::try_from(sum).ok()),
            prospects,
        }
    }
}

/// Results that are not out of reach, for the search.
struct Ranges {
    of: analysis::prospects::Prospects,
    /// The result of a role for which the end of play defines none, where that may be.
    missing: u8,
}

impl Ranges {
    fn find(
        logic: &GameLogic,
        groups: &Groups,
        setup: &Setup,
        profile: &Profile,
        budget: &Budget,
    ) -> Option<Arc<dyn Prospects>> {
        let of = analysis::prospects::Prospects::find(logic, groups, setup.seed, budget)?;
        let missing = profile.config.missing_goal;
        Some(Arc::new(Ranges { of, missing }))
    }
}

impl Prospects for Ranges {
    fn bounds(&self, bits: &[u64], role: RoleId, within: Bounds) -> Bounds {
        let missing = Bounds::exactly(self.missing);
        let Some((low, high)) = self.of.of_next(bits, role.0, (within.low, within.high)) else {
            return missing;
        };
        let found = Bounds { low, high };
        match self.of.always(role.0) {
            true => found,
            false => Bounds {
                low: low.min(self.missing),
                high: high.max(self.missing),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preparation::prepare;
    use crate::tests::{scalar, setup};
    use game::State;
    use mcts::{Limits, Report};

    /// What a search finds in some states on a way through a fixture, wherever the first role has a choice.
    fn searched(name: &str, ranges: bool) -> Vec<Report> {
        let mut engine = scalar(name);
        let setup = setup(&*engine, 0, 1);
        let mut profile = crate::default::default();
        (profile.ranges, profile.lanes) = (ranges, false);
        // Else hardly a node is needed either way.
        profile.config.proofs = 0.0;
        let budget = Budget::system();
        let of = prepare(setup, &profile, &mut metagame::Log::new(&budget), &budget);
        let limits = Limits {
            playouts: 12_000,
            ..Limits::default()
        };
        let (mut state, mut turn, mut reports) = (engine.initial(), 1u64, Vec::new());
        while !engine.terminal(&state).expect("it plays") {
            let mut joint = Vec::new();
            for role in 0..engine.roles().len() {
                let mut moves = Vec::new();
                engine
                    .legal(&state, RoleId(role), &mut moves)
                    .expect("it plays");
                turn += 1;
                joint.push(moves[(turn * turn * 7 % 11) as usize % moves.len()]);
                if role == 0 && moves.len() > 1 {
                    let report = of.search().choose(&state, limits, &budget, &|_| ());
                    reports.push(report.expect("there are moves"));
                }
            }
            let mut next = State::default();
            engine.next(&state, &joint, &mut next).expect("it plays");
            state = next;
        }
        reports
    }

    #[test]
    fn proofs_say_the_same_and_are_shorter() {
        let mut all = [0, 0];
        for name in ["tic_tac_toe", "connect_four_small"] {
            let reports = [false, true].map(|ranges| searched(name, ranges));
            let known = |report: &Report| {
                let bounds = report.candidate.map(|candidate| candidate.bounds);
                bounds.filter(|bounds| report.solved && bounds.is_exact())
            };
            let (mut both, mut nodes) = (0, [0, 0]);
            for (without, with) in reports[0].iter().zip(&reports[1]) {
                if let (Some(one), Some(two)) = (known(without), known(with)) {
                    assert_eq!(one, two, "{name}: {without:?} {with:?}");
                    both += 1;
                    nodes[0] += without.nodes;
                    nodes[1] += with.nodes;
                }
            }
            println!(
                "{name}: {both} of {} solved, nodes {nodes:?}",
                reports[0].len()
            );
            assert!(both > 0, "{name}");
            all = [all[0] + nodes[0], all[1] + nodes[1]];
        }
        assert!(all[1] < all[0], "{all:?}");
    }
}
