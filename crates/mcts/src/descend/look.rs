//! What the moves of a node lead to, before any of them is made.

use super::Descent;
use crate::Bounds;
use crate::amaf::{Fact, Gains};
use crate::node::{Kind, NodeRef};
use game::{EngineError, MoveId, State};
use heuristics::Evaluation;
use rand::Rng;

impl<R: Rng> Descent<'_, R> {
    /// Looks at what the moves of a node lead to. Ends of play become children; what is to be expected of
    /// the other states is noted, where one role chooses.
    pub(super) fn look(&mut self, at: NodeRef, path: &[NodeRef]) -> Result<(), EngineError> {
        let Some(mut node) = self.graph.get_mut(at) else {
            return Ok(());
        };
        node.looked = true;
        let Kind::One {
            role,
            moves,
            edges,
            joint,
        } = &node.kind
        else {
            drop(node);
            return self.look_at_all(at, path);
        };
        let (role, mut joint) = (*role as usize, joint.clone());
        // Those of which the result is not known already.
        let open = (0..).zip(moves.iter().zip(edges));
        let open = open.filter(|(_, (_, edge))| !edge.solved);
        let (choices, moves): (Vec<u32>, Vec<MoveId>) =
            open.map(|(choice, (&mv, _))| (choice, mv)).unzip();
        let state: State = node.state.clone();
        drop(node);
        let guess = self.config.learning.visits > 0.0;
        let value = |evaluation: &Evaluation, bits: &[u64]| evaluation.value(bits, role);
        let mut before = 0.0;
        if guess {
            let bits = self.expander.bits_of(&state);
            self.evaluation.near(bits);
            before = value(self.evaluation, bits);
        }
        let by_ends = self.watches;
        let mut gains = Gains::default();
        if by_ends {
            gains.of(self.expander.facts_of(&state));
        }
        self.expander.begin(&state, self.config);
        let mut found = false;
        let (mut expected, mut lost) = (Vec::new(), Vec::new());
        let fanned = self.expander.fan(&state, &joint, role, &moves);
        for (place, (choice, mv)) in choices.into_iter().zip(moves).enumerate() {
            joint[role] = mv;
            let fanned = fanned.then_some(place);
            if !self.expander.ends(&state, &joint, fanned, self.config)? {
                match fanned.and_then(|place| self.expander.winner(place)) {
                    Some((winner, plies)) if winner == role => {
                        found |= self.foresee(at, choice, role, 100, plies, path)?;
                        break;
                    }
                    Some((_, plies)) => lost.push((choice, plies)),
                    None => {}
                }
                if guess {
                    let after = value(self.evaluation, self.expander.bits());
                    expected.push((choice as usize, after - before));
                }
                if by_ends {
                    gains.note(choice as usize, self.expander.facts());
                }
                continue;
            }
            let Some(end) = self.settle(path)? else {
                break;
            };
            found = true;
            self.link(at, &[choice], end);
            let end = self.graph.get(end);
            if end.is_some_and(|end| end.stats[role].bounds.low == 100) {
                break;
            }
        }
        self.expect(at, &expected, &gains.rarest());
        found |= self.give_up(at, role, &lost, path)?;
        if found && self.config.solve {
            crate::backup::prove(self.graph, at, self.config);
        }
        Ok(())
    }

    /// Makes a child of what a move leads to, of which the role's result is foreseen. Whether there was room.
    fn foresee(
        &mut self,
        at: NodeRef,
        choice: u32,
        role: usize,
        result: u8,
        plies: u16,
        path: &[NodeRef],
    ) -> Result<bool, EngineError> {
        let Some(child) = self.make(at, &[choice], path)? else {
            return Ok(false);
        };
        let news = child != at && self.narrow(child, role, Bounds::exactly(result), plies);
        self.link(at, &[choice], child);
        Ok(news)
    }

    /// Notes of moves that another role is foreseen to win after them, if that says what is left for this one. They need no
    /// nodes for that, but at the root, where it may matter how long it takes. Whether there are any.
    fn give_up(
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
                news |= self.foresee(at, choice, role, rest.low, plies, path)?;
            }
            return Ok(news);
        }
        let mut node = self.graph.get_mut(at);
        let Some(Kind::One { edges, .. }) = node.as_deref_mut().map(|node| &mut node.kind) else {
            return Ok(false);
        };
        for &(choice, _) in lost {
            edges[choice as usize].settle(rest);
        }
        Ok(!lost.is_empty())
    }

    /// Notes what is expected of moves, and what they bring.
    fn expect(&mut self, at: NodeRef, priors: &[(usize, f32)], gains: &[(usize, Fact)]) {
        let mut node = self.graph.get_mut(at);
        if let Some(Kind::One { edges, .. }) = node.as_deref_mut().map(|node| &mut node.kind) {
            for &(choice, prior) in priors {
                edges[choice].prior = prior;
            }
            for &(choice, gain) in gains {
                edges[choice].gain = gain;
            }
        }
    }

    /// Looks for ends of play among all joint moves of a node where several roles choose, if they are few.
    fn look_at_all(&mut self, at: NodeRef, path: &[NodeRef]) -> Result<(), EngineError> {
        let Some(node) = self.graph.get(at) else {
            return Ok(());
        };
        let Kind::Several(mixed) = &node.kind else {
            return Ok(());
        };
        let few = u128::from(self.config.simultaneous.look_ahead_moves);
        if mixed.joints().is_none_or(|joints| joints > few) {
            return Ok(());
        }
        let sizes: Vec<u32> = mixed.arms.iter().map(|arms| arms.len() as u32).collect();
        let state = node.state.clone();
        drop(node);
        self.expander.begin(&state, self.config);
        let mut choices = vec![0; sizes.len()];
        let mut found = false;
        while let Some(joint) = self.graph.get(at).map(|node| node.joint(&choices)) {
            if self.expander.ends(&state, &joint, None, self.config)? {
                let Some(end) = self.settle(path)? else {
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
            crate::backup::prove(self.graph, at, self.config);
        }
        Ok(())
    }
}
