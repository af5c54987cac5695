//! Playing lanes to the end, and refilling them.

use crate::ages::Ages;
use crate::ends::LastStates;
use crate::jobs::Jobs;
use crate::policy::{Applied, Guide, Lists, Policy, sees_all_answers};
use crate::random::RandomPlanes;
use crate::step::{Banks, Choice, LOOK, MOVE, Places, RESULTS, Step};
use aligned_vec::{AVec, ConstAlign};
use bitcode::{Code, Evaluator, Plane};
use budget::{Budget, Checks};
use game::{EngineError, Playouts, Start, State, Tally};
use netlist::{Phased, Phases};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::ops::Range;
use std::sync::Arc;

/// The size of a cache line in bytes. Planes of that size that begin elsewhere are loaded in two
/// parts.
const LINE: usize = 64;
/// The most steps between two checks of the budget.
const STRIDE: u64 = 64;
/// The most operations of all programs of a game that may be there twice.
const SMALL: usize = 1_500;

/// The step of one phase, ready to run.
struct Machine<const W: usize> {
    evaluator: Box<dyn Evaluator<W>>,
    places: Places,
    applied: Vec<Applied>,
}

/// The data that all forks share.
struct Shared<const W: usize> {
    phases: Phases,
    /// The number of phases of the game.
    period: usize,
    /// The steps of the phases. Where the number of phases is odd and programs are small, they are
    /// there twice, so that states alternate between two banks of planes.
    machines: Vec<Machine<W>>,
    roles: usize,
    max_steps: u64,
}

/// Random playouts in `64 * W` lanes.
///
/// All lanes are in the same phase of the game, so that the program need not compute whose turn
/// it is. A lane whose playout has ended waits for the phase in which its next one begins.
/// Moves are uniform among the legal ones, exactly and independently in every lane, unless a
/// [`Policy`] changes that.
///
/// Playouts that reach the step limit are cut.
pub struct LanePlayouts<const W: usize> {
    shared: Arc<Shared<W>>,
    memory: AVec<Plane<W>, ConstAlign<LINE>>,
    random: RandomPlanes<W>,
    more: SplitMix64,
    /// The lists of the guided roles, for each machine.
    lists: Vec<Vec<Lists>>,
    /// Room for the legal moves of each lane, where choices are scanned.
    found: Vec<Vec<u32>>,
    /// The last states of playouts, if tallies count their facts.
    ends: Option<LastStates<W>>,
    checks: Checks,
}

impl<const W: usize> LanePlayouts<W> {
    /// Prepares lanes for a game.
    ///
    /// Moves are chosen by `choices` ([`Choice::plain`] if nothing better is known). `compile`
    /// makes programs runnable: natively, or by [`bitcode::Interpreter`].
    pub fn new(
        logic: &Phased,
        choices: &[Choice],
        compile: impl Fn(&Code) -> Box<dyn Evaluator<W>>,
        seed: u64,
        max_steps: u64,
    ) -> Self {
        let (uniform, unused) = (Policy::default(), Budget::system());
        Self::with(logic, choices, &uniform, compile, seed, max_steps, &unused)
    }

    /// Like [`LanePlayouts::new`], but with a policy.
    ///
    /// [`LanePlayouts::applied`] reports which parts of the policy were built. `budget` bounds
    /// the time spent on them.
    pub fn with(
        logic: &Phased,
        choices: &[Choice],
        policy: &Policy,
        compile: impl Fn(&Code) -> Box<dyn Evaluator<W>>,
        seed: u64,
        max_steps: u64,
        budget: &Budget,
    ) -> Self {
        let phases = logic.logics.len();
        let once = |policy: &Policy, numbers: Range<usize>, all: usize| -> Vec<Step> {
            let step = |number: usize| {
                let logics = [0, 1, 2].map(|ahead| logic.ahead(number % phases, ahead));
                Step::with(logics, choices, policy, Banks::of(number, all), budget)
            };
            numbers.map(step).collect()
        };
        let steps = |policy: &Policy| -> Vec<Step> {
            let made = once(policy, 0..phases, phases);
            let operations: usize = made.iter().map(|step| step.code.ops.len()).sum();
            match phases.is_multiple_of(2) || operations > SMALL {
                true => made,
                false => once(policy, 0..2 * phases, 2 * phases),
            }
        };
        let mut made = steps(policy);
        let applied: Vec<&[Applied]> = made.iter().map(|step| &step.applied[..]).collect();
        if !sees_all_answers(&applied) {
            let mut less = policy.clone();
            less.careful.clear();
            made = steps(&less);
        }
        let machines = made.into_iter().map(|step| Machine {
            evaluator: compile(&step.code),
            places: step.places,
            applied: step.applied,
        });
        let machines: Vec<Machine<W>> = machines.collect();
        let shared = Arc::new(Shared {
            phases: logic.phases.clone(),
            period: phases,
            machines,
            roles: logic.logics[0].roles(),
            max_steps,
        });
        Self::on(shared, seed)
    }

    /// A second evaluator for another thread, with random numbers of its own.
    pub fn fork(&self, seed: u64) -> Self {
        let mut fork = Self::on(self.shared.clone(), seed);
        fork.lists.clone_from(&self.lists);
        fork
    }

    fn on(shared: Arc<Shared<W>>, seed: u64) -> Self {
        let planes = shared.machines.iter().map(|m| m.evaluator.planes()).max();
        let nothing = Guide {
            lists: Vec::new(),
            follow: 1.0,
        };
        let machines = shared.machines.iter();
        let lists = machines.map(|machine| {
            let guided = machine.places.guided.iter();
            guided.map(|places| Lists::new(&nothing, places)).collect()
        });
        LanePlayouts {
            lists: lists.collect(),
            memory: aligned_vec::avec![[LINE]| Plane::FALSE; planes.unwrap_or(0)],
            random: RandomPlanes::new(seed),
            more: SplitMix64::seed_from_u64(!seed),
            found: Vec::new(),
            ends: None,
            checks: Checks::new(STRIDE),
            shared,
        }
    }

    /// Sets the guide of a guided role from now on.
    ///
    /// Before the first call, the role chooses by the order of its moves, or uniformly if it is
    /// mixed. Later forks use the same guide.
    pub fn guide(&mut self, role: usize, guide: &Guide) {
        for (machine, lists) in self.shared.machines.iter().zip(&mut self.lists) {
            for (places, lists) in machine.places.guided.iter().zip(lists) {
                if places.role == role {
                    *lists = Lists::new(guide, places);
                }
            }
        }
    }

    /// The outcome of each part of the policy, with the phase of the game that it concerns.
    pub fn applied(&self) -> impl Iterator<Item = (usize, Applied)> + '_ {
        let machines = self.shared.machines[..self.phases()].iter().enumerate();
        machines.flat_map(|(phase, machine)| machine.applied.iter().map(move |&a| (phase, a)))
    }

    /// The name of the evaluator of each phase's program.
    pub fn evaluators(&self) -> impl Iterator<Item = &'static str> + '_ {
        let machines = self.shared.machines[..self.phases()].iter();
        machines.map(|machine| machine.evaluator.name())
    }

    /// The number of phases of the game.
    pub fn phases(&self) -> usize {
        self.shared.period
    }

    fn phase(&self, state: &State) -> Option<usize> {
        let words = state.words();
        if words.len() != self.facts().div_ceil(64) {
            return None;
        }
        let holds = |fact: u32| words[fact as usize / 64] >> (fact % 64) & 1 == 1;
        self.shared.phases.of(holds)
    }

    fn facts(&self) -> usize {
        self.shared.machines[0].places.facts
    }
}

/// Plays from states of one phase.
///
/// The whole loop is compiled for the vectors of the machine, because what it does between the
/// programs takes as long as they do in small games.
#[multiversion::multiversion(targets(
    "x86_64+avx512f+avx512vl+popcnt+bmi1",
    "x86_64+avx2+popcnt+bmi1"
))]
fn play<const W: usize>(
    lanes: &mut LanePlayouts<W>,
    jobs: &mut Jobs<'_, W>,
    budget: &Budget,
) -> Result<(), EngineError> {
    let shared = lanes.shared.clone();
    let (first, phases) = (jobs.phase, shared.period);
    let begin = shared.machines[0].places.begin();
    let mut ages = Ages::new(shared.max_steps);
    let fresh = jobs.fill(&mut lanes.memory[begin.clone()], 0);
    let here = |phase: usize| shared.machines[phase].places.here();
    lanes.memory.copy_within(begin.clone(), here(first).start);
    ages.begin(&fresh, 0);
    let mut active = fresh;
    let mut steps = 0u64;
    // The phase, and its step; each phase may have two.
    let (mut phase, mut at) = (first, first);
    budget.check()?;
    lanes.checks.resume(budget);
    while !active.is_false() {
        lanes.checks.after(1, budget)?;
        let machine = &shared.machines[at];
        let (places, lists) = (&machine.places, &lanes.lists[at]);
        for choice in &places.choices {
            lanes.random.fill(&mut lanes.memory[choice.random.clone()]);
        }
        machine.evaluator.run(LOOK, &mut lanes.memory);
        for choice in &places.choices {
            choice.mend(&mut lanes.memory, &active, || lanes.more.next_u64());
        }
        let terminal = lanes.memory[places.terminal].zip(&active, |a, b| a & b);
        let mut lost = lanes.memory[places.stuck].zip(&active, |a, b| a & b);
        if ages.is_due(steps) {
            let overdue = ages.overdue(&active, steps);
            let overdue = overdue.zip(&terminal, |over, end| over & !end);
            lost = lost.zip(&overdue, |a, b| a | b);
        }
        let ended = terminal.zip(&lost, |a, b| a | b);
        if !ended.is_false() {
            if !terminal.is_false() {
                machine.evaluator.run(RESULTS, &mut lanes.memory);
            }
            jobs.collect(&lanes.memory, (at, places), &terminal, &lost, steps);
            active = active.zip(&ended, |a, b| a & !b);
        }
        jobs.moved(&active);
        steps += 1;
        let after = |at: usize, all: usize| if at + 1 == all { 0 } else { at + 1 };
        (phase, at) = (after(phase, phases), after(at, shared.machines.len()));
        let over = active.is_false();
        if over {
            // No lane is active, so the next may begin in the first phase at once.
            (phase, at) = (first, first);
        }
        for (lists, places) in lists.iter().zip(&places.guided) {
            lists.choose(
                places,
                &mut lanes.memory,
                &mut lanes.random,
                &mut lanes.more,
            );
        }
        for scan in &places.scans {
            let more = || lanes.more.next_u64();
            scan.choose(&mut lanes.memory, &active, &mut lanes.found, more);
        }
        machine.evaluator.run(MOVE, &mut lanes.memory);
        let mut fresh = Plane::FALSE;
        if phase == first && jobs.left() {
            let vacant = active.zip(&active, |a, _| !a);
            if !vacant.is_false() {
                fresh = jobs.refill(&vacant, &mut lanes.memory[begin.clone()], steps);
                ages.begin(&fresh, steps);
                active = active.zip(&fresh, |a, b| a | b);
            }
        }
        if over {
            lanes.memory.copy_within(begin.clone(), here(first).start);
            continue;
        }
        if !fresh.is_false() {
            advance(&mut lanes.memory, places, &fresh);
        } else if places.next() != places.then() {
            lanes.memory.copy_within(places.next(), places.then().start);
        }
    }
    jobs.count_ends();
    Ok(())
}

/// Puts the next states where the next step expects them, and new playouts in the lanes of
/// `fresh`.
#[inline(always)]
fn advance<const W: usize>(memory: &mut [Plane<W>], places: &Places, fresh: &Plane<W>) {
    let (banks, begin) = memory.split_at_mut(places.begin().start);
    let (first, second) = banks.split_at_mut(places.facts);
    let (here, next) = match places.banks.here {
        0 => (first, second),
        _ => (second, first),
    };
    let chosen = |next: &Plane<W>, begin: &Plane<W>| {
        let mut state = *next;
        for w in 0..W {
            state.0[w] = next.0[w] & !fresh.0[w] | begin.0[w] & fresh.0[w];
        }
        state
    };
    if places.banks.then == places.banks.here {
        for ((here, next), begin) in here.iter_mut().zip(next).zip(begin) {
            *here = chosen(next, begin);
        }
    } else {
        for (next, begin) in next.iter_mut().zip(begin) {
            *next = chosen(next, begin);
        }
    }
}

impl<const W: usize> Playouts for LanePlayouts<W> {
    fn name(&self) -> &'static str {
        "lanes"
    }

    fn width(&self) -> usize {
        Plane::<W>::LANES
    }

    fn run(
        &mut self,
        starts: &[Start<'_>],
        tallies: &mut Vec<Tally>,
        budget: &Budget,
    ) -> Result<(), EngineError> {
        tallies.resize_with(starts.len(), Tally::default);
        for tally in &mut *tallies {
            tally.clear(self.shared.roles);
        }
        let mut by_phase = vec![Vec::new(); self.phases()];
        for (i, start) in starts.iter().enumerate() {
            let phase = self.phase(start.state).ok_or_else(|| {
                EngineError::Rules("the state is one that play does not reach".into())
            })?;
            if start.playouts > 0 {
                by_phase[phase].push(i);
            }
        }
        let mut ends = self.ends.take();
        // States of an aborted run.
        ends.iter_mut().for_each(LastStates::forget);
        let mut played = Ok(());
        for (phase, which) in by_phase.into_iter().enumerate() {
            if !which.is_empty() && played.is_ok() {
                let shared = self.shared.clone();
                let places = shared.machines.iter().map(|machine| &machine.places);
                let places: Vec<&Places> = places.collect();
                let mut jobs =
                    Jobs::<W>::new(phase, &places, starts, which, tallies, ends.as_mut());
                played = play(self, &mut jobs, budget);
                jobs.count_sums(&places);
            }
        }
        self.ends = ends;
        played
    }

    fn reseed(&mut self, seed: u64) {
        self.random = RandomPlanes::new(seed);
        self.more = SplitMix64::seed_from_u64(!seed);
    }

    fn watch(&mut self, ends: bool) -> bool {
        self.ends = ends.then(|| LastStates::new(self.facts(), self.shared.roles));
        true
    }

    fn fork(&self, seed: u64) -> Option<Box<dyn Playouts>> {
        Some(Box::new(self.fork(seed)))
    }
}
