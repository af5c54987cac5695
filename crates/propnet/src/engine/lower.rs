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
        let known = Known {
            network,
            schedule: &schedule,
            cones: &cones,
        };
        let mut plan = Plan::new(layout);
        plan.number_gates(known, budget).at(STAGE)?;
        let mut wiring = Wiring::new(known, plan);
        wiring.wire_gates(budget).at(STAGE)?;
        wiring.wire_outputs();
        Ok(wiring.finish())
    }
}

/// A network, and what is known of it.
#[derive(Clone, Copy)]
struct Known<'n> {
    network: &'n Network,
    schedule: &'n Schedule,
    cones: &'n Cones,
}

impl Known<'_> {
    #[inline]
    fn is_gate(&self, node: NodeIndex) -> bool {
        self.cones.is_gate(self.network, node)
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
    fn number_gates(&mut self, known: Known<'_>, budget: &Budget) -> Result<(), Exhausted> {
        let mut meter = Meter::new(budget);
        self.count_buffers(known);
        let heights = Heights::find(known, &self.buffers, &mut meter)?;
        let free = self.lay_out_levels(heights.sizes);
        self.place_on_levels();
        self.assign_numbers(known, &heights.of_nodes, free, &mut meter)
    }

    fn count_buffers(&mut self, known: Known<'_>) {
        for (output, signal) in known.cones.outputs(known.network) {
            let source = known.network.graph[signal.node];
            if matches!(source, Node::Base { .. } | Node::Does { .. }) {
                self.buffers[buffer_phase(output, source)] += 1;
            }
        }
    }

    /// Gives numbers to the levels, given the number of gates on each. Returns the first free
    /// gate number on each level. The numbers of the buffers are taken already.
    fn lay_out_levels(&mut self, sizes: Sizes) -> Sizes {
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
        free
    }

    /// The places of all gates as if none were on a cycle.
    fn place_on_levels(&mut self) {
        let gates = self.levels.last().copied().unwrap_or(0);
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
    }

    /// Gives numbers to the gates, those of a cycle one after the other. `free` is the next free
    /// gate number on each level.
    fn assign_numbers(
        &mut self,
        known: Known<'_>,
        heights: &[u32],
        mut free: Sizes,
        meter: &mut Meter<'_>,
    ) -> Result<(), Exhausted> {
        self.gates = vec![u32::MAX; known.network.graph.node_count()];
        for step in known.schedule.steps() {
            meter.step()?;
            let (members, cycle) = match &step {
                Step::Node(node) => (std::slice::from_ref(node), 0),
                Step::Cycle(members) => (*members, members.len() as u32),
            };
            if !known.is_gate(members[0]) {
                continue;
            }
            let phase = known.cones.phase(members[0]);
            let free = &mut free[phase][heights[members[0].index()] as usize];
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
}

/// A number for each level, by phase and height.
type Sizes = [Vec<u32>; phase::COUNT];

/// The levels of the gates within their phases.
struct Heights {
    /// The height of each gate, by node.
    of_nodes: Vec<u32>,
    /// The number of gates on each level.
    sizes: Sizes,
}

impl Heights {
    /// The buffers of each phase are on its first level.
    fn find(
        known: Known<'_>,
        buffers: &[u32; phase::COUNT],
        meter: &mut Meter<'_>,
    ) -> Result<Heights, Exhausted> {
        let mut heights = Heights {
            of_nodes: vec![0u32; known.network.graph.node_count()],
            sizes: std::array::from_fn(|phase| vec![buffers[phase]]),
        };
        for step in known.schedule.steps() {
            meter.step()?;
            let members = match &step {
                Step::Node(node) => std::slice::from_ref(node),
                Step::Cycle(members) => members,
            };
            if known.is_gate(members[0]) {
                heights.add(known, members);
            }
        }
        Ok(heights)
    }

    /// Adds a gate, or those of a cycle, which share a level.
    #[inline]
    fn add(&mut self, known: Known<'_>, members: &[NodeIndex]) {
        let Known { network, cones, .. } = known;
        let phase = cones.phase(members[0]);
        let height = members
            .iter()
            .flat_map(|&member| cones.inputs(network, member))
            .filter(|input| members.binary_search(&input.node).is_err())
            .filter(|input| known.is_gate(input.node) && cones.phase(input.node) == phase)
            .map(|input| self.of_nodes[input.node.index()] + 1)
            .max()
            .unwrap_or(0);
        for member in members {
            self.of_nodes[member.index()] = height;
        }
        let sizes = &mut self.sizes[phase];
        if sizes.len() <= height as usize {
            sizes.push(0);
        }
        sizes[height as usize] += members.len() as u32;
    }
}

/// Connects the gates.
struct Wiring<'n> {
    known: Known<'n>,
    plan: Plan,
    /// The counters of the gates if everything is false.
    counts: Vec<i32>,
    /// Pairs of a source and a [`Link`].
    links: Vec<(u32, u32)>,
    /// Pairs of a gate and an output bit.
    outputs: Vec<(u32, u32)>,
    /// The output bits if everything is false.
    bits: Vec<u64>,
}

impl<'n> Wiring<'n> {
    fn new(known: Known<'n>, plan: Plan) -> Wiring<'n> {
        Wiring {
            known,
            counts: vec![0; plan.places.len()],
            links: Vec::with_capacity(known.network.graph.edge_count()),
            outputs: Vec::new(),
            bits: vec![0; plan.layout.words()],
            plan,
        }
    }

    fn wire_gates(&mut self, budget: &Budget) -> Result<(), Exhausted> {
        let mut meter = Meter::new(budget);
        for &node in self.known.schedule.order() {
            if !self.known.is_gate(node) {
                continue;
            }
            meter.step()?;
            self.wire_gate(node);
        }
        Ok(())
    }

    /// Links the inputs of a gate to it.
    #[inline]
    fn wire_gate(&mut self, node: NodeIndex) {
        let Known { network, cones, .. } = self.known;
        let gate = self.plan.gates[node.index()];
        let place = self.plan.places[gate as usize];
        let phase = cones.phase(node);
        let (mut inputs, mut already) = (0, 0);
        for input in cones.inputs(network, node) {
            inputs += 1;
            already += i32::from(input.inverted);
            if input.node == Network::constant(false) {
                continue;
            }
            let source = self.source(input, phase);
            let own_cycle = place.first..place.first + place.cycle;
            let cyclic = place.cycle > 0 && !own_cycle.contains(&source);
            let link = Link::new(gate, input.inverted, cyclic);
            self.links.push((source, link.0));
        }
        let needed = match network.graph[node] {
            Node::And => inputs,
            _ => 1,
        };
        self.counts[gate as usize] = already - needed;
    }

    /// Links gates to the output bits that they set.
    fn wire_outputs(&mut self) {
        let Known { network, cones, .. } = self.known;
        for (output, signal) in cones.outputs(network) {
            let bit = self.plan.layout.output_bit(output);
            if signal.inverted {
                self.bits[bit / 64] |= 1 << (bit % 64);
            }
            let source = network.graph[signal.node];
            let gate = match source {
                Node::Constant(_) => continue,
                Node::Base { .. } | Node::Does { .. } => {
                    self.wire_buffer(signal, buffer_phase(output, source))
                }
                _ => self.plan.gates[signal.node.index()],
            };
            self.outputs.push((gate, bit as u32));
        }
    }

    /// Links a fact or a move to a gate that only copies it. Returns the gate.
    fn wire_buffer(&mut self, signal: Signal, phase: usize) -> u32 {
        let gate = self.plan.buffers[phase];
        self.plan.buffers[phase] += 1;
        let source = self.source(signal, phase);
        self.links.push((source, Link::new(gate, false, false).0));
        self.counts[gate as usize] = -1;
        gate
    }

    /// The source number of a signal for the links into a phase.
    #[inline]
    fn source(&self, signal: Signal, phase: usize) -> u32 {
        let (layout, gates) = (&self.plan.layout, self.plan.places.len());
        let source = match self.known.network.graph[signal.node] {
            Node::Base { fact } => gates + layout.moves() + phase * layout.facts() + fact as usize,
            Node::Does { role, mv } => gates + layout.move_position(role.into(), mv),
            _ => self.plan.gates[signal.node.index()] as usize,
        };
        source as u32
    }

    fn finish(self) -> Lowered {
        let plan = self.plan;
        let gates = plan.places.len();
        let sources = gates + plan.layout.moves() + phase::COUNT * plan.layout.facts();
        let cycles = self.known.schedule.cycles();
        Lowered {
            links: Lists::new(sources, &self.links),
            outputs: Lists::new(gates, &self.outputs),
            counts: self.counts,
            bits: self.bits,
            largest_cycle: cycles.map(<[NodeIndex]>::len).max().unwrap_or(0),
            places: plan.places,
            levels: plan.levels,
            phases: plan.phases,
            layout: plan.layout,
        }
    }
}
