//! Places that the rules read together, as in a line or in the condition of a move.

use budget::Budget;
use netlist::{GameLogic, Gate, Lit, Source};
use std::collections::BTreeMap;

/// Conjunctions of more places than this carry no information on geometry.
const MOST: usize = 24;
/// Conjunctions of more signals than this are not expanded.
const WIDE: usize = 256;

/// No place.
const NONE: u32 = u32::MAX;
/// More than one place.
const MANY: u32 = u32::MAX - 1;

/// The strength of ties between pairs of places (the smaller first) that rules read together,
/// given the place of each fact. A conjunction of n places ties each to n - 1 others, with
/// weights that sum to one for each place.
pub(super) fn reads(
    logic: &GameLogic,
    place_of: &[Option<u32>],
    places: usize,
    budget: &Budget,
) -> BTreeMap<(u32, u32), f64> {
    let net = &logic.net;
    let mut fixes = vec![MANY; logic.fixes.len()];
    let mut about = About::new(logic, place_of, &fixes);
    if !fixes.is_empty() {
        // The places of recursive signals are found in a second pass, from those of all other
        // signals.
        let values: Vec<u32> = logic.fixes.iter().map(|fix| about.of(fix.value)).collect();
        fixes = values;
        about = About::new(logic, place_of, &fixes);
    }
    let About { one, whole, .. } = &about;
    let mut ties = BTreeMap::new();
    let most = MOST.min(places / 2 + 1);
    let mut tie = |set: &[u32], weight: f64| {
        for (i, &a) in set.iter().enumerate() {
            for &b in set[..i].iter().filter(|&&b| b != a) {
                *ties.entry((a.min(b), a.max(b))).or_insert(0.0) += weight;
            }
        }
    };
    let (mut leaves, mut inner) = (Vec::new(), Vec::new());
    let nodes = (0..net.len()).filter(|&node| whole[node] && one[node] == MANY);
    for (at, node) in nodes.enumerate() {
        if at % 256 == 0 && budget.check().is_err() {
            break;
        }
        leaves.clear();
        if !flatten(logic, node, &mut leaves) {
            continue;
        }
        let mut direct: Vec<u32> = leaves.iter().map(|lit| one[lit.node()]).collect();
        direct.retain(|&place| place < MANY);
        direct.sort_unstable();
        direct.dedup();
        if direct.len() > 1 && direct.len() <= most {
            tie(&direct, 1.0 / (direct.len() - 1) as f64);
        }
        // A disjunction over several places ties the direct place more weakly to each of them.
        if direct.len() != 1 {
            continue;
        }
        for lit in &leaves {
            let choice = one[lit.node()] == MANY && lit.is_negated();
            if !choice || !matches!(net.gate(lit.node()), Gate::And(..)) {
                continue;
            }
            inner.clear();
            if !flatten(logic, lit.node(), &mut inner) || inner.len() > most {
                continue;
            }
            let others = inner.iter().map(|&lit| about.of(lit));
            for other in others.filter(|&place| place < MANY) {
                tie(&[direct[0], other], 0.25);
            }
        }
    }
    ties
}

/// The places that signals depend on.
struct About<'l> {
    logic: &'l GameLogic,
    /// For each node, the place that it depends on, if there is only one.
    one: Vec<u32>,
    /// The nodes that are read other than as a part of a conjunction.
    whole: Vec<bool>,
}

impl<'l> About<'l> {
    /// `fixes` gives the places of recursive signals.
    fn new(logic: &'l GameLogic, place_of: &[Option<u32>], fixes: &[u32]) -> Self {
        let net = &logic.net;
        let mut one = vec![NONE; net.len()];
        let mut whole = vec![false; net.len()];
        for root in logic.roots() {
            whole[root.node()] = true;
        }
        for node in 0..net.len() {
            one[node] = match net.gate(node) {
                Gate::Input(number) => match logic.sources[number as usize] {
                    Source::Fact(fact) => place_of[fact as usize].unwrap_or(NONE),
                    Source::Does { .. } => NONE,
                    Source::Fix(fix) => fixes[fix as usize],
                },
                Gate::False => NONE,
                Gate::And(a, b) | Gate::Xor(a, b) => match (one[a.node()], one[b.node()]) {
                    (NONE, other) | (other, NONE) => other,
                    (a, b) if a == b => a,
                    _ => MANY,
                },
            };
            match net.gate(node) {
                Gate::And(a, b) => {
                    for lit in [a, b] {
                        whole[lit.node()] |= lit.is_negated();
                    }
                }
                Gate::Xor(a, b) => [a, b].iter().for_each(|lit| whole[lit.node()] = true),
                _ => {}
            }
        }
        About { logic, one, whole }
    }

    /// The place of a signal: the only place that it depends on; for a conjunction, the only
    /// place that it reads directly; for a disjunction of such conjunctions, the place that all
    /// of them have.
    fn of(&self, lit: Lit) -> u32 {
        let agreed = |places: &mut dyn Iterator<Item = u32>| {
            let mut found = NONE;
            for place in places.filter(|&place| place != NONE) {
                match found {
                    NONE => found = place,
                    same if same == place => {}
                    _ => return MANY,
                }
            }
            if found == NONE { MANY } else { found }
        };
        let direct = |leaves: &[Lit]| {
            let places = leaves.iter().map(|leaf| self.one[leaf.node()]);
            agreed(&mut places.filter(|&place| place < MANY))
        };
        let mut leaves = Vec::new();
        if self.one[lit.node()] < MANY || !flatten(self.logic, lit.node(), &mut leaves) {
            return self.one[lit.node()];
        }
        if !lit.is_negated() {
            return direct(&leaves);
        }
        agreed(&mut leaves.iter().map(|leaf| {
            let mut inner = Vec::new();
            match flatten(self.logic, leaf.node(), &mut inner) {
                true => direct(&inner),
                false => MANY,
            }
        }))
    }
}

/// Collects the conjuncts of a node; false if there are too many.
fn flatten(logic: &GameLogic, node: usize, leaves: &mut Vec<Lit>) -> bool {
    let mut open = vec![Lit::new(node, false)];
    while let Some(lit) = open.pop() {
        match logic.net.gate(lit.node()) {
            Gate::And(a, b) if !lit.is_negated() => open.extend([a, b]),
            _ => leaves.push(lit),
        }
        if open.len() + leaves.len() > WIDE {
            return false;
        }
    }
    true
}
