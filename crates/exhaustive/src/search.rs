//! The search for one question: does the role get at least some value?

use crate::answer::Verdict;
use crate::children::Choices;
use crate::table::{Mode, Table};
use budget::{Budget, Exhausted};
use game::{Engine, EngineError, MoveId, RoleId, State};
use rustc_hash::FxHashMap;

/// Which side knows the other's move where the role and others choose at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reading {
    /// The others know the role's move. The value is a lower bound of what the role can get.
    Guaranteed,
    /// The role knows the others' moves. The value is an upper bound of what the role can get.
    Conceded,
}

/// Joint moves after which a line of play counts as beyond the horizon. This guards the stack
/// against games that do not end.
pub(crate) const LONGEST: u32 = 400;

/// States visited between two checks of the budget.
const STRIDE: u64 = 256;

/// Why a search stopped.
pub(crate) enum Halt {
    Engine(EngineError),
    Exhausted(Exhausted),
}

impl From<EngineError> for Halt {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Exhausted(why) => Halt::Exhausted(why),
            error => Halt::Engine(error),
        }
    }
}

pub(crate) struct Search<'a> {
    pub engine: &'a mut dyn Engine,
    pub role: RoleId,
    /// The value asked for.
    pub at_least: u8,
    pub reading: Reading,
    pub budget: &'a Budget,
    /// States visited, and the most allowed.
    pub states: u64,
    pub most_states: u64,
    /// Whether a state was met in which the role and others choose at the same time.
    pub simultaneous: bool,
    /// Whether the horizon cut off a line.
    pub cut: bool,
    pub table: Table,
    /// The history heuristic: how often a role's move decided a state.
    history: FxHashMap<(usize, MoveId), u64>,
}

/// A state after a joint move.
struct Child {
    /// Its position among its siblings before they were sorted.
    number: u32,
    state: State,
    joint: Vec<MoveId>,
    known: Option<Verdict>,
    order: u64,
}

impl<'a> Search<'a> {
    pub fn new(
        engine: &'a mut dyn Engine,
        role: RoleId,
        at_least: u8,
        reading: Reading,
        budget: &'a Budget,
        most_states: u64,
    ) -> Self {
        Search {
            engine,
            role,
            at_least,
            reading,
            budget,
            states: 0,
            most_states,
            simultaneous: false,
            cut: false,
            table: Table::default(),
            history: FxHashMap::default(),
        }
    }

    /// The verdict if the state is terminal. A missing goal counts as 0.
    fn ended(&mut self, state: &State) -> Result<Option<Verdict>, Halt> {
        if !self.engine.terminal(state)? {
            return Ok(None);
        }
        let goal = self.engine.goal(state, self.role)?.unwrap_or(0);
        Ok(Some(if goal >= self.at_least {
            Verdict::Yes(goal)
        } else {
            Verdict::No(goal)
        }))
    }

    /// The verdict on a state that needs no search.
    fn known(&mut self, state: &State, mode: Mode, left: u32) -> Result<Option<Verdict>, Halt> {
        if let Some(entry) = self.table.get(state) {
            return Ok(entry.verdict(mode, left));
        }
        self.ended(state)
    }

    /// The verdict on a state in which the role may still choose `left` times.
    ///
    /// `mode` sets the value beyond the horizon, but an answer that rests on it is `Unknown`.
    pub fn value(
        &mut self,
        state: &State,
        mode: Mode,
        left: u32,
        plies: u32,
    ) -> Result<Verdict, Halt> {
        match self.known(state, mode, left)? {
            Some(verdict) => {
                self.cut |= verdict == Verdict::Unknown;
                Ok(verdict)
            }
            None => self.expand(state, mode, left, plies),
        }
    }

    /// The verdict on a state that is neither terminal nor in the table.
    fn expand(
        &mut self,
        state: &State,
        mode: Mode,
        left: u32,
        plies: u32,
    ) -> Result<Verdict, Halt> {
        self.count()?;
        let Some(choices) = Choices::of(self.engine, state, self.role)? else {
            return Ok(Verdict::Unknown);
        };
        let chooses = choices.own.len() > 1;
        if plies >= LONGEST || (chooses && left == 0) {
            self.cut |= plies < LONGEST;
            return Ok(Verdict::Unknown);
        }
        let below = left - u32::from(chooses);
        let best = self.table.get(state).map(|entry| entry.best);
        let (own, others) = (choices.own.len(), choices.others.len());
        let (verdict, best) = if own == 1 || others == 1 {
            let pairs = (0..own).flat_map(|own| (0..others).map(move |other| (own, other)));
            self.line(
                state,
                &choices,
                pairs,
                others == 1,
                best,
                mode,
                below,
                plies,
            )?
        } else {
            self.simultaneous = true;
            self.grid(state, &choices, mode, below, plies)?
        };
        self.table.put(state, mode, left, verdict, best);
        Ok(verdict)
    }

    /// The verdict where the role and others choose at the same time.
    fn grid(
        &mut self,
        state: &State,
        choices: &Choices,
        mode: Mode,
        below: u32,
        plies: u32,
    ) -> Result<(Verdict, u32), Halt> {
        let own_first = self.reading == Reading::Guaranteed;
        let (own, others) = (choices.own.len(), choices.others.len());
        let (outer, inner) = if own_first {
            (own, others)
        } else {
            (others, own)
        };
        let mut sum = Sum::new(own_first, mode);
        for first in 0..outer {
            let pairs = (0..inner).map(|second| match own_first {
                true => (first, second),
                false => (second, first),
            });
            let (verdict, _) =
                self.line(state, choices, pairs, !own_first, None, mode, below, plies)?;
            if sum.add(verdict) {
                return Ok((verdict, first as u32));
            }
        }
        Ok((sum.verdict(), 0))
    }

    /// The verdict on joint moves between which one side chooses: the role if `own`, else the
    /// others.
    ///
    /// Also returns the number of the joint move that decided.
    #[expect(clippy::too_many_arguments, reason = "the parts of one node's state")]
    fn line(
        &mut self,
        state: &State,
        choices: &Choices,
        pairs: impl Iterator<Item = (usize, usize)>,
        own: bool,
        best: Option<u32>,
        mode: Mode,
        left: u32,
        plies: u32,
    ) -> Result<(Verdict, u32), Halt> {
        let mut children = Vec::new();
        let mut joint = Vec::new();
        let mut sum = Sum::new(own, mode);
        let mut unknown = false;
        for (number, (mine, theirs)) in pairs.enumerate() {
            choices.joint(self.role, mine, theirs, &mut joint);
            let mut child = Child {
                number: number as u32,
                state: State::default(),
                joint: Vec::new(),
                known: None,
                order: 0,
            };
            self.engine.next(state, &joint, &mut child.state)?;
            child.known = self.known(&child.state, mode, left)?;
            match child.known {
                // Another child may still decide.
                Some(Verdict::Unknown) => unknown = true,
                Some(verdict) => {
                    if sum.add(verdict) {
                        return Ok((verdict, child.number));
                    }
                    continue;
                }
                None => {}
            }
            child.order = match best == Some(child.number) {
                true => u64::MAX,
                false => self.order(&joint),
            };
            child.joint.clone_from(&joint);
            children.push(child);
        }
        if unknown {
            self.cut = true;
            if sum.add(Verdict::Unknown) {
                return Ok((Verdict::Unknown, best.unwrap_or(0)));
            }
        }
        children.retain(|child| child.known.is_none());
        children.sort_by_key(|child| std::cmp::Reverse(child.order));
        for child in children {
            let verdict = self.value(&child.state, mode, left, plies + 1)?;
            if sum.add(verdict) {
                let weight = 1 + u64::from(left) * u64::from(left);
                for (role, &mv) in child.joint.iter().enumerate() {
                    *self.history.entry((role, mv)).or_default() += weight;
                }
                return Ok((verdict, child.number));
            }
        }
        Ok((sum.verdict(), best.unwrap_or(0)))
    }

    /// The move-ordering score of a joint move. Greater ones are searched first.
    fn order(&self, joint: &[MoveId]) -> u64 {
        let weight = |(role, mv): (usize, &MoveId)| self.history.get(&(role, *mv)).copied();
        joint.iter().enumerate().filter_map(weight).sum()
    }

    fn count(&mut self) -> Result<(), Halt> {
        self.states += 1;
        if self.states > self.most_states {
            return Err(Halt::Exhausted(Exhausted::Memory));
        }
        if self.states.is_multiple_of(STRIDE) {
            self.budget.check().map_err(Halt::Exhausted)?;
            let held = self.budget.check_memory(self.table.bytes());
            held.map_err(Halt::Exhausted)?;
        }
        Ok(())
    }
}

/// Combines the verdicts on the children of a node, one after the other.
pub(crate) struct Sum {
    /// Whether the role chooses, and not the others.
    own: bool,
    mode: Mode,
    bound: Option<u8>,
    unknown: bool,
}

impl Sum {
    pub fn new(own: bool, mode: Mode) -> Self {
        Sum {
            own,
            mode,
            bound: None,
            unknown: false,
        }
    }

    /// Adds a verdict. Returns `true` if it decides, as the verdict on the whole.
    ///
    /// In the mode that takes the unknown for lost, an unknown decides for the others, and the
    /// other way round. This keeps the searches narrow.
    pub fn add(&mut self, verdict: Verdict) -> bool {
        match (verdict, self.own) {
            (Verdict::Yes(_), true) | (Verdict::No(_), false) => true,
            (Verdict::Unknown, own) => {
                self.unknown = true;
                own == (self.mode == Mode::Defend)
            }
            (Verdict::No(bound), true) => {
                self.bound = Some(self.bound.map_or(bound, |known| known.max(bound)));
                false
            }
            (Verdict::Yes(bound), false) => {
                self.bound = Some(self.bound.map_or(bound, |known| known.min(bound)));
                false
            }
        }
    }

    /// The verdict when all have been added and none decided.
    pub fn verdict(&self) -> Verdict {
        match (self.unknown, self.bound, self.own) {
            (false, Some(bound), true) => Verdict::No(bound),
            (false, Some(bound), false) => Verdict::Yes(bound),
            _ => Verdict::Unknown,
        }
    }
}
