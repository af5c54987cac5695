//! Random playouts through the table.

use crate::StateGraph;
use budget::Budget;
use game::{EngineError, Playouts, Start, Tally};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::sync::Arc;

/// Number of playouts that run in lockstep, so that they overlap their memory latency.
const WALKS: usize = 16;
/// Number of steps of each playout between two checks of the budget.
const STRIDE: u64 = 1024;

/// Random playouts that look up where random joint moves lead. States are numbers in the table,
/// as in [`TableEngine`](crate::TableEngine).
pub struct TablePlayouts {
    graph: Arc<StateGraph>,
    rng: Xoshiro256PlusPlus,
    max_steps: u64,
}

/// A playout in progress.
#[derive(Clone, Copy, Default)]
struct Walk {
    at: u32,
    steps: u32,
}

impl TablePlayouts {
    /// Creates playouts of at most `max_steps` steps.
    pub fn new(graph: Arc<StateGraph>, seed: u64, max_steps: u64) -> Self {
        TablePlayouts {
            graph,
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            max_steps: max_steps.min(u32::MAX.into()),
        }
    }

    /// A copy for another thread, with its own random numbers.
    pub fn fork(&self, seed: u64) -> Self {
        Self::new(self.graph.clone(), seed, self.max_steps)
    }

    fn walk(
        &mut self,
        from: u32,
        mut left: u64,
        tally: &mut Tally,
        budget: &Budget,
    ) -> Result<(), EngineError> {
        let mut walks = [Walk::default(); WALKS];
        let mut active = 0;
        while active < WALKS && left > 0 {
            walks[active] = Walk { at: from, steps: 0 };
            active += 1;
            left -= 1;
        }
        let mut rounds = 0u64;
        while active > 0 {
            if rounds.is_multiple_of(STRIDE) {
                budget.check()?;
            }
            rounds += 1;
            let mut i = 0;
            while i < active {
                let walk = &mut walks[i];
                let node = self.graph.nodes[walk.at as usize];
                if node.joint > 0 && u64::from(walk.steps) < self.max_steps {
                    let choice = below(&mut self.rng, node.joint);
                    walk.at = self.graph.edges[(node.first + choice) as usize];
                    walk.steps += 1;
                    i += 1;
                    continue;
                }
                self.graph.count(*walk, tally);
                if left > 0 {
                    left -= 1;
                    *walk = Walk { at: from, steps: 0 };
                    i += 1;
                } else {
                    active -= 1;
                    walks[i] = walks[active];
                }
            }
        }
        Ok(())
    }
}

impl StateGraph {
    fn count(&self, walk: Walk, tally: &mut Tally) {
        tally.steps += u64::from(walk.steps);
        if !self.nodes[walk.at as usize].terminal {
            tally.cut += 1;
            return;
        }
        tally.finished += 1;
        let first = walk.at as usize * self.roles;
        for (role, goal) in self.goals[first..first + self.roles].iter().enumerate() {
            let goal = u64::from(goal.unwrap_or(0));
            tally.goals[role] += goal;
            tally.squares[role] += goal * goal;
        }
    }
}

/// A uniformly random number below `bound` (Lemire, "Fast random integer generation in an
/// interval", 2019).
#[inline]
fn below(rng: &mut Xoshiro256PlusPlus, bound: u32) -> u32 {
    let mut product = u64::from(rng.next_u32()) * u64::from(bound);
    if (product as u32) < bound {
        let reject = bound.wrapping_neg() % bound;
        while (product as u32) < reject {
            product = u64::from(rng.next_u32()) * u64::from(bound);
        }
    }
    (product >> 32) as u32
}

impl Playouts for TablePlayouts {
    fn name(&self) -> &'static str {
        "table"
    }

    fn width(&self) -> usize {
        WALKS
    }

    fn run(
        &mut self,
        starts: &[Start<'_>],
        tallies: &mut Vec<Tally>,
        budget: &Budget,
    ) -> Result<(), EngineError> {
        tallies.clear();
        tallies.resize_with(starts.len(), || Tally::new(self.graph.roles));
        for (start, tally) in starts.iter().zip(tallies) {
            let from = match start.state.words() {
                [number] if (*number as usize) < self.graph.len() => *number as u32,
                _ => return Err(EngineError::Rules("the state is of another engine".into())),
            };
            self.walk(from, start.playouts, tally, budget)?;
        }
        Ok(())
    }

    fn reseed(&mut self, seed: u64) {
        self.rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    }

    fn fork(&self, seed: u64) -> Option<Box<dyn Playouts>> {
        Some(Box::new(self.fork(seed)))
    }
}
