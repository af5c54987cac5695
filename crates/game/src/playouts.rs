//! Many random playouts at once, from many states.

use crate::playout::Track;
use crate::{Engine, EngineError, State};
use budget::{Budget, Checks};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

/// A state, and how many playouts start there.
#[derive(Debug, Clone, Copy)]
pub struct Start<'a> {
    /// Where the playouts start.
    pub state: &'a State,
    /// The number of playouts.
    pub playouts: u64,
}

/// The sums over all playouts from one state.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tally {
    /// Playouts that reached a terminal state.
    pub finished: u64,
    /// Playouts that were cut: at the step limit, or where a role had no move.
    pub cut: u64,
    /// Transitions made in all of them.
    pub steps: u64,
    /// For each role, the sum of its results in the terminal states. A result that the rules do
    /// not define counts as 0.
    pub goals: Vec<u64>,
    /// For each role, the sum of the squares of its results.
    pub squares: Vec<u64>,
    /// The facts that held in the terminal states, if they are watched.
    pub ends: Ends,
}

/// Statistics of the facts in the terminal states of playouts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ends {
    /// For each fact, the number of terminal states in which it held.
    ///
    /// There are as many entries as bits in the words of a state. Empty if ends are not
    /// watched, or none was reached.
    pub counts: Vec<u32>,
    /// For each role and each fact, the sum of the role's results in the terminal states with
    /// that fact.
    ///
    /// All facts of the first role come first. A sum overflows only after forty million such
    /// states.
    pub goals: Vec<u32>,
}

impl Tally {
    /// An empty tally for this many roles.
    pub fn new(roles: usize) -> Self {
        Tally {
            goals: vec![0; roles],
            squares: vec![0; roles],
            ..Tally::default()
        }
    }

    /// Empties the tally and prepares it for this many roles.
    pub fn clear(&mut self, roles: usize) {
        (self.finished, self.cut, self.steps) = (0, 0, 0);
        for sums in [&mut self.goals, &mut self.squares] {
            sums.clear();
            sums.resize(roles, 0);
        }
        self.ends.counts.clear();
        self.ends.goals.clear();
    }

    /// The mean result of a role; `None` before a playout has finished.
    pub fn mean(&self, role: usize) -> Option<f64> {
        (self.finished > 0).then(|| self.goals[role] as f64 / self.finished as f64)
    }

    /// Adds what another tally counted.
    pub fn add(&mut self, other: &Tally) {
        self.finished += other.finished;
        self.cut += other.cut;
        self.steps += other.steps;
        for (sum, more) in self.goals.iter_mut().zip(&other.goals) {
            *sum += more;
        }
        for (sum, more) in self.squares.iter_mut().zip(&other.squares) {
            *sum += more;
        }
        self.ends.add(&other.ends);
    }
}

impl Ends {
    /// Counts a terminal state: the facts that held in it, one bit each in `words` words, and
    /// the results of the roles.
    ///
    /// All counted states must belong to one game.
    pub fn count(&mut self, bits: impl IntoIterator<Item = u64>, words: usize, goals: &[u8]) {
        let facts = 64 * words;
        self.counts.resize(facts, 0);
        self.goals.resize(facts * goals.len(), 0);
        for (word, mut bits) in bits.into_iter().take(words).enumerate() {
            while bits != 0 {
                let fact = 64 * word + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                self.counts[fact] += 1;
                for (role, &goal) in goals.iter().enumerate() {
                    self.goals[role * facts + fact] += u32::from(goal);
                }
            }
        }
    }

    /// Adds what another one counted in the same game.
    pub fn add(&mut self, other: &Ends) {
        let add = |own: &mut Vec<u32>, others: &[u32]| {
            own.resize(own.len().max(others.len()), 0);
            for (own, other) in own.iter_mut().zip(others) {
                *own += other;
            }
        };
        add(&mut self.counts, &other.counts);
        add(&mut self.goals, &other.goals);
    }
}

/// Plays many games to their end with random moves.
///
/// Every playout that is started is finished or cut, so that short ones are not preferred. With
/// the same seed, the same calls give the same tallies.
pub trait Playouts: Send {
    /// What kind of evaluator this is, for logs: `lanes`, `table`, `scalar`, ...
    fn name(&self) -> &'static str;

    /// How many playouts run side by side. Calls with fewer leave some of the machine unused.
    fn width(&self) -> usize;

    /// Makes the playouts and replaces `tallies` by one for each start, in order.
    ///
    /// # Errors
    /// If the rules could not be evaluated or the budget ran out. Then `tallies` holds the
    /// playouts finished before, among which short ones are over-represented. It may also count
    /// steps of aborted playouts.
    fn run(
        &mut self,
        starts: &[Start<'_>],
        tallies: &mut Vec<Tally>,
        budget: &Budget,
    ) -> Result<(), EngineError>;

    /// Restarts the random numbers with a seed.
    fn reseed(&mut self, seed: u64);

    /// Sets whether tallies count the facts of terminal states from now on. Returns `false` if
    /// they cannot.
    ///
    /// Facts are in the order of [`Engine::bits`].
    fn watch(&mut self, ends: bool) -> bool {
        let _ = ends;
        false
    }

    /// A second evaluator of the same game for another thread, with random numbers of its own.
    /// `None` if it cannot be forked.
    fn fork(&self, seed: u64) -> Option<Box<dyn Playouts>> {
        let _ = seed;
        None
    }
}

/// Playouts and their steps, at most, between two looks at the budget.
const STRIDE: u64 = 256;

/// Playouts one after the other on any engine.
///
/// This is the simple implementation, against which others are checked.
pub struct ScalarPlayouts {
    engine: Box<dyn Engine>,
    rng: Xoshiro256PlusPlus,
    max_steps: usize,
    track: Track,
    checks: Checks,
    /// Whether tallies count the facts of terminal states.
    watches: bool,
    /// Scratch space: the facts of one terminal state, and its results.
    bits: State,
    goals: Vec<u8>,
}

impl ScalarPlayouts {
    /// Playouts on `engine` of at most `max_steps` steps.
    pub fn new(engine: Box<dyn Engine>, seed: u64, max_steps: usize) -> Self {
        ScalarPlayouts {
            engine,
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            max_steps,
            track: Track::default(),
            checks: Checks::new(STRIDE),
            watches: false,
            bits: State::default(),
            goals: Vec::new(),
        }
    }
}

impl Playouts for ScalarPlayouts {
    fn name(&self) -> &'static str {
        "scalar"
    }

    fn width(&self) -> usize {
        1
    }

    fn run(
        &mut self,
        starts: &[Start<'_>],
        tallies: &mut Vec<Tally>,
        budget: &Budget,
    ) -> Result<(), EngineError> {
        self.engine.set_budget(budget);
        let roles = self.engine.roles().len();
        tallies.clear();
        tallies.resize_with(starts.len(), || Tally::new(roles));
        let checks = &mut self.checks;
        checks.resume(budget);
        for (start, tally) in starts.iter().zip(tallies) {
            for _ in 0..start.playouts {
                // A playout may make no move at all.
                checks.after(1, budget)?;
                let (steps, terminal) = self.track.playout(
                    &mut *self.engine,
                    start.state,
                    &mut self.rng,
                    self.max_steps,
                    || checks.after(1, budget),
                )?;
                tally.steps += steps as u64;
                if !terminal {
                    tally.cut += 1;
                    continue;
                }
                tally.finished += 1;
                for (role, goal) in self.track.goals.iter().enumerate() {
                    let goal = u64::from(goal.unwrap_or(0));
                    tally.goals[role] += goal;
                    tally.squares[role] += goal * goal;
                }
                if self.watches && self.engine.bits(self.track.last(), &mut self.bits) {
                    let goals = self.track.goals.iter();
                    self.goals.clear();
                    self.goals.extend(goals.map(|goal| goal.unwrap_or(0)));
                    let bits = self.bits.words().iter().copied();
                    let words = self.bits.words().len();
                    tally.ends.count(bits, words, &self.goals);
                }
            }
        }
        Ok(())
    }

    fn reseed(&mut self, seed: u64) {
        self.rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    }

    fn watch(&mut self, ends: bool) -> bool {
        self.watches = ends;
        let initial = self.engine.initial();
        self.engine.bits(&initial, &mut self.bits)
    }

    fn fork(&self, seed: u64) -> Option<Box<dyn Playouts>> {
        let fork = ScalarPlayouts::new(self.engine.fork(), seed, self.max_steps);
        Some(Box::new(fork))
    }
}
