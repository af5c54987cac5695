//! Follows a match on one engine, even if the server's moves are wrong.

use crate::live::Fit;
use budget::{Budget, Exhausted};
use game::{Engine, EngineError, GroundTerm, MoveId, RoleId, State};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

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
    /// The legal moves could not be listed in time: the move is taken as it was sent.
    Unchecked { role: GroundTerm, sent: GroundTerm },
    /// The moves belong to the state before: the tracker was one step ahead, and went back.
    Rewound,
    /// A role had no legal move, or play had ended: the state was kept.
    Stuck,
}

impl Slip {
    fn is_unchecked(&self) -> bool {
        matches!(self, Slip::Unchecked { .. })
    }
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
            Slip::Unchecked { role, sent } => write!(
                f,
                "there was no time to check whether {sent} is legal for {role}"
            ),
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
    /// The state before, with the moves that led to it.
    before: Option<(State, History)>,
    history: History,
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
        }
    }

    /// A tracker on `engine` that has followed `history`. `None` if the engine cannot, or not
    /// within the budget.
    pub(crate) fn replay(
        engine: Box<dyn Engine>,
        history: &History,
        budget: &Budget,
    ) -> Option<Self> {
        let mut tracker = Tracker::new(engine);
        tracker.bound(budget);
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

    /// Returns to the initial state. The state before stays known, in case the match was not
    /// begun again after all.
    pub(crate) fn reset(&mut self) {
        let state = std::mem::replace(&mut self.state, self.engine.initial());
        let history = std::mem::take(&mut self.history);
        if !history.is_empty() {
            self.before = Some((state, history));
        }
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

    /// Bounds every question from now on.
    pub(crate) fn bound(&mut self, budget: &Budget) {
        self.engine.set_budget(budget);
    }

    /// The role that `term` names: exactly, ignoring case, without quotation marks, or by a
    /// number where counting from 0 and from 1 does not lead to two roles.
    pub(crate) fn role(&self, term: &GroundTerm) -> Option<RoleId> {
        let roles = self.engine.roles();
        let text = term.to_string();
        let bare = GroundTerm::constant(text.trim_matches(['"', '\'']));
        let number: Option<usize> = text.parse().ok();
        let counted = number.and_then(|number| match (number, number.checked_sub(1)) {
            (from_0, Some(from_1)) if from_0 == roles.len() => Some(from_1),
            (0, None) if !roles.is_empty() => Some(0),
            _ => None,
        });
        let position = |same: &dyn Fn(&GroundTerm) -> bool| roles.iter().position(same);
        position(&|role| role == term)
            .or_else(|| position(&|role| role.eq_ignore_case(term)))
            .or_else(|| position(&|role| role.eq_ignore_case(&bare)))
            .or(counted)
            .map(RoleId)
    }

    /// The legal moves of a role, in the engine's order.
    pub(crate) fn legal(&mut self, role: RoleId) -> Result<Vec<MoveId>, EngineError> {
        let mut moves = Vec::new();
        self.engine.legal(&self.state, role, &mut moves)?;
        Ok(moves)
    }

    /// A legal move of a role, which is found sooner than all of them.
    pub(crate) fn some_legal(&mut self, role: RoleId) -> Result<Option<GroundTerm>, EngineError> {
        let found = self.engine.some_legal(&self.state, role)?;
        Ok(found.map(|id| self.engine.move_term(role, id)))
    }

    pub(crate) fn term(&mut self, role: RoleId, id: MoveId) -> GroundTerm {
        self.engine.move_term(role, id)
    }

    pub(crate) fn find(&mut self, role: RoleId, term: &GroundTerm) -> Option<MoveId> {
        self.engine.find_move(role, term)
    }

    pub(crate) fn facts(&mut self) -> Vec<GroundTerm> {
        self.engine.facts(&self.state)
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

    /// Where all moves are given and legal.
    pub(crate) fn fit(
        &mut self,
        moves: &[Option<GroundTerm>],
        budget: &Budget,
    ) -> Result<Fit, EngineError> {
        let state = self.state.clone();
        if !self.engine.terminal(&state)? && self.resolve(&state, moves, budget)?.legal {
            return Ok(Fit::Now);
        }
        if let Some((before, _)) = self.before.clone()
            && self.resolve(&before, moves, budget)?.legal
        {
            return Ok(Fit::Before);
        }
        Ok(Fit::Nowhere)
    }

    /// Follows a joint move as it was sent, one entry for each role.
    ///
    /// Moves are compared with the legal ones until `budget` ends, but at least for [`COMPARE`],
    /// and then taken as they were sent; the state is reached in any case but that the match is
    /// over. `from_before` says that they belong to the state before, if they are legal there.
    pub(crate) fn advance(
        &mut self,
        moves: &[Option<GroundTerm>],
        from_before: bool,
        budget: &Budget,
    ) -> Result<Vec<Slip>, EngineError> {
        let lasting = budget.clone().without_deadline();
        self.bound(&lasting);
        let state = self.state.clone();
        let over = self.engine.terminal(&state)?;
        let mut budget = budget.clone();
        let mut joint = self.resolve(&state, moves, &budget)?;
        if joint.slips.iter().any(Slip::is_unchecked) {
            budget = lasting.clone().with_timeout(COMPARE);
            joint = self.resolve(&state, moves, &budget)?;
        }
        if (over || !joint.legal || from_before)
            && let Some((before, history)) = self.before.clone()
        {
            let earlier = self.resolve(&before, moves, &budget)?;
            if earlier.legal {
                self.bound(&lasting);
                self.state = before;
                self.before = None;
                self.history = history;
                self.apply(&earlier.ids, earlier.terms.into())?;
                return Ok(vec![Slip::Rewound]);
            }
        }
        self.bound(&lasting);
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
        let state = std::mem::replace(&mut self.state, next);
        self.before = Some((state, self.history.clone()));
        self.history.push(terms);
        Ok(())
    }

    /// Resolves the moves to legal ones. Returns fewer than there are roles if a role has none.
    fn resolve(
        &mut self,
        state: &State,
        moves: &[Option<GroundTerm>],
        budget: &Budget,
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
            self.bound(budget);
            let listed = self.engine.legal(state, role, &mut legal);
            let meaning = match (listed, sent) {
                (Ok(()), sent) => self.meaning(role, sent.as_ref(), &legal, budget),
                (Err(EngineError::Exhausted(why)), Some(sent)) if why != Exhausted::Stopped => {
                    let found = self.engine.find_move(role, sent);
                    found.map(|id| (id, sent.clone(), How::Unchecked))
                }
                (Err(EngineError::Exhausted(why)), None) if why != Exhausted::Stopped => {
                    self.bound(&budget.clone().without_deadline());
                    let found = self.engine.some_legal(state, role)?;
                    found.map(|id| (id, self.engine.move_term(role, id), How::Assumed))
                }
                (Err(error), _) => return Err(error),
            };
            let Some((id, meant, how)) = meaning else {
                joint.legal = false;
                return Ok(joint);
            };
            match (how, sent) {
                (How::Exactly, _) => {}
                (How::Unchecked, _) => joint.slips.push(Slip::Unchecked {
                    role: self.engine.roles()[at].clone(),
                    sent: meant.clone(),
                }),
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
        budget: &Budget,
    ) -> Option<(MoveId, GroundTerm, How)> {
        if let Some(term) = sent
            && let Some(id) = self.engine.find_move(role, term)
            && legal.contains(&id)
        {
            return Some((id, term.clone(), How::Exactly));
        }
        // The first by its text: engines order their moves differently, and all must agree.
        let mut first: Option<(GroundTerm, MoveId)> = None;
        let mut same: Option<(GroundTerm, MoveId)> = None;
        for (count, &id) in legal.iter().enumerate() {
            if count % CHECK_EVERY == CHECK_EVERY - 1 && budget.check().is_err() {
                break;
            }
            let term = self.engine.move_term(role, id);
            let alike = sent.is_some_and(|sent| term.eq_ignore_case(sent));
            if alike && same.as_ref().is_none_or(|(known, _)| term < *known) {
                same = Some((term.clone(), id));
            }
            if first.as_ref().is_none_or(|(known, _)| term < *known) {
                first = Some((term, id));
            }
        }
        let how = match same {
            Some(_) => How::IgnoringCase,
            None => How::Assumed,
        };
        let (term, id) = same.or(first)?;
        Some((id, term, how))
    }
}

/// The least time for comparing moves with the legal ones. Most games need far less, also after
/// the machine was busy, or the process stopped, until a turn was nearly over. An answer that is
/// due does not wait for it.
pub(crate) const COMPARE: Duration = Duration::from_millis(20);

/// How many terms are made between two looks at the clock.
const CHECK_EVERY: usize = 1 << 10;

/// How a move was understood.
enum How {
    Exactly,
    IgnoringCase,
    /// There was no time to list the legal moves.
    Unchecked,
    Assumed,
}
