//! Facts that stay together because a condition asks for them together.
//!
//! Whatever the partition, goals and the end are functions of what holds in the parts: the question
//! is only whether it is worth while. A line of four asks for four squares, each of which is a part
//! as far as the rules of play are concerned; a whole made of such parts is not understood by
//! looking at each. Two boards that must both be full, or one of which must have a line, are.
//!
//! So gates that join parts are looked at, the smallest first, and couple their parts
//!
//! - if what they join is together at most a third of what matters, or all that a disjunct of a goal
//!   or of the end asks for is at most half: a condition on a few parts among many is a thing of its
//!   own;
//! - if conditions see everything that goes on in most of these parts, so that they have no inner
//!   life: a square that is empty, white or black.

use super::parts::Parts;
use super::relieved::Relieved;
use super::samples::{Snapshot, evaluate};
use budget::{Budget, Exhausted};
use netlist::{Gate, Lit};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// What a condition joins is a thing of its own if it is not more than this part of what
/// matters.
const FEW: usize = 3;
/// Conditions see more of a part than a summary if they ask for more signals than this part of its
/// facts, and for more than some.
const WIDE: usize = 4;
const LEAST_WIDE: usize = 6;

/// What a node depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Of {
    /// Nothing that moves change.
    Nothing,
    /// One part.
    Part(u32),
    /// Several.
    Several,
}

/// A gate that joins what several parts say, with all that is directly joined by it.
struct Joint {
    /// For each part, the signals that depend on it alone.
    groups: FxHashMap<u32, Vec<Lit>>,
    /// The signals that depend on several parts.
    mixed: Vec<Lit>,
    /// Whether it is the or-gate of a goal or of the end.
    disjuncts: bool,
}

/// The conditions of a game.
pub(super) struct Conditions<'g> {
    game: &'g Relieved,
    /// The nodes that goals and the end depend on, ascending.
    pub nodes: Vec<u32>,
    roots: Vec<Lit>,
    /// For each snapshot, the values of the nodes.
    values: Vec<Vec<u64>>,
}

impl<'g> Conditions<'g> {
    /// Those of this game, seen in some states.
    pub fn new(
        game: &'g Relieved,
        reached: &[Snapshot],
        budget: &Budget,
    ) -> Result<Self, Exhausted> {
        let logic = &game.logic;
        let roots: Vec<Lit> = logic.goal_roots().chain([logic.terminal]).collect();
        let (cone, _) = logic.reach(roots.iter().copied());
        let values = reached.iter().map(|inputs| {
            budget.check()?;
            Ok(evaluate(&logic.net, inputs, &cone))
        });
        Ok(Conditions {
            values: values.collect::<Result<_, _>>()?,
            nodes: (0..cone.len() as u32)
                .filter(|&node| cone[node as usize])
                .collect(),
            roots,
            game,
        })
    }

    /// The parts that conditions ask for.
    pub fn relevant(&self, parts: &mut Parts) -> FxHashSet<u32> {
        let inputs = self.nodes.iter().map(|&node| node as usize);
        let inputs = inputs.filter(|&node| {
            self.game.live[node] && matches!(self.game.logic.net.gate(node), Gate::Input(_))
        });
        inputs.map(|node| parts.of(node)).collect()
    }

    /// For each node, what it depends on.
    pub fn labels(&self, parts: &mut Parts) -> Vec<Of> {
        let net = &self.game.logic.net;
        let mut labels = vec![Of::Nothing; net.len()];
        for &node in &self.nodes {
            let node = node as usize;
            labels[node] = match net.gate(node) {
                Gate::Input(_) if self.game.live[node] => Of::Part(parts.of(node)),
                Gate::Input(_) | Gate::False => Of::Nothing,
                Gate::And(a, b) | Gate::Xor(a, b) => match (labels[a.node()], labels[b.node()]) {
                    (Of::Nothing, label) | (label, Of::Nothing) => label,
                    (Of::Part(a), Of::Part(b)) if a == b => Of::Part(a),
                    _ => Of::Several,
                },
            };
        }
        labels
    }

    /// The gates that join parts, but for those that are only conjuncts of others; ascending.
    pub fn heads(&self, labels: &[Of]) -> Vec<usize> {
        let net = &self.game.logic.net;
        let mut heads: FxHashSet<usize> = self.roots.iter().map(|root| root.node()).collect();
        for &node in &self.nodes {
            let gate = net.gate(node as usize);
            let is_and = matches!(gate, Gate::And(..));
            let heading = gate.reads().filter(|read| !is_and || read.is_negated());
            heads.extend(heading.map(Lit::node));
            heads.extend(matches!(gate, Gate::Xor(..)).then_some(node as usize));
        }
        let mut heads: Vec<usize> = heads.into_iter().collect();
        heads.retain(|&node| labels[node] == Of::Several);
        heads.sort_unstable();
        heads
    }

    /// The gates that join parts, with what they join.
    fn joints(&self, labels: &[Of]) -> Vec<Joint> {
        let net = &self.game.logic.net;
        let heads = self.heads(labels);
        let joint = |node: usize| {
            let mut joint = Joint {
                groups: FxHashMap::default(),
                mixed: Vec::new(),
                disjuncts: self.roots.contains(&Lit::new(node, true)),
            };
            let leaves = match net.gate(node) {
                Gate::And(..) => {
                    super::relieved::conjuncts(&self.game.logic, Lit::new(node, false))
                }
                gate => gate.reads().collect(),
            };
            for leaf in leaves {
                match labels[leaf.node()] {
                    Of::Nothing => {}
                    Of::Part(part) => joint.groups.entry(part).or_default().push(leaf),
                    Of::Several => joint.mixed.push(leaf),
                }
            }
            joint
        };
        heads.into_iter().map(joint).collect()
    }

    /// The parts that a signal depends on.
    fn asked(&self, labels: &[Of], signal: Lit) -> Vec<u32> {
        let (mut all, mut stack) = (FxHashSet::default(), vec![signal.node()]);
        let mut seen = FxHashSet::default();
        while let Some(node) = stack.pop() {
            match labels[node] {
                Of::Part(part) => {
                    all.insert(part);
                }
                Of::Several if seen.insert(node) => {
                    stack.extend(self.game.logic.net.gate(node).reads().map(Lit::node));
                }
                Of::Several | Of::Nothing => {}
            }
        }
        all.into_iter().collect()
    }

    /// The parts of which conditions see more than a summary: what they see tells the states of the
    /// part apart, or is nearly as much as its facts.
    fn exposed(&self, parts: &mut Parts, joints: &[Joint]) -> FxHashSet<u32> {
        let logic = &self.game.logic;
        let mut seen: BTreeMap<u32, Vec<&[Lit]>> = BTreeMap::new();
        for (&part, lits) in joints.iter().flat_map(|joint| &joint.groups) {
            seen.entry(part).or_default().push(lits);
        }
        for seen in seen.values_mut() {
            seen.sort_unstable();
            seen.dedup();
        }
        let mut facts: FxHashMap<u32, Vec<Lit>> = FxHashMap::default();
        for fact in self.game.facts() {
            let part = parts.of(logic.facts[fact].node());
            if seen.contains_key(&part) {
                facts.entry(part).or_default().push(logic.facts[fact]);
            }
        }
        let count = |signals: &mut dyn FnMut(&[u64], &mut Vec<u64>)| {
            let mut different = FxHashSet::default();
            let mut words = Vec::new();
            for values in &self.values {
                words.clear();
                signals(values, &mut words);
                let mut lanes = [0u64; 64];
                for &word in &words {
                    for (lane, hash) in lanes.iter_mut().enumerate() {
                        let bit = word >> lane & 1;
                        *hash = (hash.rotate_left(5) ^ bit).wrapping_mul(0x517c_c1b7_2722_0a95);
                    }
                }
                different.extend(lanes);
            }
            different.len()
        };
        let exposed = seen.into_iter().filter(|(part, seen)| {
            let states = count(&mut |values, words| {
                words.extend(facts[part].iter().map(|&fact| netlist::word(values, fact)));
            });
            let outputs = count(&mut |values, words| {
                let all = |lits: &&[Lit]| {
                    let words = lits.iter().map(|&lit| netlist::word(values, lit));
                    words.fold(u64::MAX, |a, b| a & b)
                };
                words.extend(seen.iter().map(all));
            });
            outputs >= states || seen.len() > LEAST_WIDE.max(facts[part].len() / WIDE)
        });
        exposed.map(|(part, _)| part).collect()
    }

    /// Joins the parts that conditions couple; whether there were any.
    pub fn join(&self, parts: &mut Parts, budget: &Budget) -> Result<bool, Exhausted> {
        let mut joined = false;
        loop {
            budget.check()?;
            let labels = self.labels(parts);
            let joints = self.joints(&labels);
            if joints.is_empty() {
                return Ok(joined);
            }
            let relevant = self.relevant(parts);
            let mut weights: FxHashMap<u32, usize> = FxHashMap::default();
            for fact in self.game.facts() {
                let part = parts.of(self.game.logic.facts[fact].node());
                *weights.entry(part).or_default() += usize::from(relevant.contains(&part));
            }
            let total: usize = weights.values().sum();
            let exposed = self.exposed(parts, &joints);
            let mut least = usize::MAX;
            let mut coupled: Vec<Vec<u32>> = Vec::new();
            let weigh = |part: &u32| weights.get(part).copied().unwrap_or(0);
            let disjuncts = joints.iter().filter(|joint| joint.disjuncts);
            for &disjunct in disjuncts.flat_map(|joint| &joint.mixed) {
                budget.check()?;
                let all = self.asked(&labels, disjunct);
                let weight: usize = all.iter().map(weigh).sum();
                if 2 * weight <= total && weight <= least {
                    if weight < least {
                        coupled.clear();
                        least = weight;
                    }
                    coupled.push(all);
                }
            }
            for joint in &joints {
                let all: Vec<u32> = joint.groups.keys().copied().collect();
                let weight = all.iter().map(weigh).sum();
                let few = joint.mixed.is_empty() && !joint.disjuncts && FEW * weight <= total;
                let open: Vec<u32> = all
                    .iter()
                    .copied()
                    .filter(|p| exposed.contains(p))
                    .collect();
                let together = if few || 2 * open.len() >= all.len() {
                    all
                } else {
                    open
                };
                if together.len() < 2 || weight > least {
                    continue;
                }
                if weight < least {
                    coupled.clear();
                    least = weight;
                }
                coupled.push(together);
            }
            if coupled.is_empty() {
                return Ok(joined);
            }
            for together in coupled {
                for pair in together.windows(2) {
                    parts.join(pair[0] as usize, pair[1] as usize);
                }
            }
            joined = true;
        }
    }
}
