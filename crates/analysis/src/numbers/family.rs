//! Facts that may be the values of one quantity, and what random play shows of them.

use crate::sampling::{self, Extent, LANES, each};
use budget::Budget;
use fixedbitset::FixedBitSet;
use game::GroundTerm;
use invariants::{Groups, Play};
use netlist::GameLogic;
use std::collections::{BTreeMap, HashSet};

/// Steps of 64 games at most.
const STEPS: u64 = 600;
/// Gates and moves looked at in all lanes at once, some nanoseconds each.
const WORK: u64 = 20_000_000;
/// Words kept.
const WORDS: usize = 4 << 20;
/// Fewer facts are no quantity.
const LEAST: usize = 3;

/// Facts of which at most one holds, as far as is known.
pub(super) struct Family {
    /// Ascending.
    pub facts: Vec<u32>,
    /// Which proved group it is; `None` if it was only seen that no two hold together.
    pub group: Option<usize>,
}

/// The arguments of a fact.
pub(super) fn arguments(term: &GroundTerm) -> &[GroundTerm] {
    match term {
        GroundTerm::Constant(_) => &[],
        GroundTerm::Compound(_, arguments) => arguments,
    }
}

/// The argument positions in which some facts differ; `None` if they are of different kinds.
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

/// The families worth a look: proved groups first, then facts that differ in one argument.
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
    // By their facts, so that names do not matter.
    found.sort();
    for facts in found {
        if budget.check().is_err() {
            break;
        }
        // A part of a proved group is no quantity of its own.
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

/// States of random play in the order of play, one in each bit.
pub(super) struct Samples {
    /// For each step the words of all facts.
    rows: Vec<Vec<u64>>,
    /// For each step the lanes whose next state is in the next row.
    going: Vec<u64>,
}

/// What followed what within a family.
pub(super) struct Seen {
    /// For each fact, those that held next, itself aside.
    pub pairs: Vec<FixedBitSet>,
    /// Transitions in which one of the facts held before and one afterwards.
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
        // Whatever was seen until the budget ends is used.
        let _ = sampling::play(logic, &mut play, extent, budget, |play, look| {
            let row = logic.facts.iter().map(|&lit| play.word(lit));
            samples.rows.push(row.collect());
            samples.going.push(look.going);
        });
        samples
    }

    /// Transitions seen.
    pub fn transitions(&self) -> u64 {
        self.going
            .iter()
            .map(|word| u64::from(word.count_ones()))
            .sum()
    }

    /// Whether a fact was seen to hold.
    pub fn held(&self, fact: u32) -> bool {
        self.rows.iter().any(|row| row[fact as usize] != 0)
    }

    /// Whether no two of the facts were seen to hold together, and some did.
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

    /// What followed what.
    pub fn transitions_of(&self, facts: &[u32]) -> Seen {
        let mut seen = Seen {
            pairs: vec![FixedBitSet::with_capacity(facts.len()); facts.len()],
            transitions: 0,
        };
        // Which of the facts holds in each lane: at most one does.
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
