//! Statistics and selection where several roles choose at once.
//!
//! No role sees what the others choose. Each has means of its own moves, whatever the others
//! played, and selects by upper confidence bounds ("decoupled UCT"). That does best in most games
//! (Tak, Lanctot and Winands, "Monte Carlo Tree Search Variants for Simultaneous Move Games",
//! 2014), those of more than two roles among them. But the best strategy may be a mixed one. With
//! two roles, the one that is played therefore draws its move from an equilibrium of the means of
//! joint moves (`equilibrium`); more than two use regret matching at the root (`regret`).

use crate::node::NodeRef;
use crate::select::ucb_width;
use crate::{Bounds, Config};
use game::MoveId;
use rand::{Rng, RngExt};
use rustc_hash::FxHashMap;

/// One move of one role.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Arm {
    pub mv: MoveId,
    /// Visits, pending ones included.
    pub visits: u32,
    /// Visits that were backpropagated.
    pub samples: u32,
    /// The mean result of the role, 0 to 1.
    pub mean: f32,
    /// The mean of the squares of its results.
    pub(super) square: f32,
    pub(super) regret: f32,
    /// The sum of the chances of the move in all rounds of regret matching, weighted by the
    /// round.
    pub(super) weight: f32,
    /// Bounds of the role's result, whatever the others play.
    pub bounds: Bounds,
}

/// What a joint move leads to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct JointEdge {
    pub child: Option<NodeRef>,
    /// Visits, pending ones included.
    pub visits: u32,
    /// How much was proved of the child when the node was last proved.
    pub proved: u16,
}

impl JointEdge {
    const NEW: JointEdge = JointEdge {
        child: None,
        visits: 0,
        proved: 0,
    };
}

/// The statistics of a node in which several roles choose.
#[derive(Debug)]
pub(crate) struct JointStats {
    /// For each role its moves, in the order of the engine.
    pub arms: Box<[Box<[Arm]>]>,
    /// The joint moves that were selected, by their numbers.
    pub edges: FxHashMap<u128, JointEdge>,
}

/// Bytes of an edge, its share of an empty table included.
pub(crate) const EDGE_BYTES: usize = 2 * size_of::<(u128, JointEdge)>();

impl JointStats {
    pub fn new(options: &[Vec<MoveId>]) -> JointStats {
        let arm = |&mv: &MoveId| Arm {
            mv,
            visits: 0,
            samples: 0,
            mean: 0.0,
            square: 0.0,
            regret: 0.0,
            weight: 0.0,
            bounds: Bounds::OPEN,
        };
        let arms = options.iter().map(|moves| moves.iter().map(arm).collect());
        JointStats {
            arms: arms.collect(),
            edges: FxHashMap::default(),
        }
    }

    pub fn bytes(&self) -> usize {
        let arms: usize = self.arms.iter().map(|arms| size_of_val(&**arms)).sum();
        size_of::<JointStats>() + size_of_val(&*self.arms) + arms + self.edges.len() * EDGE_BYTES
    }

    /// The number of a joint move, given by the indices of the roles' moves; `None` if it exceeds
    /// `u128`.
    pub fn number(&self, choices: &[u32]) -> Option<u128> {
        let mut pairs = self.arms.iter().zip(choices);
        pairs.try_fold(0u128, |number, (arms, &choice)| {
            number
                .checked_mul(arms.len() as u128)?
                .checked_add(u128::from(choice))
        })
    }

    /// The edge of a joint move, a new one if there is none. `None` if the move has no number.
    pub fn edge_or_new(&mut self, choices: &[u32]) -> Option<&mut JointEdge> {
        let number = self.number(choices)?;
        Some(self.edges.entry(number).or_insert(JointEdge::NEW))
    }

    /// The edge of a joint move, if it was ever selected.
    pub fn edge(&self, choices: &[u32]) -> Option<&JointEdge> {
        self.edges.get(&self.number(choices)?)
    }

    /// The same, mutable.
    pub fn edge_mut(&mut self, choices: &[u32]) -> Option<&mut JointEdge> {
        let number = self.number(choices)?;
        self.edges.get_mut(&number)
    }

    /// The number of joint moves; `None` if it exceeds `u128`.
    pub fn joint_moves(&self) -> Option<u128> {
        let mut sizes = self.arms.iter().map(|arms| arms.len() as u128);
        sizes.try_fold(1u128, u128::checked_mul)
    }

    /// Selects a move for every role by upper confidence bounds. `visits` are those of the node.
    pub fn select(
        &mut self,
        visits: u32,
        config: &Config,
        rng: &mut impl Rng,
        choices: &mut Vec<u32>,
    ) {
        for role in 0..self.arms.len() {
            let mut choice = 0;
            if self.arms[role].len() > 1 {
                // Without chance, similar roles select in step, and most joint moves are never
                // selected.
                let arms = &self.arms[role];
                let random = rng.random::<f64>() < config.simultaneous.mixing;
                let random = random.then(|| rng.random_range(0..arms.len()));
                choice = match random.filter(|&arm| arms[arm].is_undominated(guaranteed(arms))) {
                    Some(arm) => arm,
                    None => best_ucb(&self.arms[role], visits, config, rng),
                };
            }
            self.arms[role][choice].visits += 1;
            choices.push(choice as u32);
        }
    }

    /// Replaces the selected move of a role by a fixed one.
    pub fn force(&mut self, role: usize, mv: MoveId, choices: &mut [u32]) {
        let arms = &mut self.arms[role];
        if let Some(held) = arms.iter().position(|arm| arm.mv == mv) {
            arms[choices[role] as usize].visits -= 1;
            arms[held].visits += 1;
            choices[role] = held as u32;
        }
    }

    /// Adds a sample, the results of the roles from 0 to 1, to the moves that were selected.
    pub fn update(&mut self, choices: &[u32], values: &[f64]) {
        for ((arms, &choice), &value) in self.arms.iter_mut().zip(choices).zip(values) {
            let value = value as f32;
            let arm = &mut arms[choice as usize];
            arm.samples += 1;
            let part = 1.0 / arm.samples as f32;
            arm.mean += (value - arm.mean) * part;
            arm.square += (value * value - arm.square) * part;
        }
    }
}

impl Arm {
    /// Whether the move is not dominated by a move that guarantees `guaranteed`.
    pub fn is_undominated(&self, guaranteed: u8) -> bool {
        self.bounds.high > guaranteed || self.bounds.low == guaranteed
    }
}

/// The result that one of the moves guarantees its role, whatever the others play.
pub(crate) fn guaranteed(arms: &[Arm]) -> u8 {
    arms.iter().map(|arm| arm.bounds.low).max().unwrap_or(0)
}

/// The move with the highest upper confidence bound; unvisited ones first, in random order.
/// Pending visits count as virtual losses.
fn best_ucb(arms: &[Arm], visits: u32, config: &Config, rng: &mut impl Rng) -> usize {
    let log = (visits.max(2) as f32).ln();
    let guaranteed = guaranteed(arms);
    let (mut pick, mut top, mut unvisited) = (0, f32::NEG_INFINITY, 0);
    for (at, arm) in arms.iter().enumerate() {
        if !arm.is_undominated(guaranteed) {
            continue;
        }
        if arm.visits == 0 {
            unvisited += 1;
            if rng.random_range(0..unvisited) == 0 {
                pick = at;
            }
            continue;
        }
        if unvisited > 0 {
            continue;
        }
        let variance = (arm.square - arm.mean * arm.mean).max(0.0);
        let visits = arm.visits as f32;
        let back = arm.samples as f32 / visits;
        let bound = arm.mean * back + config.exploration as f32 * ucb_width(variance, log, visits);
        if bound > top {
            (pick, top) = (at, bound);
        }
    }
    pick
}

/// Draws an index by chances that add up to 1.
pub(crate) fn draw(chances: &[f64], rng: &mut impl Rng) -> usize {
    let mut left: f64 = rng.random();
    for (at, chance) in chances.iter().enumerate() {
        left -= chance;
        if left < 0.0 {
            return at;
        }
    }
    // Rounding may leave a remainder.
    chances
        .iter()
        .rposition(|&chance| chance > 0.0)
        .unwrap_or(0)
}
