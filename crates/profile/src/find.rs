//! All analyses of a game within one budget.
//!
//! The analyses come in a fixed order, what others need first, and each has a share of the time that
//! is left. What one does not use falls to those after it, so that whatever the deadline is, each has
//! something, and a profile that was cut short is a profile all the same.

use crate::play::Statistics;
use crate::shares::{End, Shares};
use crate::structure::Structure;
use crate::symmetries::Symmetries;
use analysis::boards::Boards;
use analysis::couplings::{Coupling, Couplings, Distribution, LocalSearch, Thresholds, WIDEST};
use analysis::distances::Distances;
use analysis::factors::Factors;
use analysis::goals::Goals;
use analysis::latches::Latches;
use analysis::numbers::Numbers;
use budget::{Budget, Exhausted};
use compile::Compiled;
use invariants::Groups;
use std::sync::Arc;
use std::time::Duration;

/// One analysis, and how it went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stage {
    /// Which.
    pub name: &'static str,
    /// How long it took.
    pub time: Duration,
    /// What ran out before it had everything, if something did. What it had by then is in the
    /// profile.
    pub cut: Option<Exhausted>,
    /// Whether it left something untried that would have taken more effort than it makes for a game
    /// of this size, whatever time there is.
    pub bounded: bool,
}

/// What is heard while a profile is made.
#[derive(Debug, Clone, Copy)]
pub enum Progress<'a> {
    /// An analysis begins.
    Begun(&'static str),
    /// An analysis has ended.
    Ended(&'a Stage),
}

/// How soon moves can matter to the same thing.
#[derive(Debug, Clone)]
pub struct Moves {
    /// The ways to the best results and to the end of play.
    pub couplings: Vec<Coupling>,
    /// The distances of pairs of moves.
    pub distribution: Distribution,
    /// Whether a part of the game can be searched alone.
    pub local_search: LocalSearch,
}

/// What kind of game a network is.
pub struct Profile {
    /// The game, which everything else is about.
    pub compiled: Arc<Compiled>,
    /// Facts that exclude each other, never change, or mirror others: proved.
    pub groups: Groups,
    /// Who chooses when, what goes its way by itself, how long games are.
    pub structure: Structure,
    /// What random play shows.
    pub play: Statistics,
    /// Quantities in the state.
    pub numbers: Numbers,
    /// What can no longer change, and the results that are still possible.
    pub latches: Latches,
    /// How results are computed from a state.
    pub goals: Goals,
    /// Parts that can be played by themselves.
    pub factors: Factors,
    /// What lies where, and what moves do there.
    pub boards: Boards,
    /// Permutations that leave the game as it is.
    pub symmetries: Symmetries,
    /// How many transitions lie between what is wanted and what it takes; `None` if the budget ran
    /// out before anything was known.
    pub distances: Option<Distances>,
    /// How soon moves can matter to the same thing; `None` without distances.
    pub moves: Option<Moves>,
    /// The analyses in the order in which they were made.
    pub stages: Vec<Stage>,
}

impl Profile {
    /// Finds what it can within the budget; `seed` is that of random play. `watch` hears of each
    /// analysis. Without a network, as of a part of a game, symmetries and distances are left out.
    pub fn find(
        compiled: Compiled,
        seed: u64,
        budget: &Budget,
        watch: &mut dyn FnMut(Progress<'_>),
    ) -> Profile {
        let mut shares = Shares::new(budget, watch);
        let logic = compiled.logic.clone();
        let groups = shares.spend("groups", |budget| {
            let groups = Groups::find(&logic, seed, budget);
            let bounded = groups.report.given_up > 0;
            let end = End::new(groups.report.exhausted, bounded);
            (groups, end)
        });
        let structure = shares.spend("structure", |budget| {
            let structure = Structure::find(&logic, &groups, seed, budget);
            let end = structure.report.exhausted.into();
            (structure, end)
        });
        let play = shares.spend("play", |budget| {
            let play = Statistics::find(&logic, seed, budget);
            let end = play.report.exhausted.into();
            (play, end)
        });
        let numbers = shares.spend("numbers", |budget| {
            let numbers = Numbers::find(&logic, &groups, seed, budget);
            let end = numbers.report.exhausted.into();
            (numbers, end)
        });
        let latches = shares.spend("latches", |budget| {
            let latches = Latches::find(&logic, &groups, seed, budget);
            let end = End::new(latches.report.exhausted, latches.report.bounded);
            (latches, end)
        });
        let goals = shares.spend("goals", |budget| {
            let goals = Goals::find(&logic, &groups, budget);
            let end = End::new(goals.report.exhausted, goals.report.bounded);
            (goals, end)
        });
        let factors = shares.spend("factors", |budget| {
            let factors = Factors::find(&logic, &groups, seed, budget);
            let end = End::new(factors.report.exhausted, factors.report.bounded);
            (factors, end)
        });
        let boards = shares.spend("boards", |budget| {
            let boards = Boards::find(&logic, &groups, seed, budget);
            let end = boards.report.exhausted.into();
            (boards, end)
        });
        let symmetries = shares.spend("symmetries", |budget| {
            let symmetries = match &compiled.network {
                Some(network) => Symmetries::find(network, &logic, &boards, seed, budget),
                None => Symmetries::default(),
            };
            let end = symmetries.report.exhausted.into();
            (symmetries, end)
        });
        let distances = shares.spend("distances", |budget| {
            let found = compiled.network.as_ref();
            match found.map(|network| Distances::of(network, budget)) {
                Some(Ok(distances)) => {
                    let cut = distances.cut().map(|(_, why)| why);
                    (Some(distances), cut.into())
                }
                Some(Err(why)) => (None, Some(why).into()),
                None => (None, None.into()),
            }
        });
        let moves = shares.spend("moves", |budget| match &distances {
            Some(distances) => {
                let (moves, cut) = Moves::find(distances, logic.roles(), budget);
                (moves, cut.into())
            }
            None => (None, budget.check().err().into()),
        });
        Profile {
            groups,
            structure,
            play,
            numbers,
            latches,
            goals,
            factors,
            boards,
            symmetries,
            distances,
            moves,
            stages: shares.stages,
            compiled: Arc::new(compiled),
        }
    }

    /// Whether every analysis had all the time that it wanted.
    pub fn is_complete(&self) -> bool {
        self.stages.iter().all(|stage| stage.cut.is_none())
    }
}

impl Moves {
    fn find(
        distances: &Distances,
        roles: usize,
        budget: &Budget,
    ) -> (Option<Moves>, Option<Exhausted>) {
        let couplings = match Couplings::of(distances, WIDEST, budget) {
            Ok(couplings) => couplings,
            Err(why) => return (None, Some(why)),
        };
        let distribution = couplings.distribution(budget);
        let cut = distribution.cut;
        let local_search =
            LocalSearch::decide(&couplings, &distribution, roles, &Thresholds::default());
        let moves = Moves {
            couplings: couplings.couplings().to_vec(),
            distribution,
            local_search,
        };
        (Some(moves), cut)
    }
}
