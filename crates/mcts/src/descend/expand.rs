//! Expansion of a node by a child.

use super::{Step, TreePolicy};
use crate::backpropagate::hand_over;
use crate::node::{Kind, NodeRef, Snapshot};
use crate::path::{Descent, Leaf, Next};
use crate::stages::Stage;
use game::{EngineError, State};
use rand::Rng;

/// Legal moves that are listed in the time of one step of a descent.
const MOVES_PER_STEP: usize = 64;

impl<R: Rng> TreePolicy<'_, R> {
    /// Applies the last choices of a descent, whose child is found or made in the next step. Until
    /// then the table is prefetched where it may have the state.
    pub(super) fn begin_child(&mut self, descent: &mut Descent) -> Result<Step, EngineError> {
        let Descent { path, state, .. } = descent;
        let last = path.nodes.len() - 1;
        let since = self.stages.begin(self.budget);
        let exists = self.successor(path.nodes[last], path.choices_at(last), state)?;
        self.stages.end(Stage::Expansion, since, self.budget);
        Ok(match exists {
            true if !self.is_over(1) => Step::Continue(Next::Child),
            true => Step::End(Leaf::Value),
            // The parent was evicted.
            false => Step::End(Leaf::Playouts),
        })
    }

    /// Finds or makes the child, and goes on there.
    pub(super) fn make_child(&mut self, descent: &mut Descent) -> Result<Step, EngineError> {
        let Descent { path, state, .. } = descent;
        let last = path.nodes.len() - 1;
        let since = self.stages.begin(self.budget);
        let child = self.connect(path.nodes[last], path.choices_at(last), state, &path.nodes)?;
        self.stages.end(Stage::Expansion, since, self.budget);
        Ok(match child {
            Some(at) => {
                let work = self.expander.listed() / MOVES_PER_STEP;
                self.go_on(at, true, work, path)
            }
            // There is no memory: playouts start from its parent.
            None => Step::End(Leaf::Playouts),
        })
    }

    /// Expands a node by the child that a choice leads to, which may exist already. `None` if
    /// there is no memory.
    pub(super) fn expand(
        &mut self,
        at: NodeRef,
        chosen: &[u32],
        path: &[NodeRef],
    ) -> Result<Option<NodeRef>, EngineError> {
        let mut state = State::default();
        match self.successor(at, chosen, &mut state)? {
            true => self.connect(at, chosen, &state, path),
            false => Ok(None),
        }
    }

    /// The state right after a choice; `false` if the node was evicted.
    pub(super) fn successor(
        &mut self,
        at: NodeRef,
        chosen: &[u32],
        state: &mut State,
    ) -> Result<bool, EngineError> {
        let Some(node) = self.graph.get(at) else {
            return Ok(false);
        };
        let joint = node.joint(chosen);
        self.expander.successor(&node.state, &joint, state)?;
        Ok(true)
    }

    /// Links a node to the child of the state right after a choice.
    fn connect(
        &mut self,
        at: NodeRef,
        chosen: &[u32],
        state: &State,
        path: &[NodeRef],
    ) -> Result<Option<NodeRef>, EngineError> {
        self.expander.enter_successor(state, self.config)?;
        let child = self.find_or_insert(path)?;
        if let Some(child) = child {
            self.link(at, chosen, child);
            // The parent has to be proved again if bounds of the child differ from its own.
            let news = match (self.graph.get(at), self.graph.get(child)) {
                (Some(own), Some(more)) => {
                    let mut pairs = own.stats.iter().zip(&more.stats);
                    pairs.any(|(own, more)| own.bounds != more.bounds)
                }
                _ => false,
            };
            if self.config.solve && news {
                crate::backpropagate::prove(self.graph, at, self.config);
            }
        }
        Ok(child)
    }

    /// The node of the state that the expander has entered, an old one or a new one.
    pub(super) fn find_or_insert(
        &mut self,
        path: &[NodeRef],
    ) -> Result<Option<NodeRef>, EngineError> {
        if self.graph.shares()
            && let Some(same) = self.graph.find(self.expander.state())
        {
            return Ok(Some(same));
        }
        let node = self.expander.node(self.config)?;
        Ok(self.graph.insert(node, path))
    }

    pub(super) fn link(&mut self, at: NodeRef, chosen: &[u32], child: NodeRef) {
        hand_over(self.graph, at, chosen, child, self.config);
        let mut snapshot = Snapshot::default();
        match self.graph.get(child) {
            Some(child) => snapshot.take(&child),
            None => return,
        }
        let mut grown = 0;
        let mut node = self.graph.get_mut(at);
        match node.as_deref_mut().map(|node| &mut node.kind) {
            Some(Kind::Turn { role, edges, .. }) => {
                let edge = &mut edges[chosen[0] as usize];
                edge.child = Some(child);
                edge.update(&snapshot, *role as usize);
            }
            Some(Kind::Simultaneous(joint_stats)) => {
                let before = joint_stats.bytes();
                if let Some(edge) = joint_stats.edge_or_new(chosen) {
                    (edge.child, edge.proved) = (Some(child), snapshot.proved());
                }
                grown = joint_stats.bytes() - before;
            }
            _ => {}
        }
        drop(node);
        self.graph.add_bytes(grown);
    }
}
