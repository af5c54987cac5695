//! Proof-number search from nodes with many visits.

use super::TreePolicy;
use crate::Bounds;
use crate::graph::Graph;
use crate::node::{Kind, NodeRef};
use crate::search::Question;
use budget::Budget;
use game::{EngineError, MoveId, State};
use provers::{Answer, ProofSearch};
use rand::Rng;

impl<R: Rng> TreePolicy<'_, R> {
    /// Searches a proof that the role of the prover wins from a node or, if it seems to lose,
    /// that it can avoid the worst result. Stores the bounds that are found of the node and of
    /// its children. Bounds of the root itself are not stored, since they have to be proved for a
    /// move.
    ///
    /// `reprove` is a result at a root that was proved before and is to be proved again. `short`
    /// is the budget of the proof search, a part of `budget`, that of the whole search. Returns
    /// whether there was an answer.
    ///
    /// If results do not add up to a constant, only wins are searched: the others need not play
    /// against the role.
    ///
    /// # Errors
    /// If the engine failed.
    pub fn search_proof(
        &mut self,
        at: NodeRef,
        root: NodeRef,
        reprove: Option<u8>,
        prover: &mut dyn ProofSearch,
        budget: &Budget,
        short: &Budget,
    ) -> Result<bool, EngineError> {
        let Some(node) = self.graph.get(at).filter(|_| self.config.solve) else {
            return Ok(false);
        };
        if !node.is_turn() {
            return Ok(false);
        }
        let role = prover.role().0;
        let role_stats = node.stats[role];
        let bounds = role_stats.bounds;
        if bounds.is_exact() {
            return Ok(false);
        }
        let middle = (f64::from(bounds.low) + f64::from(bounds.high)) / 200.0;
        let at_least = match reprove {
            Some(at_least) => at_least,
            None if role_stats.value(node.samples) >= middle => bounds.high,
            None if self.config.sum.is_none() => return Ok(false),
            None => bounds.low + 1,
        };
        let proofs = &self.config.proofs;
        let states = (f64::from(node.visits) * proofs.states) as u64;
        let least = if reprove.is_some() {
            proofs.root_states
        } else {
            0
        };
        let states = states.clamp(least, proofs.max_states);
        let state = node.state.clone();
        drop(node);
        let answer = prover.ask(&state, at_least, states, short)?;
        if budget.check().is_err() {
            return Ok(false);
        }
        self.store(at, root, answer, prover)?;
        Ok(answer != Answer::Open)
    }

    /// Asks a question about the root, and stores the bounds that its answer proves.
    ///
    /// # Errors
    /// If the engine failed.
    pub fn ask_at_root(
        &mut self,
        root: NodeRef,
        question: Question,
        prover: &mut dyn ProofSearch,
        states: u64,
        short: &Budget,
    ) -> Result<Answer, EngineError> {
        let Some(node) = self.graph.get(root) else {
            return Ok(Answer::Open);
        };
        let Kind::Turn {
            role, moves, joint, ..
        } = &node.kind
        else {
            return Ok(Answer::Open);
        };
        let (state, mut joint) = (node.state.clone(), joint.clone());
        let Some(mv) = question.mv else {
            drop(node);
            let answer = prover.ask(&state, question.at_least, states, short)?;
            if answer != Answer::Open {
                self.store(root, root, answer, prover)?;
            }
            return Ok(answer);
        };
        let Some(choice) = moves.iter().position(|&own| own == mv) else {
            return Ok(Answer::Open);
        };
        joint[usize::from(*role)] = mv;
        drop(node);
        let mut next = State::default();
        self.expander.engine().next(&state, &joint, &mut next)?;
        let answer = prover.ask(&next, question.at_least, states, short)?;
        if let Some((bounds, plies)) = self.proved(answer)
            && let Some(child) = self.expand(root, &[choice as u32], &[root])?
            && child != root
        {
            let news = self.narrow(child, prover.role().0, bounds, plies);
            self.link(root, &[choice as u32], child);
            if news {
                crate::backpropagate::prove(self.graph, root, self.config);
            }
        }
        Ok(answer)
    }

    /// Stores the bounds that an answer about a node proves of it and of its children.
    fn store(
        &mut self,
        at: NodeRef,
        root: NodeRef,
        answer: Answer,
        prover: &mut dyn ProofSearch,
    ) -> Result<(), EngineError> {
        let role = prover.role().0;
        let Some(node) = self.graph.get(at) else {
            return Ok(());
        };
        let Kind::Turn {
            role: chooser,
            moves,
            edges,
            joint,
        } = &node.kind
        else {
            return Ok(());
        };
        let (state, mut joint) = (node.state.clone(), joint.clone());
        let chooser = usize::from(*chooser);
        let open = moves.iter().zip(edges).enumerate();
        let open = open.filter(|(_, (_, edge))| !edge.solved);
        let open: Vec<(u32, MoveId)> = open.map(|(at, (&mv, _))| (at as u32, mv)).collect();
        drop(node);
        let mut news = false;
        for (choice, mv) in open {
            joint[chooser] = mv;
            let answer = prover.after(&state, &joint)?;
            let Some((bounds, plies)) = self.proved(answer) else {
                continue;
            };
            let Some(child) = self.expand(at, &[choice], &[root, at])? else {
                break;
            };
            if child == root {
                continue;
            }
            news |= self.narrow(child, role, bounds, plies);
            self.link(at, &[choice], child);
        }
        if let Some((bounds, plies)) = self.proved(answer).filter(|_| at != root) {
            news |= self.narrow(at, role, bounds, plies);
        }
        if news {
            crate::backpropagate::prove(self.graph, at, self.config);
        }
        Ok(())
    }

    /// The bounds that an answer proves, and the length of the proof in plies.
    fn proved(&self, answer: Answer) -> Option<(Bounds, u16)> {
        let Bounds { low, high } = Bounds::OPEN;
        match answer {
            Answer::Yes { at_least, plies } => {
                let low = at_least;
                Some((Bounds { low, high }, plies))
            }
            // The others can prevent it, but it need not be in their interest.
            Answer::No { .. } if self.config.sum.is_none() => None,
            Answer::No { at_most, plies } => {
                let high = at_most;
                Some((Bounds { low, high }, plies))
            }
            Answer::Open => None,
        }
    }

    /// Narrows the bounds of a role's result. Returns whether they changed.
    pub(super) fn narrow(&mut self, at: NodeRef, role: usize, proved: Bounds, plies: u16) -> bool {
        let graph: &mut Graph = self.graph;
        let Some(mut node) = graph.get_mut(at) else {
            return false;
        };
        let before = node.stats[role].bounds;
        let bounds = before.meet(proved);
        // Bounds contradict each other where rules define more than one result.
        if bounds == before || bounds.low > bounds.high {
            return false;
        }
        node.stats[role].bounds = bounds;
        if let (Some(sum), [_, _]) = (self.config.sum, &node.stats[..]) {
            let other = &mut node.stats[1 - role];
            other.bounds = other.bounds.meet(bounds.rest(sum));
        }
        if bounds.is_exact() {
            node.depth = plies;
        }
        true
    }
}
