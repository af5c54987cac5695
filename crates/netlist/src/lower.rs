//! Converts the propositional network to a netlist.

use crate::{Fix, GameLogic, Lit, Netlist, Source};
use budget::{Budget, Exhausted};
use petgraph::Direction::Incoming;
use petgraph::graph::NodeIndex;
use propnet::{BuildError, Network, Node, Schedule};

/// Number of nodes lowered between two checks of the budget.
const STRIDE: usize = 1024;

/// The reason why a network was not lowered.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum LowerError {
    /// The budget is exhausted.
    #[error("while the network was written as a netlist: {0}")]
    Exhausted(Exhausted),
    /// The network cannot be scheduled.
    #[error(transparent)]
    Order(#[from] BuildError),
    /// Legality, goals or terminality depend on the moves played, so that they are undefined
    /// before moves are chosen.
    #[error("legality, results or the end of play depend on the moves being made")]
    DependsOnMoves,
}

impl From<Exhausted> for LowerError {
    fn from(exhausted: Exhausted) -> Self {
        LowerError::Exhausted(exhausted)
    }
}

/// Converts a network to a netlist.
///
/// Every role plays exactly one of its moves. An or of most moves of a role is therefore the
/// complement of the or of the others. This makes frame rules ("no role moved here") small.
/// (The idea is Sancho's.)
///
/// # Errors
/// If the budget is exhausted, or if legality, goals or terminality depend on the moves played.
pub fn lower(network: &Network, budget: &Budget) -> Result<GameLogic, LowerError> {
    let schedule = Schedule::new(network, budget).map_err(LowerError::Order)?;
    let words = network.vocabulary();
    let mut net = Netlist::new();
    let mut sources = Vec::new();
    let facts: Vec<Lit> = (0..words.facts.len())
        .map(|fact| {
            sources.push(Source::Fact(fact as u32));
            net.input()
        })
        .collect();
    let mut does = Vec::new();
    for (role, moves) in words.moves.iter().enumerate() {
        let row = (0..moves.len()).map(|mv| {
            sources.push(Source::Does {
                role: role as u16,
                mv: mv as u32,
            });
            net.input()
        });
        does.push(row.collect::<Vec<_>>());
    }
    let mut lowering = Lowering {
        network,
        lits: vec![None; network.graph().node_count()],
        logic: GameLogic {
            legal: does.iter().map(|row| vec![Lit::FALSE; row.len()]).collect(),
            next: vec![Lit::FALSE; facts.len()],
            goals: vec![Vec::new(); does.len()],
            terminal: Lit::FALSE,
            fixes: Vec::new(),
            words: network.vocabulary_shared(),
            net,
            sources,
            facts,
            does,
        },
    };
    let mut cycles = 0;
    for (done, step) in schedule.steps().enumerate() {
        if done % STRIDE == 0 {
            budget.check().map_err(LowerError::Exhausted)?;
        }
        match step {
            propnet::Step::Node(node) => lowering.node(node),
            propnet::Step::Cycle(nodes) => {
                lowering.cycle(nodes, cycles);
                cycles += 1;
            }
        }
    }
    let logic = lowering.logic;
    if logic.depend_on_moves(logic.legal_roots().chain(logic.goal_roots())) {
        return Err(LowerError::DependsOnMoves);
    }
    Ok(logic)
}

struct Lowering<'n> {
    network: &'n Network,
    /// The new signal of each node, once it is known.
    lits: Vec<Option<Lit>>,
    logic: GameLogic,
}

impl Lowering<'_> {
    /// Converts a node whose inputs are all known.
    fn node(&mut self, node: NodeIndex) {
        let graph = self.network.graph();
        let reads: Vec<Lit> = graph
            .neighbors_directed(node, Incoming)
            .map(|read| self.lits[read.index()].unwrap_or(Lit::FALSE))
            .collect();
        let one = reads.first().copied().unwrap_or(Lit::FALSE);
        let logic = &mut self.logic;
        let lit = match graph[node] {
            Node::Constant(value) => Lit::constant(value),
            Node::Base { fact } => logic.facts[fact as usize],
            Node::Does { role, mv } => logic.does[usize::from(role)][mv as usize],
            Node::And => !logic.any(reads.into_iter().map(|lit| !lit).collect()),
            Node::Or => logic.any(reads),
            Node::Not => !one,
            Node::View { .. } => one,
            Node::Transition { fact } => {
                logic.next[fact as usize] = one;
                one
            }
            Node::Legal { role, mv } => {
                logic.legal[usize::from(role)][mv as usize] = one;
                one
            }
            Node::Goal { role, value } => {
                logic.goals[usize::from(role)].push((value, one));
                one
            }
            Node::Terminal => {
                logic.terminal = one;
                one
            }
        };
        self.lits[node.index()] = Some(lit);
    }

    /// Converts the nodes of a cycle. A depth-first walk against the edges finds where it
    /// returns to a node on its own path. Such nodes become inputs, and the others compute
    /// their values.
    fn cycle(&mut self, nodes: &[NodeIndex], cycle: u32) {
        let graph = self.network.graph();
        let mut members: Vec<NodeIndex> = nodes.to_vec();
        members.sort_unstable();
        let position = |node: NodeIndex| members.binary_search(&node).ok();
        let mut seen = vec![false; members.len()];
        let before = self.logic.fixes.len();
        let mut fixed: Vec<(NodeIndex, Lit)> = Vec::new();
        let mut path = Vec::new();
        for &root in nodes {
            if seen[position(root).unwrap_or(0)] {
                continue;
            }
            path.push((root, false));
            while let Some((node, left)) = path.pop() {
                let Some(at) = position(node) else { continue };
                if left {
                    let input = self.lits[node.index()];
                    self.node(node);
                    if let Some(input) = input {
                        let value = self.lits[node.index()].unwrap_or(Lit::FALSE);
                        self.logic.fixes.push(Fix {
                            input,
                            value,
                            cycle,
                        });
                        self.lits[node.index()] = Some(input);
                    }
                    continue;
                }
                if seen[at] {
                    continue;
                }
                seen[at] = true;
                path.push((node, true));
                for read in graph.neighbors_directed(node, Incoming) {
                    if self.lits[read.index()].is_some() {
                        continue;
                    }
                    match position(read) {
                        Some(at) if seen[at] => {
                            // The node is still on the path: it is read before it is known.
                            let number = (before + fixed.len()) as u32;
                            let input = self.logic.net.input();
                            self.logic.sources.push(Source::Fix(number));
                            self.lits[read.index()] = Some(input);
                            fixed.push((read, input));
                        }
                        _ => path.push((read, false)),
                    }
                }
            }
        }
        // Inputs were numbered when they were met, values when they became known.
        let order = |input: Lit| fixed.iter().position(|&(_, lit)| lit == input);
        self.logic.fixes[before..].sort_by_key(|fix| order(fix.input));
    }
}

impl GameLogic {
    /// The or of the signals. See [`lower`] for what it assumes about moves.
    fn any(&mut self, mut lits: Vec<Lit>) -> Lit {
        lits.sort_unstable();
        lits.dedup();
        let facts = self.facts.len();
        for role in 0..self.does.len() {
            let row = &self.does[role];
            let Some(&first) = row.first() else { continue };
            let range = first.node()..first.node() + row.len();
            debug_assert!(range.start > facts);
            let is_move = |lit: &Lit| !lit.is_negated() && range.contains(&lit.node());
            let count = lits.iter().filter(|lit| is_move(lit)).count();
            if count * 2 <= row.len() {
                continue;
            }
            let mut named = vec![false; row.len()];
            for lit in lits.iter().filter(|lit| is_move(lit)) {
                named[lit.node() - range.start] = true;
            }
            let others: Vec<Lit> = row
                .iter()
                .zip(&named)
                .filter(|(_, named)| !**named)
                .map(|(&lit, _)| lit)
                .collect();
            lits.retain(|lit| !is_move(lit));
            let nobody = !self.net.or_all(others);
            lits.push(nobody);
        }
        self.net.or_all(lits)
    }
}
