//! The graph of all states of a game.

use budget::{Budget, Exhausted};
use game::{Engine, EngineError, MoveId, RoleId, State};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Limits on a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The maximum number of states.
    pub states: usize,
    /// The maximum number of joint moves, over all states.
    pub edges: usize,
}

impl Default for Limits {
    /// A table that fits in a second-level cache.
    fn default() -> Self {
        Limits {
            states: 1 << 14,
            edges: 1 << 17,
        }
    }
}

/// The reason why there is no table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GraphError {
    /// The game has more states or joint moves than the limits allow.
    #[error("more states or joint moves than a table is made for: {states} states found")]
    TooLarge {
        /// The number of states found so far.
        states: usize,
    },
    /// The budget is exhausted.
    #[error("not all states were found: {0}")]
    Exhausted(Exhausted),
    /// The rules could not be evaluated.
    #[error(transparent)]
    Engine(EngineError),
}

impl From<Exhausted> for GraphError {
    fn from(why: Exhausted) -> Self {
        GraphError::Exhausted(why)
    }
}

impl From<EngineError> for GraphError {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Exhausted(why) => GraphError::Exhausted(why),
            error => GraphError::Engine(error),
        }
    }
}

/// A state in the table.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Node {
    /// The position of its first joint move among the edges.
    pub first: u32,
    /// The number of joint moves: the product of the numbers of legal moves of the roles. 0 in
    /// a terminal state, and if a role has no move.
    pub joint: u32,
    /// The position of its first legal move among the moves, which are ordered by role.
    pub moves: u32,
    pub terminal: bool,
}

/// All states that play can reach from the initial state.
///
/// The number of a joint move is formed from the positions of its moves among the legal ones,
/// with the last role varying fastest. A uniformly random number below the product is thus a
/// uniformly random legal move of every role.
#[derive(Debug, Clone, Default)]
pub struct StateGraph {
    pub(crate) nodes: Vec<Node>,
    /// The state that each joint move leads to.
    pub(crate) edges: Vec<u32>,
    /// The number of moves of each role in each state, ordered by state.
    pub(crate) counts: Vec<u32>,
    pub(crate) moves: Vec<MoveId>,
    /// The goal value of each role in each state, ordered by state.
    pub(crate) goals: Vec<Option<u8>>,
    /// The states in the form of the engine.
    pub(crate) states: Vec<State>,
    pub(crate) numbers: FxHashMap<State, u32>,
    pub(crate) roles: usize,
}

impl StateGraph {
    /// Visits all states that play can reach, breadth first from the initial state.
    ///
    /// # Errors
    /// If there are more than `limits` allow, if the budget is exhausted, or if the rules
    /// cannot be evaluated.
    pub fn explore(
        engine: &mut dyn Engine,
        limits: &Limits,
        budget: &Budget,
    ) -> Result<Arc<StateGraph>, GraphError> {
        let roles = engine.roles().len();
        let mut graph = StateGraph {
            roles,
            ..StateGraph::default()
        };
        graph.number(engine.initial());
        let mut moves = Vec::new();
        let mut joint = Vec::new();
        let mut next = State::default();
        let mut at = 0;
        while at < graph.states.len() {
            budget.check()?;
            let state = graph.states[at].clone();
            let terminal = engine.terminal(&state)?;
            let mut node = Node {
                first: graph.edges.len() as u32,
                joint: u32::from(!terminal),
                moves: graph.moves.len() as u32,
                terminal,
            };
            for role in (0..roles).map(RoleId) {
                graph.goals.push(engine.goal(&state, role)?);
                moves.clear();
                if !terminal {
                    engine.legal(&state, role, &mut moves)?;
                }
                graph.counts.push(moves.len() as u32);
                graph.moves.extend_from_slice(&moves);
                node.joint = node.joint.saturating_mul(moves.len() as u32);
            }
            if graph.edges.len().saturating_add(node.joint as usize) > limits.edges {
                return Err(graph.too_large());
            }
            graph.nodes.push(node);
            for number in 0..node.joint {
                graph.joint(at, number, &mut joint);
                engine.next(&state, &joint, &mut next)?;
                let to = graph.number(next.clone());
                graph.edges.push(to);
            }
            if graph.states.len() > limits.states {
                return Err(graph.too_large());
            }
            at += 1;
        }
        Ok(Arc::new(graph))
    }

    /// The number of states that play can reach.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no state. Always false, because there is an initial state.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The number of joint moves, over all states.
    pub fn edges(&self) -> usize {
        self.edges.len()
    }

    fn too_large(&self) -> GraphError {
        let states = self.states.len();
        GraphError::TooLarge { states }
    }

    /// The number of a state. A state that has not been seen gets a new number.
    fn number(&mut self, state: State) -> u32 {
        let next = self.states.len() as u32;
        let number = *self.numbers.entry(state.clone()).or_insert(next);
        if number == next {
            self.states.push(state);
        }
        number
    }

    /// The legal moves of a role.
    pub(crate) fn legal(&self, state: usize, role: usize) -> &[MoveId] {
        let counts = &self.counts[state * self.roles..];
        let before: u32 = counts[..role].iter().sum();
        let first = (self.nodes[state].moves + before) as usize;
        &self.moves[first..first + counts[role] as usize]
    }

    /// The moves of a joint move, given its number.
    fn joint(&self, state: usize, mut number: u32, joint: &mut Vec<MoveId>) {
        joint.clear();
        for role in (0..self.roles).rev() {
            let moves = self.legal(state, role);
            joint.push(moves[number as usize % moves.len()]);
            number /= moves.len() as u32;
        }
        joint.reverse();
    }

    /// The state that a joint move, one move for each role, leads to. `None` if it is not
    /// legal.
    pub(crate) fn next(&self, state: usize, joint: &[MoveId]) -> Option<u32> {
        let mut number = 0;
        for (role, mv) in joint.iter().enumerate() {
            let moves = self.legal(state, role);
            number = number * moves.len() + moves.iter().position(|legal| legal == mv)?;
        }
        let node = self.nodes[state];
        (number < node.joint as usize).then(|| self.edges[node.first as usize + number])
    }
}
