//! Quantities in the state (scores, coins, step counters), and the kinds of one-hot groups.
//!
//! A quantity is a set of facts of which at most one holds, and which form a row: from each
//! value, play leads to near ones. The names of numbers carry no meaning here (and `succ` is not
//! in the network), so the row is derived from transitions:
//!
//! 1. Candidates are the proved groups, and families of facts that differ in one argument and
//!    never held together in random play.
//! 2. A fact leads to another one if the next value of that one reads it, or if the other was
//!    observed to follow it. The facts are ordered so that these links are short, by the
//!    eigenvector of the second smallest eigenvalue of the graph's Laplacian (Atkins, Boman and
//!    Hendrickson, "A spectral algorithm for seriation", 1998). If links stay long, or lead
//!    apart in both directions from one value, there is no row. For example, a square that is
//!    empty or has one of several pieces is not a quantity.
//! 3. The proof that a quantity never decreases is by cases, one for each value.

mod family;
mod row;

use crate::Evidence;
use crate::reads::{Readers, Supports, untouched};
use budget::{Budget, Exhausted};
use family::{Family, Samples};
use fixedbitset::FixedBitSet;
use invariants::{Groups, Prover};
use netlist::{GameLogic, Lit};
use std::time::Duration;

/// Maximum number of facts of a quantity.
const LARGEST: usize = 256;
/// Bound on the nodes visited to find dependencies.
const WORK: usize = 20_000_000;
/// Maximum time for proofs.
const PROOF: Duration = Duration::from_millis(300);

/// The direction in which a quantity changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Only forwards, in the order in which its facts are given. Whether that is up or down
    /// depends on names only.
    Forward,
    /// Both ways. The order of the facts is then defined up to reversal.
    Both,
}

/// A quantity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quantity {
    /// Its values, in order.
    pub facts: Vec<u32>,
    /// The evidence that no two values hold together.
    pub exclusive: Evidence,
    /// The owner: the role that is an argument of all its facts. If there is none, the only role
    /// whose results depend on it in the same state.
    pub owner: Option<u16>,
    /// The direction in which it changes.
    pub direction: Direction,
    /// The evidence for the direction. That it changes both ways is proved if it was observed.
    pub evidence: Evidence,
    /// The greatest change in one step, in values, as far as observed.
    pub stride: u32,
    /// The least and the greatest index in the row that held in a sample; `None` if none did.
    pub seen: Option<(u32, u32)>,
    /// The index of the initial value.
    pub initial: Option<u32>,
    /// Whether no move influences it, as with step counters. This is proved.
    pub control: bool,
}

/// The kind of a one-hot group, from its facts alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// No move influences its facts.
    Control,
    /// A quantity, by its position in [`Numbers::quantities`].
    Number(usize),
    /// Its facts differ in one argument: the content of one cell.
    Cell,
    /// Its facts differ in several arguments: often the position of a piece.
    Place,
    /// Its facts have different relations.
    Mixed,
}

/// Statistics of the search.
#[derive(Debug, Clone, Copy, Default)]
pub struct Report {
    /// Number of transitions of random play examined.
    pub samples: u64,
    /// Number of families examined.
    pub candidates: usize,
    /// Total time.
    pub time: Duration,
    /// The part of the budget that ran out, if any; then there may be more quantities.
    pub exhausted: Option<Exhausted>,
}

/// The quantities of a game.
#[derive(Debug, Clone, Default)]
pub struct Numbers {
    /// The quantities, in the order of their candidates: those of proved groups first.
    pub quantities: Vec<Quantity>,
    /// For each proved group ([`Groups::groups`]), its kind.
    pub kinds: Vec<Kind>,
    /// Statistics of the search.
    pub report: Report,
}

impl Numbers {
    /// Finds quantities within the budget. `seed` is the seed of random play.
    pub fn find(logic: &GameLogic, groups: &Groups, seed: u64, budget: &Budget) -> Numbers {
        let clock = budget.clock();
        let begun = clock.now();
        let samples = Samples::new(logic, seed, budget);
        let readers = Readers::new(logic);
        let control = untouched(logic, &readers);
        let is_control = |facts: &[u32]| facts.iter().all(|f| control.binary_search(f).is_ok());
        let families = family::families(logic, groups, &samples, LARGEST, budget);
        let mut finder = Finder {
            logic,
            samples: &samples,
            readers: &readers,
            supports: Supports::new(logic),
            prover: Prover::new(logic, groups),
            proof: budget.clone().with_timeout(PROOF),
            work: WORK,
        };
        let mut numbers = Numbers::default();
        let mut of_group: Vec<Option<usize>> = vec![None; groups.groups.len()];
        numbers.report.candidates = families.len();
        for family in families {
            if budget.check().is_err() {
                break;
            }
            if let Some(quantity) = finder.quantity(&family, is_control(&family.facts)) {
                if let Some(group) = family.group {
                    of_group[group] = Some(numbers.quantities.len());
                }
                numbers.quantities.push(quantity);
            }
        }
        let kinds = groups
            .groups
            .iter()
            .zip(&of_group)
            .map(|(group, number)| match number {
                Some(number) => Kind::Number(*number),
                None if is_control(&group.facts) => Kind::Control,
                None => match family::varying(logic, &group.facts) {
                    Some(places) if places.len() == 1 => Kind::Cell,
                    Some(_) => Kind::Place,
                    None => Kind::Mixed,
                },
            });
        numbers.kinds = kinds.collect();
        numbers.report.samples = samples.transitions();
        numbers.report.time = clock.now().saturating_sub(begun);
        numbers.report.exhausted = budget.check().err();
        numbers
    }
}

/// The state of the search, which examines one family after the other.
struct Finder<'a> {
    logic: &'a GameLogic,
    samples: &'a Samples,
    readers: &'a Readers,
    supports: Supports<'a>,
    prover: Prover<'a>,
    /// The budget of proofs.
    proof: Budget,
    /// Node visits left.
    work: usize,
}

impl Finder<'_> {
    /// The quantity of a family, if it is one.
    fn quantity(&mut self, family: &Family, control: bool) -> Option<Quantity> {
        let seen = self.samples.transitions_of(&family.facts);
        let reads = self.reads(&family.facts)?;
        let initial = |fact: &u32| self.logic.words.initial.binary_search(fact).is_ok();
        let first = family.facts.iter().position(initial);
        let row = row::row(&seen.pairs, &reads, first)?;
        let facts: Vec<u32> = row.order.iter().map(|&at| family.facts[at]).collect();
        let place = |at: usize| row.order.iter().position(|&other| other == at);
        let moved: Vec<(usize, usize)> = {
            let pairs = seen.pairs.iter().enumerate();
            let pairs = pairs.flat_map(|(a, row)| row.ones().map(move |b| (a, b)));
            pairs
                .filter_map(|(a, b)| Some((place(a)?, place(b)?)))
                .collect()
        };
        let stride = moved.iter().map(|&(a, b)| a.abs_diff(b) as u32).max();
        let back = moved.iter().any(|(a, b)| b < a);
        let forth = moved.iter().any(|(a, b)| a < b);
        let observed = match seen.transitions {
            0 => Evidence::Unknown,
            samples => Evidence::Observed { samples },
        };
        let (direction, evidence) = match row.direction {
            Direction::Both if back && forth => (Direction::Both, Evidence::Proved),
            Direction::Both => (Direction::Both, observed),
            Direction::Forward if self.never_back(&facts) => (Direction::Forward, Evidence::Proved),
            Direction::Forward => (Direction::Forward, observed),
        };
        let held: Vec<u32> = {
            let held = (0..facts.len()).filter(|&at| self.samples.held(facts[at]));
            held.map(|at| at as u32).collect()
        };
        Some(Quantity {
            exclusive: match family.group {
                Some(_) => Evidence::Proved,
                None => Evidence::Observed {
                    samples: self.samples.transitions(),
                },
            },
            owner: self.owner(&facts),
            direction,
            evidence,
            stride: stride.unwrap_or(0),
            seen: held
                .first()
                .zip(held.last())
                .map(|(&least, &most)| (least, most)),
            initial: first.and_then(place).map(|at| at as u32),
            control,
            facts,
        })
    }

    /// For each fact, the other facts of the family whose next values read it.
    fn reads(&mut self, facts: &[u32]) -> Option<Vec<FixedBitSet>> {
        let mut leads = vec![FixedBitSet::with_capacity(facts.len()); facts.len()];
        for (to, &fact) in facts.iter().enumerate() {
            let next = self.logic.next[fact as usize];
            let (read, visits) = self.supports.facts(next, self.work);
            self.work = self.work.checked_sub(visits)?;
            for (from, other) in facts.iter().enumerate() {
                if from != to && read.binary_search(other).is_ok() {
                    leads[from].insert(to);
                }
            }
        }
        Some(leads)
    }

    /// Whether it is proved that no value is followed by an earlier one.
    fn never_back(&mut self, facts: &[u32]) -> bool {
        let logic = self.logic;
        (1..facts.len()).all(|at| {
            let holds = logic.facts[facts[at] as usize];
            let before: Vec<Lit> = facts[..at]
                .iter()
                .map(|&fact| logic.next[fact as usize])
                .collect();
            let (prover, proof) = (&mut self.prover, &self.proof);
            let never = prover.under(&[holds], true, |prover| {
                before
                    .iter()
                    .all(|&next| proof.check().is_ok() && prover.never(next))
            });
            never != Some(false)
        })
    }

    /// The owner of a quantity.
    fn owner(&self, facts: &[u32]) -> Option<u16> {
        let words = &self.logic.words;
        let names = |role: &usize| {
            let mut terms = facts.iter().map(|&fact| &words.facts[fact as usize]);
            terms.all(|term| family::arguments(term).contains(&words.roles[*role]))
        };
        let one = |mut roles: Vec<usize>| -> Option<u16> {
            let role = roles.pop().filter(|_| roles.is_empty())?;
            Some(role as u16)
        };
        let named: Vec<usize> = (0..words.roles.len()).filter(names).collect();
        if !named.is_empty() {
            return one(named);
        }
        let mut marked = FixedBitSet::with_capacity(self.logic.net.len());
        let nodes = facts
            .iter()
            .map(|&fact| self.logic.facts[fact as usize].node());
        self.readers.mark(nodes, &mut marked);
        let depends = |role: &usize| {
            let mut goals = self.logic.goals[*role].iter();
            goals.any(|goal| marked.contains(goal.1.node()))
        };
        one((0..words.roles.len()).filter(depends).collect())
    }
}
