//! Look-ahead: all moves of a node are applied before one of them is selected.

use super::TreePolicy;
use crate::Bounds;
use crate::amaf::{AddedFacts, Fact};
use crate::node::{Kind, NodeRef};
use game::{EngineError, MoveId, State};
use heuristics::Evaluation;
use rand::Rng;

impl<R: Rng> TreePolicy<'_, R> {
    /// Applies all moves of a node. Terminal states become children. For the other moves priors
    /// are stored, where one role chooses.
    pub(super) fn look_ahead(&mut self, at: NodeRef, path: &[NodeRef]) -> Result<(), EngineError> {
        let Some(mut node) = self.graph.get_mut(at) else {
            return Ok(());
        };
        node.looked_ahead = true;
        let Kind::Turn {
            role,
            moves,
            edges,
            joint,
        } = &node.kind
        else {
            drop(node);
            return self.look_ahead_jointly(at, path);
        };
        let (role, mut joint) = (*role as usize, joint.clone());
        // Solved moves need no look-ahead.
        let open = (0..).zip(moves.iter().zip(edges));
        let open = open.filter(|(_, (_, edge))| !edge.solved);
        let (choices, moves): (Vec<u32>, Vec<MoveId>) =
            open.map(|(choice, (&mv, _))| (choice, mv)).unzip();
        let state: State = node.state.clone();
        drop(node);
        let learns = self.config.learning.visits > 0.0;
        let value = |evaluation: &Evaluation, bits: &[u64]| evaluation.value(bits, role);
        let mut before = 0.0;
        if learns {
            let bits = self.expander.bits_of(&state);
            self.evaluation.near(bits);
            before = value(self.evaluation, bits);
        }
        let mut added = AddedFacts::default();
        if self.watches {
            added.begin(self.expander.facts_of(&state));
        }
        self.expander.begin_look_ahead(&state, self.config);
        let mut found = false;
        let (mut expected, mut lost) = (Vec::new(), Vec::new());
        let fanned = self.expander.expand_all(&state, &joint, role, &moves);
        for (index, (choice, mv)) in choices.into_iter().zip(moves).enumerate() {
            if self.is_over(1) {
                // The rest is examined at a later visit.
                if let Some(mut node) = self.graph.get_mut(at) {
                    node.looked_ahead = false;
                }
                break;
            }
            joint[role] = mv;
            let fanned = fanned.then_some(index);
            if !self
                .expander
                .is_decided(&state, &joint, fanned, self.config)?
            {
                match fanned.and_then(|index| self.expander.foreseen_winner(index)) {
                    Some((winner, plies)) if winner == role => {
                        found |= self.expand_foreseen(at, choice, role, 100, plies, path)?;
                        break;
                    }
                    Some((_, plies)) => lost.push((choice, plies)),
                    None => {}
                }
                if learns {
                    let after = value(self.evaluation, self.expander.bits());
                    expected.push((choice as usize, after - before));
                }
                if self.watches {
                    added.add(choice as usize, self.expander.facts());
                }
                continue;
            }
            let Some(end) = self.find_or_insert(path)? else {
                break;
            };
            found = true;
            self.link(at, &[choice], end);
            let end = self.graph.get(end);
            if end.is_some_and(|end| end.stats[role].bounds.low == 100) {
                break;
            }
        }
        self.set_priors(at, &expected, &added.rarest());
        found |= self.mark_lost(at, role, &lost, path)?;
        if found && self.config.solve {
            crate::backpropagate::prove(self.graph, at, self.config);
        }
        Ok(())
    }

    /// Expands a move after which the role's result is foreseen. Returns whether a bound was new.
    fn expand_foreseen(
        &mut self,
        at: NodeRef,
        choice: u32,
        role: usize,
        result: u8,
        plies: u16,
        path: &[NodeRef],
    ) -> Result<bool, EngineError> {
        let Some(child) = self.expand(at, &[choice], path)? else {
            return Ok(false);
        };
        let news = child != at && self.narrow(child, role, Bounds::exactly(result), plies);
        self.link(at, &[choice], child);
        Ok(news)
    }

    /// Solves moves after which another role is foreseen to win, if the sum of results is
    /// constant. They need no nodes for that, except at the root, where the length of the loss
    /// matters. Returns whether a result was new.
    fn mark_lost(
        &mut self,
        at: NodeRef,
        role: usize,
        lost: &[(u32, u16)],
        path: &[NodeRef],
    ) -> Result<bool, EngineError> {
        let Some(sum) = self.config.sum else {
            return Ok(false);
        };
        let rest = Bounds::exactly(100).rest(sum);
        if path.len() == 1 {
            let mut news = false;
            for &(choice, plies) in lost {
                news |= self.expand_foreseen(at, choice, role, rest.low, plies, path)?;
            }
            return Ok(news);
        }
        let mut node = self.graph.get_mut(at);
        let Some(Kind::Turn { edges, .. }) = node.as_deref_mut().map(|node| &mut node.kind) else {
            return Ok(false);
        };
        for &(choice, _) in lost {
            edges[choice as usize].solve(rest);
        }
        Ok(!lost.is_empty())
    }

    /// Stores priors of moves, and the facts that they add.
    fn set_priors(&mut self, at: NodeRef, priors: &[(usize, f32)], facts: &[(usize, Fact)]) {
        let mut node = self.graph.get_mut(at);
        if let Some(Kind::Turn { edges, .. }) = node.as_deref_mut().map(|node| &mut node.kind) {
            for &(choice, prior) in priors {
                edges[choice].prior = prior;
            }
            for &(choice, fact) in facts {
                edges[choice].fact = fact;
            }
        }
    }

    /// Looks for terminal states among all joint moves of a node where several roles choose, if
    /// they are few.
    fn look_ahead_jointly(&mut self, at: NodeRef, path: &[NodeRef]) -> Result<(), EngineError> {
        // There are no priors of joint moves, so that it is for proofs alone.
        if !(self.config.look_ahead && self.config.solve) {
            return Ok(());
        }
        let Some(node) = self.graph.get(at) else {
            return Ok(());
        };
        let Kind::Simultaneous(joint_stats) = &node.kind else {
            return Ok(());
        };
        let few = u128::from(self.config.simultaneous.look_ahead_moves);
        if joint_stats.joint_moves().is_none_or(|count| count > few) {
            return Ok(());
        }
        let sizes: Vec<u32> = joint_stats
            .arms
            .iter()
            .map(|arms| arms.len() as u32)
            .collect();
        let state = node.state.clone();
        drop(node);
        self.expander.begin_look_ahead(&state, self.config);
        let mut choices = vec![0; sizes.len()];
        let mut found = false;
        while let Some(joint) = self.graph.get(at).map(|node| node.joint(&choices)) {
            if self
                .expander
                .is_decided(&state, &joint, None, self.config)?
            {
                let Some(end) = self.find_or_insert(path)? else {
                    break;
                };
                found = true;
                self.link(at, &choices, end);
            }
            if !crate::simultaneous::advance(&mut choices, &sizes) {
                break;
            }
        }
        if found {
            crate::backpropagate::prove(self.graph, at, self.config);
        }
        Ok(())
    }
}
