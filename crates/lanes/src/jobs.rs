//! What lanes still have to play, and what has come of it.

use crate::ends::LastStates;
use crate::step::Places;
use crate::sums::Sum;
use crate::transpose::load;
use bitcode::Plane;
use game::{Start, Tally};

/// The playouts still to be made from states of one phase, and the start of each lane.
pub(crate) struct Jobs<'a, const W: usize> {
    pub phase: usize,
    starts: &'a [Start<'a>],
    /// The starts of this phase.
    which: Vec<usize>,
    /// The position in `which` of the start whose playouts are being assigned, and how many are
    /// left.
    at: usize,
    left: u64,
    /// For each lane, its start and the step at which it began. Unused with a single start.
    start_of: Vec<usize>,
    born: Vec<u64>,
    tallies: &'a mut [Tally],
    ends: Option<&'a mut LastStates<W>>,
    /// What is counted of a single start.
    sums: Sums<W>,
}

/// Counts of a single start, until they go to its tally.
struct Sums<const W: usize> {
    /// The active lanes of all steps, and the lanes that have ended by the rules and otherwise.
    steps: Sum<W>,
    finished: Sum<W>,
    cut: Sum<W>,
    /// For each step how often each result was reached, in the order of its places.
    goals: Vec<Vec<Sum<W>>>,
}

impl<'a, const W: usize> Jobs<'a, W> {
    pub fn new(
        phase: usize,
        steps: &[&Places],
        starts: &'a [Start<'a>],
        which: Vec<usize>,
        tallies: &'a mut [Tally],
        ends: Option<&'a mut LastStates<W>>,
    ) -> Self {
        let mut jobs = Jobs {
            phase,
            starts,
            at: 0,
            left: which.first().map_or(0, |&start| starts[start].playouts),
            which,
            start_of: vec![usize::MAX; Plane::<W>::LANES],
            born: vec![0; Plane::<W>::LANES],
            tallies,
            ends,
            sums: Sums {
                steps: Sum::default(),
                finished: Sum::default(),
                cut: Sum::default(),
                goals: (steps.iter())
                    .map(|places| vec![Sum::default(); places.results.len()])
                    .collect(),
            },
        };
        jobs.settle();
        jobs
    }

    /// Whether all lanes have the same start, so that they need not be told apart.
    fn single(&self) -> bool {
        self.which.len() == 1 && self.ends.is_none()
    }

    /// Counts the last states that are kept.
    pub fn count_ends(&mut self) {
        if let Some(ends) = &mut self.ends {
            ends.count(&self.start_of, self.tallies);
        }
    }

    /// Adds what was counted of a single start to its tally.
    pub fn count_sums(&mut self, steps: &[&Places]) {
        let Sums {
            steps: made,
            finished,
            cut,
            goals,
        } = &self.sums;
        let tally = &mut self.tallies[self.which[0]];
        tally.steps += made.total();
        tally.finished += finished.total();
        tally.cut += cut.total();
        for (places, sums) in steps.iter().zip(goals) {
            let roles = places.goals.iter().enumerate();
            let results =
                roles.flat_map(|(role, goals)| goals.iter().map(move |goal| (role, goal.0)));
            for ((role, value), sum) in results.zip(sums) {
                tally.goals[role] += sum.total() * u64::from(value);
                tally.squares[role] += sum.total() * u64::from(value).pow(2);
            }
        }
    }

    /// Advances to the next start that has playouts left.
    fn settle(&mut self) {
        while self.left == 0 && self.at + 1 < self.which.len() {
            self.at += 1;
            self.left = self.starts[self.which[self.at]].playouts;
        }
    }

    pub fn left(&self) -> bool {
        self.left > 0
    }

    /// Fills the first lanes.
    pub fn fill(&mut self, begin: &mut [Plane<W>], step: u64) -> Plane<W> {
        if self.single() {
            let words = self.starts[self.which[0]].state.words();
            for (fact, plane) in begin.iter_mut().enumerate() {
                *plane = Plane::splat(words[fact / 64] >> (fact % 64) & 1 == 1);
            }
        }
        self.refill(&Plane::TRUE, begin, step)
    }

    /// Assigns playouts to vacant lanes, as far as there are any, and returns the lanes that
    /// got one.
    #[inline(always)]
    pub fn refill(&mut self, vacant: &Plane<W>, begin: &mut [Plane<W>], step: u64) -> Plane<W> {
        if self.single() {
            let count = u64::from(vacant.count());
            if count <= self.left {
                self.left -= count;
                return *vacant;
            }
            let mut fresh = Plane::FALSE;
            for lane in vacant.lanes().take(self.left as usize) {
                fresh.set(lane, true);
            }
            self.left = 0;
            return fresh;
        }
        self.count_ends();
        let mut fresh = Plane::<W>::FALSE;
        let mut changed = Plane::<W>::FALSE;
        for lane in vacant.lanes() {
            if !self.left() {
                break;
            }
            let start = self.which[self.at];
            self.left -= 1;
            self.settle();
            fresh.set(lane, true);
            self.born[lane] = step;
            if self.start_of[lane] != start {
                self.start_of[lane] = start;
                changed.set(lane, true);
            }
        }
        if !changed.is_false() {
            let (starts, start_of) = (self.starts, &self.start_of);
            load(begin, |lane| {
                let start = changed.get(lane).then(|| &starts[start_of[lane]]);
                start.map(|start| start.state.words())
            });
        }
        fresh
    }

    /// Counts a step of the active lanes.
    #[inline(always)]
    pub fn moved(&mut self, active: &Plane<W>) {
        if self.single() {
            self.sums.steps.add(active);
        }
    }

    /// Counts lanes that have ended: `terminal` by the rules, `lost` otherwise.
    #[inline(always)]
    pub fn collect(
        &mut self,
        memory: &[Plane<W>],
        (at, places): (usize, &Places),
        terminal: &Plane<W>,
        lost: &Plane<W>,
        step: u64,
    ) {
        if self.single() {
            self.sums.finished.add(terminal);
            self.sums.cut.add(lost);
            let reached = memory[places.results.clone()].iter();
            for (reached, sum) in reached.zip(&mut self.sums.goals[at]) {
                sum.add(&reached.zip(terminal, |a, b| a & b));
            }
            return;
        }
        if let Some(ends) = &mut self.ends {
            ends.keep(&memory[places.here()], terminal);
        }
        for lane in terminal.lanes() {
            let tally = &mut self.tallies[self.start_of[lane]];
            tally.finished += 1;
            tally.steps += step - self.born[lane];
            for (role, goals) in places.goals.iter().enumerate() {
                let reached = goals.iter().find(|&&(_, plane)| memory[plane].get(lane));
                if let Some(&(value, _)) = reached {
                    tally.goals[role] += u64::from(value);
                    tally.squares[role] += u64::from(value).pow(2);
                }
                if let Some(ends) = &mut self.ends {
                    ends.goals(lane)[role] = reached.map_or(0, |&(value, _)| value);
                }
            }
        }
        for lane in lost.lanes() {
            let tally = &mut self.tallies[self.start_of[lane]];
            tally.cut += 1;
            tally.steps += step - self.born[lane];
        }
    }
}
