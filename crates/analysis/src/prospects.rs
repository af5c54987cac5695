//! Which results each role may still come to, from all that is proved.
//!
//! A result is out of reach if latches exclude it ([`Ranges`]) or the count that it asks for cannot be
//! come to any more ([`Reach`]). What is left bounds what a role gets, whatever is played.

use crate::goals::{Goals, Reach};
use crate::latches::{Latches, Ranges};
use budget::Budget;
use invariants::{Groups, Play, Prover};
use netlist::{GameLogic, Lit};
use std::time::Duration;

/// Time for random play at most, and its steps of 64 games.
const TIME: Duration = Duration::from_millis(40);
const STEPS: usize = 256;

/// Bounds of the results in a state, for each role.
#[derive(Debug, Clone)]
pub struct Prospects {
    ranges: Ranges,
    reach: Reach,
    /// For each role its results, ascending, and whether there is one of them at every end of play.
    roles: Vec<(Vec<u8>, bool)>,
}

impl Prospects {
    /// Finds out what can be told within the budget; `None` if nothing is excluded that was not from the
    /// beginning, in any state that random play comes to. The seed is that of random play.
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

    /// Whether random play comes to a state with other bounds than those of the first one: else it is
    /// hardly worth the time to ask. Also sees to it that no role is taken to have one result always that
    /// has several at once, which comes to none.
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

    /// The least and the greatest result that a role may still get from this state on, if it gets one; `None` if
    /// it gets none. Fact `f` is bit `f % 64` of word `f / 64`.
    pub fn of(&self, state: &[u64], role: usize) -> Option<(u8, u8)> {
        self.of_next(state, role, (0, 100))
    }

    /// The same of a state after one of which the bounds were those: what is out of reach for ever need not be
    /// asked for again.
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

    /// Whether it is proved that the role has a result at every end of play. That it has no two at once is
    /// only seen, as no rules of a game are like that.
    pub fn always(&self, role: usize) -> bool {
        self.roles.get(role).is_some_and(|role| role.1)
    }
}

/// Whether one of the goals is true at every end of play.
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
