//! Expansion of a state: its moves and their child states.

use crate::Numbers;
use crate::chooser::{Chooser, find_chooser};
use crate::prover::Prover;
use crate::table::Name;
use budget::Budget;
use game::{EngineError, MoveId, Outlook, RoleId, State};

/// Children that are generated before their entries in the table are read, so that the memory has
/// time to deliver these.
const TOGETHER: usize = 16;

/// The child state of a move.
#[derive(Debug)]
pub(crate) struct Child {
    pub state: State,
    /// The key of the state in the table.
    pub name: Name,
    pub numbers: Numbers,
    /// If the state is decided: the most joint moves to the end of play.
    pub plies: u16,
}

/// The children of a state. The memory is reused.
#[derive(Debug, Default)]
pub(crate) struct Family {
    /// Whether the asked role chooses in the parent.
    pub own: bool,
    /// Only the first `count` entries are valid.
    children: Vec<Child>,
    count: usize,
    joint: Vec<MoveId>,
    moves: Vec<MoveId>,
}

impl Family {
    pub fn children(&self) -> &[Child] {
        &self.children[..self.count]
    }

    pub fn children_mut(&mut self) -> &mut [Child] {
        &mut self.children[..self.count]
    }

    /// The number of children that there is memory for.
    pub fn capacity(&self) -> usize {
        self.children.len()
    }

    pub fn child(&mut self, at: usize) -> &mut Child {
        &mut self.children[at]
    }

    /// Adds a child, which is yet to be filled.
    fn push(&mut self) -> &mut Child {
        if self.count == self.children.len() {
            self.children.push(Child {
                state: State::default(),
                name: Name::default(),
                numbers: Numbers::CLOSED,
                plies: 0,
            });
        }
        self.count += 1;
        &mut self.children[self.count - 1]
    }

    /// Keeps only this child, if it decides the parent. Returns whether it does.
    fn decide(&mut self, at: usize) -> bool {
        let numbers = self.children[at].numbers;
        let decides = match self.own {
            true => numbers.yes == 0,
            false => numbers.no == 0,
        };
        if decides {
            self.children.swap(0, at);
            self.count = 1;
        }
        decides
    }
}

impl Prover {
    /// A family to be filled.
    pub(crate) fn family(&mut self) -> Family {
        let family = self.families.pop().unwrap_or_default();
        self.kept -= family.capacity().min(self.kept);
        family
    }

    /// Keeps a family for reuse, as far as there is room.
    pub(crate) fn give_back(&mut self, family: Family) {
        if self.kept + family.capacity() <= self.room {
            self.kept += family.capacity();
            self.families.push(family);
        }
    }

    /// Evaluates the moves of a role side by side, if that is faster. Returns whether it did.
    fn fanned(
        &mut self,
        state: &State,
        joint: &[MoveId],
        role: Option<usize>,
        moves: &[MoveId],
    ) -> bool {
        let fans = self.subject.fans.as_mut();
        let foresees = self.subject.foresees;
        let fans = fans.filter(|fans| foresees || moves.len() >= fans.least());
        let Some((fans, role)) = fans.zip(role) else {
            return false;
        };
        let fanned = fans.fan(state, joint, RoleId(role), moves, &mut self.subject.fan);
        fanned.is_ok()
    }

    /// Generates the children of a state that is not terminal.
    ///
    /// `false` if nothing can be proved here, or time has run out. If one child decides the
    /// state, only that one is generated.
    pub(crate) fn expand(
        &mut self,
        state: &State,
        family: &mut Family,
        budget: &Budget,
    ) -> Result<bool, EngineError> {
        family.count = 0;
        let (mut joint, mut moves) = (
            std::mem::take(&mut family.joint),
            std::mem::take(&mut family.moves),
        );
        let (engine, scratch) = (&mut *self.subject.engine, &mut self.subject.scratch);
        let chooser = find_chooser(engine, state, &mut joint, &mut moves, scratch)?;
        let (chooser, count) = match chooser {
            Chooser::Unclear => return Ok(false),
            Chooser::Nobody => (None, 1),
            Chooser::One(role, count) => (Some(role), count),
        };
        family.own = chooser == Some(self.subject.judge.role.0);
        let fanned = self.fanned(state, &joint, chooser, &moves);
        if let Some(guide) = &mut self.subject.guide {
            guide.near(state);
        }
        let mut decided = false;
        while !decided && family.count < count {
            let first = family.count;
            let together = first..count.min(first + TOGETHER);
            for number in together.clone() {
                if self.is_late(budget) {
                    return Ok(false);
                }
                if let (Some(role), Some(&mv)) = (chooser, moves.get(number)) {
                    joint[role] = mv;
                }
                let child = family.push();
                match fanned {
                    true => std::mem::swap(&mut child.state, self.subject.fan.state_mut(number)),
                    false => self.subject.engine.next(state, &joint, &mut child.state)?,
                }
                child.name = self.table.name(&child.state, self.subject.judge.at_least);
                self.table.prefetch(child.name);
                self.states += 1;
            }
            for number in together {
                let child = &mut family.children[number];
                let fanned = fanned.then_some(number);
                (child.numbers, child.plies) = self.first_look(&child.state, child.name, fanned)?;
                decided = family.decide(number);
                if decided {
                    break;
                }
            }
        }
        (family.joint, family.moves) = (joint, moves);
        Ok(true)
    }

    /// The numbers of a state before its expansion, and the plies to its end if it is decided.
    ///
    /// `fanned` is its place among the states evaluated side by side, if it is one of them.
    fn first_look(
        &mut self,
        state: &State,
        name: Name,
        fanned: Option<usize>,
    ) -> Result<(Numbers, u16), EngineError> {
        let over = fanned.map(|place| self.subject.fan.is_over(place));
        if let Some(numbers) = self
            .subject
            .judge
            .end(&mut *self.subject.engine, state, over)?
        {
            return Ok((numbers, 0));
        }
        let outlook = fanned.and_then(|place| self.subject.fan.outlook(place));
        if let Some((numbers, plies)) =
            outlook.and_then(|outlook| self.subject.judge.foreseen(outlook))
        {
            return Ok((numbers, plies));
        }
        if let Some((numbers, plies)) = self.table.get(name) {
            return Ok((numbers, plies));
        }
        let chooser = match fanned {
            Some(place) => match (Chooser::among(self.subject.fan.choices(place)), outlook) {
                // The other moves lose at once.
                (
                    Chooser::One(role, _),
                    Some(Outlook {
                        careful: Some((_, count @ 1..)),
                        ..
                    }),
                ) => Chooser::One(role, count as usize),
                (chooser, _) => chooser,
            },
            None => {
                let engine = &mut *self.subject.engine;
                let (joint, moves) = (&mut self.joint, &mut self.moves);
                find_chooser(engine, state, joint, moves, &mut self.subject.scratch)?
            }
        };
        let numbers = match chooser {
            Chooser::Unclear => Numbers::CLOSED,
            Chooser::Nobody => Numbers { yes: 1, no: 1 },
            Chooser::One(role, count) if role == self.subject.judge.role.0 => Numbers {
                yes: 1,
                no: count as u32,
            },
            Chooser::One(_, count) => Numbers {
                yes: count as u32,
                no: 1,
            },
        };
        Ok((self.subject.leaf(state, numbers), 0))
    }
}
