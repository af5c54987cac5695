//! The number of transitions until two moves can affect the same target.
//!
//! A move *touches* a target within n transitions if the target is at most n transitions away
//! from it (see [`distances`](crate::distances)). Targets are facts, and the disjuncts of the
//! best goals and of terminality. The distance between two moves is the least number of
//! transitions within which both touch the same target. It is 1 if both can decide a fact or a
//! disjunct of a win directly, and [`NEVER`] if they belong to independent parts of the game.
//!
//! The distance is a lower bound in every state: two moves at distance n have no common effect
//! before n transitions have passed. Disjuncts that read the whole game ("no piece is left")
//! would make all moves near. Those wider than a bound are ignored, and reported.

mod local;
mod pairs;

pub use local::{LocalSearch, Objection, Thresholds};

use crate::distances::{Condition, Distances, NEVER, Origin};
use budget::{Budget, Exhausted};
use game::RoleId;
use std::collections::BTreeMap;

/// A bound on the facts of a disjunct for [`Couplings::of`]. A convention, not measured: lines
/// and small regions are narrower.
pub const WIDEST: usize = 20;

/// A disjunct, and the facts and moves that it is coupled to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Coupling {
    /// The disjunct, by its position in [`Distances::disjuncts`].
    pub disjunct: usize,
    /// Its condition.
    pub of: Condition,
    /// The number of facts that it reads and some move touches within one transition.
    pub facts: usize,
    /// The number of moves that touch it within one transition.
    pub moves: usize,
}

impl Coupling {
    /// Whether several moves can contribute to it: it reads several facts that moves change.
    ///
    /// Several moves that change the same single fact do not count, since each of them suffices
    /// alone.
    pub fn is_joint(&self) -> bool {
        self.facts > 1
    }
}

/// The distribution of distances between pairs of different moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Distribution {
    /// The number of ordered pairs (a, b) at each distance. Indices are distances, the last ones
    /// `FAR` and [`NEVER`].
    pub pairs: Vec<u64>,
    /// Number of moves whose distances to all others were counted: all of them, or an evenly
    /// spread sample if all would take too long.
    pub moves: usize,
    /// Number of all moves.
    pub of: usize,
    /// The part of the budget that ran out before the intended number was counted, if any.
    pub cut: Option<Exhausted>,
}

impl Distribution {
    /// The mean over pairs that have a distance; `None` if none has.
    pub fn mean(&self) -> Option<f64> {
        let finite = self.pairs[..usize::from(NEVER)].iter().enumerate();
        let (count, sum) = finite.fold((0u64, 0.0), |(count, sum), (distance, &pairs)| {
            (count + pairs, sum + distance as f64 * pairs as f64)
        });
        (count > 0).then(|| sum / count as f64)
    }

    /// The share of pairs at `distance` or less, 0 to 1; `None` without a pair.
    pub fn within(&self, distance: u8) -> Option<f64> {
        let all: u64 = self.pairs.iter().sum();
        let near: u64 = self.pairs[..=usize::from(distance)].iter().sum();
        (all > 0).then(|| near as f64 / all as f64)
    }
}

/// The distances between moves, computed on demand, one move at a time.
pub struct Couplings<'a> {
    distances: &'a Distances,
    /// Facts that some move touches.
    facts: Vec<usize>,
    /// For each disjunct that reads several facts or moves, the distances from it to all moves.
    disjuncts: Vec<Vec<u8>>,
    couplings: Vec<Coupling>,
    widest: usize,
}

impl<'a> Couplings<'a> {
    /// Computes the targets that moves touch. Ignores disjuncts that read more than `widest`
    /// facts that moves touch within one transition ([`WIDEST`], or `usize::MAX` to ignore
    /// none).
    ///
    /// # Errors
    /// If the budget runs out, or the distances were cut before any transition was crossed.
    pub fn of(distances: &'a Distances, widest: usize, budget: &Budget) -> Result<Self, Exhausted> {
        if let Some((0, why)) = distances.cut() {
            return Err(why);
        }
        let columns = distances.columns();
        let first = columns.facts();
        let mut facts = Vec::new();
        let mut moved = vec![false; first];
        for (fact, moved) in moved.iter_mut().enumerate() {
            budget.check()?;
            let row = distances.fact_row(fact).unwrap_or_default();
            let touching = row.get(first..).unwrap_or_default();
            *moved = touching.contains(&1);
            if touching.iter().any(|&distance| distance != NEVER) {
                facts.push(fact);
            }
        }
        let best = best(distances);
        let (mut disjuncts, mut couplings) = (Vec::new(), Vec::new());
        let mut row = Vec::new();
        for (position, disjunct) in distances.disjuncts().enumerate() {
            budget.check()?;
            let wanted = match disjunct.of {
                Condition::Goal { role, value } => best.get(&role) == Some(&value),
                Condition::Terminal => true,
            };
            let origin = Origin::Disjunct(position);
            let Some(reads) = distances.reads(origin).filter(|_| wanted) else {
                continue;
            };
            let own = reads.iter().filter(|&&column| (column as usize) < first);
            let own = own.filter(|&&fact| moved[fact as usize]).count();
            if distances.row(origin, &mut row).is_none() {
                continue;
            }
            let touching = &row[first..];
            couplings.push(Coupling {
                disjunct: position,
                of: disjunct.of,
                facts: own,
                moves: touching.iter().filter(|&&distance| distance <= 1).count(),
            });
            // A disjunct of a single fact is covered by the fact.
            if own <= widest
                && reads.len() > 1
                && touching.iter().any(|&distance| distance != NEVER)
            {
                budget.check_memory((disjuncts.len() + 1).saturating_mul(touching.len()))?;
                disjuncts.push(touching.to_vec());
            }
        }
        disjuncts.sort_unstable();
        disjuncts.dedup();
        Ok(Couplings {
            distances,
            facts,
            disjuncts,
            couplings,
            widest,
        })
    }

    /// The disjuncts of the best goal of each role, and of terminality.
    pub fn couplings(&self) -> &[Coupling] {
        &self.couplings
    }

    /// The disjuncts that are ignored because they are too wide.
    pub fn left_aside(&self) -> impl Iterator<Item = &Coupling> {
        self.couplings
            .iter()
            .filter(|coupling| self.is_wide(coupling))
    }

    fn is_wide(&self, coupling: &Coupling) -> bool {
        coupling.facts > self.widest
    }

    /// The distances from which the couplings were computed.
    pub fn distances(&self) -> &'a Distances {
        self.distances
    }

    /// Writes the distances from a move to all moves to `row`. Moves are numbered as
    /// [columns](crate::distances::Columns), minus the number of facts. The distance of a move
    /// to itself is that to the nearest target.
    ///
    /// In the worst case this takes time for each pair of a target and a move, and much less if
    /// all moves are near. If the distances were cut, [`NEVER`] means beyond the cut.
    pub fn row(&self, mv: usize, row: &mut Vec<u8>) {
        let moves = self.distances.columns().moves();
        row.clear();
        row.resize(moves, NEVER);
        if mv >= moves {
            return;
        }
        let mut things: Vec<&[u8]> = self.things().filter(|to| to[mv] != NEVER).collect();
        things.sort_by_key(|to| to[mv]);
        let mut at = 0;
        for to in things {
            // Targets come nearest first, and none gives less than its own distance.
            if to[mv] > at {
                at = to[mv];
                if row.iter().all(|&distance| distance <= at) {
                    break;
                }
            }
            for (least, &other) in row.iter_mut().zip(to) {
                *least = (*least).min(other.max(at));
            }
        }
    }

    /// The distances of all pairs of moves.
    ///
    /// If these take too much work, whatever the budget, counts the distances from some moves to
    /// all others: as many as can be counted in about half a second, evenly spread over all
    /// moves and always the same.
    pub fn distribution(&self, budget: &Budget) -> Distribution {
        let of = self.distances.columns().moves();
        let stride = coprime(of);
        let order: Vec<usize> = (0..of).map(|i| (i * stride) % of).collect();
        let things: Vec<&[u8]> = self.things().collect();
        pairs::distribution(&things, &order, pairs::EFFORT, budget)
    }

    /// For each target, its distances to all moves.
    fn things(&self) -> impl Iterator<Item = &[u8]> {
        let first = self.distances.columns().facts();
        let facts = self.facts.iter().filter_map(move |&fact| {
            let row = self.distances.fact_row(fact)?;
            row.get(first..)
        });
        facts.chain(self.disjuncts.iter().map(Vec::as_slice))
    }
}

/// The best result of each role.
fn best(distances: &Distances) -> BTreeMap<RoleId, u8> {
    let mut best = BTreeMap::new();
    for condition in distances.conditions() {
        if let Condition::Goal { role, value } = condition {
            let known = best.entry(role).or_insert(value);
            *known = value.max(*known);
        }
    }
    best
}

/// A stride that visits all of `0..of` in a scattered order: coprime to `of` and near its golden
/// section.
pub(crate) fn coprime(of: usize) -> usize {
    let gcd = |mut a: usize, mut b: usize| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    let golden = (of as f64 * 0.618) as usize;
    (golden.max(1)..)
        .find(|&step| gcd(step, of.max(1)) == 1)
        .unwrap_or(1)
}
