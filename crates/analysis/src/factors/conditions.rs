//! Couples parts that a goal or terminality requires together.
//!
//! Whatever the partition, goals and terminality are functions of what holds in the parts. The
//! question is only whether the partition is useful. A line of four requires four squares, each
//! of which is a part of its own as far as moves are concerned. Searching such parts one by one
//! says nothing about the whole game. Two boards that must both be full, or one of which must
//! have a line, are useful parts.
//!
//! So the analysis examines gates that join parts, the smallest first. A gate couples its parts
//! in two cases:
//!
//! - It is a condition on a few parts among many: all that it joins is at most a third of the
//!   facts that matter, or all that a disjunct of a goal or of terminality requires is at most
//!   half of them.
//! - Conditions distinguish nearly all states of most of these parts, so that the parts have no
//!   hidden state: a square that is empty, white or black.

use super::parts::Parts;
use super::relieved::Relieved;
use super::samples::{Snapshot, evaluate};
use budget::{Budget, Exhausted};
use netlist::{Gate, Lit};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// A condition couples its parts if their facts are at most 1/`FEW` of the facts that matter.
const FEW: usize = 3;
/// A part is exposed if conditions read more signals than 1/`WIDE` of its number of facts, and
/// more than `LEAST_WIDE`.
const WIDE: usize = 4;
const LEAST_WIDE: usize = 6;

/// The parts that a node depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Of {
    /// None: only on facts that no move changes.
    Nothing,
    /// One part.
    Part(u32),
    /// Several parts.
    Several,
}

/// A gate that may join signals of several parts, with all signals that it joins directly.
struct Head {
    node: u32,
    leaves: Vec<Lit>,
    /// Whether it is the or-gate of a goal or of terminality.
    disjuncts: bool,
}

/// A gate that joins signals of several parts.
struct Joint {
    /// The signals that depend on one part alone, by part.
    single: Vec<(u32, Lit)>,
    /// The signals that depend on several parts.
    mixed: Vec<Lit>,
    /// Whether it is the or-gate of a goal or of terminality.
    disjuncts: bool,
}

impl Joint {
    /// For each part, the signals that depend on it alone.
    fn groups(&self) -> impl Iterator<Item = (u32, impl Iterator<Item = Lit> + Clone + '_)> {
        let groups = self.single.chunk_by(|a, b| a.0 == b.0);
        groups.map(|group| (group[0].0, group.iter().map(|&(_, lit)| lit)))
    }
}

/// Marks that can be cleared all at once.
struct Marks {
    marks: Vec<u32>,
    stamp: u32,
}

impl Marks {
    fn new(len: usize) -> Self {
        Marks {
            marks: vec![0; len],
            stamp: 0,
        }
    }

    fn clear(&mut self) {
        self.stamp += 1;
    }

    /// Sets a mark. Returns whether it was not set before.
    fn insert(&mut self, at: usize) -> bool {
        std::mem::replace(&mut self.marks[at], self.stamp) != self.stamp
    }
}

/// The conditions of a game: terminality and goals.
pub(super) struct Conditions<'g> {
    game: &'g Relieved,
    /// The nodes that goals and terminality depend on, ascending.
    pub nodes: Vec<u32>,
    roots: Vec<Lit>,
    /// For each snapshot, the values of the nodes.
    values: Vec<Vec<u64>>,
    /// The gates that joined parts at the first call. Parts only grow, so there are no others
    /// later.
    joining: Option<Vec<Head>>,
}

impl<'g> Conditions<'g> {
    /// The conditions of this game, with their values in sampled states.
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
            joining: None,
        })
    }

    /// The parts that conditions read.
    pub fn relevant(&self, parts: &mut Parts) -> FxHashSet<u32> {
        let inputs = self.nodes.iter().map(|&node| node as usize);
        let inputs = inputs.filter(|&node| {
            self.game.live[node] && matches!(self.game.logic.net.gate(node), Gate::Input(_))
        });
        inputs.map(|node| parts.of(node)).collect()
    }

    /// For each node, the parts that it depends on.
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

    /// The gates that join parts, except those that are only conjuncts of others; ascending.
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

    /// The gates that join parts now, with the signals that they join.
    fn joining(&self, labels: &[Of], budget: &Budget) -> Result<Vec<Head>, Exhausted> {
        let net = &self.game.logic.net;
        let heads = self.heads(labels).into_iter().map(|node| {
            budget.check()?;
            Ok(Head {
                node: node as u32,
                leaves: match net.gate(node) {
                    Gate::And(..) => {
                        super::relieved::conjuncts(&self.game.logic, Lit::new(node, false))
                    }
                    gate => gate.reads().collect(),
                },
                disjuncts: self.roots.contains(&Lit::new(node, true)),
            })
        });
        heads.collect()
    }

    /// The parts that a signal depends on, with the sum of their weights; `None` if the sum
    /// exceeds `most`.
    fn asked(
        &self,
        labels: &[Of],
        signal: Lit,
        weights: &[usize],
        most: usize,
        marks: &mut Marks,
    ) -> Option<(usize, Vec<u32>)> {
        let net = &self.game.logic.net;
        let (mut all, mut weight, mut stack) = (Vec::new(), 0, vec![signal.node()]);
        marks.clear();
        while let Some(node) = stack.pop() {
            match labels[node] {
                // Parts are named by one of their nodes, which does not depend on several parts.
                Of::Part(part) => {
                    if marks.insert(part as usize) {
                        all.push(part);
                        weight += weights[part as usize];
                        if weight > most {
                            return None;
                        }
                    }
                }
                Of::Several if marks.insert(node) => {
                    stack.extend(net.gate(node).reads().map(Lit::node));
                }
                Of::Several | Of::Nothing => {}
            }
        }
        Some((weight, all))
    }

    /// The exposed parts: conditions distinguish all their sampled states, or read nearly as
    /// many signals as the part has facts.
    fn exposed(&self, parts: &mut Parts, joints: &[Joint]) -> FxHashSet<u32> {
        let logic = &self.game.logic;
        let mut seen: BTreeMap<u32, Vec<Vec<Lit>>> = BTreeMap::new();
        for (part, lits) in joints.iter().flat_map(Joint::groups) {
            seen.entry(part).or_default().push(lits.collect());
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
                let all = |lits: &Vec<Lit>| {
                    let words = lits.iter().map(|&lit| netlist::word(values, lit));
                    words.fold(u64::MAX, |a, b| a & b)
                };
                words.extend(seen.iter().map(all));
            });
            outputs >= states || seen.len() > LEAST_WIDE.max(facts[part].len() / WIDE)
        });
        exposed.map(|(part, _)| part).collect()
    }

    /// Joins the parts that conditions couple. Returns whether there were any.
    pub fn join(&mut self, parts: &mut Parts, budget: &Budget) -> Result<bool, Exhausted> {
        let mut joined = false;
        let mut marks = Marks::new(self.game.logic.net.len());
        loop {
            budget.check()?;
            let labels = self.labels(parts);
            let heads = match self.joining.take() {
                Some(heads) => heads,
                None => self.joining(&labels, budget)?,
            };
            let coupled = self.coupled(parts, &labels, &heads, &mut marks, budget)?;
            self.joining = Some(heads);
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

    /// The sets of parts that conditions couple, restricted to those of least weight.
    fn coupled(
        &self,
        parts: &mut Parts,
        labels: &[Of],
        heads: &[Head],
        marks: &mut Marks,
        budget: &Budget,
    ) -> Result<Vec<Vec<u32>>, Exhausted> {
        let joints: Vec<Joint> = heads
            .iter()
            .filter(|head| labels[head.node as usize] == Of::Several)
            .map(|head| joint(head, labels))
            .collect();
        if joints.is_empty() {
            return Ok(Vec::new());
        }
        let relevant = self.relevant(parts);
        let mut weights = vec![0; labels.len()];
        for fact in self.game.facts() {
            let part = parts.of(self.game.logic.facts[fact].node());
            weights[part as usize] += usize::from(relevant.contains(&part));
        }
        let total: usize = weights.iter().sum();
        let exposed = self.exposed(parts, &joints);
        budget.check()?;
        let mut least = usize::MAX;
        let mut coupled: Vec<Vec<u32>> = Vec::new();
        let mut couple = |weight: usize, together: Vec<u32>, least: &mut usize| {
            if weight < *least {
                coupled.clear();
                *least = weight;
            }
            coupled.push(together);
        };
        let disjuncts = joints.iter().filter(|joint| joint.disjuncts);
        for &disjunct in disjuncts.flat_map(|joint| &joint.mixed) {
            budget.check()?;
            let most = least.min(total / 2);
            if let Some((weight, all)) = self.asked(labels, disjunct, &weights, most, marks) {
                couple(weight, all, &mut least);
            }
        }
        for joint in &joints {
            let all: Vec<u32> = joint.groups().map(|(part, _)| part).collect();
            let weight = all.iter().map(|&part| weights[part as usize]).sum();
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
            if together.len() >= 2 && weight <= least {
                couple(weight, together, &mut least);
            }
        }
        Ok(coupled)
    }
}

/// The signals that a gate joins, by the present parts.
fn joint(head: &Head, labels: &[Of]) -> Joint {
    let mut joint = Joint {
        single: Vec::new(),
        mixed: Vec::new(),
        disjuncts: head.disjuncts,
    };
    for &leaf in &head.leaves {
        match labels[leaf.node()] {
            Of::Nothing => {}
            Of::Part(part) => joint.single.push((part, leaf)),
            Of::Several => joint.mixed.push(leaf),
        }
    }
    joint.single.sort_unstable();
    joint
}
