//! Flattens the graph to arrays.

use super::cones::{Cones, Signal};
use super::flat::{Link, Lists, Lowered, Place, phase};
use super::layout::Layout;
use crate::error::{AtStage, Meter};
use crate::schedule::Step;
use crate::{BuildError, Network, Node, Schedule};
use budget::{Budget, Exhausted};
use petgraph::graph::NodeIndex;
use std::ops::Range;

const STAGE: &str = "lowering";

impl Lowered {
    /// Flattens a network in time linear in its size.
    pub(super) fn new(network: &Network, budget: &Budget) -> Result<Self, BuildError> {
        let (nodes, edges) = (network.graph.node_count(), network.graph.edge_count());
        budget
            .check_memory(Network::estimated_bytes(nodes, edges))
            .at(STAGE)?;
        if nodes.saturating_add(edges) >= Link::MAX_GATES {
            return Err(BuildError::Malformed("more gates than can be numbered"));
        }
        let schedule = Schedule::new(network, budget)?;
        let layout = Layout::new(network);
        let mut cones = Cones::new(network, &schedule, budget).at(STAGE)?;
        cones.refuse_move_dependence(network)?;
        cones.find_needs(network, &schedule, budget).at(STAGE)?;
        let mut plan = Plan::new(layout);
        plan.number_gates(network, &schedule, &cones, budget)
            .at(STAGE)?;
        plan.wire(network, &schedule, &cones, budget).at(STAGE)
    }
}

/// The arrays under construction.
struct Plan {
    layout: Layout,
    /// The number of each gate, by node.
    gates: Vec<u32>,
    places: Vec<Place>,
    /// The number of gates, or later the first gate, for outputs that directly copy a fact or a
    /// move, by phase.
    buffers: [u32; phase::COUNT],
    levels: Vec<u32>,
    phases: [Range<usize>; phase::COUNT],
}

/// The phase of the gate that copies a fact or a move to an output.
fn buffer_phase(output: Node, source: Node) -> usize {
    match (output, source) {
        (Node::Goal { .. }, _) => phase::GOAL,
        (Node::Transition { .. }, Node::Does { .. }) => phase::MOVES,
        (Node::Transition { .. }, _) => phase::NEXT,
        _ => phase::LEGAL,
    }
}

impl Plan {
    fn new(layout: Layout) -> Self {
        Plan {
            layout,
            gates: Vec::new(),
            places: Vec::new(),
            buffers: [0; phase::COUNT],
            levels: Vec::new(),
            phases: std::array::from_fn(|_| 0..0),
        }
    }

    /// Assigns a level and a number to every gate.
    fn number_gates(
        &mut self,
        network: &Network,
        schedule: &Schedule,
        cones: &Cones,
        budget: &Budget,
    ) -> Result<(), Exhausted> {
        let mut meter = Meter::new(budget);
        // The level within the phase, by node.
        let mut heights = vec![0u32; network.graph.node_count()];
        // The number of gates on each level, by phase and height.
        let mut sizes: [Vec<u32>; phase::COUNT] = std::array::from_fn(|_| vec![0]);
        for (output, signal) in cones.outputs(network) {
            let source = network.graph[signal.node];
            if matches!(source, Node::Base { .. } | Node::Does { .. }) {
                let phase = buffer_phase(output, source);
                sizes[phase][0] += 1;
                self.buffers[phase] += 1;
            }
        }
        for step in schedule.steps() {
            meter.step()?;
            let members = match &step {
                Step::Node(node) => std::slice::from_ref(node),
                Step::Cycle(members) => members,
            };
            if !cones.is_gate(network, members[0]) {
                continue;
            }
            let phase = cones.phase(members[0]);
            let height = members
                .iter()
                .flat_map(|&member| cones.inputs(network, member))
                .filter(|input| members.binary_search(&input.node).is_err())
                .filter(|input| {
                    cones.is_gate(network, input.node) && cones.phase(input.node) == phase
                })
                .map(|input| heights[input.node.index()] + 1)
                .max()
                .unwrap_or(0);
            for member in members {
                heights[member.index()] = height;
            }
            if sizes[phase].len() <= height as usize {
                sizes[phase].push(0);
            }
            sizes[phase][height as usize] += members.len() as u32;
        }

        // The next free gate number on each level, by phase and height.
        let mut free = sizes;
        let mut gates = 0;
        for (phase, free) in free.iter_mut().enumerate() {
            let first = self.levels.len();
            for level in free.iter_mut() {
                self.levels.push(gates);
                gates += std::mem::replace(level, gates);
            }
            self.phases[phase] = first..self.levels.len();
            let buffers = std::mem::replace(&mut self.buffers[phase], free[0]);
            free[0] += buffers;
        }
        self.levels.push(gates);

        self.places = (0..gates)
            .map(|gate| Place {
                level: 0,
                first: gate,
                cycle: 0,
            })
            .collect();
        for (level, range) in self.levels.windows(2).enumerate() {
            for place in &mut self.places[range[0] as usize..range[1] as usize] {
                place.level = level as u32;
            }
        }
        self.gates = vec![u32::MAX; network.graph.node_count()];
        for step in schedule.steps() {
            meter.step()?;
            let (members, cycle) = match &step {
                Step::Node(node) => (std::slice::from_ref(node), 0),
                Step::Cycle(members) => (*members, members.len() as u32),
            };
            if !cones.is_gate(network, members[0]) {
                continue;
            }
            let free = &mut free[cones.phase(members[0])][heights[members[0].index()] as usize];
            let first = *free;
            for member in members {
                self.gates[member.index()] = *free;
                if cycle > 0 {
                    self.places[*free as usize].first = first;
                    self.places[*free as usize].cycle = cycle;
                }
                *free += 1;
            }
        }
        Ok(())
    }

    /// Connects the gates.
    fn wire(
        mut self,
        network: &Network,
        schedule: &Schedule,
        cones: &Cones,
        budget: &Budget,
    ) -> Result<Lowered, Exhausted> {
        let mut meter = Meter::new(budget);
        let gates = self.places.len();
        let mut counts = vec![0i32; gates];
        let mut links: Vec<(u32, u32)> = Vec::with_capacity(network.graph.edge_count());
        let mut outputs: Vec<(u32, u32)> = Vec::new();
        let mut bits = vec![0u64; self.layout.words()];
        let source_of = |layout: &Layout, signal: Signal, phase: usize, numbers: &[u32]| {
            (match network.graph[signal.node] {
                Node::Base { fact } => {
                    gates + layout.moves() + phase * layout.facts() + fact as usize
                }
                Node::Does { role, mv } => gates + layout.move_position(role.into(), mv),
                _ => numbers[signal.node.index()] as usize,
            }) as u32
        };

        for &node in schedule.order() {
            if !cones.is_gate(network, node) {
                continue;
            }
            meter.step()?;
            let gate = self.gates[node.index()];
            let place = self.places[gate as usize];
            let phase = cones.phase(node);
            let (mut inputs, mut already) = (0, 0);
            for input in cones.inputs(network, node) {
                inputs += 1;
                already += i32::from(input.inverted);
                if input.node == Network::constant(false) {
                    continue;
                }
                let source = source_of(&self.layout, input, phase, &self.gates);
                let own_cycle = place.first..place.first + place.cycle;
                let cyclic = place.cycle > 0 && !own_cycle.contains(&source);
                links.push((source, Link::new(gate, input.inverted, cyclic).0));
            }
            let needed = if network.graph[node] == Node::And {
                inputs
            } else {
                1
            };
            counts[gate as usize] = already - needed;
        }

        for (output, signal) in cones.outputs(network) {
            let bit = self.layout.output_bit(output);
            if signal.inverted {
                bits[bit / 64] |= 1 << (bit % 64);
            }
            let source = network.graph[signal.node];
            let gate = match source {
                Node::Constant(_) => continue,
                Node::Base { .. } | Node::Does { .. } => {
                    let phase = buffer_phase(output, source);
                    let gate = self.buffers[phase];
                    self.buffers[phase] += 1;
                    let from = source_of(&self.layout, signal, phase, &self.gates);
                    links.push((from, Link::new(gate, false, false).0));
                    counts[gate as usize] = -1;
                    gate
                }
                _ => self.gates[signal.node.index()],
            };
            outputs.push((gate, bit as u32));
        }

        let sources = gates + self.layout.moves() + phase::COUNT * self.layout.facts();
        Ok(Lowered {
            links: Lists::new(sources, &links),
            outputs: Lists::new(gates, &outputs),
            counts,
            bits,
            largest_cycle: schedule.cycles().map(<[NodeIndex]>::len).max().unwrap_or(0),
            places: self.places,
            levels: self.levels,
            phases: self.phases,
            layout: self.layout,
        })
    }
}
