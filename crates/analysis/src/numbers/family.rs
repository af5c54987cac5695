//! Families of facts that may be the values of one quantity, and their changes in random play.

use crate::sampling::{self, Extent, LANES, each};
use budget::Budget;
use fixedbitset::FixedBitSet;
use game::GroundTerm;
use invariants::{Groups, Play};
use netlist::GameLogic;
use std::collections::{BTreeMap, HashSet};

/// Maximum number of steps of 64 games.
const STEPS: u64 = 600;
/// Bound on the gates and moves evaluated in all lanes at once, some nanoseconds each.
const WORK: u64 = 20_000_000;
/// Maximum number of words kept.
const WORDS: usize = 4 << 20;
/// Minimum number of facts of a quantity.
const LEAST: usize = 3;

/// Facts of which at most one holds, by proof or observation.
pub(super) struct Family {
    /// The facts, ascending.
    pub facts: Vec<u32>,
    /// The proved group; `None` if the exclusion was only observed.
    pub group: Option<usize>,
}

/// The arguments of a fact.
pub(super) fn arguments(term: &GroundTerm) -> &[GroundTerm] {
    match term {
        GroundTerm::Constant(_) => &[],
        GroundTerm::Compound(_, arguments) => arguments,
    }
}

/// The argument positions in which some facts differ; `None` if their relations differ.
pub(super) fn varying(logic: &GameLogic, facts: &[u32]) -> Option<Vec<usize>> {
    let term = |&fact: &u32| &logic.words.facts[fact as usize];
    let kind = |fact: &u32| match term(fact) {
        GroundTerm::Constant(name) => (name.clone(), 0),
        GroundTerm::Compound(name, arguments) => (name.clone(), arguments.len()),
    };
    let first = facts.first()?;
    if facts.iter().any(|fact| kind(fact) != kind(first)) {
        return None;
    }
    let differ = |&at: &usize| {
        let argument = |fact| &arguments(term(fact))[at];
        facts.iter().any(|fact| argument(fact) != argument(first))
    };
    Some((0..kind(first).1).filter(differ).collect())
}

/// The candidate families: proved groups first, then facts that differ in one argument.
pub(super) fn families(
    logic: &GameLogic,
    groups: &Groups,
    samples: &Samples,
    most: usize,
    budget: &Budget,
) -> Vec<Family> {
    let size = |facts: &[u32]| (LEAST..=most).contains(&facts.len());
    let mut families = Vec::new();
    let mut known: HashSet<Vec<u32>> = HashSet::new();
    for (number, group) in groups.groups.iter().enumerate() {
        let one = varying(logic, &group.facts).is_some_and(|places| places.len() == 1);
        if one && size(&group.facts) && known.insert(group.facts.clone()) {
            families.push(Family {
                facts: group.facts.clone(),
                group: Some(number),
            });
        }
    }
    let constant = |fact: u32| groups.constant(fact).is_some();
    let mut alike: BTreeMap<(String, usize), Vec<u32>> = BTreeMap::new();
    for (fact, term) in logic.words.facts.iter().enumerate() {
        let GroundTerm::Compound(name, arguments) = term else {
            continue;
        };
        if constant(fact as u32) {
            continue;
        }
        for at in 0..arguments.len() {
            let others = arguments
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != at);
            let mut key = format!("{name}/{}", arguments.len());
            others.for_each(|(_, argument)| key.push_str(&format!(" {argument}")));
            alike.entry((key, at)).or_default().push(fact as u32);
        }
    }
    let of_fact = groups.of_facts(logic.facts.len());
    let mut found: Vec<Vec<u32>> = alike.into_values().collect();
    // Sorted by facts, so that names do not matter.
    found.sort();
    for facts in found {
        if budget.check().is_err() {
            break;
        }
        // A part of a proved group is not a quantity of its own.
        let within = |&group: &u32| {
            let group = &groups.groups[group as usize].facts;
            facts.iter().all(|fact| group.binary_search(fact).is_ok())
        };
        let part = of_fact[facts[0] as usize].iter().any(within);
        if size(&facts) && !part && samples.exclusive(&facts) && known.insert(facts.clone()) {
            families.push(Family { facts, group: None });
        }
    }
    families
}

/// States of random play in order, one per bit.
pub(super) struct Samples {
    /// For each step, the words of all facts.
    rows: Vec<Vec<u64>>,
    /// For each step, the lanes whose next state is in the next row.
    going: Vec<u64>,
}

/// The observed transitions within a family.
pub(super) struct Seen {
    /// For each fact, the facts that held next, except itself.
    pub pairs: Vec<FixedBitSet>,
    /// Number of transitions in which one of the facts held before and one afterwards.
    pub transitions: u64,
}

impl Samples {
    pub fn new(logic: &GameLogic, seed: u64, budget: &Budget) -> Self {
        let moves: usize = logic.legal.iter().map(Vec::len).sum();
        let work = WORK / (logic.net.len() + 8 * moves + logic.facts.len()) as u64;
        let room = (WORDS / logic.facts.len().max(1)) as u64;
        let mut samples = Samples {
            rows: Vec::new(),
            going: Vec::new(),
        };
        let extent = Extent {
            playouts: STEPS as u32,
            length: STEPS as u32,
            steps: STEPS.min(work).min(room),
        };
        let mut play = Play::new(logic, seed);
        // If the budget runs out, use the samples so far.
        let _ = sampling::play(logic, &mut play, extent, budget, |play, look| {
            let row = logic.facts.iter().map(|&lit| play.word(lit));
            samples.rows.push(row.collect());
            samples.going.push(look.going);
        });
        samples
    }

    /// Number of transitions observed.
    pub fn transitions(&self) -> u64 {
        self.going
            .iter()
            .map(|word| u64::from(word.count_ones()))
            .sum()
    }

    /// Whether a fact held in some sample.
    pub fn held(&self, fact: u32) -> bool {
        self.rows.iter().any(|row| row[fact as usize] != 0)
    }

    /// Whether no two of the facts held together in a sample, and some fact held.
    pub fn exclusive(&self, facts: &[u32]) -> bool {
        let mut some = false;
        for row in &self.rows {
            let mut any = 0u64;
            for &fact in facts {
                let word = row[fact as usize];
                if any & word != 0 {
                    return false;
                }
                any |= word;
            }
            some |= any != 0;
        }
        some
    }

    /// The observed transitions between the facts.
    pub fn transitions_of(&self, facts: &[u32]) -> Seen {
        let mut seen = Seen {
            pairs: vec![FixedBitSet::with_capacity(facts.len()); facts.len()],
            transitions: 0,
        };
        // The fact that holds in each lane: at most one does.
        let which = |row: &[u64]| {
            let mut which = [usize::MAX; LANES];
            for (at, &fact) in facts.iter().enumerate() {
                each(row[fact as usize]).for_each(|lane| which[lane] = at);
            }
            which
        };
        let Some(mut before) = self.rows.first().map(|row| which(row)) else {
            return seen;
        };
        for (row, &going) in self.rows.iter().skip(1).zip(&self.going) {
            let after = which(row);
            for lane in each(going) {
                let (a, b) = (before[lane], after[lane]);
                if a == usize::MAX || b == usize::MAX {
                    continue;
                }
                seen.transitions += 1;
                if a != b {
                    seen.pairs[a].insert(b);
                }
            }
            before = after;
        }
        seen
    }
}
