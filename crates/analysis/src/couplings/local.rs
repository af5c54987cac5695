//! Whether a part of the game can be searched alone.

use super::{Coupling, Couplings, Distribution};
use crate::distances::Condition;
use budget::Exhausted;
use game::RoleId;
use std::collections::BTreeSet;

/// From where on something speaks against local search.
///
/// The numbers are conventions, not measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Thresholds {
    /// Pairs of moves at most this far apart are near. [default: 1 turn]
    pub near: u8,
    /// The greatest share of near pairs. [default: 0.2]
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

/// What speaks against local search.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Objection {
    /// There are not two roles, but so many.
    Roles(usize),
    /// No disjunct of the best goal of the role is about a part of the game.
    NoLocalGoal(RoleId),
    /// A way to win or to end play takes several moves together.
    Joint(Coupling),
    /// So many pairs of moves are near each other, as a share of all that were counted.
    Near(f64),
    /// There is not a single pair of moves.
    NoPairs,
    /// The budget ran out before all distances were known that make moves near.
    Unknown(Exhausted),
}

/// Whether searching around one move, as if the rest of the game stood still, is worth trying.
///
/// It is where a threat is a matter of few moves close to each other: every way to win and to end
/// play hangs on one fact that moves change, and most moves are far from most others.
#[derive(Debug, Clone, PartialEq)]
pub struct LocalSearch {
    /// What speaks against it; it applies if nothing does.
    pub objections: Vec<Objection>,
    /// Ways to win or to end play that the decision [leaves aside](Couplings::left_aside). Whoever
    /// searches locally must watch for them.
    pub left_aside: Vec<Coupling>,
}

impl LocalSearch {
    /// Whether nothing speaks against it.
    pub fn applies(&self) -> bool {
        self.objections.is_empty()
    }

    /// Decides by the couplings and the distances between moves.
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
        // Cut distances are wrong about what is near only if they end before it.
        let cut = couplings.distances().cut();
        let cut = cut.filter(|&(known, _)| known < thresholds.near);
        objections.extend(cut.map(|(_, why)| Objection::Unknown(why)));
        LocalSearch {
            objections,
            left_aside: couplings.left_aside().copied().collect(),
        }
    }
}
