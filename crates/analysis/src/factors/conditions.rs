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

/// A gate that may join what several parts say, with all that is directly joined by it.
struct Head {
    node: u32,
    leaves: Vec<Lit>,
    /// Whether it is the or-gate of a goal or of the end.
    disjuncts: bool,
}

/// A gate that joins what several parts say.
struct Joint {
    /// The signals that depend on one part alone, by part.
    single: Vec<(u32, Lit)>,
    /// The signals that depend on several parts.
    mixed: Vec<Lit>,
    /// Whether it is the or-gate of a goal or of the end.
    disjuncts: bool,
}

impl Joint {
    /// For each part, the signals that depend on it alone.
    fn groups(&self) -> impl Iterator<Item = (u32, impl Iterator<Item = Lit> + Clone + '_)> {
        let groups = self.single.chunk_by(|a, b| a.0 == b.0);
        groups.map(|group| (group[0].0, group.iter().map(|&(_, lit)| lit)))
    }
}

/// Marks that are all taken away at once.
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

    /// Marks; whether it was not marked.
    fn insert(&mut self, at: usize) -> bool {
        std::mem::replace(&mut self.marks[at], self.stamp) != self.stamp
    }
}

/// The conditions of a game.
pub(super) struct Conditions<'g> {
    game: &'g Relieved,
    /// The nodes that goals and the end depend on, ascending.
    pub nodes: Vec<u32>,
    roots: Vec<Lit>,
    /// For each snapshot, the values of the nodes.
    values: Vec<Vec<u64>>,
    /// The gates that joined parts when that was first asked. Parts only grow, so that later there
    /// are no others.
    joining: Option<Vec<Head>>,
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
            joining: None,
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

    /// The gates that join parts now, with what they join.
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

    /// Adds up the weights of the parts that a signal depends on, and tells which these are; `None`
    /// if that is more than `most`.
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
                // Parts are named by nodes of theirs, which do not depend on several parts.
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

    /// The parts of which conditions see more than a summary: what they see tells the states of the
    /// part apart, or is nearly as much as its facts.
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

    /// Joins the parts that conditions couple; whether there were any.
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

    /// Those of the sets of parts that conditions couple that are of least weight.
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

/// What a gate joins now.
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
