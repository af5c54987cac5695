//! Expansion of states: their children, and the order in which these are searched.

use crate::prover::Prover;
use dfpn::{Chooser, Name, Numbers, find_chooser};
use game::{EngineError, MoveId, Parent, RoleId, State};

/// A child state.
#[derive(Debug, Default)]
pub(crate) struct Child {
    pub state: State,
    /// The key of the state in the table.
    pub name: Name,
    /// Its own children, if they were made before it is searched.
    pub ahead: Option<Box<Family>>,
}

/// What an expansion found.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) enum Expansion {
    /// Nothing can be proved here.
    #[default]
    Closed,
    /// The state is decided, within so many joint moves.
    Decided(Numbers, u16),
    /// Children are to be searched.
    Open,
}

/// The children of a state. The memory is reused.
#[derive(Debug, Default)]
pub(crate) struct Family {
    pub expansion: Expansion,
    /// The role that chooses, and whether it is the asked one.
    pub role: usize,
    pub own: bool,
    /// The moves of that role, one for each child.
    pub moves: Vec<MoveId>,
    /// There may be more of them than moves, from earlier use.
    pub children: Vec<Child>,
    /// The children to be searched, the best first.
    pub order: Vec<usize>,
    /// What the children that are decided say, and the most joint moves to the end of play after
    /// one of them.
    pub decided: Option<(Numbers, u16)>,
    ranks: Vec<Rank>,
    joint: Vec<MoveId>,
}

/// A state that is expanded, beside others.
#[derive(Debug)]
pub(crate) struct Leaf {
    pub state: State,
    pub family: Box<Family>,
}

/// What decides about the place of a child: the least comes first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    /// Whether the other side chooses there.
    other: bool,
    /// The moves to choose among.
    moves: u32,
    history: std::cmp::Reverse<u32>,
    number: usize,
}

impl Family {
    /// Takes note of a child that is decided. Returns whether it decides the parent.
    pub fn decide(&mut self, numbers: Numbers, plies: u16) -> bool {
        let longest = self.decided.map_or(0, |(_, longest)| longest);
        self.decided = Some((numbers, longest.max(plies)));
        self.is_decided_by(numbers)
    }

    /// Whether one child with this answer decides the parent.
    pub fn is_decided_by(&self, numbers: Numbers) -> bool {
        numbers.of_chooser(self.own).0 == 0
    }
}

impl Prover {
    /// Makes the children of states that are not terminal, all in one call. `keep` stores children
    /// that are decided at once.
    pub(crate) fn expand(&mut self, leaves: &mut [Leaf], keep: bool) -> Result<(), EngineError> {
        for leaf in &mut *leaves {
            self.find_moves(leaf)?;
        }
        let fanned = self.fan(leaves);
        // All are made before the first is looked up, so that the memory has time to deliver
        // their entries.
        let mut first = 0;
        for leaf in &mut *leaves {
            self.make(leaf, fanned.then_some(first))?;
            first += leaf.family.moves.len();
        }
        first = 0;
        for leaf in leaves {
            self.look(&mut leaf.family, fanned.then_some(first), keep)?;
            first += leaf.family.moves.len();
        }
        Ok(())
    }

    /// Finds who chooses, and the moves.
    fn find_moves(&mut self, leaf: &mut Leaf) -> Result<(), EngineError> {
        let (engine, scratch) = (&mut *self.subject.engine, &mut self.subject.scratch);
        let family = &mut *leaf.family;
        family.order.clear();
        family.ranks.clear();
        family.decided = None;
        family.expansion = Expansion::Closed;
        let (joint, moves) = (&mut family.joint, &mut family.moves);
        let chooser = match find_chooser(engine, &leaf.state, joint, moves, scratch)? {
            Chooser::Unclear => {
                moves.clear();
                return Ok(());
            }
            Chooser::Nobody => {
                moves.clear();
                moves.push(joint[0]);
                None
            }
            Chooser::One(role, _) => Some(role),
        };
        family.expansion = Expansion::Open;
        family.role = chooser.unwrap_or(0);
        family.own = chooser == Some(self.subject.judge.role.0);
        if family.children.len() < moves.len() {
            family.children.resize_with(moves.len(), Child::default);
        }
        Ok(())
    }

    /// Evaluates all moves side by side, if that is faster. Returns whether it did.
    fn fan(&mut self, leaves: &[Leaf]) -> bool {
        let all: usize = leaves.iter().map(|leaf| leaf.family.moves.len()).sum();
        let foresees = self.subject.foresees;
        let fans = self.subject.fans.as_mut();
        let Some(fans) = fans.filter(|fans| all > 0 && (foresees || all >= fans.least())) else {
            return false;
        };
        let made = match leaves {
            [Leaf { state, family }] => {
                let (joint, role) = (&family.joint, RoleId(family.role));
                fans.fan(state, joint, role, &family.moves, &mut self.subject.fan)
            }
            _ => {
                let open = leaves.iter().filter(|leaf| !leaf.family.moves.is_empty());
                let parents = open.map(|Leaf { state, family }| Parent {
                    state,
                    joint: &family.joint,
                    role: RoleId(family.role),
                    moves: &family.moves,
                });
                let parents: Vec<Parent<'_>> = parents.collect();
                fans.fan_all(&parents, &mut self.subject.fan)
            }
        };
        made.is_ok()
    }

    /// Fills the child states and their keys. `first` is the place of the first one among those
    /// made side by side.
    fn make(&mut self, leaf: &mut Leaf, first: Option<usize>) -> Result<(), EngineError> {
        let Family {
            role,
            children,
            joint,
            moves,
            ..
        } = &mut *leaf.family;
        for (number, (child, &mv)) in children.iter_mut().zip(&*moves).enumerate() {
            match first {
                Some(first) => child
                    .state
                    .clone_from(self.subject.fan.state(first + number)),
                None => {
                    joint[*role] = mv;
                    self.subject
                        .engine
                        .next(&leaf.state, joint, &mut child.state)?;
                }
            }
            child.name = self.table.name(&child.state, self.subject.judge.at_least);
            self.table.prefetch(child.name);
            self.states += 1;
        }
        Ok(())
    }

    /// Looks at children, which decide the state or are put in order.
    fn look(
        &mut self,
        family: &mut Family,
        first: Option<usize>,
        keep: bool,
    ) -> Result<(), EngineError> {
        for number in 0..family.moves.len() {
            let place = first.map(|first| first + number);
            let child = &family.children[number];
            let name = child.name;
            let Some((numbers, plies)) = self.first_look(&child.state, name, place)? else {
                let rank = self.rank(family, number, place);
                family.ranks.push(rank);
                continue;
            };
            if keep && plies > 0 {
                self.table.put(name, numbers, plies, 1);
            }
            let plies = plies.saturating_add(1);
            if family.decide(numbers, plies) {
                family.expansion = Expansion::Decided(numbers, plies);
                return Ok(());
            }
        }
        family.ranks.sort_unstable();
        let order = family.ranks.iter().map(|rank| rank.number);
        family.order.extend(order);
        if let Some((numbers, plies)) = family.decided.filter(|_| family.order.is_empty()) {
            family.expansion = Expansion::Decided(numbers, plies);
        }
        Ok(())
    }

    /// The answer of a child if it is known without a search, and the plies to the end of play.
    fn first_look(
        &mut self,
        state: &State,
        name: Name,
        place: Option<usize>,
    ) -> Result<Option<(Numbers, u16)>, EngineError> {
        let over = place.map(|place| self.subject.fan.is_over(place));
        if let Some(numbers) = self
            .subject
            .judge
            .end(&mut *self.subject.engine, state, over)?
        {
            return Ok(Some((numbers, 0)));
        }
        let outlook = place.and_then(|place| self.subject.fan.outlook(place));
        let foreseen = outlook.and_then(|outlook| self.subject.judge.foreseen(outlook));
        Ok(foreseen.or_else(|| self.table.get(name)))
    }

    /// What decides about the place of a child among its siblings.
    fn rank(&self, family: &Family, number: usize, place: Option<usize>) -> Rank {
        let history = self.history.score(family.role, family.moves[number]);
        let mut rank = Rank {
            other: true,
            moves: 0,
            history: std::cmp::Reverse(history),
            number,
        };
        let chooser = place.map(|place| (Chooser::among(self.subject.fan.choices(place)), place));
        if let Some((Chooser::One(role, count), place)) = chooser {
            rank.other = (role == self.subject.judge.role.0) != family.own;
            if rank.other {
                let careful = self
                    .subject
                    .fan
                    .outlook(place)
                    .and_then(|outlook| outlook.careful);
                rank.moves = careful.map_or(count as u32, |(_, careful)| careful);
            }
        }
        rank
    }
}
