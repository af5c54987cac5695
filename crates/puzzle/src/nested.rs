//! Nested rollout policy adaptation (Rosin 2011) with limited repetition: playouts whose policy
//! is drawn towards the best line of each level.

use crate::found::{Board, ROLE};
use crate::method::{Method, State as Status, Work};
use budget::{Budget, Exhausted};
use game::{Engine, EngineError, MoveId, State};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxHashMap;

/// The depth of nesting.
const LEVELS: usize = 3;
/// Lines of a level for each line of the level above.
const LINES: usize = 40;
/// After this many times the same result in a row, a level ends: its policy has settled.
const REPEATED: usize = 4;
/// How far the policy moves towards a line.
const STEP: f64 = 1.0;
/// The longest playout; one that goes on is worth nothing.
const LONGEST: usize = 2_000;

/// The weight of each kind of move: its logarithm.
type Policy = FxHashMap<u64, f64>;

/// A line with the choices that there were.
#[derive(Clone, Default)]
struct Sequence {
    /// -1 if play did not end with a result.
    result: i32,
    moves: Vec<MoveId>,
    /// For each ply, the kinds of all legal moves, and which of them was played.
    choices: Vec<(Vec<u64>, usize)>,
}

/// Nested rollout policy adaptation.
pub(crate) struct Nested {
    engine: Box<dyn Engine>,
    start: State,
    rng: Xoshiro256PlusPlus,
    playouts: u64,
    /// Whether moves of different plies are of different kinds, in this run.
    by_ply: bool,
}

impl Nested {
    pub fn new(engine: Box<dyn Engine>, start: State, seed: u64) -> Nested {
        Nested {
            engine,
            start,
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            playouts: 0,
            by_ply: false,
        }
    }

    fn level(
        &mut self,
        level: usize,
        mut policy: Policy,
        board: &Board,
        budget: &Budget,
    ) -> Result<Sequence, EngineError> {
        if level == 0 {
            return self.playout(&policy, board, budget);
        }
        let mut best = Sequence {
            result: -1,
            ..Sequence::default()
        };
        let (mut last, mut repeated) = (i32::MIN, 0);
        for _ in 0..LINES {
            let found = self.level(level - 1, policy.clone(), board, budget)?;
            repeated = if found.result == last {
                repeated + 1
            } else {
                0
            };
            last = found.result;
            if found.result >= best.result {
                best = found;
            }
            if repeated >= REPEATED && level == 1 {
                break;
            }
            adapt(&mut policy, &best);
        }
        Ok(best)
    }

    fn playout(
        &mut self,
        policy: &Policy,
        board: &Board,
        budget: &Budget,
    ) -> Result<Sequence, EngineError> {
        let mut line = Sequence {
            result: -1,
            ..Sequence::default()
        };
        let mut state = self.start.clone();
        let (mut next, mut moves, mut weights) = (State::default(), Vec::new(), Vec::new());
        for ply in 0..LONGEST {
            budget.check()?;
            if self.engine.terminal(&state)? {
                let result = self.engine.goal(&state, ROLE)?;
                line.result = result.map_or(-1, i32::from);
                break;
            }
            self.engine.legal(&state, ROLE, &mut moves)?;
            if moves.is_empty() {
                break;
            }
            let at = if self.by_ply { ply as u64 + 1 } else { 0 };
            let kinds: Vec<u64> = moves.iter().map(|mv| at << 32 | u64::from(mv.0)).collect();
            weights.clear();
            let weight = |kind: &u64| policy.get(kind).copied().unwrap_or(0.0).exp();
            weights.extend(kinds.iter().map(weight));
            let mut left = self.rng.random::<f64>() * weights.iter().sum::<f64>();
            let mut chosen = moves.len() - 1;
            for (place, weight) in weights.iter().enumerate() {
                left -= weight;
                if left <= 0.0 {
                    chosen = place;
                    break;
                }
            }
            self.engine.next(&state, &[moves[chosen]], &mut next)?;
            line.moves.push(moves[chosen]);
            line.choices.push((kinds, chosen));
            std::mem::swap(&mut state, &mut next);
        }
        self.playouts += 1;
        let wanted = board.wanted();
        if wanted.is_some_and(|least| line.result >= i32::from(least)) {
            board.offer_moves(&line.moves, "nested playouts");
            if board.found().is_best() {
                return Err(EngineError::Exhausted(Exhausted::Stopped));
            }
        }
        Ok(line)
    }
}

/// Moves the policy towards a line.
fn adapt(policy: &mut Policy, line: &Sequence) {
    let old = |policy: &Policy, kind: &u64| policy.get(kind).copied().unwrap_or(0.0);
    let mut changes: Vec<(u64, f64)> = Vec::new();
    for (kinds, chosen) in &line.choices {
        let weights: Vec<f64> = kinds.iter().map(|kind| old(policy, kind).exp()).collect();
        let sum: f64 = weights.iter().sum();
        let share = |(kind, weight): (&u64, &f64)| (*kind, -STEP * weight / sum);
        changes.extend(kinds.iter().zip(&weights).map(share));
        changes.push((kinds[*chosen], STEP));
    }
    for (kind, change) in changes {
        *policy.entry(kind).or_insert(0.0) += change;
    }
}

impl Method for Nested {
    fn name(&self) -> &'static str {
        "nested playouts"
    }

    fn work(&mut self, board: &Board, budget: &Budget) -> Status {
        self.engine.set_budget(budget);
        while budget.check().is_ok() {
            match self.level(LEVELS, Policy::default(), board, budget) {
                Ok(_) => self.by_ply = !self.by_ply,
                Err(EngineError::Exhausted(_)) => return Status::Open,
                Err(_) => return Status::Over,
            }
        }
        Status::Open
    }

    fn done(&self) -> Work {
        Work {
            count: self.playouts,
            unit: "playouts",
        }
    }
}
