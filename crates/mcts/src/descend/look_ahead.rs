//! Look-ahead: all moves of a node are applied before one of them is selected.

use super::TreePolicy;
use crate::Bounds;
use crate::amaf::{AddedFacts, Fact};
use crate::node::{ByRole, Kind, Node, NodeRef};
use game::{EngineError, MoveId, State};
use rand::Rng;

/// What look-ahead needs to know about a node where one role chooses.
struct Turn {
    at: NodeRef,
    state: State,
    role: usize,
    /// The joint move, with the move of the role that is examined.
    joint: ByRole<MoveId>,
    /// The moves to examine, by their indices and by their numbers.
    choices: Vec<u32>,
    moves: Vec<MoveId>,
}

impl Turn {
    /// `None` if several roles choose.
    fn of(at: NodeRef, node: &Node) -> Option<Turn> {
        let Kind::Turn {
            role,
            moves,
            edges,
            joint,
        } = &node.kind
        else {
            return None;
        };
        // Solved moves need no look-ahead.
        let open = (0..).zip(moves.iter().zip(edges));
        let open = open.filter(|(_, (_, edge))| !edge.solved);
        let (choices, moves) = open.map(|(choice, (&mv, _))| (choice, mv)).unzip();
        Some(Turn {
            at,
            state: node.state.clone(),
            role: *role as usize,
            joint: joint.clone(),
            choices,
            moves,
        })
    }
}

/// What look-ahead found out.
#[derive(Default)]
struct Findings {
    /// The learnt value of the state for the role.
    before: f32,
    /// For each move, by how much it raises that value.
    expected: Vec<(usize, f32)>,
    added: AddedFacts,
    /// Moves after which another role is foreseen to win, and in how many plies.
    lost: Vec<(u32, u16)>,
    /// Whether a move has a bound that is new.
    news: bool,
}

impl<R: Rng> TreePolicy<'_, R> {
    /// Applies all moves of a node. Terminal states become children. For the other moves priors
    /// are stored, where one role chooses.
    pub(super) fn look_ahead(&mut self, at: NodeRef, path: &[NodeRef]) -> Result<(), EngineError> {
        let Some(mut node) = self.graph.get_mut(at) else {
            return Ok(());
        };
        node.looked_ahead = true;
        let turn = Turn::of(at, &node);
        drop(node);
        let Some(mut turn) = turn else {
            return self.look_ahead_jointly(at, path);
        };
        let mut findings = self.begin_look_ahead(&turn);
        let Turn { state, joint, .. } = &turn;
        let fanned = self
            .expander
            .expand_all(state, joint, turn.role, &turn.moves);
        for index in 0..turn.moves.len() {
            if self.is_over(1) {
                // The rest is examined at a later visit.
                if let Some(mut node) = self.graph.get_mut(at) {
                    node.looked_ahead = false;
                }
                break;
            }
            turn.joint[turn.role] = turn.moves[index];
            let fanned = fanned.then_some(index);
            let Turn { state, joint, .. } = &turn;
            let choice = turn.choices[index];
            let goes_on = match self
                .expander
                .is_decided(state, joint, fanned, self.config)?
            {
                true => self.examine_decided(&turn, choice, path, &mut findings)?,
                false => self.examine_undecided(&turn, choice, fanned, path, &mut findings)?,
            };
            if !goes_on {
                break;
            }
        }
        self.set_priors(at, &findings.expected, &findings.added.rarest());
        findings.news |= self.mark_lost(at, turn.role, &findings.lost, path)?;
        if findings.news && self.config.solve {
            crate::backpropagate::prove(self.graph, at, self.config);
        }
        Ok(())
    }

    /// Prepares to examine the moves of a node: what they are compared with.
    #[inline]
    fn begin_look_ahead(&mut self, turn: &Turn) -> Findings {
        let mut findings = Findings::default();
        if self.learns() {
            let bits = self.expander.bits_of(&turn.state);
            self.evaluation.near(bits);
            findings.before = self.evaluation.value(bits, turn.role);
        }
        if self.watches {
            findings.added.begin(self.expander.facts_of(&turn.state));
        }
        self.expander.begin_look_ahead(&turn.state, self.config);
        findings
    }

    /// Whether values of states are learnt.
    #[inline]
    fn learns(&self) -> bool {
        self.config.learning.visits > 0.0
    }

    /// Adds the child after a move whose result is decided. Returns whether the other moves still
    /// matter.
    #[inline]
    fn examine_decided(
        &mut self,
        turn: &Turn,
        choice: u32,
        path: &[NodeRef],
        findings: &mut Findings,
    ) -> Result<bool, EngineError> {
        let Some(end) = self.find_or_insert(path)? else {
            return Ok(false);
        };
        findings.news = true;
        self.link(turn.at, &[choice], end);
        let end = self.graph.get(end);
        let wins = end.is_some_and(|end| end.stats[turn.role].bounds.low == 100);
        Ok(!wins)
    }

    /// Notes what a move does whose result is not decided. Returns whether the other moves still
    /// matter.
    #[inline]
    fn examine_undecided(
        &mut self,
        turn: &Turn,
        choice: u32,
        fanned: Option<usize>,
        path: &[NodeRef],
        findings: &mut Findings,
    ) -> Result<bool, EngineError> {
        match fanned.and_then(|index| self.expander.foreseen_winner(index)) {
            Some((winner, plies)) if winner == turn.role => {
                findings.news |=
                    self.expand_foreseen(turn.at, choice, turn.role, 100, plies, path)?;
                return Ok(false);
            }
            Some((_, plies)) => findings.lost.push((choice, plies)),
            None => {}
        }
        if self.learns() {
            let after = self.evaluation.value(self.expander.bits(), turn.role);
            let gain = after - findings.before;
            findings.expected.push((choice as usize, gain));
        }
        if self.watches {
            findings.added.add(choice as usize, self.expander.facts());
        }
        Ok(true)
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
        let Some(node) = self.graph.get(at) else {
            return Ok(());
        };
        let Kind::Simultaneous(joint_stats) = &node.kind else {
            return Ok(());
        };
        if !joint_stats.is_looked_ahead(self.config) {
            return Ok(());
        }
        let sizes: Vec<u32> = joint_stats.roles().map(|arms| arms.len() as u32).collect();
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
