//! The logic of a game as a coloured graph, whose automorphisms are the symmetries of the game.
//!
//! Or-gates become and-gates of complements, and-gates absorb and-gates that they read, and no
//! two gates have the same inputs. So equivalent rules in different forms often give the same
//! graph. Gates that depend on themselves stay as they are, because their meaning is a least
//! fixpoint.

use budget::{Budget, Exhausted};
use netlist::GameLogic;
use petgraph::Direction::Incoming;
use petgraph::graph::NodeIndex;
use propnet::{Network, Node, Schedule, Step};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

/// And-gates do not grow beyond this many inputs.
const WIDE: usize = 48;

/// The numbering of facts, moves and roles among the vertices: facts first, then the moves of
/// each role, then the roles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Places {
    pub facts: usize,
    /// The first vertex of the moves of each role, plus the end of the last.
    pub moves: Vec<usize>,
}

impl Places {
    pub fn of(logic: &GameLogic) -> Places {
        let facts = logic.facts.len();
        let mut moves = vec![facts];
        for row in &logic.does {
            moves.push(moves[moves.len() - 1] + row.len());
        }
        Places { facts, moves }
    }

    /// The first vertex of roles.
    pub fn roles(&self) -> usize {
        self.moves[self.moves.len() - 1]
    }

    /// The number of all these vertices.
    pub fn len(&self) -> usize {
        self.roles() + self.moves.len() - 1
    }

    /// The role of a vertex between facts and roles.
    pub fn role_of(&self, vertex: usize) -> usize {
        self.moves.partition_point(|&start| start <= vertex) - 1
    }
}

/// A directed graph with coloured vertices and two kinds of edges, each stored in both
/// directions.
#[derive(Default)]
pub(super) struct Graph {
    pub colours: Vec<u32>,
    /// A known partition of the vertices: no automorphism maps vertices with different numbers
    /// to each other. It refines the colours.
    pub told: Vec<u32>,
    /// Plain inputs, complemented inputs, and the same in reverse direction.
    pub edges: [Edges; 4],
    /// If a partition is known: vertices with edges that were not there when it was computed.
    pub fresh: Vec<u32>,
    /// The vertices' numbers among all gates.
    pub names: Vec<u32>,
}

/// Adjacency lists of vertices.
#[derive(Default)]
pub(super) struct Edges {
    starts: Vec<u32>,
    ends: Vec<u32>,
}

impl Edges {
    pub fn new(vertices: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) -> Edges {
        let mut starts = vec![0u32; vertices + 1];
        for (from, _) in pairs.clone() {
            starts[from as usize + 1] += 1;
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut at = starts.clone();
        let mut ends = vec![0; starts[vertices] as usize];
        for (from, to) in pairs {
            let slot = &mut at[from as usize];
            ends[*slot as usize] = to;
            *slot += 1;
        }
        Edges { starts, ends }
    }

    /// The ends of the edges of a vertex.
    pub fn of(&self, vertex: u32) -> &[u32] {
        let vertex = vertex as usize;
        &self.ends[self.starts[vertex] as usize..self.starts[vertex + 1] as usize]
    }
}

/// A part of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part<'t> {
    /// All rules.
    All,
    /// All rules, and the initial state.
    Initial,
    /// The rules without those of results.
    Dynamics,
    /// The rules without those of results and terminality. Facts that state the same about
    /// neighbouring places are tied together.
    Steps(&'t [(u32, u32)]),
}

/// Colours. Goals share a colour beyond these if they have the same value.
mod colour {
    pub const FACT: u32 = 0;
    pub const MOVE: u32 = 1;
    pub const ROLE: u32 = 2;
    pub const NEXT: u32 = 3;
    pub const LEGAL: u32 = 4;
    pub const TERMINAL: u32 = 5;
    pub const TRUE: u32 = 6;
    pub const AND: u32 = 7;
    pub const CYCLIC_AND: u32 = 8;
    pub const CYCLIC_OR: u32 = 9;
    /// A fact of the initial state, if that matters.
    pub const HELD: u32 = 10;
    pub const GOAL: u32 = 11;
}

/// Whether vertices of a colour have higher numbers than all that they read, and lower ones than
/// all vertices of such colours that read them.
pub(super) fn is_ordered(colour: u32) -> bool {
    matches!(colour, colour::NEXT..=colour::AND) || colour >= colour::GOAL
}

/// A vertex, or its complement.
type Signal = (u32, bool);

/// The gates of a game, from which the graphs of its parts are built.
pub(super) struct Gates<'n> {
    network: &'n Network,
    places: &'n Places,
    /// The colours of facts, moves and roles, then of gates in order, then of roots (legality,
    /// next state, goals, terminality).
    colours: Vec<u32>,
    /// The start of the inputs of each vertex beyond the places, plus the end of the last.
    starts: Vec<u32>,
    inputs: Vec<Signal>,
    /// The first vertex of the roots.
    roots: usize,
    /// Pairs that link roots with their facts, moves and roles.
    links: Vec<(u32, u32)>,
}

/// The gates under construction.
struct Maker<'n> {
    gates: Gates<'n>,
    /// And-gates by their inputs: by a hash of them, or the next free key.
    known: FxHashMap<u64, u32>,
    signals: Vec<Option<Signal>>,
    truth: u32,
}

impl<'n> Gates<'n> {
    /// Builds the gates of a network.
    pub fn new(
        network: &'n Network,
        places: &'n Places,
        budget: &Budget,
    ) -> Result<Gates<'n>, Exhausted> {
        let schedule = Schedule::new(network, budget).map_err(|_| Exhausted::Deadline)?;
        let (nodes, edges) = (network.graph().node_count(), network.graph().edge_count());
        budget.check_memory(
            nodes
                .saturating_mul(160)
                .saturating_add(edges.saturating_mul(80)),
        )?;
        let mut colours = vec![colour::FACT; places.facts];
        colours.resize(places.roles(), colour::MOVE);
        colours.resize(places.len(), colour::ROLE);
        let mut maker = Maker {
            gates: Gates {
                network,
                places,
                colours,
                starts: vec![0],
                inputs: Vec::new(),
                roots: 0,
                links: Vec::new(),
            },
            known: FxHashMap::default(),
            signals: vec![None; nodes],
            truth: 0,
        };
        maker.truth = maker.gates.vertex(colour::TRUE, &[]);
        for (done, step) in schedule.steps().enumerate() {
            if done % 512 == 0 {
                budget.check()?;
            }
            match step {
                Step::Node(node) => maker.node(node),
                Step::Cycle(nodes) => maker.cycle(nodes),
            }
        }
        Ok(maker.finish())
    }

    fn vertex(&mut self, colour: u32, inputs: &[Signal]) -> u32 {
        self.colours.push(colour);
        self.inputs.extend_from_slice(inputs);
        self.starts.push(self.inputs.len() as u32);
        (self.colours.len() - 1) as u32
    }

    /// The inputs of a vertex beyond the places.
    fn inputs(&self, vertex: usize) -> &[Signal] {
        let at = vertex - self.places.len();
        &self.inputs[self.starts[at] as usize..self.starts[at + 1] as usize]
    }
}

impl<'n> Maker<'n> {
    fn reads(&self, node: NodeIndex) -> impl Iterator<Item = Signal> + '_ {
        let reads = self
            .gates
            .network
            .graph()
            .neighbors_directed(node, Incoming);
        reads.map(|read| self.signal(read))
    }

    fn signal(&self, node: NodeIndex) -> Signal {
        self.signals[node.index()].unwrap_or((self.truth, true))
    }

    fn node(&mut self, node: NodeIndex) {
        let mut reads: Vec<Signal> = self.reads(node).collect();
        let signal = match self.gates.network.graph()[node] {
            Node::Constant(value) => (self.truth, !value),
            Node::Base { fact } => (fact, false),
            Node::Does { role, mv } => {
                let of_role = self.gates.places.moves[usize::from(role)];
                ((of_role + mv as usize) as u32, false)
            }
            Node::And => self.and(reads),
            Node::Or => {
                reads.iter_mut().for_each(|read| read.1 = !read.1);
                let (vertex, negated) = self.and(reads);
                (vertex, !negated)
            }
            Node::Not => match reads.first() {
                Some(&(vertex, negated)) => (vertex, !negated),
                None => (self.truth, false),
            },
            _ => reads.first().copied().unwrap_or((self.truth, true)),
        };
        self.signals[node.index()] = Some(signal);
    }

    fn and(&mut self, reads: Vec<Signal>) -> Signal {
        let mut all: Vec<Signal> = Vec::with_capacity(reads.len());
        for &(vertex, negated) in &reads {
            match self.gates.colours[vertex as usize] {
                colour::AND if !negated => all.extend(self.gates.inputs(vertex as usize)),
                _ => all.push((vertex, negated)),
            }
        }
        // Growth ends by size alone, which is the same for symmetric gates.
        let mut inputs = if all.len() > WIDE { reads } else { all };
        inputs.retain(|&input| input != (self.truth, false));
        inputs.sort_unstable();
        inputs.dedup();
        let never = inputs.contains(&(self.truth, true))
            || inputs.windows(2).any(|pair| pair[0].0 == pair[1].0);
        match inputs[..] {
            _ if never => (self.truth, true),
            [] => (self.truth, false),
            [one] => one,
            _ => (self.shared(&inputs), false),
        }
    }

    /// Returns the and-gate of these inputs, which may exist already.
    fn shared(&mut self, inputs: &[Signal]) -> u32 {
        let mut hasher = FxHasher::default();
        inputs.hash(&mut hasher);
        let mut key = hasher.finish();
        while let Some(&vertex) = self.known.get(&key) {
            if self.gates.inputs(vertex as usize) == inputs {
                return vertex;
            }
            key = key.wrapping_add(1);
        }
        let vertex = self.gates.vertex(colour::AND, inputs);
        self.known.insert(key, vertex);
        vertex
    }

    /// Adds gates that depend on each other: all of them exist before their inputs are known.
    fn cycle(&mut self, nodes: &[NodeIndex]) {
        let first = self.gates.colours.len() as u32;
        for (vertex, &node) in (first..).zip(nodes) {
            self.signals[node.index()] = Some((vertex, false));
        }
        for &node in nodes {
            let colour = match self.gates.network.graph()[node] {
                Node::And => colour::CYCLIC_AND,
                _ => colour::CYCLIC_OR,
            };
            let mut reads: Vec<Signal> = self.reads(node).collect();
            reads.sort_unstable();
            reads.dedup();
            self.gates.vertex(colour, &reads);
        }
    }

    /// Adds the roots.
    fn finish(mut self) -> Gates<'n> {
        let (network, places) = (self.gates.network, self.gates.places);
        self.gates.roots = self.gates.colours.len();
        let mut links: Vec<(u32, u32)> = Vec::new();
        let graph = network.graph();
        for node in graph.node_indices() {
            let (colour, from, to) = match graph[node] {
                Node::Transition { fact } => (colour::NEXT, None, Some(fact)),
                Node::Legal { role, mv } => {
                    let mv = places.moves[usize::from(role)] + mv as usize;
                    (colour::LEGAL, None, Some(mv as u32))
                }
                Node::Goal { role, value } => {
                    let role = places.roles() + usize::from(role);
                    (colour::GOAL + u32::from(value), Some(role as u32), None)
                }
                Node::Terminal => (colour::TERMINAL, None, None),
                _ => continue,
            };
            let signal = self.signal(node);
            let vertex = self.gates.vertex(colour, &[signal]);
            links.extend(from.map(|from| (from, vertex)));
            links.extend(to.map(|to| (vertex, to)));
        }
        for vertex in places.facts..places.roles() {
            let role = places.roles() + places.role_of(vertex);
            links.push((role as u32, vertex as u32));
        }
        self.gates.links = links;
        self.gates
    }
}

impl Gates<'_> {
    /// The graph of a part: its roots, and all gates that they depend on. A partition known from
    /// a smaller part is taken over.
    pub fn graph(
        &self,
        part: Part<'_>,
        told: Option<&Told>,
        budget: &Budget,
    ) -> Result<Graph, Exhausted> {
        budget.check()?;
        let kept = self.kept(part);
        budget.check()?;
        let mut graph = Graph::default();
        let mut number = vec![0u32; kept.len()];
        for vertex in (0..kept.len()).filter(|&vertex| kept[vertex]) {
            number[vertex] = graph.colours.len() as u32;
            graph.colours.push(self.colours[vertex]);
            graph.names.push(vertex as u32);
        }
        if part == Part::Initial {
            for &fact in &self.network.vocabulary().initial {
                graph.colours[fact as usize] = colour::HELD;
            }
        }
        let known = |vertex: usize| told.map_or(0, |told| told.0[vertex]);
        graph.told = graph.names.iter().map(|&v| known(v as usize)).collect();

        let mut wiring = Wiring {
            gates: self,
            kept: &kept,
            number: &number,
            told: &graph.told,
            pairs: Default::default(),
            is_fresh: vec![false; graph.colours.len()],
        };
        wiring.add_inputs();
        wiring.add_links();
        if let Part::Steps(ties) = part {
            wiring.add_ties(ties);
        }
        let Wiring {
            pairs, is_fresh, ..
        } = wiring;
        let all = 0..graph.colours.len() as u32;
        graph.fresh = all.filter(|&vertex| is_fresh[vertex as usize]).collect();
        budget.check()?;
        let count = graph.colours.len();
        let forth = |pairs: &Vec<(u32, u32)>| Edges::new(count, pairs.iter().copied());
        let back = |pairs: &Vec<(u32, u32)>| Edges::new(count, pairs.iter().map(|&(a, b)| (b, a)));
        graph.edges = [
            forth(&pairs[0]),
            forth(&pairs[1]),
            back(&pairs[0]),
            back(&pairs[1]),
        ];
        Ok(graph)
    }

    /// Which vertices are in the graph of a part: facts, moves and roles, the roots of the part,
    /// and all gates that these depend on.
    fn kept(&self, part: Part<'_>) -> Vec<bool> {
        let wanted = |vertex: usize| match self.colours[vertex] {
            colour::TERMINAL => !matches!(part, Part::Steps(_)),
            colour if colour >= colour::GOAL => matches!(part, Part::All | Part::Initial),
            _ => true,
        };
        let mut kept = vec![false; self.colours.len()];
        kept[..self.places.len()].fill(true);
        let mut open: Vec<usize> = (self.roots..kept.len()).filter(|&v| wanted(v)).collect();
        open.iter().for_each(|&root| kept[root] = true);
        while let Some(vertex) = open.pop() {
            for &(input, _) in self.inputs(vertex) {
                if !std::mem::replace(&mut kept[input as usize], true) {
                    open.push(input as usize);
                }
            }
        }
        kept
    }

    /// The partition of a graph of a part, where `kinds` gives the class of each vertex.
    pub fn told(&self, graph: &Graph, kinds: impl Fn(u32) -> u32) -> Told {
        let mut told = vec![0; self.colours.len()];
        for (vertex, &name) in (0..).zip(&graph.names) {
            told[name as usize] = kinds(vertex) + 1;
        }
        Told(told)
    }
}

/// The edges of a graph under construction.
struct Wiring<'g> {
    gates: &'g Gates<'g>,
    /// Which vertices of the gates are in the graph, and their numbers there.
    kept: &'g [bool],
    number: &'g [u32],
    /// For each vertex of the graph, its class in the known partition; 0 if it is new.
    told: &'g [u32],
    /// Plain inputs and complemented ones.
    pairs: [Vec<(u32, u32)>; 2],
    /// Whether vertices have edges that were not there when the partition was computed.
    is_fresh: Vec<bool>,
}

impl Wiring<'_> {
    /// Adds the inputs of all gates.
    fn add_inputs(&mut self) {
        for vertex in (self.gates.places.len()..self.kept.len()).filter(|&v| self.kept[v]) {
            let reader = self.number[vertex];
            let is_new = self.is_new(reader);
            for &(input, negated) in self.gates.inputs(vertex) {
                self.add(self.number[input as usize], reader, negated, is_new);
            }
        }
    }

    /// Adds the edges between roots and their facts, moves and roles.
    fn add_links(&mut self) {
        let (kept, links) = (self.kept, self.gates.links.iter());
        for &(a, b) in links.filter(|&&(a, b)| kept[a as usize] && kept[b as usize]) {
            let (a, b) = (self.number[a as usize], self.number[b as usize]);
            self.add(a, b, false, self.is_new(a) || self.is_new(b));
        }
    }

    /// Adds edges both ways between facts that are tied together.
    fn add_ties(&mut self, ties: &[(u32, u32)]) {
        // No rule derives a fact from another within one state, so these edges differ from
        // all others.
        for &(a, b) in ties {
            self.add(a, b, false, true);
            self.add(b, a, false, true);
        }
    }

    fn add(&mut self, from: u32, to: u32, negated: bool, is_fresh: bool) {
        self.pairs[usize::from(negated)].push((from, to));
        if is_fresh {
            self.is_fresh[from as usize] = true;
            self.is_fresh[to as usize] = true;
        }
    }

    fn is_new(&self, vertex: u32) -> bool {
        self.told[vertex as usize] == 0
    }
}

/// For each vertex of all gates, the number of its class; 0 if nothing is known.
pub(super) struct Told(Vec<u32>);

impl Graph {
    /// Whether a permutation of the vertices keeps colours and edges. An edge between vertices
    /// that it fixes is kept.
    pub fn is_automorphism(&self, image: &[u32]) -> bool {
        let moved = |vertex: &u32| image[*vertex as usize] != *vertex;
        let mut mark = vec![u32::MAX; self.colours.len()];
        (0..image.len() as u32).filter(moved).all(|vertex| {
            let to = image[vertex as usize];
            let same = self.colours[vertex as usize] == self.colours[to as usize]
                && self.told[vertex as usize] == self.told[to as usize];
            same && (0..).zip(&self.edges).all(|(kind, edges)| {
                let (from, to) = (edges.of(vertex), edges.of(to));
                if from.len() != to.len() {
                    return false;
                }
                // Marks differ for every vertex and kind of edge.
                let stamp = vertex * 4 + kind;
                to.iter().for_each(|&end| mark[end as usize] = stamp);
                from.iter()
                    .all(|&end| mark[image[end as usize] as usize] == stamp)
            })
        })
    }
}
