//! How soon two moves can matter to the same thing.
//!
//! A move *touches* a thing within n turns if the thing is at most n transitions away from it (see
//! [`distances`](crate::distances)). Things are facts, and the disjuncts of the best goals and of
//! the end of play. The distance between two moves is the least number of turns within which both
//! touch the same thing: 1 if both can decide a fact or a way to win at once, [`NEVER`] if they
//! belong to parts of the game that have nothing to do with each other.
//!
//! It bounds interaction from below whatever the state: two moves at distance n have no effect in
//! common before n turns have passed. Disjuncts that are about the whole game ("no piece is left")
//! would make all moves near; those wider than a bound are left aside, and told.

mod local;
mod pairs;

pub use local::{LocalSearch, Objection, Thresholds};

use crate::distances::{Condition, Distances, NEVER, Origin};
use budget::{Budget, Exhausted};
use game::RoleId;
use std::collections::BTreeMap;

/// A bound on the facts of a disjunct for [`Couplings::of`]. A convention, not measured: lines and
/// small regions are narrower.
pub const WIDEST: usize = 20;

/// A disjunct, and what moves have to do with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Coupling {
    /// Which disjunct, by its position in [`Distances::disjuncts`].
    pub disjunct: usize,
    /// What it is a way to.
    pub of: Condition,
    /// How many facts it reads that some move touches in one turn.
    pub facts: usize,
    /// How many moves touch it in one turn.
    pub moves: usize,
}

impl Coupling {
    /// Whether it is coupled to more than one move: it reads several facts that moves change, so
    /// that several moves can work together on it. That several moves lead to the same one fact
    /// does not count: each does all of it alone.
    pub fn is_joint(&self) -> bool {
        self.facts > 1
    }
}

/// How distances between pairs of different moves are distributed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Distribution {
    /// Pairs of each distance, in order (a, b); the places are distances, the last ones `FAR` and
    /// [`NEVER`].
    pub pairs: Vec<u64>,
    /// Moves whose distances to all others were counted: all of them, or a sample that is spread
    /// evenly where all would take too long.
    pub moves: usize,
    /// All moves.
    pub of: usize,
    /// What ran out before as many were counted as were to be, if something did.
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

/// The distances between moves, computed move by move as they are asked for.
pub struct Couplings<'a> {
    distances: &'a Distances,
    /// Facts that some move touches.
    facts: Vec<usize>,
    /// Disjuncts of several things, with the distances from each to all moves.
    disjuncts: Vec<Vec<u8>>,
    couplings: Vec<Coupling>,
    widest: usize,
}

impl<'a> Couplings<'a> {
    /// Finds what moves touch. Disjuncts that read more than `widest` facts that moves touch in one
    /// turn ([`WIDEST`], or `usize::MAX` for none) count for no distance.
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
            // One fact alone is there already.
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

    /// The disjuncts of the best goal of each role, and of the end of play.
    pub fn couplings(&self) -> &[Coupling] {
        &self.couplings
    }

    /// The disjuncts that count for no distance, because they are too wide.
    pub fn left_aside(&self) -> impl Iterator<Item = &Coupling> {
        self.couplings
            .iter()
            .filter(|coupling| self.is_wide(coupling))
    }

    fn is_wide(&self, coupling: &Coupling) -> bool {
        coupling.facts > self.widest
    }

    /// The distances that this was made from.
    pub fn distances(&self) -> &'a Distances {
        self.distances
    }

    /// The distances from a move to all moves, written to `row`; moves are numbered as
    /// [columns](crate::distances::Columns), less the facts. A move's distance to itself is that to
    /// the nearest thing.
    ///
    /// Takes time for each pair of a thing and a move at worst, and much less where everything is
    /// near. If the distances were cut, [`NEVER`] means further than they reach.
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
            // Things come nearest first, and none gives less than its own distance.
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

    /// The distances of all pairs. Where these take too much effort, however long the budget is,
    /// those of some moves to all others: as many as can be counted in half a second or so, spread
    /// evenly over all moves and always the same.
    pub fn distribution(&self, budget: &Budget) -> Distribution {
        let of = self.distances.columns().moves();
        let stride = coprime(of);
        let order: Vec<usize> = (0..of).map(|i| (i * stride) % of).collect();
        let things: Vec<&[u8]> = self.things().collect();
        pairs::distribution(&things, &order, pairs::EFFORT, budget)
    }

    /// How far each thing is from all moves.
    fn things(&self) -> impl Iterator<Item = &[u8]> {
        let first = self.distances.columns().facts();
        let facts = self.facts.iter().filter_map(move |&fact| {
            let row = self.distances.fact_row(fact)?;
            row.get(first..)
        });
        facts.chain(self.disjuncts.iter().map(Vec::as_slice))
    }
}

/// The best value of each role.
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

/// A step with which all of `0..of` are visited, jumping about: near the golden section.
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
