//! One playout: from the leaf of the tree to the end of the game.
//!
//! A worker owns an engine and scratch space and knows neither locks nor other workers. One
//! iteration of the search is [`Worker::depart`] with access to the tree, [`Worker::simulate`]
//! without it, and [`Worker::arrive`] with it again.

use crate::Config;
use crate::node::Node;
use crate::tree::{Leaf, Path, Tree};
use budget::Budget;
use game::{Engine, EngineError, MoveId, RoleId, State};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

/// How a simulation ended.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// The values are known. The tree may add the node, if there is one.
    Done(Option<Node>),
    /// The budget ended first.
    Cut,
}

/// The kind of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outlook {
    /// Terminal.
    Over,
    /// Not terminal, but some role has no legal move: the rules are not well formed.
    Stuck,
    /// Every role has exactly one move.
    Forced,
    /// Some role has a choice.
    Choice,
}

pub(crate) struct Worker {
    engine: Box<dyn Engine>,
    config: Config,
    rng: Xoshiro256PlusPlus,
    path: Path,
    here: State,
    there: State,
    joint: Vec<MoveId>,
    /// The legal moves in `here`, for every role.
    options: Vec<Vec<MoveId>>,
    /// The result of every role, 0 to 1.
    values: Vec<f64>,
    /// Transitions since the last call of [`Worker::take_counts`].
    steps: u64,
    /// Simulations in which the engine failed, since the same call.
    failures: u64,
    /// Nodes of the tree that were visited, since the same call.
    in_tree: u64,
}

impl Worker {
    pub fn new(engine: Box<dyn Engine>, seed: u64, config: Config) -> Self {
        let roles = engine.roles().len();
        Worker {
            engine,
            config,
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            path: Path::default(),
            here: State::default(),
            there: State::default(),
            joint: Vec::with_capacity(roles),
            options: vec![Vec::new(); roles],
            values: vec![0.0; roles],
            steps: 0,
            failures: 0,
            in_tree: 0,
        }
    }

    pub fn engine(&mut self) -> &mut dyn Engine {
        &mut *self.engine
    }

    pub fn rng(&mut self) -> &mut Xoshiro256PlusPlus {
        &mut self.rng
    }

    /// States visited, in the tree and beyond, since the last call of [`Worker::take_counts`].
    pub fn passed(&self) -> u64 {
        self.in_tree + self.steps
    }

    /// Transitions and failures since the last call.
    pub fn take_counts(&mut self) -> (u64, u64) {
        self.in_tree = 0;
        (
            std::mem::take(&mut self.steps),
            std::mem::take(&mut self.failures),
        )
    }

    /// A node for `state` itself, or with `skip` for the first state from it in which some role
    /// has a choice.
    ///
    /// # Errors
    /// If the rules could not be evaluated; `Ok(None)` if the budget ended first.
    pub fn root(
        &mut self,
        state: &State,
        skip: bool,
        budget: &Budget,
    ) -> Result<Option<Node>, EngineError> {
        self.here.clone_from(state);
        let mut outlook = self.look()?;
        let mut left = self.config.max_steps;
        while skip && outlook == Outlook::Forced && left > 0 {
            if budget.check().is_err() {
                return Ok(None);
            }
            self.random_joint();
            self.step()?;
            outlook = self.look()?;
            left -= 1;
        }
        self.node(outlook).map(Some)
    }

    /// Descends in the tree and copies the leaf to simulate from.
    pub fn depart(&mut self, tree: &mut Tree) -> Leaf {
        let leaf = tree.select(&mut self.path, &self.config, &mut self.rng);
        self.in_tree += self.path.nodes.len() as u64;
        match leaf {
            Leaf::End => {
                let end = self.path.nodes.last().map(|&id| tree.node(id));
                if let Some(values) = end.and_then(|node| node.end.as_ref()) {
                    self.values.copy_from_slice(values);
                }
            }
            Leaf::New => tree.departure(&self.path, &mut self.here, &mut self.joint),
        }
        leaf
    }

    /// Plays from the leaf to the end of the game, without the tree.
    ///
    /// With `expand`, the first state with a choice is returned as a node.
    pub fn simulate(&mut self, leaf: Leaf, expand: bool, budget: &Budget) -> Outcome {
        if leaf == Leaf::End {
            return Outcome::Done(None);
        }
        let mut found = None;
        match self.play(expand, &mut found, budget) {
            Ok(true) => Outcome::Done(found),
            Ok(false) => Outcome::Cut,
            Err(_) if budget.check().is_err() => Outcome::Cut,
            // A failed playout has no result, but its move must still be counted, or selection
            // would return to it for ever.
            Err(_) => {
                self.failures += 1;
                self.values.fill(self.config.unknown);
                Outcome::Done(None)
            }
        }
    }

    /// Backpropagates the outcome to the tree. Returns `true` if it counted.
    pub fn arrive(&mut self, tree: &mut Tree, outcome: Outcome) -> bool {
        match outcome {
            Outcome::Done(found) => {
                tree.backup(&self.path, &self.values, found);
                true
            }
            Outcome::Cut => {
                tree.undo(&self.path, self.values.len());
                false
            }
        }
    }

    /// Plays to the end of the game. `Ok(false)` if the budget ended first.
    ///
    /// The budget is checked at every step: that is cheap beside a transition, and on a slow
    /// engine a step may take long.
    fn play(
        &mut self,
        mut expand: bool,
        found: &mut Option<Node>,
        budget: &Budget,
    ) -> Result<bool, EngineError> {
        for _ in 0..self.config.max_steps {
            if budget.check().is_err() {
                return Ok(false);
            }
            self.step()?;
            let outlook = self.look()?;
            if expand && outlook != Outlook::Forced {
                *found = Some(self.node(outlook)?);
                expand = false;
            }
            match outlook {
                Outlook::Over | Outlook::Stuck => {
                    self.evaluate(outlook)?;
                    return Ok(true);
                }
                Outlook::Forced | Outlook::Choice => self.random_joint(),
            }
        }
        self.evaluate(Outlook::Stuck)?;
        Ok(true)
    }

    /// Applies the joint move.
    fn step(&mut self) -> Result<(), EngineError> {
        self.engine.next(&self.here, &self.joint, &mut self.there)?;
        std::mem::swap(&mut self.here, &mut self.there);
        self.steps += 1;
        Ok(())
    }

    /// Computes the legal moves of all roles in `here`.
    fn look(&mut self) -> Result<Outlook, EngineError> {
        if self.engine.terminal(&self.here)? {
            return Ok(Outlook::Over);
        }
        let mut outlook = Outlook::Forced;
        for (role, moves) in self.options.iter_mut().enumerate() {
            self.engine.legal(&self.here, RoleId(role), moves)?;
            match moves.len() {
                0 => return Ok(Outlook::Stuck),
                1 => {}
                _ => outlook = Outlook::Choice,
            }
        }
        Ok(outlook)
    }

    /// A uniformly random move of every role.
    fn random_joint(&mut self) {
        self.joint.clear();
        for moves in &self.options {
            self.joint.push(match moves.as_slice() {
                [only] => *only,
                several => several[self.rng.random_range(0..several.len())],
            });
        }
    }

    fn node(&mut self, outlook: Outlook) -> Result<Node, EngineError> {
        Ok(match outlook {
            Outlook::Over | Outlook::Stuck => {
                self.evaluate(outlook)?;
                Node::end(self.here.clone(), &self.values)
            }
            Outlook::Forced | Outlook::Choice => Node::decision(self.here.clone(), &self.options),
        })
    }

    /// Sets the values from the goals of `here`.
    fn evaluate(&mut self, outlook: Outlook) -> Result<(), EngineError> {
        let missing = match outlook {
            Outlook::Over => self.config.missing_goal,
            _ => self.config.unknown,
        };
        for (role, value) in self.values.iter_mut().enumerate() {
            let goal = self.engine.goal(&self.here, RoleId(role))?;
            *value = goal.map_or(missing, |goal| f64::from(goal) / 100.0);
        }
        Ok(())
    }
}
