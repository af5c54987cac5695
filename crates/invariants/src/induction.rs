//! Mutual induction: invariants are proved for the next state while all of them are assumed for
//! the present one.
//!
//! All candidates hold in the initial state. Those for which no proof is found are weakened or
//! dropped, and whatever was proved with their help is examined again, until nothing is open.
//! The remaining ones hold in every reachable state. They are an inductive invariant as van Eijk
//! finds it for sequential equivalences ("Sequential equivalence checking based on structural
//! similarities", 2000), here with proofs by case analysis. When the budget runs out, only
//! invariants proved with the help of nothing but proved invariants are kept: the same fixed
//! point of fewer candidates.

use crate::agenda::Agenda;
use crate::groups::{Group, Report};
use crate::invariant::{Assumed, Invariant};
use crate::refusals::Refusals;
use crate::refute::Refuter;
use crate::samples::Samples;
use budget::{Budget, Exhausted};
use netlist::{GameLogic, Lit};
use rustc_hash::{FxHashMap, FxHashSet};

/// Nested case splits.
const DEPTH: u32 = 3;

/// The strength of an attempt at a proof.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Attempt {
    Quick,
    /// Proves each phase of the game separately, and with everything that follows from play not
    /// having ended.
    Thorough,
}

impl Attempt {
    /// Maximum number of node visits for one case of a proof.
    fn steps(self) -> u64 {
        match self {
            Attempt::Quick => 5_000,
            Attempt::Thorough => 50_000,
        }
    }
}

/// The result of the attempts to prove an invariant.
enum Outcome {
    Proved,
    /// There is no proof, but there may be one for each of these.
    Weaker(Vec<Invariant>),
    /// There is no proof that one member always holds, but there is one for this remaining
    /// invariant.
    AtMost(Invariant),
    /// More effort may find a proof.
    Later,
}

/// The attempts at one effort level, and their steps in total.
struct Effort {
    steps: u64,
    attempts: &'static [Attempt],
}

/// The first effort level, and the ones tried after everything else when it did not suffice.
const EFFORT: [Effort; 3] = [
    Effort {
        steps: 300_000,
        attempts: &[Attempt::Quick],
    },
    Effort {
        steps: 3_000_000,
        attempts: &[Attempt::Quick, Attempt::Thorough],
    },
    Effort {
        steps: 45_000_000,
        attempts: &[Attempt::Quick, Attempt::Thorough],
    },
];
/// Steps, including those for counterexamples, after which an invariant is dropped unless the
/// first effort level proves it.
const HURRY: u64 = 110_000_000;
/// Steps after which the search ends.
const END: u64 = 135_000_000;
/// Number of gates above which both bounds are divided by four, since each step takes longer
/// there.
const HUGE: usize = 500_000;
/// How often separated facts are put together again.
const PASSES: usize = 2;
/// How often an invariant is weakened before it is dropped.
const WEAKENINGS: u32 = 12;
/// Number of groups of one kind on which higher effort failed, after which others of the kind
/// get none.
const VAIN: i32 = 8;
/// Maximum number of parts of a group that are tried after a counterexample, if its facts are in
/// no other group.
const PARTS: usize = 4;
/// Steps that counterexamples may take in any case.
const FREE: u64 = 4_000_000;

/// Proves invariants that hold in every reachable state, from candidates that hold in all
/// samples, including the initial state. `seed` is the seed of the states imagined as
/// counterexamples.
pub fn prove(
    logic: &GameLogic,
    samples: &Samples,
    candidates: Vec<Invariant>,
    seed: u64,
    budget: &Budget,
) -> (Vec<Invariant>, Report) {
    let mut assumed = Assumed::new(logic.facts.len());
    let mut agenda = Agenda::default();
    let mut groups = Vec::new();
    for candidate in candidates {
        if initially(logic, &candidate) {
            if let Invariant::Group(group) = &candidate {
                groups.push(group.clone());
            }
            assumed.add(candidate);
            agenda.add();
        }
    }
    let report = Report {
        samples: samples.blocks(),
        candidates: assumed.len(),
        ..Report::default()
    };
    let mut refuter = Refuter::new(logic, assumed);
    let phases = refuter.phases();
    let mut induction = Induction {
        logic,
        budget,
        phases,
        agenda,
        refuter,
        refusals: Refusals::new(logic, samples, seed),
        refused: false,
        candidates: groups,
        clashed: FxHashSet::default(),
        passes: 0,
        vain: FxHashMap::default(),
        allowed: 0,
        report,
    };
    if let Err(exhausted) = induction.run() {
        induction.report.exhausted = Some(exhausted);
    }
    induction.proved()
}

/// Whether an invariant holds in the initial state.
fn initially(logic: &GameLogic, invariant: &Invariant) -> bool {
    let holds = |fact: &u32| logic.words.initial.binary_search(fact).is_ok();
    match invariant {
        Invariant::Group(group) => {
            let count = group.facts.iter().filter(|fact| holds(fact)).count();
            count == 1 || count == 0 && !group.exactly
        }
        Invariant::Constant(fact, value) => holds(fact) == *value,
        Invariant::Dropped => false,
    }
}

struct Induction<'l> {
    logic: &'l GameLogic,
    budget: &'l Budget,
    refuter: Refuter<'l>,
    /// The group that gives the phase of the game, such as whose turn it is, if there is one.
    phases: Option<u32>,
    agenda: Agenda,
    refusals: Refusals<'l>,
    /// Whether a counterexample to the present invariant was found.
    refused: bool,
    /// The candidate groups at the start.
    candidates: Vec<Group>,
    /// Pairs of facts, the smaller first, for which no proof was found that they never hold
    /// together.
    clashed: FxHashSet<(u32, u32)>,
    /// How often separated facts were put together again.
    passes: usize,
    /// For each kind of group (number of facts, `exactly`), how often higher effort failed.
    vain: FxHashMap<(usize, bool), i32>,
    /// The step count, over all proofs, at which the present invariant is left.
    allowed: u64,
    report: Report,
}

impl Induction<'_> {
    fn run(&mut self) -> Result<(), Exhausted> {
        while self.refusals.any(&self.refuter.assumed, self.budget)? {
            self.follow();
        }
        loop {
            self.settle()?;
            if self.passes >= PASSES || self.spent() > self.until(HURRY) / 2 || !self.again() {
                return Ok(());
            }
            self.passes += 1;
        }
    }

    /// Proves, weakens or drops all open invariants.
    fn settle(&mut self) -> Result<(), Exhausted> {
        while let Some((id, level)) = self.agenda.next() {
            if self.spent() > self.until(END) {
                self.report.given_up += 1;
                continue;
            }
            // Keep the first effort available for invariants that must be proved again.
            let rest = self
                .until(HURRY)
                .saturating_sub(self.spent())
                .max(EFFORT[0].steps);
            self.allowed = self.refuter.steps + EFFORT[usize::from(level)].steps.min(rest);
            self.examine(id, level)?;
        }
        Ok(())
    }

    /// Puts facts together again that a candidate had together and that were separated when
    /// fewer clashes were settled. Returns whether there are any.
    fn again(&mut self) -> bool {
        let before = self.refuter.assumed.len();
        let clash = |a: u32, b: u32| self.clashed.contains(&(a, b));
        for group in &self.candidates {
            let parts = (self.refusals).left(&Invariant::Group(group.clone()), usize::MAX, &clash);
            for part in parts {
                let Invariant::Group(part) = part else {
                    continue;
                };
                let assumed = &self.refuter.assumed;
                let mut of_first = assumed.of(part.facts[0]).iter();
                let known = of_first.any(|&id| match assumed.get(id) {
                    Invariant::Group(group) => {
                        let mut facts = part.facts.iter();
                        facts.all(|fact| group.facts.binary_search(fact).is_ok())
                    }
                    _ => false,
                });
                if !known {
                    self.refuter.assumed.add(Invariant::Group(part));
                    self.agenda.add();
                }
            }
        }
        self.refuter.grown();
        self.refuter.assumed.len() > before
    }

    /// The steps spent so far, including counterexamples converted to steps.
    fn spent(&self) -> u64 {
        self.refuter.steps + self.refusals.cost()
    }

    /// Scales a bound on steps by the size of the network.
    fn until(&self, steps: u64) -> u64 {
        match self.logic.net.len() > HUGE {
            true => steps / 4,
            false => steps,
        }
    }

    /// Whether the present invariant has used its steps for now.
    fn is_over(&self) -> bool {
        self.refuter.steps >= self.allowed
    }

    /// Proves an invariant, weakens it, or defers it.
    fn examine(&mut self, id: u32, level: u8) -> Result<(), Exhausted> {
        self.budget.check()?;
        let before = self.refuter.steps;
        self.refusals.begin();
        self.refuter.take_stuck();
        self.refuter.take_used();
        let outcome = match self.refuter.assumed.get(id).clone() {
            Invariant::Dropped => return Ok(()),
            Invariant::Constant(fact, value) => {
                let next = self.logic.next[fact as usize];
                self.constant(id, next ^ value, level)?
            }
            Invariant::Group(group) => {
                let kind = (group.facts.len(), group.exactly);
                let before = self.agenda.parts(id);
                let outcome = self.group(id, group, level)?;
                if level > 0 && !self.refused {
                    let progress = self.agenda.parts(id) > before;
                    self.learn(kind, &outcome, progress);
                }
                outcome
            }
        };
        self.agenda.spent(id, self.refuter.steps - before);
        if std::mem::take(&mut self.refused) {
            self.follow();
            return Ok(());
        }
        match outcome {
            Outcome::Proved => self.agenda.keep(id),
            Outcome::Later
                if usize::from(level) + 1 < EFFORT.len() && self.spent() < self.until(HURRY) =>
            {
                self.agenda.defer(id);
            }
            Outcome::Later => {
                self.report.given_up += 1;
                let salvaged = self.salvaged(id);
                self.weaken(id, salvaged);
            }
            Outcome::AtMost(weaker) => self.weaken(id, vec![weaker]),
            Outcome::Weaker(weaker) => self.weaken(id, weaker),
        }
        Ok(())
    }

    /// Weakens all invariants that the last counterexample violates.
    fn follow(&mut self) {
        for id in self.refusals.refused(&self.refuter.assumed) {
            let statement = self.refuter.assumed.get(id);
            let most = match statement {
                Invariant::Group(group) if self.is_spare(id, group) => 1,
                _ => PARTS,
            };
            let clash = |a: u32, b: u32| self.clashed.contains(&(a, b));
            let left = self.refusals.left(statement, most, &clash);
            self.weaken(id, left);
        }
    }

    /// Searches for a counterexample where a proof got stuck.
    fn counter(&mut self, id: u32) -> bool {
        if let Some(stuck) = self.refuter.take_stuck() {
            // As much for counterexamples as for proofs.
            let cost = self.refuter.steps.max(FREE);
            self.refused = (self.refusals).near(id, &stuck, &self.refuter.assumed, cost);
        }
        self.refused
    }

    /// Replaces an invariant by `weaker` ones, and opens what was proved with it.
    fn weaken(&mut self, id: u32, weaker: Vec<Invariant>) {
        self.report.failed += 1;
        let mut weaker = weaker.into_iter();
        if self.agenda.weakenings(id) >= WEAKENINGS {
            weaker = Vec::new().into_iter();
        }
        let first = weaker.next();
        if let (Invariant::Group(old), Some(Invariant::Group(new))) =
            (self.refuter.assumed.get(id), &first)
        {
            let place = |fact: &u32| old.facts.binary_search(fact).unwrap_or(usize::MAX);
            let places: Vec<usize> = new.facts.iter().map(place).collect();
            self.agenda.choose_parts(id, &places);
        }
        self.agenda.weakened(id, first.is_some());
        let assumed = &mut self.refuter.assumed;
        assumed.replace(id, first.unwrap_or(Invariant::Dropped));
        for other in weaker {
            assumed.add(other);
            self.agenda.add_part_of(id);
        }
        self.refuter.grown();
    }

    /// The assumptions under which an attempt proves an invariant, one after the other. A quick
    /// attempt has none; a thorough one assumes each phase of the game in turn.
    fn views(&mut self, attempt: Attempt) -> Vec<Option<Lit>> {
        let phases = self.phases.filter(|_| attempt == Attempt::Thorough);
        match phases.map(|id| (id, self.refuter.assumed.get(id))) {
            Some((id, Invariant::Group(group))) if group.exactly => {
                let facts = group.facts.iter();
                let views = facts.map(|&fact| Some(self.logic.facts[fact as usize]));
                let views = views.collect();
                self.refuter.mark_used(id);
                views
            }
            _ => vec![None],
        }
    }

    /// Starts a proof: assumes that play has not ended and that the view holds. False on a
    /// contradiction.
    fn begin(&mut self, attempt: Attempt, view: Option<Lit>) -> bool {
        self.refuter.enter();
        self.refuter.allow(attempt.steps());
        let going = !self.logic.terminal;
        let open = match attempt {
            Attempt::Quick => self.refuter.assume_lightly(going),
            Attempt::Thorough => self.refuter.assume(going),
        };
        open && view.is_none_or(|view| self.refuter.assume(view))
    }

    /// Proves that a fact never changes, that is, that a signal is false in every transition.
    fn constant(&mut self, id: u32, lit: Lit, level: u8) -> Result<Outcome, Exhausted> {
        let cases = self.refuter.cases(lit);
        for &attempt in EFFORT[usize::from(level)].attempts {
            let mut never = true;
            for view in self.views(attempt) {
                self.budget.check()?;
                never = never
                    && (!self.begin(attempt, view)
                        || cases.iter().all(|&case| self.refuted_within(case, attempt)));
                self.refuter.leave();
            }
            if never {
                let used = self.refuter.take_used();
                self.agenda.keep_part(id, 0, used);
                return Ok(Outcome::Proved);
            }
            if self.counter(id) {
                break;
            }
        }
        Ok(match level {
            0 => Outcome::Later,
            _ if self.is_over() => Outcome::Later,
            _ => Outcome::Weaker(Vec::new()),
        })
    }

    fn refuted_within(&mut self, case: Lit, attempt: Attempt) -> bool {
        if self.is_over() {
            return false;
        }
        self.refuter.allow(attempt.steps());
        self.refuted(case)
    }

    /// Whether case splits refute the signal under the assumptions.
    fn refuted(&mut self, case: Lit) -> bool {
        self.refuter.enter();
        let refuted =
            !self.refuter.assume(case) || !self.refuter.deduce() || self.refuter.refute(DEPTH);
        self.refuter.leave();
        refuted
    }

    /// Proves a group, or returns weaker invariants to try in its place.
    fn group(&mut self, id: u32, group: Group, level: u8) -> Result<Outcome, Exhausted> {
        if level > 0 && self.is_hopeless(&group) {
            let nothing = self.is_spare(id, &group);
            let salvaged = (!nothing).then(|| self.salvaged(id));
            return Ok(Outcome::Weaker(salvaged.unwrap_or_default()));
        }
        let last = group.facts.len();
        let (mut clashes, mut open) = (Vec::new(), false);
        for at in 0..last {
            if self.agenda.part(id, at).is_some() {
                continue;
            }
            let mut clashing: Vec<usize> = (at + 1..last).collect();
            for &attempt in EFFORT[usize::from(level)].attempts {
                self.refuter.take_used();
                match self.clashing(id, &group, at, clashing, attempt)? {
                    Some(left) => clashing = left,
                    None => return Ok(Outcome::Later),
                }
                if clashing.is_empty() {
                    break;
                }
            }
            if clashing.is_empty() {
                let used = self.refuter.take_used();
                self.agenda.keep_part(id, at, used);
                continue;
            }
            open = true;
            if level > 0 && self.is_spare(id, &group) {
                return Ok(Outcome::Weaker(Vec::new()));
            }
            clashes.extend(clashing.into_iter().map(|other| (at, other)));
            if level > 0 || self.is_hopeless(&group) {
                let pairs = clashes
                    .iter()
                    .map(|&(a, b)| (group.facts[a], group.facts[b]));
                self.clashed.extend(pairs);
            }
        }
        if open && (level > 0 || self.is_hopeless(&group)) {
            return Ok(Outcome::Weaker(match self.is_spare(id, &group) {
                true => Vec::new(),
                false => self.parts(&group, &clashes),
            }));
        }
        if open {
            return Ok(Outcome::Later);
        }
        if !group.exactly || self.agenda.part(id, last).is_some() {
            return Ok(Outcome::Proved);
        }
        for &attempt in EFFORT[usize::from(level)].attempts {
            self.refuter.take_used();
            self.refuter.take_stuck();
            if self.some(&group, attempt)? {
                let used = self.refuter.take_used();
                self.agenda.keep_part(id, last, used);
                return Ok(Outcome::Proved);
            }
            if self.counter(id) || self.is_over() {
                break;
            }
        }
        if level == 0 || self.is_over() {
            return Ok(Outcome::Later);
        }
        let weaker = Group {
            exactly: false,
            ..group
        };
        Ok(Outcome::AtMost(Invariant::Group(weaker)))
    }

    /// Whether higher effort failed on several groups of the same kind.
    fn is_hopeless(&self, group: &Group) -> bool {
        let vain = self.vain.get(&(group.facts.len(), group.exactly));
        vain.is_some_and(|&vain| vain >= VAIN)
    }

    /// Records whether higher effort than the first level succeeded on a group of this kind.
    fn learn(&mut self, kind: (usize, bool), outcome: &Outcome, progress: bool) {
        let vain = self.vain.entry(kind).or_default();
        match outcome {
            Outcome::Proved => *vain = i32::MIN / 2,
            Outcome::Weaker(_) => *vain += 1,
            Outcome::Later if !progress => *vain += 1,
            Outcome::AtMost(_) | Outcome::Later => {}
        }
    }

    /// The proved part of an invariant, as invariants: members of a group that are proved to
    /// exclude all members after them.
    fn salvaged(&self, id: u32) -> Vec<Invariant> {
        let Invariant::Group(group) = self.refuter.assumed.get(id) else {
            return Vec::new();
        };
        let places = (0..group.facts.len()).filter(|&at| self.agenda.part(id, at).is_some());
        let facts: Vec<u32> = places.map(|at| group.facts[at]).collect();
        match facts.len() {
            0 | 1 => Vec::new(),
            // All members exclude each other; unproved is only that one of them always holds.
            _ => vec![Invariant::Group(Group {
                exactly: false,
                facts,
            })],
        }
    }

    /// Whether every fact of the group is also in another group. Parts of it then need no proof.
    fn is_spare(&self, id: u32, group: &Group) -> bool {
        let in_other = |&fact: &u32| {
            self.refuter
                .assumed
                .of(fact)
                .iter()
                .any(|&other| other != id)
        };
        group.facts.iter().all(in_other)
    }

    /// Returns those of `others` (positions in the group) that are not proved to exclude the
    /// member at `at` in the next state.
    ///
    /// `None` if the search stopped early, because of a counterexample or because it took too
    /// long.
    fn clashing(
        &mut self,
        id: u32,
        group: &Group,
        at: usize,
        others: Vec<usize>,
        attempt: Attempt,
    ) -> Result<Option<Vec<usize>>, Exhausted> {
        let next = |at: usize| self.logic.next[group.facts[at] as usize];
        let (one, others): (Lit, Vec<(usize, Lit)>) = (
            next(at),
            others.into_iter().map(|at| (at, next(at))).collect(),
        );
        let mut clashing = Vec::new();
        if others.is_empty() || one == Lit::FALSE {
            return Ok(Some(clashing));
        }
        let cases = self.refuter.cases(one);
        for view in self.views(attempt) {
            let mut result = Ok(());
            if self.begin(attempt, view) {
                for &case in &cases {
                    result = self.budget.check();
                    if result.is_err() {
                        break;
                    }
                    self.clashing_in(id, case, &others, attempt, &mut clashing);
                    if self.refused || self.is_over() {
                        break;
                    }
                }
            }
            self.refuter.leave();
            result?;
            if self.refused || self.is_over() {
                return Ok(None);
            }
        }
        Ok(Some(clashing))
    }

    /// Adds to `clashing` those of `others` that may hold together with a case.
    fn clashing_in(
        &mut self,
        id: u32,
        case: Lit,
        others: &[(usize, Lit)],
        attempt: Attempt,
        clashing: &mut Vec<usize>,
    ) {
        self.refuter.allow(attempt.steps());
        self.refuter.enter();
        let mut deduced = false;
        if self.refuter.assume(case) {
            for &(at, lit) in others {
                if clashing.contains(&at) || self.refuter.known(lit) == Some(false) {
                    continue;
                }
                if !deduced {
                    deduced = true;
                    if !self.refuter.deduce() {
                        break;
                    }
                }
                self.refuter.allow(attempt.steps());
                self.refuter.take_stuck();
                let excluded = self.excluded(lit);
                if !excluded {
                    clashing.push(at);
                }
                if self.is_over() || !excluded && self.counter(id) {
                    break;
                }
            }
        }
        self.refuter.leave();
    }

    /// Whether the signal is found to be false under the assumptions.
    fn excluded(&mut self, lit: Lit) -> bool {
        match self.refuter.known(lit) {
            Some(value) => !value,
            None => {
                let cases = self.refuter.cases(lit);
                let known = |refuter: &mut Refuter<'_>, case| refuter.known(case) == Some(false);
                cases
                    .into_iter()
                    .all(|case| known(&mut self.refuter, case) || self.refuted(case))
            }
        }
    }

    /// Whether it is proved that some member of the group holds in the next state; false if that
    /// takes too long.
    fn some(&mut self, group: &Group, attempt: Attempt) -> Result<bool, Exhausted> {
        for view in self.views(attempt) {
            let mut result = Ok(true);
            if self.begin(attempt, view) {
                for &fact in &group.facts {
                    result = self
                        .budget
                        .check()
                        .map(|()| self.one_follows(group, fact, attempt));
                    if !matches!(result, Ok(true)) || self.is_over() {
                        break;
                    }
                }
            }
            self.refuter.leave();
            if !result? || self.is_over() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether some member holds in the next state if `fact` holds in this one.
    fn one_follows(&mut self, group: &Group, fact: u32, attempt: Attempt) -> bool {
        self.refuter.allow(attempt.steps());
        self.refuter.enter();
        let holds = self.logic.facts[fact as usize];
        let refuted = !self.refuter.assume(holds) || self.none_refuted(group);
        self.refuter.leave();
        refuted
    }

    /// Whether it is contradictory that no member holds in the next state.
    fn none_refuted(&mut self, group: &Group) -> bool {
        for &fact in &group.facts {
            if !self.refuter.assume(!self.logic.next[fact as usize]) {
                return true;
            }
        }
        !self.refuter.deduce() || self.refuter.refute(DEPTH)
    }

    /// Splits the group into parts without clashing pairs.
    fn parts(&self, group: &Group, clashes: &[(usize, usize)]) -> Vec<Invariant> {
        let clash = |a: usize, b: usize| clashes.contains(&(a, b)) || clashes.contains(&(b, a));
        let mut parts: Vec<Vec<usize>> = Vec::new();
        for at in 0..group.facts.len() {
            let fits = |part: &&mut Vec<usize>| part.iter().all(|&other| !clash(at, other));
            match parts.iter_mut().find(fits) {
                Some(part) => part.push(at),
                None => parts.push(vec![at]),
            }
        }
        let parts = parts.into_iter().filter(|part| part.len() > 1);
        let parts = parts.map(|part| {
            let facts: Vec<u32> = part.iter().map(|&at| group.facts[at]).collect();
            let exactly = self.refusals.always(&facts);
            Invariant::Group(Group { facts, exactly })
        });
        parts.collect()
    }

    /// The invariants proved with the help of nothing but proved invariants.
    fn proved(mut self) -> (Vec<Invariant>, Report) {
        self.report.steps = self.refuter.steps;
        let founded = self.agenda.founded();
        let all = self.refuter.assumed.iter().zip(founded);
        let proved = all.filter(|(_, founded)| *founded);
        let proved = proved.map(|(statement, _)| statement.clone()).collect();
        (proved, self.report)
    }
}
