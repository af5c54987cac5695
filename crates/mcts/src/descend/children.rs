//! Several moves of a node become leaves of one descent.
//!
//! The way from the root to a leaf is the expensive part of a descent, and all moves of a node are
//! applied anyway when it is looked ahead from.

use super::TreePolicy;
use crate::node::{ByRole, Kind, Node, NodeRef, Snapshot};
use crate::path::Child;
use crate::select::select;
use game::{EngineError, MoveId, State};
use rand::Rng;

/// Moves of a node that are to be tried together.
struct Untried {
    state: State,
    role: usize,
    /// The joint move, with that of the role that is tried.
    joint: ByRole<MoveId>,
    /// The moves, by their indices and by their numbers.
    moves: Vec<(u32, MoveId)>,
}

impl<R: Rng> TreePolicy<'_, R> {
    /// Makes several children, the first time that moves are tried in a node. Those that are new
    /// become leaves; `false` if there are none.
    ///
    /// # Errors
    /// If the engine failed before there was a child.
    pub(super) fn try_children(
        &mut self,
        at: NodeRef,
        path: &[NodeRef],
        children: &mut Vec<Child>,
    ) -> Result<bool, EngineError> {
        let Some(mut untried) = self.untried(at, path.len() == 1) else {
            return Ok(false);
        };
        self.prefetch(&untried);
        for &(choice, mv) in &untried.moves {
            untried.joint[untried.role] = mv;
            let Untried { state, joint, .. } = &untried;
            let made = self.expander.apply(state, joint, self.config);
            match made.and_then(|()| self.find_or_insert(path)) {
                Ok(Some(child)) if !path.contains(&child) => {
                    children.extend(self.try_child(at, choice, child));
                }
                Ok(_) => {}
                Err(error) if children.is_empty() => return Err(error),
                Err(_) => break,
            }
        }
        self.spare -= (children.len() as u32).saturating_sub(1);
        Ok(!children.is_empty())
    }

    /// The moves that selection would try one after the other, before any of them has a sample and
    /// until it came back to one of them; as many as the descent may have leaves. `None` if that is
    /// only one, moves were tried before, or there are too many.
    fn untried(&mut self, at: NodeRef, begins: bool) -> Option<Untried> {
        let most = self.config.children.min(1 + self.spare);
        let mut node = self.graph.get_mut(at).filter(|_| most > 1)?;
        if !node.is_untried() || !self.config.tries_children(node.turn_moves()) {
            return None;
        }
        let mut choices = Vec::new();
        for _ in 0..most {
            let choice = select(&node, self.config, self.priors, begins, self.rng);
            if !node.try_move(choice) {
                break;
            }
            choices.push(choice);
        }
        let Node { kind, state, .. } = &mut *node;
        let Kind::Turn {
            role,
            moves,
            edges,
            joint,
        } = kind
        else {
            return None;
        };
        for &choice in &choices {
            edges[choice].finish_visit(1, 0);
        }
        let moves = choices.iter().map(|&choice| (choice as u32, moves[choice]));
        Some(Untried {
            state: state.clone(),
            role: usize::from(*role),
            joint: joint.clone(),
            moves: moves.collect(),
        })
    }

    /// Prefetches what the graph has of the states after these moves, as far as they are known.
    fn prefetch(&self, untried: &Untried) {
        let Untried { state, role, .. } = untried;
        let moves = untried.moves.iter();
        let states = || {
            moves
                .clone()
                .filter_map(|&(_, mv)| self.expander.fanned(state, *role, mv))
        };
        states().for_each(|state| self.graph.prefetch_entry(state));
        states().for_each(|state| self.graph.prefetch_node(state));
    }

    /// Links a node to a child, which becomes a leaf if it is new.
    fn try_child(&mut self, at: NodeRef, choice: u32, child: NodeRef) -> Option<Child> {
        let (visits, turn) = (self.visits, self.graph.turn());
        let mut node = self.graph.get_mut(child)?;
        let is_new = node.visits == 0 && !node.is_solved();
        let state = is_new.then(|| {
            node.begin_visit(visits);
            node.turn = turn;
            node.state.clone()
        });
        let mut snapshot = Snapshot::default();
        snapshot.take(&node);
        drop(node);
        let mut node = self.graph.get_mut(at)?;
        let own = node.stats.iter().zip(&snapshot.stats);
        let news = own.into_iter().any(|(own, more)| own.bounds != more.bounds);
        if let Kind::Turn { role, edges, .. } = &mut node.kind {
            let edge = &mut edges[choice as usize];
            edge.child = Some(child);
            edge.update(&snapshot, usize::from(*role));
            if is_new {
                edge.visit(visits);
            }
        }
        drop(node);
        // The parent has to be proved again if bounds of the child differ from its own.
        if self.config.solve && news {
            crate::backpropagate::prove(self.graph, at, self.config);
        }
        Some(Child {
            choice,
            at: child,
            state: state?,
        })
    }
}
