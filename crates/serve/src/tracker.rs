//! Follows a match on one engine, even if the server's moves are wrong.

use game::{Engine, EngineError, GroundTerm, MoveId, RoleId, State};
use std::fmt;
use std::sync::Arc;

/// Something unexpected in the moves, for the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Slip {
    /// A move was written in another case.
    Case { sent: GroundTerm, meant: GroundTerm },
    /// A move was missing or illegal, and another was assumed.
    Assumed {
        role: GroundTerm,
        sent: Option<GroundTerm>,
        meant: GroundTerm,
    },
    /// The moves belong to the state before: the tracker was one step ahead, and went back.
    Rewound,
    /// A role had no legal move, or play had ended: the state was kept.
    Stuck,
}

impl fmt::Display for Slip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Slip::Case { sent, meant } => write!(f, "{sent} is read as {meant}"),
            Slip::Assumed {
                role,
                sent: Some(sent),
                meant,
            } => write!(f, "{sent} is not legal for {role}; {meant} is assumed"),
            Slip::Assumed {
                role,
                sent: None,
                meant,
            } => write!(f, "no move of {role} was sent; {meant} is assumed"),
            Slip::Rewound => f.write_str("the moves belong to the state before; going back"),
            Slip::Stuck => f.write_str("the moves lead nowhere; the state is kept"),
        }
    }
}

/// The joint moves of a match, as the rules spell them.
pub(crate) type History = Vec<Arc<[GroundTerm]>>;

/// A match on one engine.
///
/// Two trackers on different engines with the same inputs reach the same state, since every
/// assumed move is chosen by its text.
pub(crate) struct Tracker {
    engine: Box<dyn Engine>,
    state: State,
    before: Option<State>,
    history: History,
    scratch: Vec<MoveId>,
}

/// The sent moves, resolved to legal moves.
struct Joint {
    ids: Vec<MoveId>,
    terms: Vec<GroundTerm>,
    slips: Vec<Slip>,
    /// Whether every move was legal as it was sent, ignoring case.
    legal: bool,
}

impl Tracker {
    pub(crate) fn new(engine: Box<dyn Engine>) -> Self {
        Tracker {
            state: engine.initial(),
            engine,
            before: None,
            history: Vec::new(),
            scratch: Vec::new(),
        }
    }

    /// A tracker on `engine` that has followed `history`. `None` if the engine cannot.
    pub(crate) fn replay(engine: Box<dyn Engine>, history: &History) -> Option<Self> {
        let mut tracker = Tracker::new(engine);
        for joint in history {
            let ids: Option<Vec<_>> = joint
                .iter()
                .enumerate()
                .map(|(role, term)| tracker.engine.find_move(RoleId(role), term))
                .collect();
            tracker.apply(&ids?, joint.clone()).ok()?;
        }
        Some(tracker)
    }

    /// Returns to the initial state.
    pub(crate) fn reset(&mut self) {
        self.state = self.engine.initial();
        self.before = None;
        self.history.clear();
    }

    pub(crate) fn engine(&self) -> &dyn Engine {
        &*self.engine
    }

    pub(crate) fn state(&self) -> &State {
        &self.state
    }

    pub(crate) fn history(&self) -> &History {
        &self.history
    }

    /// The position of the role that `term` names, exactly or else ignoring case.
    pub(crate) fn role(&self, term: &GroundTerm) -> Option<RoleId> {
        let roles = self.engine.roles();
        let exact = roles.iter().position(|role| role == term);
        exact
            .or_else(|| roles.iter().position(|role| role.eq_ignore_case(term)))
            .map(RoleId)
    }

    /// The legal moves of a role, in the engine's order.
    pub(crate) fn legal(&mut self, role: RoleId) -> Result<Vec<(MoveId, GroundTerm)>, EngineError> {
        self.engine.legal(&self.state, role, &mut self.scratch)?;
        let ids = std::mem::take(&mut self.scratch);
        let moves = ids
            .iter()
            .map(|&id| (id, self.engine.move_term(role, id)))
            .collect();
        self.scratch = ids;
        Ok(moves)
    }

    /// The goals if play has ended.
    pub(crate) fn result(&mut self) -> Result<Option<Vec<Option<u8>>>, EngineError> {
        if !self.engine.terminal(&self.state)? {
            return Ok(None);
        }
        (0..self.engine.roles().len())
            .map(|role| self.engine.goal(&self.state, RoleId(role)))
            .collect::<Result<_, _>>()
            .map(Some)
    }

    /// Whether all moves are given and legal in the current state.
    pub(crate) fn all_legal(&mut self, moves: &[Option<GroundTerm>]) -> Result<bool, EngineError> {
        let state = self.state.clone();
        Ok(!self.engine.terminal(&state)? && self.resolve(&state, moves)?.legal)
    }

    /// Follows a joint move as it was sent, one entry for each role.
    pub(crate) fn advance(
        &mut self,
        moves: &[Option<GroundTerm>],
    ) -> Result<Vec<Slip>, EngineError> {
        let state = self.state.clone();
        let over = self.engine.terminal(&state)?;
        let joint = self.resolve(&state, moves)?;
        if (over || !joint.legal)
            && let Some(before) = self.before.clone()
        {
            let earlier = self.resolve(&before, moves)?;
            if earlier.legal {
                self.state = before;
                self.before = None;
                self.history.pop();
                self.apply(&earlier.ids, earlier.terms.into())?;
                return Ok(vec![Slip::Rewound]);
            }
        }
        let mut slips = joint.slips;
        if over || joint.ids.len() < moves.len() {
            slips.push(Slip::Stuck);
        } else {
            self.apply(&joint.ids, joint.terms.into())?;
        }
        Ok(slips)
    }

    fn apply(&mut self, ids: &[MoveId], terms: Arc<[GroundTerm]>) -> Result<(), EngineError> {
        let mut next = State::default();
        self.engine.next(&self.state, ids, &mut next)?;
        self.before = Some(std::mem::replace(&mut self.state, next));
        self.history.push(terms);
        Ok(())
    }

    /// Resolves the moves to legal ones. Returns fewer than there are roles if a role has none.
    fn resolve(
        &mut self,
        state: &State,
        moves: &[Option<GroundTerm>],
    ) -> Result<Joint, EngineError> {
        let mut joint = Joint {
            ids: Vec::with_capacity(moves.len()),
            terms: Vec::with_capacity(moves.len()),
            slips: Vec::new(),
            legal: true,
        };
        let mut legal = Vec::new();
        for (at, sent) in moves.iter().enumerate() {
            let role = RoleId(at);
            self.engine.legal(state, role, &mut legal)?;
            let Some((id, meant, how)) = self.meaning(role, sent.as_ref(), &legal) else {
                joint.legal = false;
                return Ok(joint);
            };
            match (how, sent) {
                (How::Exactly, _) => {}
                (How::IgnoringCase, Some(sent)) => joint.slips.push(Slip::Case {
                    sent: sent.clone(),
                    meant: meant.clone(),
                }),
                (How::Assumed | How::IgnoringCase, sent) => {
                    joint.legal = false;
                    joint.slips.push(Slip::Assumed {
                        role: self.engine.roles()[at].clone(),
                        sent: sent.clone(),
                        meant: meant.clone(),
                    });
                }
            }
            joint.ids.push(id);
            joint.terms.push(meant);
        }
        Ok(joint)
    }

    /// The legal move that was meant. `None` if there is no legal move.
    fn meaning(
        &mut self,
        role: RoleId,
        sent: Option<&GroundTerm>,
        legal: &[MoveId],
    ) -> Option<(MoveId, GroundTerm, How)> {
        if let Some(term) = sent
            && let Some(id) = self.engine.find_move(role, term)
            && legal.contains(&id)
        {
            return Some((id, term.clone(), How::Exactly));
        }
        let mut terms: Vec<_> = legal
            .iter()
            .map(|&id| (self.engine.move_term(role, id), id))
            .collect();
        // The first by its text: engines order their moves differently, and all must agree.
        terms.sort();
        let same = |sent: &GroundTerm| terms.iter().position(|(term, _)| term.eq_ignore_case(sent));
        let (at, how) = match sent.and_then(same) {
            Some(at) => (at, How::IgnoringCase),
            None => (0, How::Assumed),
        };
        let (term, id) = terms.into_iter().nth(at)?;
        Some((id, term, how))
    }
}

/// How a move was understood.
enum How {
    Exactly,
    IgnoringCase,
    Assumed,
}
