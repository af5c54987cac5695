//! States after moves become leaves of a descent. They have no nodes: most moves are tried once.
//!
//! The way from the root to a leaf is the expensive part of a descent, and all moves of a node are
//! applied anyway when it is looked ahead from. So several of them may become leaves of one
//! descent.

use super::{Step, TreePolicy};
use crate::backpropagate::change_edge;
use crate::node::{ByRole, Kind, Node, NodeRef};
use crate::path::{Child, Descent, Leaf, Next};
use crate::select::select;
use crate::stages::Stage;
use game::{EngineError, MoveId, State};
use rand::Rng;
use smallvec::SmallVec;

/// Moves of a node that are to be tried together.
struct Untried {
    state: State,
    role: usize,
    /// The joint move, with that of the role that is tried.
    joint: ByRole<MoveId>,
    /// The moves, by their indices and by their numbers.
    moves: SmallVec<[(u32, MoveId); 8]>,
}

impl<R: Rng> TreePolicy<'_, R> {
    /// Tries several moves at once, the first time that moves are tried in a node. `false` if there
    /// are none to try so.
    ///
    /// # Errors
    /// If the engine failed before there was a leaf.
    pub(super) fn try_children(
        &mut self,
        at: NodeRef,
        begins: bool,
        children: &mut Vec<Child>,
    ) -> Result<bool, EngineError> {
        let Some(mut untried) = self.untried(at, begins) else {
            return Ok(false);
        };
        let mut failed = None;
        for &(choice, mv) in &untried.moves {
            untried.joint[untried.role] = mv;
            let Untried { state, joint, .. } = &untried;
            let mut child = Child::new(choice);
            match self.expander.successor(state, joint, &mut child.state) {
                Ok(()) => children.push(child),
                Err(error) => {
                    let visits = self.visits;
                    change_edge(self.graph, at, choice, |edge, _| {
                        edge.finish_visit(visits, 0);
                    });
                    failed = Some(error);
                }
            }
        }
        self.spare -= (children.len() as u32).saturating_sub(1);
        self.is_over(children.len());
        match failed {
            Some(error) if children.is_empty() => Err(error),
            _ => Ok(true),
        }
    }

    /// The descent ends with the move that was selected last, if the budget does not end before and
    /// the node still exists.
    ///
    /// # Errors
    /// If the engine failed.
    pub(super) fn try_child(&mut self, descent: &mut Descent) -> Result<Step, EngineError> {
        let Descent { path, children, .. } = descent;
        let last = path.choice_starts.len() - 1;
        let choice = path.choices_at(last)[0];
        let mut child = Child::new(choice);
        let since = self.stages.begin(self.budget);
        let exists = self.successor(path.nodes[last], &[choice], &mut child.state)?;
        self.stages.end(Stage::Expansion, since, self.budget);
        if self.is_over(1) || !exists {
            return Ok(Step::End(Leaf::Value));
        }
        children.push(child);
        // The path ends before the leaf.
        path.choices.truncate(path.choice_starts[last]);
        path.choice_starts.pop();
        Ok(Step::End(Leaf::Children))
    }

    /// The descent ends with the joint move that was selected last, like [`TreePolicy::try_child`].
    /// If that may end the game and was not `checked`, its state gets a node in that case.
    ///
    /// # Errors
    /// If the engine failed.
    pub(super) fn try_joint_move(
        &mut self,
        checked: bool,
        descent: &mut Descent,
    ) -> Result<Step, EngineError> {
        let Descent { path, state, .. } = descent;
        let last = path.nodes.len() - 1;
        let since = self.stages.begin(self.budget);
        let exists = self.successor(path.nodes[last], path.choices_at(last), state)?;
        let ends = exists && !checked && self.expander.is_terminal(state)?;
        self.stages.end(Stage::Expansion, since, self.budget);
        Ok(match self.is_over(1) || !exists {
            true => Step::End(Leaf::Value),
            false if ends => Step::Continue(Next::Child),
            false => Step::End(Leaf::State),
        })
    }

    /// Visits the moves that selection would try one after the other, before any of them has a
    /// sample and until it came back to one of them; as many as the descent may have leaves. `None`
    /// if that is only one, moves were tried before, or there are too many.
    fn untried(&mut self, at: NodeRef, begins: bool) -> Option<Untried> {
        let most = self.config.children.min(1 + self.spare);
        let mut node = self.graph.get_mut(at).filter(|_| most > 1)?;
        if !node.is_untried() || !self.config.tries_children(node.turn_moves()) {
            return None;
        }
        let mut choices: SmallVec<[usize; 8]> = SmallVec::new();
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
        if choices.len() < 2 {
            return None;
        }
        for &choice in &choices {
            edges[choice].visit(self.visits);
        }
        let moves = choices.iter().map(|&choice| (choice as u32, moves[choice]));
        Some(Untried {
            state: state.clone(),
            role: usize::from(*role),
            joint: joint.clone(),
            moves: moves.collect(),
        })
    }
}
