//! What the moves of a node lead to, before any of them is made.

use super::Walk;
use crate::amaf::{Fact, Gains};
use crate::node::{Kind, NodeRef};
use game::{EngineError, MoveId, State};
use heuristics::Evaluation;
use rand::Rng;

/// Joint moves of which all are looked at for ends of play, at most.
const FEW: u32 = 64;

impl<R: Rng> Walk<'_, R> {
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
        let guess = self.config.learning > 0.0;
        let company = self.company;
        let value = |evaluation: &Evaluation, bits: &[u64]| -> f32 {
            company.value(role, |role| f64::from(evaluation.value(bits, role))) as f32
        };
        let mut before = 0.0;
        if guess {
            let bits = self.maker.bits_of(&state);
            self.evaluation.near(bits);
            before = value(self.evaluation, bits);
        }
        let by_ends = self.watches;
        let mut gains = Gains::default();
        if by_ends {
            gains.of(self.maker.facts_of(&state));
        }
        self.maker.begin(&state, self.config);
        let mut found = false;
        let mut expected = Vec::new();
        let fanned = self.maker.fan(&state, &joint, role, &moves);
        for (place, (choice, mv)) in choices.into_iter().zip(moves).enumerate() {
            joint[role] = mv;
            let fanned = fanned.then_some(place);
            if !self.maker.ends(&state, &joint, fanned, self.config)? {
                if guess {
                    let after = value(self.evaluation, self.maker.bits());
                    expected.push((choice as usize, after - before));
                }
                if by_ends {
                    gains.note(choice as usize, self.maker.facts());
                }
                continue;
            }
            let Some(end) = self.settle(path)? else {
                break;
            };
            found = true;
            self.link(at, &[choice], end);
            let end = self.graph.get(end);
            if end.is_some_and(|end| end.standings[role].bounds.low == 100) {
                break;
            }
        }
        self.expect(at, &expected, &gains.rarest());
        if found && self.config.solve {
            crate::backup::prove(self.graph, at, self.config);
        }
        Ok(())
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
        if mixed.joints().is_none_or(|joints| joints > u128::from(FEW)) {
            return Ok(());
        }
        let sizes: Vec<u32> = mixed.arms.iter().map(|arms| arms.len() as u32).collect();
        let state = node.state.clone();
        drop(node);
        self.maker.begin(&state, self.config);
        let mut choices = vec![0; sizes.len()];
        let mut found = false;
        while let Some(joint) = self.graph.get(at).map(|node| node.joint(&choices)) {
            if self.maker.ends(&state, &joint, None, self.config)? {
                let Some(end) = self.settle(path)? else {
                    break;
                };
                found = true;
                self.link(at, &choices, end);
            }
            if !crate::several::advance(&mut choices, &sizes) {
                break;
            }
        }
        if found {
            crate::backup::prove(self.graph, at, self.config);
        }
        Ok(())
    }
}
