//! Expansion: from states to nodes.

mod facts;

use crate::fan_cache::FanCache;
use crate::gate::Gate;
use crate::node::{ByRole, Kind, Node, RoleStats};
use crate::simultaneous::JointStats;
use crate::{Bounds, Config, Prospects};
use game::{Engine, EngineError, Fans, MoveId, RoleId, State};
use smallvec::smallvec;
use std::sync::Arc;

/// What can happen in a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Status {
    /// The state is terminal.
    Terminal,
    /// The state is not terminal, but play cannot continue: a role has no legal move, or all have
    /// only one in too long a sequence.
    Stuck,
    /// Every role has exactly one move.
    Forced,
    /// Some role has a choice.
    Choice,
}

/// Applies moves, and builds the nodes of the states that they lead to.
pub(crate) struct Expander {
    engine: Box<dyn Engine>,
    state: State,
    next: State,
    /// The legal moves in `state`, for every role.
    legal: Vec<Vec<MoveId>>,
    joint: Vec<MoveId>,
    status: Status,
    /// The results of evaluating many moves together.
    fan_cache: FanCache,
    /// Whether the words of states are their facts.
    plain: bool,
    /// The facts of the state that was asked about last, and that state.
    bits: State,
    bits_of_state: State,
    /// Static bounds of results.
    prospects: Option<Arc<dyn Prospects>>,
    /// Bounds of the state that was bounded last, for each role.
    bounds: Vec<Bounds>,
    /// Bounds of the state that moves are looked ahead from.
    bounds_before: Vec<Bounds>,
    /// Whether states are bounded in look-ahead. It is useful if all results are proved there.
    move_gate: Gate,
    /// Whether new nodes are bounded. It is useful if their bounds differ from those of the first
    /// one.
    node_gate: Gate,
    first_bounds: Option<Vec<Bounds>>,
    /// Whether the next node is bounded.
    bounds_next: bool,
    /// Transitions so far.
    pub transitions: u64,
}

impl Expander {
    pub fn new(engine: Box<dyn Engine>, config: &Config) -> Expander {
        let roles = engine.roles().len();
        Expander {
            plain: engine.is_plain(),
            engine,
            state: State::default(),
            next: State::default(),
            legal: vec![Vec::new(); roles],
            joint: Vec::with_capacity(roles),
            status: Status::Terminal,
            fan_cache: FanCache::default(),
            bits: State::default(),
            bits_of_state: State::default(),
            prospects: None,
            bounds: vec![Bounds::OPEN; roles],
            bounds_before: vec![Bounds::OPEN; roles],
            move_gate: Gate::new(config.static_bounds),
            node_gate: Gate::new(config.static_bounds),
            first_bounds: None,
            bounds_next: true,
            transitions: 0,
        }
    }

    /// Uses static bounds from now on.
    pub fn set_prospects(&mut self, prospects: Arc<dyn Prospects>) {
        self.prospects = Some(prospects);
    }

    /// Evaluates many moves together from now on.
    pub fn set_fans(&mut self, fans: Box<dyn Fans>, foresee: bool) {
        self.fan_cache = FanCache::new(fans, foresee);
    }

    pub fn engine(&mut self) -> &mut dyn Engine {
        &mut *self.engine
    }

    /// Enters a state, or with `skip` the first one from it that is terminal or offers a choice.
    pub fn enter(&mut self, state: &State, skip: bool, config: &Config) -> Result<(), EngineError> {
        self.state.clone_from(state);
        self.bounds_next = true;
        self.classify()?;
        match skip {
            true => self.skip_forced(config),
            false => Ok(()),
        }
    }

    /// The state right after a joint move.
    pub fn successor(
        &mut self,
        state: &State,
        joint: &[MoveId],
        next: &mut State,
    ) -> Result<(), EngineError> {
        match self.fan_cache.index_of(state, joint) {
            Some(index) => next.clone_from(self.fan_cache.get(index).0),
            None => self.engine.next(state, joint, next)?,
        }
        self.transitions += 1;
        Ok(())
    }

    /// Whether a state is terminal.
    pub fn is_terminal(&mut self, state: &State) -> Result<bool, EngineError> {
        self.engine.terminal(state)
    }

    /// Enters such a state, and applies forced moves up to a state that is terminal or offers a
    /// choice.
    pub fn enter_successor(&mut self, state: &State, config: &Config) -> Result<(), EngineError> {
        self.state.clone_from(state);
        self.bounds_next = self.prospects.is_some() && self.node_gate.admits();
        self.classify()?;
        self.skip_forced(config)
    }

    /// Prepares for [`Expander::is_decided`] of moves from a state.
    pub fn begin_look_ahead(&mut self, state: &State, config: &Config) {
        self.bounds_before.fill(Bounds::OPEN);
        if self.prospects.is_some() && self.move_gate.is_open() {
            self.state.clone_from(state);
            self.bound(false, config);
            self.bounds_before.clone_from(&self.bounds);
        }
    }

    /// Evaluates these moves of a role together, if that is faster. If so, their indices may be
    /// given to [`Expander::is_decided`].
    pub fn expand_all(
        &mut self,
        state: &State,
        joint: &[MoveId],
        role: usize,
        moves: &[MoveId],
    ) -> bool {
        self.fan_cache.evaluate(state, joint, role, moves)
    }

    /// The role that is foreseen to win after the evaluated move at an index, and within how many
    /// plies.
    pub fn foreseen_winner(&self, index: usize) -> Option<(usize, u16)> {
        let (winner, plies) = self.fan_cache.winner(index)?;
        Some((winner.0, plies))
    }

    /// Whether a joint move leads to a terminal state, or to one where static bounds prove all
    /// results. If so, [`Expander::node`] builds its node. `fanned` is its index among the moves
    /// that were evaluated together.
    pub fn is_decided(
        &mut self,
        state: &State,
        joint: &[MoveId],
        fanned: Option<usize>,
        config: &Config,
    ) -> Result<bool, EngineError> {
        let over = match fanned {
            Some(index) => {
                let (state, over) = self.fan_cache.get(index);
                self.state.clone_from(state);
                over
            }
            None => {
                self.engine.next(state, joint, &mut self.state)?;
                self.engine.terminal(&self.state)?
            }
        };
        self.transitions += 1;
        self.status = Status::Terminal;
        if over {
            return Ok(true);
        }
        if self.prospects.is_none() || !self.move_gate.admits() {
            return Ok(false);
        }
        self.bound(true, config);
        let certain = self.bounds.iter().all(|bounds| bounds.is_exact());
        self.move_gate.record(certain);
        if certain {
            self.bounds_next = true;
            self.classify()?;
            self.skip_forced(config)?;
        }
        Ok(certain)
    }

    /// The number of legal moves in that state, of all roles.
    pub fn listed(&self) -> usize {
        self.legal.iter().map(Vec::len).sum()
    }

    /// The state that was entered last.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Builds a node of that state.
    pub fn node(&mut self, config: &Config) -> Result<Node, EngineError> {
        let roles = self.legal.len();
        if self.status != Status::Terminal {
            self.bound_node(config);
        }
        let mut stats: ByRole<RoleStats> = smallvec![RoleStats::NEW; roles];
        let kind = match self.status {
            Status::Terminal | Status::Stuck => {
                let missing = match self.status {
                    Status::Terminal => config.missing_goal,
                    _ => (100.0 * config.unknown) as u8,
                };
                for (role, role_stats) in stats.iter_mut().enumerate() {
                    let goal = self.engine.goal(&self.state, RoleId(role))?;
                    let mut goal = goal.unwrap_or(missing).min(100);
                    if self.status == Status::Stuck {
                        let bounds = self.bounds[role];
                        goal = goal.max(bounds.low).min(bounds.high);
                    }
                    role_stats.mean = f32::from(goal) / 100.0;
                    role_stats.square = role_stats.mean * role_stats.mean;
                    role_stats.bounds = Bounds::exactly(goal);
                }
                Kind::Terminal
            }
            Status::Forced | Status::Choice => {
                for (role_stats, &bounds) in stats.iter_mut().zip(&self.bounds) {
                    role_stats.bounds = bounds;
                }
                let mut choosing = (0..roles).filter(|&role| self.legal[role].len() > 1);
                match (choosing.next(), choosing.next()) {
                    (Some(_), Some(_)) => Kind::Simultaneous(JointStats::new(&self.legal)),
                    (one, _) => {
                        let role = one.unwrap_or(0);
                        let moves = self.legal[role].clone().into_boxed_slice();
                        let joint = self.legal.iter().map(|moves| moves[0]);
                        Kind::Turn {
                            role: role as u16,
                            edges: Box::default(),
                            moves,
                            joint: joint.collect(),
                        }
                    }
                }
            }
        };
        Ok(Node::new(self.state.clone(), kind, stats))
    }

    fn skip_forced(&mut self, config: &Config) -> Result<(), EngineError> {
        let mut left = config.max_forced;
        while self.status == Status::Forced {
            if left == 0 {
                self.status = Status::Stuck;
                break;
            }
            left -= 1;
            self.joint.clear();
            self.joint.extend(self.legal.iter().map(|moves| moves[0]));
            self.engine.next(&self.state, &self.joint, &mut self.next)?;
            std::mem::swap(&mut self.state, &mut self.next);
            self.transitions += 1;
            self.classify()?;
        }
        Ok(())
    }

    /// Finds the legal moves and the status of the state.
    fn classify(&mut self) -> Result<(), EngineError> {
        self.status = Status::Terminal;
        if self.engine.terminal(&self.state)? {
            return Ok(());
        }
        self.status = Status::Forced;
        for (role, moves) in self.legal.iter_mut().enumerate() {
            self.engine.legal(&self.state, RoleId(role), moves)?;
            match moves.len() {
                0 => {
                    self.status = Status::Stuck;
                    return Ok(());
                }
                1 => {}
                _ => self.status = Status::Choice,
            }
        }
        Ok(())
    }
}
