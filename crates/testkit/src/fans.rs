//! A reference for the evaluation of all moves of a state: queries an engine move by move.

use game::{Engine, EngineError, Fan, Fans, MoveId, Outlook, RoleId, State};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Queries the engine move by move, and counts the queries.
pub struct OneByOne {
    engine: Box<dyn Engine>,
    asked: Arc<AtomicUsize>,
    foresees: bool,
}

/// The only role with a choice in a state, its moves, and a joint move with the first of them.
type Choice = (RoleId, Vec<MoveId>, Vec<MoveId>);

impl OneByOne {
    /// Creates a reference that queries a fork of this engine.
    pub fn of(engine: &dyn Engine) -> OneByOne {
        OneByOne {
            engine: engine.fork(),
            asked: Arc::default(),
            foresees: false,
        }
    }

    /// The number of queries to it and its forks.
    pub fn asked(&self) -> usize {
        self.asked.load(Ordering::Relaxed)
    }

    /// The choice in a non-terminal state, if exactly one role has one.
    fn choice(&mut self, state: &State) -> Result<Option<Choice>, EngineError> {
        let (mut joint, mut found) = (Vec::new(), None);
        for role in (0..self.engine.roles().len()).map(RoleId) {
            let mut moves = Vec::new();
            self.engine.legal(state, role, &mut moves)?;
            let Some(&first) = moves.first() else {
                return Ok(None);
            };
            joint.push(first);
            if moves.len() > 1 && found.replace((role, moves)).is_some() {
                return Ok(None);
            }
        }
        Ok(found.map(|(role, moves)| (role, moves, joint)))
    }

    /// Whether the choosing role wins at once with one of its moves.
    fn wins(&mut self, state: &State, choice: &Choice) -> Result<bool, EngineError> {
        let (role, moves, mut joint) = choice.clone();
        let mut next = State::default();
        for mv in moves {
            joint[role.0] = mv;
            self.engine.next(state, &joint, &mut next)?;
            if self.engine.terminal(&next)? && self.engine.goal(&next, role)? == Some(100) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The look-ahead from a non-terminal state, by examining all successors. It is complete
    /// only if the same role answers every move.
    pub fn outlook(&mut self, state: &State) -> Result<Option<Outlook>, EngineError> {
        let Some(choice) = self.choice(state)? else {
            return Ok(None);
        };
        let wins = self.wins(state, &choice)?;
        let (role, moves, mut joint) = choice;
        let (mut then, mut count, mut one) = (None, 0, true);
        for mv in moves {
            joint[role.0] = mv;
            let mut next = State::default();
            self.engine.next(state, &joint, &mut next)?;
            if self.engine.terminal(&next)? {
                count += 1;
                continue;
            }
            match self.choice(&next)? {
                Some(answer) if answer.0 != role => {
                    one &= then.is_none_or(|then| then == answer.0);
                    then = Some(answer.0);
                    count += u32::from(!self.wins(&next, &answer)?);
                }
                _ => one = false,
            }
        }
        let careful = then.filter(|_| one).map(|then| (then, count));
        Ok(Some(Outlook {
            role,
            wins,
            careful,
        }))
    }
}

impl Fans for OneByOne {
    fn least(&self) -> usize {
        2
    }

    fn fan(
        &mut self,
        state: &State,
        joint: &[MoveId],
        role: RoleId,
        moves: &[MoveId],
        fan: &mut Fan,
    ) -> Result<(), EngineError> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        fan.reset(joint.len(), moves.len());
        let (mut joint, mut legal) = (joint.to_vec(), Vec::new());
        for (at, &mv) in moves.iter().enumerate() {
            joint[role.0] = mv;
            self.engine.next(state, &joint, fan.state_mut(at))?;
            let next = fan.state(at).clone();
            if self.engine.terminal(&next)? {
                fan.end(at);
                continue;
            }
            for role in 0..joint.len() {
                self.engine.legal(&next, RoleId(role), &mut legal)?;
                fan.choices_mut(at)[role] = legal.len() as u32;
            }
            if let (true, Some(outlook)) = (self.foresees, self.outlook(&next)?) {
                fan.foresee(at, outlook);
            }
        }
        Ok(())
    }

    fn foresee(&mut self) -> bool {
        self.foresees = true;
        true
    }

    fn fork(&self) -> Box<dyn Fans> {
        Box::new(OneByOne {
            engine: self.engine.fork(),
            asked: self.asked.clone(),
            foresees: self.foresees,
        })
    }
}
