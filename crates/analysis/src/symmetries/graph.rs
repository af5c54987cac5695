//! The logic of a game as a coloured graph, whose automorphisms are those of the game.
//!
//! Or-gates become and-gates of complements, and-gates swallow and-gates that they read, and no two
//! gates read the same: so that rules that say the same in another way are the same graph. Gates
//! that depend on themselves stay as they are, because what they mean is a least fixpoint.

use budget::{Budget, Exhausted};
use netlist::GameLogic;
use petgraph::Direction::Incoming;
use petgraph::graph::NodeIndex;
use propnet::{Network, Node, Schedule, Step};
use rustc_hash::FxHashMap;

/// And-gates do not grow beyond this many inputs.
const WIDE: usize = 48;

/// Where facts, moves and roles are among vertices: facts first, then the moves of each role, then
/// the roles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Places {
    pub facts: usize,
    /// Where the moves of each role begin, and one place more.
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

    /// Where roles begin.
    pub fn roles(&self) -> usize {
        self.moves[self.moves.len() - 1]
    }

    /// All of them.
    pub fn len(&self) -> usize {
        self.roles() + self.moves.len() - 1
    }

    /// The role of a vertex between facts and roles.
    pub fn role_of(&self, vertex: usize) -> usize {
        self.moves.partition_point(|&start| start <= vertex) - 1
    }
}

/// A directed graph with coloured vertices and two kinds of edges, both ways round.
pub(super) struct Graph {
    pub colours: Vec<u32>,
    /// Plain inputs, complemented inputs, and the same against the edges.
    pub edges: [Edges; 4],
}

/// Lists of vertices.
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

/// Which part of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part<'t> {
    /// All rules.
    All,
    /// All rules, and the initial state.
    Initial,
    /// The rules without those of results.
    Dynamics,
    /// The rules without those of results and the end of play, with facts tied together that say
    /// the same of places next to each other.
    Steps(&'t [(u32, u32)]),
}

/// Colours; goals of one value share one beyond these.
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
    /// A fact of the initial state, where that matters.
    pub const HELD: u32 = 10;
    pub const GOAL: u32 = 11;
}

/// A vertex, or its complement.
type Signal = (u32, bool);

/// The graph while it is made.
struct Maker<'n> {
    network: &'n Network,
    places: &'n Places,
    colours: Vec<u32>,
    /// Inputs of vertices beyond the places.
    inputs: Vec<Vec<Signal>>,
    known: FxHashMap<Vec<Signal>, u32>,
    signals: Vec<Option<Signal>>,
    truth: u32,
}

impl Graph {
    /// The graph of a part of a network.
    pub fn new(
        network: &Network,
        places: &Places,
        part: Part<'_>,
        budget: &Budget,
    ) -> Result<Graph, Exhausted> {
        let schedule = Schedule::new(network, budget).map_err(|_| Exhausted::Deadline)?;
        let (nodes, edges) = (network.graph().node_count(), network.graph().edge_count());
        budget.check_memory(
            nodes
                .saturating_mul(160)
                .saturating_add(edges.saturating_mul(80)),
        )?;
        let mut maker = Maker {
            network,
            places,
            colours: Vec::new(),
            inputs: Vec::new(),
            known: FxHashMap::default(),
            signals: vec![None; nodes],
            truth: 0,
        };
        maker.colours.resize(places.facts, colour::FACT);
        if part == Part::Initial {
            for &fact in &network.vocabulary().initial {
                maker.colours[fact as usize] = colour::HELD;
            }
        }
        maker.colours.resize(places.roles(), colour::MOVE);
        maker.colours.resize(places.len(), colour::ROLE);
        maker.truth = maker.vertex(colour::TRUE, Vec::new());
        for (done, step) in schedule.steps().enumerate() {
            if done % 512 == 0 {
                budget.check()?;
            }
            match step {
                Step::Node(node) => maker.node(node),
                Step::Cycle(nodes) => maker.cycle(nodes),
            }
        }
        maker.finish(part)
    }
}

impl Maker<'_> {
    fn vertex(&mut self, colour: u32, inputs: Vec<Signal>) -> u32 {
        self.colours.push(colour);
        self.inputs.push(inputs);
        (self.colours.len() - 1) as u32
    }

    fn reads(&self, node: NodeIndex) -> impl Iterator<Item = Signal> + '_ {
        let reads = self.network.graph().neighbors_directed(node, Incoming);
        reads.map(|read| self.signals[read.index()].unwrap_or((self.truth, true)))
    }

    fn node(&mut self, node: NodeIndex) {
        let mut reads: Vec<Signal> = self.reads(node).collect();
        let signal = match self.network.graph()[node] {
            Node::Constant(value) => (self.truth, !value),
            Node::Base { fact } => (fact, false),
            Node::Does { role, mv } => (
                (self.places.moves[usize::from(role)] + mv as usize) as u32,
                false,
            ),
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
        let first = self.places.len();
        let mut all: Vec<Signal> = Vec::with_capacity(reads.len());
        for &(vertex, negated) in &reads {
            match self.colours[vertex as usize] {
                colour::AND if !negated => all.extend(&self.inputs[vertex as usize - first]),
                _ => all.push((vertex, negated)),
            }
        }
        // Growth ends by size alone, which is the same for gates that are alike.
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
            _ => {
                if let Some(&vertex) = self.known.get(&inputs) {
                    return (vertex, false);
                }
                let vertex = self.vertex(colour::AND, inputs.clone());
                self.known.insert(inputs, vertex);
                (vertex, false)
            }
        }
    }

    fn cycle(&mut self, nodes: &[NodeIndex]) {
        for &node in nodes {
            let colour = match self.network.graph()[node] {
                Node::And => colour::CYCLIC_AND,
                _ => colour::CYCLIC_OR,
            };
            let vertex = self.vertex(colour, Vec::new());
            self.signals[node.index()] = Some((vertex, false));
        }
        for &node in nodes {
            let mut reads: Vec<Signal> = self.reads(node).collect();
            reads.sort_unstable();
            reads.dedup();
            if let Some((vertex, _)) = self.signals[node.index()] {
                self.inputs[vertex as usize - self.places.len()] = reads;
            }
        }
    }

    /// The signals that play asks for, and of all gates those that they need.
    fn finish(mut self, part: Part<'_>) -> Result<Graph, Exhausted> {
        let first = self.places.len();
        let mut links: Vec<(u32, u32)> = Vec::new();
        let roots = self.colours.len();
        let graph = self.network.graph();
        for node in graph.node_indices() {
            let (colour, from, to) = match graph[node] {
                Node::Transition { fact } => (colour::NEXT, None, Some(fact)),
                Node::Legal { role, mv } => {
                    let mv = self.places.moves[usize::from(role)] + mv as usize;
                    (colour::LEGAL, None, Some(mv as u32))
                }
                Node::Goal { role, value } if matches!(part, Part::All | Part::Initial) => {
                    let role = self.places.roles() + usize::from(role);
                    (colour::GOAL + u32::from(value), Some(role as u32), None)
                }
                Node::Terminal if !matches!(part, Part::Steps(_)) => (colour::TERMINAL, None, None),
                _ => continue,
            };
            let signal = self.signals[node.index()].unwrap_or((self.truth, true));
            let vertex = self.vertex(colour, vec![signal]);
            links.extend(from.map(|from| (from, vertex)));
            links.extend(to.map(|to| (vertex, to)));
        }
        for vertex in self.places.facts..self.places.roles() {
            let role = self.places.roles() + self.places.role_of(vertex);
            links.push((role as u32, vertex as u32));
        }
        if let Part::Steps(ties) = part {
            // No rule makes a fact from another within one state, so that these are edges of a kind
            // of their own.
            links.extend(ties.iter().flat_map(|&(a, b)| [(a, b), (b, a)]));
        }
        let mut kept: Vec<bool> = (0..self.colours.len())
            .map(|v| v < first || v >= roots)
            .collect();
        let mut open: Vec<usize> = (roots..self.colours.len()).collect();
        while let Some(vertex) = open.pop() {
            for &(input, _) in &self.inputs[vertex - first] {
                if !std::mem::replace(&mut kept[input as usize], true) {
                    open.push(input as usize);
                }
            }
        }
        let mut number = vec![0u32; kept.len()];
        let mut colours = Vec::new();
        for vertex in (0..kept.len()).filter(|&vertex| kept[vertex]) {
            number[vertex] = colours.len() as u32;
            colours.push(self.colours[vertex]);
        }
        let mut pairs: [Vec<(u32, u32)>; 2] = Default::default();
        for vertex in (first..kept.len()).filter(|&vertex| kept[vertex]) {
            for &(input, negated) in &self.inputs[vertex - first] {
                pairs[usize::from(negated)].push((number[input as usize], number[vertex]));
            }
        }
        let links = links
            .iter()
            .map(|&(a, b)| (number[a as usize], number[b as usize]));
        pairs[0].extend(links);
        let count = colours.len();
        let forth = |pairs: &Vec<(u32, u32)>| Edges::new(count, pairs.iter().copied());
        let back = |pairs: &Vec<(u32, u32)>| Edges::new(count, pairs.iter().map(|&(a, b)| (b, a)));
        let edges = [
            forth(&pairs[0]),
            forth(&pairs[1]),
            back(&pairs[0]),
            back(&pairs[1]),
        ];
        Ok(Graph { colours, edges })
    }
}

impl Graph {
    /// Whether a permutation of the vertices keeps colours and edges. An edge between vertices that
    /// it leaves in their place is kept.
    pub fn is_automorphism(&self, image: &[u32]) -> bool {
        let moved = |vertex: &u32| image[*vertex as usize] != *vertex;
        let mut mark = vec![u32::MAX; self.colours.len()];
        (0..image.len() as u32).filter(moved).all(|vertex| {
            let to = image[vertex as usize];
            let same = self.colours[vertex as usize] == self.colours[to as usize];
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
