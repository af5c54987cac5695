//! Expansion: all successors of a state with their values.

use crate::tree::{Tree, WIN};
use game::{Engine, EngineError, Fan, Fans, MoveId, RoleId, State};
use heuristics::{Evaluator, Reference, Value, to_logits};

/// Why a state has no node.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum NoNode {
    /// Several roles choose at once.
    Simultaneous,
    /// The state is terminal, or a role has no move.
    Over,
    /// The engine failed.
    Engine(EngineError),
}

impl From<EngineError> for NoNode {
    fn from(error: EngineError) -> NoNode {
        NoNode::Engine(error)
    }
}

/// Makes successors and evaluates them.
pub(crate) struct Expander {
    pub engine: Box<dyn Engine>,
    fans: Option<Box<dyn Fans>>,
    fan: Fan,
    value: Value,
    evaluator: Evaluator,
    reference: Reference,
    /// Successors that were evaluated.
    pub successors: u64,
    legal: Vec<Vec<MoveId>>,
    joint: Vec<MoveId>,
    next: State,
    values: Vec<f32>,
}

impl Expander {
    pub fn new(engine: Box<dyn Engine>, fans: Option<Box<dyn Fans>>, value: Value) -> Expander {
        Expander {
            legal: vec![Vec::new(); engine.roles().len()],
            engine,
            fans,
            fan: Fan::default(),
            evaluator: Evaluator::new(value.features.clone()),
            reference: Reference::new(&value.features),
            value,
            successors: 0,
            joint: Vec::new(),
            next: State::default(),
            values: Vec::new(),
        }
    }

    /// Uses other weights of the same features from now on.
    pub fn set_value(&mut self, value: Value) {
        if !std::sync::Arc::ptr_eq(&self.value.features, &value.features) {
            self.evaluator = Evaluator::new(value.features.clone());
            self.reference = Reference::new(&value.features);
        }
        self.reference.forget_values();
        self.value = value;
    }

    /// Adds the node of a state.
    pub fn expand(&mut self, state: &State, tree: &mut Tree) -> Result<u32, NoNode> {
        let first = tree.edges.len();
        let role = self.push_all(state, tree)?;
        Ok(tree.insert(state, &self.joint, role, first))
    }

    /// Expands a node anew: nothing of what is known about its moves is kept.
    pub fn expand_again(&mut self, at: u32, tree: &mut Tree) -> Result<(), NoNode> {
        let first = tree.edges.len();
        let state = tree.nodes[at as usize].state.clone();
        self.push_all(&state, tree)?;
        tree.reopen(at, first);
        Ok(())
    }

    /// Adds the edges of a state. Returns the role that chooses.
    fn push_all(&mut self, state: &State, tree: &mut Tree) -> Result<usize, NoNode> {
        let role = self.chooser(state)?;
        let moves = std::mem::take(&mut self.legal[role]);
        let first = tree.edges.len();
        let done = self.push_edges(state, role, &moves, tree);
        self.legal[role] = moves;
        done.inspect_err(|_| tree.drop_edges(first))?;
        Ok(role)
    }

    /// Finds the legal moves, and the role that chooses; the first one if nobody does.
    fn chooser(&mut self, state: &State) -> Result<usize, NoNode> {
        if self.engine.terminal(state)? {
            return Err(NoNode::Over);
        }
        let mut chooser = None;
        self.joint.clear();
        for (role, moves) in self.legal.iter_mut().enumerate() {
            self.engine.legal(state, RoleId(role), moves)?;
            match (moves.as_slice(), chooser) {
                ([], _) => return Err(NoNode::Over),
                ([only], _) => self.joint.push(*only),
                ([first, ..], None) => {
                    chooser = Some(role);
                    self.joint.push(*first);
                }
                (_, Some(_)) => return Err(NoNode::Simultaneous),
            }
        }
        Ok(chooser.unwrap_or(0))
    }

    fn push_edges(
        &mut self,
        state: &State,
        role: usize,
        moves: &[MoveId],
        tree: &mut Tree,
    ) -> Result<(), EngineError> {
        self.evaluator.set(&mut self.reference, state.words());
        self.successors += moves.len() as u64;
        if let Some(fans) = (self.fans.as_mut()).filter(|fans| moves.len() >= fans.least()) {
            fans.fan(state, &self.joint, RoleId(role), moves, &mut self.fan)?;
            for (at, &mv) in moves.iter().enumerate() {
                let over = self.fan.is_over(at);
                self.next.clone_from(self.fan.state(at));
                self.push_edge(mv, over, tree)?;
            }
            return Ok(());
        }
        let before = self.joint[role];
        for &mv in moves {
            self.joint[role] = mv;
            self.engine.next(state, &self.joint, &mut self.next)?;
            let over = self.engine.terminal(&self.next)?;
            self.push_edge(mv, over, tree)?;
        }
        self.joint[role] = before;
        Ok(())
    }

    /// Adds the edge to the state in `next`.
    fn push_edge(&mut self, mv: MoveId, over: bool, tree: &mut Tree) -> Result<(), EngineError> {
        self.values.clear();
        if over {
            for role in 0..self.value.outputs.count() {
                let goal = self.engine.goal(&self.next, RoleId(role))?.unwrap_or(0);
                self.values.push(match goal {
                    100.. => WIN,
                    0 => -WIN,
                    goal => to_logits(f32::from(goal) / 100.0),
                });
            }
        } else {
            let state = self.next.words();
            self.evaluator.values(
                &mut self.reference,
                &self.value.weights,
                state,
                &mut self.values,
            );
        }
        tree.push_edge(mv, &self.values, over);
        Ok(())
    }

    /// The state after a move of the role that chooses at a node.
    pub fn successor(
        &mut self,
        state: &State,
        joint: &[MoveId],
        role: usize,
        mv: MoveId,
    ) -> Result<State, EngineError> {
        self.joint.clear();
        self.joint.extend_from_slice(joint);
        self.joint[role] = mv;
        let mut next = State::default();
        self.engine.next(state, &self.joint, &mut next)?;
        Ok(next)
    }
}
