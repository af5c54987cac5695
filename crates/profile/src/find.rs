//! All analyses of a game within one budget.
//!
//! The analyses run in a fixed order in which each comes after those that it needs. Each gets a
//! share of the time left. Unused time goes to the later ones. So with any deadline, each
//! analysis returns something, and a profile that was cut short is still usable.

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

/// One analysis, with its statistics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stage {
    /// Its name.
    pub name: &'static str,
    /// The time that it took.
    pub time: Duration,
    /// The part of the budget that ran out before it was complete, if any. What it found so far
    /// is in the profile.
    pub cut: Option<Exhausted>,
    /// Whether it skipped something that would take more work than it allows for a game of this
    /// size, whatever the budget.
    pub bounded: bool,
}

/// Events reported while a profile is computed.
#[derive(Debug, Clone, Copy)]
pub enum Progress<'a> {
    /// An analysis begins.
    Begun(&'static str),
    /// An analysis has ended.
    Ended(&'a Stage),
}

/// The number of transitions until moves can affect the same target.
#[derive(Debug, Clone)]
pub struct Moves {
    /// The disjuncts of the best results and of terminality.
    pub couplings: Vec<Coupling>,
    /// The distribution of distances between pairs of moves.
    pub distribution: Distribution,
    /// Whether local search applies.
    pub local_search: LocalSearch,
}

/// The profile of a game: the results of all analyses.
pub struct Profile {
    /// The game.
    pub compiled: Arc<Compiled>,
    /// Facts that exclude each other, never change, or equal others; all proved.
    pub groups: Groups,
    /// Turns, control facts, and the length of games.
    pub structure: Structure,
    /// Statistics of random play.
    pub play: Statistics,
    /// Quantities in the state.
    pub numbers: Numbers,
    /// Conditions that can no longer change, and the results that are still possible.
    pub latches: Latches,
    /// Results as functions of a state.
    pub goals: Goals,
    /// Parts that can be played by themselves.
    pub factors: Factors,
    /// Boards, pieces, and the effects of moves on them.
    pub boards: Boards,
    /// Permutations that leave the game unchanged.
    pub symmetries: Symmetries,
    /// The number of transitions between conditions and the facts and moves that they depend on;
    /// `None` if the budget ran out before anything was known.
    pub distances: Option<Distances>,
    /// The number of transitions until moves can affect the same target; `None` without
    /// distances.
    pub moves: Option<Moves>,
    /// The analyses in the order in which they ran.
    pub stages: Vec<Stage>,
}

impl Profile {
    /// Runs all analyses within the budget. `seed` is the seed of random play, and `watch` is
    /// called for each analysis. Without a network, as for a part of a game, symmetries and
    /// distances are omitted.
    pub fn find(
        compiled: impl Into<Arc<Compiled>>,
        seed: u64,
        budget: &Budget,
        watch: &mut dyn FnMut(Progress<'_>),
    ) -> Profile {
        let compiled: Arc<Compiled> = compiled.into();
        let mut analyses = Analyses {
            compiled: &compiled,
            seed,
            shares: Shares::new(budget, watch),
        };
        let groups = analyses.groups();
        let structure = analyses.structure(&groups);
        let play = analyses.play();
        let numbers = analyses.numbers(&groups);
        let latches = analyses.latches(&groups);
        let goals = analyses.goals(&groups);
        let factors = analyses.factors(&groups);
        let boards = analyses.boards(&groups);
        let symmetries = analyses.symmetries(&boards);
        let distances = analyses.distances();
        let moves = analyses.moves(distances.as_ref());
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
            stages: analyses.shares.stages,
            compiled,
        }
    }

    /// Whether no analysis ran out of its budget.
    pub fn is_complete(&self) -> bool {
        self.stages.iter().all(|stage| stage.cut.is_none())
    }
}

/// The analyses of a game, each within its share of the time.
struct Analyses<'a> {
    compiled: &'a Compiled,
    seed: u64,
    shares: Shares<'a>,
}

impl Analyses<'_> {
    fn groups(&mut self) -> Groups {
        self.shares.spend("groups", |budget| {
            let groups = Groups::find(&self.compiled.logic, self.seed, budget);
            let bounded = groups.report.given_up > 0;
            let end = End::new(groups.report.exhausted, bounded);
            (groups, end)
        })
    }

    fn structure(&mut self, groups: &Groups) -> Structure {
        self.shares.spend("structure", |budget| {
            let structure = Structure::find(&self.compiled.logic, groups, self.seed, budget);
            let end = structure.report.exhausted.into();
            (structure, end)
        })
    }

    fn play(&mut self) -> Statistics {
        self.shares.spend("play", |budget| {
            let play = Statistics::find(&self.compiled.logic, self.seed, budget);
            let end = play.report.exhausted.into();
            (play, end)
        })
    }

    fn numbers(&mut self, groups: &Groups) -> Numbers {
        self.shares.spend("numbers", |budget| {
            let numbers = Numbers::find(&self.compiled.logic, groups, self.seed, budget);
            let end = numbers.report.exhausted.into();
            (numbers, end)
        })
    }

    fn latches(&mut self, groups: &Groups) -> Latches {
        self.shares.spend("latches", |budget| {
            let latches = Latches::find(&self.compiled.logic, groups, self.seed, budget);
            let end = End::new(latches.report.exhausted, latches.report.bounded);
            (latches, end)
        })
    }

    fn goals(&mut self, groups: &Groups) -> Goals {
        self.shares.spend("goals", |budget| {
            let goals = Goals::find(&self.compiled.logic, groups, budget);
            let end = End::new(goals.report.exhausted, goals.report.bounded);
            (goals, end)
        })
    }

    fn factors(&mut self, groups: &Groups) -> Factors {
        self.shares.spend("factors", |budget| {
            let factors = Factors::find(&self.compiled.logic, groups, self.seed, budget);
            let end = End::new(factors.report.exhausted, factors.report.bounded);
            (factors, end)
        })
    }

    fn boards(&mut self, groups: &Groups) -> Boards {
        self.shares.spend("boards", |budget| {
            let boards = Boards::find(&self.compiled.logic, groups, self.seed, budget);
            let end = boards.report.exhausted.into();
            (boards, end)
        })
    }

    fn symmetries(&mut self, boards: &Boards) -> Symmetries {
        let logic = &self.compiled.logic;
        self.shares.spend("symmetries", |budget| {
            let symmetries = match &self.compiled.network {
                Some(network) => Symmetries::find(network, logic, boards, self.seed, budget),
                None => Symmetries::default(),
            };
            let end = symmetries.report.exhausted.into();
            (symmetries, end)
        })
    }

    fn distances(&mut self) -> Option<Distances> {
        self.shares.spend("distances", |budget| {
            let found = self.compiled.network.as_ref();
            match found.map(|network| Distances::of(network, budget)) {
                Some(Ok(distances)) => {
                    let cut = distances.cut().map(|(_, why)| why);
                    (Some(distances), cut.into())
                }
                Some(Err(why)) => (None, Some(why).into()),
                None => (None, None.into()),
            }
        })
    }

    fn moves(&mut self, distances: Option<&Distances>) -> Option<Moves> {
        self.shares.spend("moves", |budget| match distances {
            Some(distances) => {
                let (moves, cut) = Moves::find(distances, self.compiled.logic.roles(), budget);
                (moves, cut.into())
            }
            None => (None, budget.check().err().into()),
        })
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
