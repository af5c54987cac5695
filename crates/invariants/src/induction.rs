//! Mutual induction: statements are proved for the next state while all of them are assumed for
//! the present one.
//!
//! All candidates hold in the initial state. Those for which no proof is found are weakened or
//! dropped, and whatever was proved with their help is looked at again, until nothing is open. The
//! rest holds in every reachable state: an invariant as van Eijk finds it for sequential
//! equivalences ("Sequential equivalence checking based on structural similarities", 2000), here
//! with proofs by case analysis. When the budget runs out, only what was proved with the help of
//! nothing but proved statements is kept, which is the same fixed point of fewer statements.

use crate::groups::{Group, Report};
use crate::invariant::{Assumed, Invariant};
use crate::refute::Refuter;
use crate::samples::Samples;
use budget::{Budget, Exhausted};
use netlist::{GameLogic, Lit};
use std::collections::VecDeque;

/// Nested splits.
const DEPTH: u32 = 3;

/// How hard a proof is tried.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Attempt {
    Quick,
    /// Each phase of the game apart, and with everything that follows from play not having ended.
    Thorough,
}

impl Attempt {
    /// Visits of nodes that one case of a proof may take.
    fn steps(self) -> u64 {
        match self {
            Attempt::Quick => 5_000,
            Attempt::Thorough => 50_000,
        }
    }
}

/// What became of the attempts to prove a statement.
enum Outcome {
    Proved,
    /// There is no proof, but there may be one for these.
    Weaker(Vec<Invariant>),
    /// No proof that one member always holds, but this one, with what it needed.
    AtMost(Invariant, Vec<u32>),
}

impl Outcome {
    fn of(proved: bool, weaker: Vec<Invariant>) -> Outcome {
        if proved {
            Outcome::Proved
        } else {
            Outcome::Weaker(weaker)
        }
    }
}

const ATTEMPTS: [Attempt; 2] = [Attempt::Quick, Attempt::Thorough];

/// The statements that hold in every reachable state, from candidates that hold in all samples, the
/// initial state among them.
pub fn prove(
    logic: &GameLogic,
    samples: &Samples,
    candidates: Vec<Invariant>,
    budget: &Budget,
) -> (Vec<Invariant>, Report) {
    let mut assumed = Assumed::new(logic.facts.len());
    for candidate in candidates {
        if initially(logic, &candidate) {
            assumed.add(candidate);
        }
    }
    let mut report = Report {
        samples: samples.blocks(),
        candidates: assumed.len(),
        ..Report::default()
    };
    let open = 0..assumed.len() as u32;
    let mut refuter = Refuter::new(logic, assumed);
    let phases = refuter.phases();
    let mut induction = Induction {
        logic,
        samples,
        budget,
        phases,
        queue: open.clone().collect(),
        proofs: open.map(|_| None).collect(),
        users: vec![Vec::new(); refuter.assumed.len()],
        refuter,
    };
    while let Some(id) = induction.queue.pop_front() {
        if induction.proofs[id as usize].is_some() {
            continue;
        }
        match induction.examine(id) {
            Ok(proved) => report.failed += usize::from(!proved),
            Err(exhausted) => {
                report.exhausted = Some(exhausted);
                break;
            }
        }
    }
    report.steps = induction.refuter.steps;
    (induction.proved(), report)
}

/// Whether a statement holds in the initial state.
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
    samples: &'l Samples,
    budget: &'l Budget,
    refuter: Refuter<'l>,
    /// The group that says whose turn it is, if there is one.
    phases: Option<u32>,
    /// Statements to be proved.
    queue: VecDeque<u32>,
    /// For each proved statement, those that its proof assumes.
    proofs: Vec<Option<Vec<u32>>>,
    /// For each statement, those whose proofs have assumed it.
    users: Vec<Vec<u32>>,
}

impl Induction<'_> {
    /// Proves a statement, or weakens it; whether it was proved.
    fn examine(&mut self, id: u32) -> Result<bool, Exhausted> {
        self.budget.check()?;
        let outcome = match self.refuter.assumed.get(id).clone() {
            Invariant::Dropped => return Ok(true),
            Invariant::Constant(fact, value) => {
                let next = self.logic.next[fact as usize];
                let never = self.never(next ^ value)?;
                Outcome::of(never, Vec::new())
            }
            Invariant::Group(group) => self.group(id, group)?,
        };
        match outcome {
            Outcome::Proved => {
                let used = self.refuter.take_used();
                self.keep(id, used);
                Ok(true)
            }
            Outcome::Weaker(weaker) => {
                self.refuter.take_used();
                self.weaken(id, weaker);
                Ok(false)
            }
            Outcome::AtMost(weaker, used) => {
                self.refuter.take_used();
                let independent = !used.contains(&id);
                self.weaken(id, vec![weaker]);
                if independent {
                    self.keep(id, used);
                }
                Ok(false)
            }
        }
    }

    /// Notes that a statement was proved with the help of others.
    fn keep(&mut self, id: u32, mut used: Vec<u32>) {
        // What a statement's own proof assumes of it goes without saying.
        used.retain(|&other| other != id);
        for &other in &used {
            self.users[other as usize].push(id);
        }
        self.proofs[id as usize] = Some(used);
    }

    /// Puts `weaker` statements in the place of one, and opens what was proved with it.
    fn weaken(&mut self, id: u32, weaker: Vec<Invariant>) {
        let mut weaker = weaker.into_iter();
        let first = weaker.next();
        if first.is_some() {
            self.queue.push_back(id);
        }
        let assumed = &mut self.refuter.assumed;
        assumed.replace(id, first.unwrap_or(Invariant::Dropped));
        for other in weaker {
            self.queue.push_back(assumed.add(other));
            self.proofs.push(None);
            self.users.push(Vec::new());
        }
        self.refuter.grown();
        for user in std::mem::take(&mut self.users[id as usize]) {
            let proof = &mut self.proofs[user as usize];
            if proof.as_ref().is_some_and(|used| used.contains(&id)) {
                *proof = None;
                self.queue.push_back(user);
            }
        }
    }

    /// The assumptions under which a statement is proved in an attempt, one after the other: the
    /// first attempt makes none, the second looks at each phase of the game apart.
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

    /// Begins a proof: play has not ended, and the view holds. False if that cannot be.
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

    /// Whether a signal is proved to be false in every transition.
    fn never(&mut self, lit: Lit) -> Result<bool, Exhausted> {
        let cases = self.refuter.cases(lit);
        for attempt in ATTEMPTS {
            let mut never = true;
            for view in self.views(attempt) {
                self.budget.check()?;
                never = never
                    && (!self.begin(attempt, view)
                        || cases.iter().all(|&case| self.refuted_within(case, attempt)));
                self.refuter.leave();
            }
            if never {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn refuted_within(&mut self, case: Lit, attempt: Attempt) -> bool {
        self.refuter.allow(attempt.steps());
        self.refuted(case)
    }

    /// Whether a signal is found to be false under what is assumed, by splits.
    fn refuted(&mut self, case: Lit) -> bool {
        self.refuter.enter();
        let refuted =
            !self.refuter.assume(case) || !self.refuter.deduce() || self.refuter.refute(DEPTH);
        self.refuter.leave();
        refuted
    }

    /// Proves a group, or finds weaker statements to try in its place.
    fn group(&mut self, id: u32, group: Group) -> Result<Outcome, Exhausted> {
        let mut clashes = Vec::new();
        for at in 0..group.facts.len() {
            let others: Vec<usize> = (at + 1..group.facts.len()).collect();
            let mut clashing = self.clashing(&group, at, others, Attempt::Quick)?;
            if !clashing.is_empty() {
                clashing = self.clashing(&group, at, clashing, Attempt::Thorough)?;
            }
            if !clashing.is_empty() && self.is_spare(id, &group) {
                return Ok(Outcome::Weaker(Vec::new()));
            }
            clashes.extend(clashing.into_iter().map(|other| (at, other)));
        }
        if !clashes.is_empty() {
            return Ok(Outcome::Weaker(self.parts(&group, &clashes)));
        }
        if !group.exactly {
            return Ok(Outcome::Proved);
        }
        let used = self.refuter.take_used();
        if self.some(&group, Attempt::Quick)? || self.some(&group, Attempt::Thorough)? {
            used.into_iter().for_each(|id| self.refuter.mark_used(id));
            return Ok(Outcome::Proved);
        }
        let weaker = Group {
            exactly: false,
            ..group
        };
        Ok(Outcome::AtMost(Invariant::Group(weaker), used))
    }

    /// Whether all facts of a group are in another one, so that parts of it are not worth a proof.
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

    /// Those of `others` (places in the group) that could not be proved never to hold together with
    /// the member at `at` in the next state.
    fn clashing(
        &mut self,
        group: &Group,
        at: usize,
        others: Vec<usize>,
        attempt: Attempt,
    ) -> Result<Vec<usize>, Exhausted> {
        let next = |at: usize| self.logic.next[group.facts[at] as usize];
        let (one, others): (Lit, Vec<(usize, Lit)>) = (
            next(at),
            others.into_iter().map(|at| (at, next(at))).collect(),
        );
        let mut clashing = Vec::new();
        if others.is_empty() || one == Lit::FALSE {
            return Ok(clashing);
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
                    self.clashing_in(case, &others, attempt, &mut clashing);
                }
            }
            self.refuter.leave();
            result?;
        }
        Ok(clashing)
    }

    /// Adds those of `others` that may hold together with a case to `clashing`.
    fn clashing_in(
        &mut self,
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
                if !self.excluded(lit) {
                    clashing.push(at);
                }
            }
        }
        self.refuter.leave();
    }

    /// Whether a signal is found to be false under what is assumed.
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

    /// Whether some member of the group is proved to hold in the next state.
    fn some(&mut self, group: &Group, attempt: Attempt) -> Result<bool, Exhausted> {
        for view in self.views(attempt) {
            let mut result = Ok(true);
            if self.begin(attempt, view) {
                for &fact in &group.facts {
                    result = self
                        .budget
                        .check()
                        .map(|()| self.one_follows(group, fact, attempt));
                    if !matches!(result, Ok(true)) {
                        break;
                    }
                }
            }
            self.refuter.leave();
            if !result? {
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

    /// The group as parts without clashing pairs.
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
            let any = self.samples.any_if_exclusive(&facts).unwrap_or_default();
            let exactly = !any.is_empty() && any.iter().all(|&word| word == u64::MAX);
            Invariant::Group(Group { facts, exactly })
        });
        parts.collect()
    }

    /// What was proved with the help of nothing but proved statements.
    fn proved(mut self) -> Vec<Invariant> {
        loop {
            let mut changed = false;
            for id in 0..self.proofs.len() {
                let open = |&other: &u32| self.proofs[other as usize].is_none();
                let unfounded = self.proofs[id]
                    .as_ref()
                    .is_some_and(|used| used.iter().any(open));
                if unfounded {
                    self.proofs[id] = None;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        let all = self.refuter.assumed.iter().zip(&self.proofs);
        let proved = all.filter(|(_, proof)| proof.is_some());
        proved.map(|(invariant, _)| invariant.clone()).collect()
    }
}
