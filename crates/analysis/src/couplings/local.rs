//! The decision whether local search applies to a game.

use super::{Coupling, Couplings, Distribution};
use crate::distances::Condition;
use budget::Exhausted;
use game::RoleId;
use std::collections::BTreeSet;

/// The thresholds above which an objection to local search is raised.
///
/// The numbers are conventions, not measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Thresholds {
    /// Pairs of moves at most this far apart are near. [default: 1 transition]
    pub near: u8,
    /// The maximum share of near pairs. [default: 0.2]
    pub near_share: f64,
}

impl Default for Thresholds {
    fn default() -> Self {
        Thresholds {
            near: 1,
            near_share: 0.2,
        }
    }
}

/// A reason against local search.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Objection {
    /// The number of roles is not two; it is this.
    Roles(usize),
    /// No disjunct of the best goal of the role depends on only a part of the game.
    NoLocalGoal(RoleId),
    /// A disjunct of a win or of terminality requires several moves together.
    Joint(Coupling),
    /// Too many pairs of moves are near; their share among all counted pairs.
    Near(f64),
    /// There is no pair of moves.
    NoPairs,
    /// The budget ran out before all distances of near moves were known.
    Unknown(Exhausted),
}

/// Whether local search is worth trying: a search around one move, as if the rest of the game
/// stood still.
///
/// It is if a threat depends on few moves that are close to each other. That is, every disjunct
/// of wins and of terminality depends on one fact that moves change, and most moves are far from
/// most others.
#[derive(Debug, Clone, PartialEq)]
pub struct LocalSearch {
    /// The objections; local search applies if there are none.
    pub objections: Vec<Objection>,
    /// Disjuncts of wins or of terminality that the decision [ignores](Couplings::left_aside). A
    /// local search must check them.
    pub left_aside: Vec<Coupling>,
}

impl LocalSearch {
    /// Whether there is no objection.
    pub fn applies(&self) -> bool {
        self.objections.is_empty()
    }

    /// Decides from the couplings and the distances between moves.
    pub fn decide(
        couplings: &Couplings<'_>,
        distribution: &Distribution,
        roles: usize,
        thresholds: &Thresholds,
    ) -> LocalSearch {
        let mut objections = Vec::new();
        if roles != 2 {
            objections.push(Objection::Roles(roles));
        }
        let all = couplings.couplings();
        let mut local = BTreeSet::new();
        for &coupling in all.iter().filter(|coupling| !couplings.is_wide(coupling)) {
            if coupling.is_joint() {
                objections.push(Objection::Joint(coupling));
            }
            if let Condition::Goal { role, .. } = coupling.of
                && coupling.facts > 0
            {
                local.insert(role);
            }
        }
        let missing = (0..roles).map(RoleId).filter(|role| !local.contains(role));
        objections.extend(missing.map(Objection::NoLocalGoal));
        match distribution.within(thresholds.near) {
            None => objections.push(Objection::NoPairs),
            Some(share) if share > thresholds.near_share => {
                objections.push(Objection::Near(share));
            }
            Some(_) => {}
        }
        // Distances that are cut only matter if they are cut below the threshold.
        let cut = couplings.distances().cut();
        let cut = cut.filter(|&(known, _)| known < thresholds.near);
        objections.extend(cut.map(|(_, why)| Objection::Unknown(why)));
        LocalSearch {
            objections,
            left_aside: couplings.left_aside().copied().collect(),
        }
    }
}
