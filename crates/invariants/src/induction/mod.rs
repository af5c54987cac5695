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
//!
//! What the rules show by themselves (`exclusive` of the vocabulary) is known from the start.

mod constant;
mod counter;
mod effort;
mod group;
mod pairs;
mod premises;
mod settle;
mod some;
mod weaken;

use crate::agenda::Agenda;
use crate::groups::{Group, Report};
use crate::invariant::{Assumed, Invariant};
use crate::refusals::Refusals;
use crate::refute::Refuter;
use crate::samples::Samples;
use budget::Budget;
use netlist::GameLogic;
use rustc_hash::{FxHashMap, FxHashSet};

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
    // What the rules show needs no proof here.
    for facts in &logic.words.exclusive {
        assumed.add(Invariant::Group(Group {
            facts: facts.clone(),
            exactly: false,
        }));
        agenda.add_known();
    }
    let known = assumed.len();
    for candidate in candidates {
        if let Invariant::Group(group) = &candidate
            && !group.exactly
            && is_known(group, &assumed)
        {
            continue;
        }
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
        candidates: assumed.len() - known,
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
        refusals: Refusals::new(logic, samples, known, seed),
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

/// Whether the facts of a group are among those of an assumed one.
fn is_known(group: &Group, assumed: &Assumed) -> bool {
    let of_first = group.facts.first().map(|&fact| assumed.of(fact).iter());
    let mut groups = of_first
        .into_iter()
        .flatten()
        .filter_map(|&id| match assumed.get(id) {
            Invariant::Group(group) => Some(group),
            _ => None,
        });
    groups.any(|known| {
        let mut facts = group.facts.iter();
        facts.all(|fact| known.facts.binary_search(fact).is_ok())
    })
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

/// The state of one induction.
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
