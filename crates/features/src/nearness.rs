//! Which variables matter together: those that change together, and those that rules read
//! together.

use crate::observed::Observed;
use crate::variables::Variable;
use netlist::{GameLogic, Gate, Lit};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Variables that change more often, in parts of all transitions, are near nothing: they count
/// plies, or are the only thing that moves.
pub const BUSY: f32 = 0.3;
/// Variables that change in one transition, or that one conjunction reads, at most; more say
/// little about each pair.
const TOGETHER: usize = 8;
/// Gates of a conjunction, at most.
const GATES: usize = 64;
/// What a common conjunction counts beside common changes.
const READS: f32 = 0.5;
/// Added to the number of changes, so that few of them do not make variables near.
const FEW: f32 = 3.0;

/// How near variables are to each other, and the conjunctions that read several.
pub struct Nearness {
    /// For each variable the others with their nearness, the nearest first.
    pub of: Vec<Vec<(u32, f32)>>,
    /// The variables of each conjunction of the rules, ascending.
    pub conjunctions: Vec<Vec<u32>>,
}

/// Whether a variable can be near others.
pub fn is_local(variable: &Variable) -> bool {
    variable.rate < BUSY && variable.size() > 1
}

impl Nearness {
    /// Measures nearness in random play and in the rules.
    pub fn new(logic: &GameLogic, variables: &[Variable], observed: &Observed) -> Nearness {
        let mut near = changes(variables, observed);
        let conjunctions = conjunctions(logic, variables);
        let mut reads: BTreeMap<(u32, u32), f32> = BTreeMap::new();
        for set in &conjunctions {
            let weight = 1.0 / (set.len() - 1) as f32;
            for pair in pairs(set) {
                let most = reads.entry(pair).or_default();
                *most = most.max(weight);
            }
        }
        for (pair, weight) in reads {
            *near.entry(pair).or_default() += READS * weight;
        }
        let mut of = vec![Vec::new(); variables.len()];
        for ((a, b), weight) in near {
            of[a as usize].push((b, weight));
            of[b as usize].push((a, weight));
        }
        for near in &mut of {
            near.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        }
        Nearness { of, conjunctions }
    }
}

fn pairs(set: &[u32]) -> impl Iterator<Item = (u32, u32)> + '_ {
    let ahead = set.iter().enumerate();
    ahead.flat_map(|(at, &a)| set[at + 1..].iter().map(move |&b| (a.min(b), a.max(b))))
}

/// How often variables change in the same transition, beside how often they change.
fn changes(variables: &[Variable], observed: &Observed) -> BTreeMap<(u32, u32), f32> {
    let mut near: FxHashMap<(u32, u32), f32> = FxHashMap::default();
    let local: Vec<u32> = (0..variables.len() as u32)
        .filter(|&number| is_local(&variables[number as usize]))
        .collect();
    let mut changed = vec![0u32; variables.len()];
    let mut sets: Vec<Vec<u32>> = vec![Vec::new(); 64];
    for (before, after, going) in observed.transitions() {
        sets.iter_mut().for_each(Vec::clear);
        for &number in &local {
            let facts = variables[number as usize].facts.iter().flatten();
            let mut games = going
                & facts.fold(0, |games, &fact| {
                    games | before.facts[fact as usize] ^ after.facts[fact as usize]
                });
            changed[number as usize] += games.count_ones();
            while games != 0 {
                sets[games.trailing_zeros() as usize].push(number);
                games &= games - 1;
            }
        }
        for set in &sets {
            if (2..=TOGETHER).contains(&set.len()) {
                let weight = 1.0 / (set.len() - 1) as f32;
                for pair in pairs(set) {
                    *near.entry(pair).or_default() += weight;
                }
            }
        }
    }
    let near = near.into_iter().map(|((a, b), weight)| {
        let product = changed[a as usize] as f32 * changed[b as usize] as f32;
        ((a, b), weight / (product.sqrt() + FEW))
    });
    near.collect()
}

/// The variables that conjunctions of the rules read, from each gate that is more than a part of
/// another conjunction.
fn conjunctions(logic: &GameLogic, variables: &[Variable]) -> Vec<Vec<u32>> {
    let net = &logic.net;
    let mut root = vec![false; net.len()];
    for gate in net.gates() {
        let part = matches!(gate, Gate::And(..));
        for read in gate.reads() {
            root[read.node()] |= read.is_negated() || !part;
        }
    }
    let outputs = logic.roots();
    outputs.for_each(|output: Lit| root[output.node()] = true);
    let mut of_node: FxHashMap<usize, u32> = FxHashMap::default();
    for (number, variable) in variables.iter().enumerate() {
        for &fact in variable.facts.iter().flatten() {
            of_node.insert(logic.facts[fact as usize].node(), number as u32);
        }
    }
    let mut found: BTreeSet<Vec<u32>> = BTreeSet::new();
    for node in (0..net.len()).filter(|&node| root[node]) {
        let (mut open, mut set, mut gates) = (vec![node], Vec::new(), 0);
        while let Some(node) = open.pop() {
            gates += 1;
            let Gate::And(a, b) = net.gate(node) else {
                continue;
            };
            for read in [a, b] {
                match of_node.get(&read.node()) {
                    Some(&number) if !set.contains(&number) => set.push(number),
                    Some(_) => {}
                    None if !read.is_negated() => open.push(read.node()),
                    None => {}
                }
            }
            if gates > GATES {
                break;
            }
        }
        set.retain(|&number| is_local(&variables[number as usize]));
        if gates <= GATES && (2..=TOGETHER).contains(&set.len()) {
            set.sort_unstable();
            found.insert(set);
        }
    }
    found.into_iter().collect()
}
