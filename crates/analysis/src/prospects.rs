//! The results that each role can still get, from all that is proved.
//!
//! A result is out of reach if latches exclude it ([`Ranges`]) or if the count that it requires
//! cannot be reached any more ([`Reach`]). The remaining results bound what a role gets,
//! whatever is played.

use crate::goals::{Goals, Reach};
use crate::latches::{Latches, Ranges};
use budget::Budget;
use invariants::{Groups, Play, Prover};
use netlist::{GameLogic, Lit};
use std::time::Duration;

/// Maximum time for random play, and its maximum number of steps of 64 games.
const TIME: Duration = Duration::from_millis(40);
const STEPS: usize = 256;

/// Bounds on the results of each role in a state.
#[derive(Debug, Clone)]
pub struct Prospects {
    ranges: Ranges,
    reach: Reach,
    /// For each role its results, ascending, and whether it has one of them in every terminal
    /// state.
    roles: Vec<(Vec<u8>, bool)>,
}

impl Prospects {
    /// Finds the bounds within the budget. `seed` is the seed of random play.
    ///
    /// Returns `None` if no state of random play has tighter bounds than the initial state.
    pub fn find(
        logic: &GameLogic,
        groups: &Groups,
        seed: u64,
        budget: &Budget,
    ) -> Option<Prospects> {
        let goals = Goals::of_results(logic, groups, &budget.share(3));
        let reach = Reach::find(logic, groups, &goals, &budget.share(2));
        let ranges = Latches::find(logic, groups, seed, budget).ranges;
        if reach.is_empty() && ranges.is_open() {
            return None;
        }
        let mut prover = Prover::new(logic, groups);
        let roles = logic.goals.iter().map(|goals| {
            let mut values: Vec<u8> = goals.iter().map(|goal| goal.0).collect();
            values.sort_unstable();
            values.dedup();
            (values, always(&mut prover, logic.terminal, goals))
        });
        let mut found = Prospects {
            ranges,
            reach,
            roles: roles.collect(),
        };
        let short = budget.clone().with_timeout(TIME);
        found.narrows(logic, seed, &short).then_some(found)
    }

    /// Whether random play reaches a state with other bounds than the first one; otherwise the
    /// bounds are hardly worth their cost.
    ///
    /// Also clears the guarantee of a result for roles that have several results in one terminal
    /// state, since that counts as none.
    fn narrows(&mut self, logic: &GameLogic, seed: u64, budget: &Budget) -> bool {
        let mut play = Play::new(logic, seed);
        let (mut first, mut narrows) = (None, false);
        for _ in 0..STEPS {
            if budget.check().is_err() {
                break;
            }
            let going = !play.word(logic.terminal);
            play.results();
            for (role, goals) in self.roles.iter_mut().zip(&logic.goals) {
                let twice = goals.iter().fold((0, 0), |(once, twice), &(_, lit)| {
                    let word = play.word(lit) & !going;
                    (once | word, twice | once & word)
                });
                role.1 &= twice.1 == 0;
            }
            if narrows {
                play.step();
                continue;
            }
            let mut states = vec![vec![0u64; logic.facts.len().div_ceil(64)]; 64];
            for (fact, &lit) in logic.facts.iter().enumerate() {
                let mut lanes = play.word(lit) & going;
                while lanes != 0 {
                    states[lanes.trailing_zeros() as usize][fact / 64] |= 1 << (fact % 64);
                    lanes &= lanes - 1;
                }
            }
            for (lane, state) in states.iter().enumerate() {
                if going >> lane & 1 == 0 {
                    continue;
                }
                let bounds = (0..self.roles.len()).map(|role| self.of(state, role));
                let bounds: Vec<_> = bounds.collect();
                narrows |= *first.get_or_insert_with(|| bounds.clone()) != bounds;
            }
            play.step();
        }
        narrows
    }

    /// The least and the greatest result that a role can still get from this state on; `None` if
    /// it can get none. Fact `f` is bit `f % 64` of word `f / 64`.
    pub fn of(&self, state: &[u64], role: usize) -> Option<(u8, u8)> {
        self.of_next(state, role, (0, 100))
    }

    /// The bounds of a state, given those of a predecessor. Results outside the predecessor's
    /// bounds stay out of reach and are not checked again.
    pub fn of_next(&self, state: &[u64], role: usize, before: (u8, u8)) -> Option<(u8, u8)> {
        let (values, _) = self.roles.get(role)?;
        let begin = values.partition_point(|&value| value < before.0);
        let end = values.partition_point(|&value| value <= before.1);
        let values = values.get(begin..end)?;
        let open = |&&value: &&u8| {
            !self.ranges.is_excluded(state, role, value)
                && !self.reach.is_excluded(state, role, value)
        };
        let least = values.iter().find(open)?;
        let most = values.iter().rev().find(open)?;
        Some((*least, *most))
    }

    /// Whether it is proved that the role has a result in every terminal state.
    ///
    /// That it never has two at once is only observed, since no known rules do that.
    pub fn always(&self, role: usize) -> bool {
        self.roles.get(role).is_some_and(|role| role.1)
    }
}

/// Whether it is proved that one of the goals is true in every terminal state.
fn always(prover: &mut Prover<'_>, terminal: Lit, goals: &[(u8, Lit)]) -> bool {
    let Some((&(_, last), rest)) = goals.split_last() else {
        return false;
    };
    let mut given = vec![terminal];
    given.extend(rest.iter().map(|&(_, goal)| !goal));
    prover
        .under(&given, false, |prover| prover.never(!last))
        .unwrap_or(true)
}
