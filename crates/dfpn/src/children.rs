//! What the moves in a state lead to.

use crate::prover::Prover;
use crate::table::{Name, Numbers};
use budget::Budget;
use game::{EngineError, MoveId, Outlook, RoleId, State};

/// What a move leads to.
#[derive(Debug)]
pub(crate) struct Child {
    pub state: State,
    /// Of no use if play is over.
    pub name: Name,
    pub numbers: Numbers,
    /// If there is an answer, joint moves to the end of play, at most.
    pub plies: u16,
}

/// A state and what its moves lead to. Kept to be used again.
#[derive(Debug, Default)]
pub(crate) struct Family {
    /// Whether the role that is asked about chooses.
    pub own: bool,
    /// Of these only the first ones are there.
    children: Vec<Child>,
    count: usize,
    joint: Vec<MoveId>,
    moves: Vec<MoveId>,
}

impl Family {
    pub fn children(&self) -> &[Child] {
        &self.children[..self.count]
    }

    /// How many children there is memory for.
    pub fn capacity(&self) -> usize {
        self.children.len()
    }

    pub fn child(&mut self, at: usize) -> &mut Child {
        &mut self.children[at]
    }
}

/// Who chooses in a state.
pub(crate) enum Chooser {
    /// Nobody: play goes on by the only moves there are.
    Nobody,
    /// One role, among so many moves.
    One(usize, usize),
    /// Several at once, or somebody has no move: nothing is proved here.
    Unclear,
}

impl Chooser {
    /// Who it is where roles have so many moves.
    fn among(counts: &[u32]) -> Chooser {
        let mut choosing = (0..).zip(counts).filter(|(_, count)| **count != 1);
        match (choosing.next(), choosing.next()) {
            (None, _) => Chooser::Nobody,
            (Some((role, &count)), None) if count > 0 => Chooser::One(role, count as usize),
            _ => Chooser::Unclear,
        }
    }
}

impl Prover {
    /// A family to be filled.
    pub(crate) fn family(&mut self) -> Family {
        let family = self.families.pop().unwrap_or_default();
        self.kept -= family.capacity().min(self.kept);
        family
    }

    /// Keeps a family to be used again, as far as there is room.
    pub(crate) fn give_back(&mut self, family: Family) {
        if self.kept + family.capacity() <= self.room {
            self.kept += family.capacity();
            self.families.push(family);
        }
    }

    /// Who chooses, with the joint move of the first moves; and the moves of the one who does.
    fn chooser(
        &mut self,
        state: &State,
        joint: &mut Vec<MoveId>,
        moves: &mut Vec<MoveId>,
    ) -> Result<Chooser, EngineError> {
        joint.clear();
        let mut found = Chooser::Nobody;
        for role in 0..self.roles {
            self.engine.legal(state, RoleId(role), &mut self.scratch)?;
            match (self.scratch.len(), &found) {
                (1, _) => {}
                (0, _) | (_, Chooser::One(..)) => return Ok(Chooser::Unclear),
                (count, _) => {
                    std::mem::swap(&mut self.scratch, moves);
                    found = Chooser::One(role, count);
                    joint.push(moves[0]);
                    continue;
                }
            }
            joint.push(self.scratch[0]);
        }
        Ok(found)
    }

    /// Looks at what the moves of a role lead to all together, if that is faster.
    fn fanned(
        &mut self,
        state: &State,
        joint: &[MoveId],
        role: Option<usize>,
        moves: &[MoveId],
    ) -> bool {
        let fans = self.fans.as_mut();
        let foresees = self.foresees;
        let fans = fans.filter(|fans| foresees || moves.len() >= fans.least());
        let Some((fans, role)) = fans.zip(role) else {
            return false;
        };
        let fanned = fans.fan(state, joint, RoleId(role), moves, &mut self.fan);
        fanned.is_ok()
    }

    /// The moves in a state in which play is not over. `false` if nothing can be proved here, or time has run out. If one of them answers
    /// the question, only that is there.
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
        let chooser = self.chooser(state, &mut joint, &mut moves)?;
        let (chooser, count) = match chooser {
            Chooser::Unclear => return Ok(false),
            Chooser::Nobody => (None, 1),
            Chooser::One(role, count) => (Some(role), count),
        };
        family.own = chooser == Some(self.role.0);
        let fanned = self.fanned(state, &joint, chooser, &moves);
        for number in 0..count {
            if self.is_late(budget) {
                return Ok(false);
            }
            if let (Some(role), Some(&mv)) = (chooser, moves.get(number)) {
                joint[role] = mv;
            }
            if family.count == family.children.len() {
                family.children.push(Child {
                    state: State::default(),
                    name: Name::default(),
                    numbers: Numbers::CLOSED,
                    plies: 0,
                });
            }
            let child = &mut family.children[family.count];
            let fanned = fanned.then_some(number);
            match fanned {
                Some(place) => child.state.clone_from(self.fan.state(place)),
                None => self.engine.next(state, &joint, &mut child.state)?,
            }
            self.states += 1;
            let (name, numbers, plies) = self.first_look(&child.state, fanned)?;
            (child.name, child.numbers, child.plies) = (name, numbers, plies);
            family.count += 1;
            let decides = match family.own {
                true => numbers.yes == 0,
                false => numbers.no == 0,
            };
            if decides {
                family.children.swap(0, family.count - 1);
                family.count = 1;
                break;
            }
        }
        (family.joint, family.moves) = (joint, moves);
        Ok(true)
    }

    /// What is known of a state without looking at its moves, but for how many there are; which was told with others if
    /// it has a place among them.
    fn first_look(
        &mut self,
        state: &State,
        fanned: Option<usize>,
    ) -> Result<(Name, Numbers, u16), EngineError> {
        if let Some(numbers) = self.end(state, fanned)? {
            return Ok((Name::default(), numbers, 0));
        }
        let outlook = fanned.and_then(|place| self.fan.outlook(place));
        if let Some((numbers, plies)) = outlook.and_then(|outlook| self.foreseen(outlook)) {
            return Ok((Name::default(), numbers, plies));
        }
        let name = self.table.name(state, self.at_least);
        if let Some((numbers, plies)) = self.table.get(name) {
            return Ok((name, numbers, plies));
        }
        let chooser = match fanned {
            Some(place) => match (Chooser::among(self.fan.choices(place)), outlook) {
                // Other moves lose at once.
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
                let (mut joint, mut moves) = (
                    std::mem::take(&mut self.joint),
                    std::mem::take(&mut self.moves),
                );
                let chooser = self.chooser(state, &mut joint, &mut moves);
                (self.joint, self.moves) = (joint, moves);
                chooser?
            }
        };
        let numbers = match chooser {
            Chooser::Unclear => Numbers::CLOSED,
            Chooser::Nobody => Numbers { yes: 1, no: 1 },
            Chooser::One(role, count) if role == self.role.0 => Numbers {
                yes: 1,
                no: count as u32,
            },
            Chooser::One(_, count) => Numbers {
                yes: count as u32,
                no: 1,
            },
        };
        Ok((name, numbers, 0))
    }

    /// The answer that what is foreseen of a state gives, and within how many joint moves play ends.
    fn foreseen(&mut self, outlook: Outlook) -> Option<(Numbers, u16)> {
        let (winner, plies) = outlook.winner()?;
        let goal = match winner == self.role {
            true => 100,
            false => u8::try_from(self.sum?.checked_sub(100)?).ok()?,
        };
        Some((self.compared(goal), plies))
    }

    /// The answer where play is over with a result.
    fn compared(&mut self, goal: u8) -> Numbers {
        let ends = &mut self.ends[usize::from(self.at_least)];
        match goal >= self.at_least {
            true => {
                ends.least = ends.least.min(goal);
                Numbers::YES
            }
            false => {
                ends.most = ends.most.max(goal);
                Numbers::NO
            }
        }
    }

    /// The answer where play is over.
    pub(crate) fn end(
        &mut self,
        state: &State,
        fanned: Option<usize>,
    ) -> Result<Option<Numbers>, EngineError> {
        let over = match fanned {
            Some(place) => self.fan.is_over(place),
            None => self.engine.terminal(state)?,
        };
        if !over {
            return Ok(None);
        }
        let goal = self.engine.goal(state, self.role)?;
        let goal = goal.unwrap_or(self.missing);
        Ok(Some(self.compared(goal)))
    }
}
