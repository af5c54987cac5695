//! Replaying paths through the parts on the whole.

use crate::Parts;
use budget::{Budget, Exhausted};
use game::{Engine, EngineError, MoveId, RoleId, State};
use rustc_hash::{FxHashMap, FxHashSet};

/// The most steps tried for one set of paths.
const MOST: usize = 20_000;

/// A line of the whole: the move in each state, and the result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Walk {
    pub steps: Vec<(State, MoveId)>,
    pub result: u8,
}

/// Plays moves of the whole that amount to given actions in its parts.
pub(crate) struct Walker<'a> {
    parts: &'a Parts,
    engine: &'a mut dyn Engine,
    start: &'a State,
    /// For each tuple of actions in the relevant factors, the moves with these actions.
    joint: FxHashMap<Vec<u32>, Vec<u32>>,
    /// The engine's numbers of moves.
    moves: FxHashMap<u32, Option<MoveId>>,
    /// The idle actions of each of the relevant factors.
    idle: Vec<Vec<u32>>,
    budget: &'a Budget,
}

/// Why a line was given up.
pub(crate) enum Failed {
    Exhausted(Exhausted),
    Engine,
}

impl From<Exhausted> for Failed {
    fn from(why: Exhausted) -> Self {
        Failed::Exhausted(why)
    }
}

impl From<EngineError> for Failed {
    fn from(_: EngineError) -> Self {
        Failed::Engine
    }
}

impl<'a> Walker<'a> {
    /// Lines start at `start`, a state of `engine`.
    pub fn new(
        parts: &'a Parts,
        engine: &'a mut dyn Engine,
        start: &'a State,
        budget: &'a Budget,
    ) -> Self {
        let relevant: Vec<usize> = parts.relevant().map(|part| part.0).collect();
        let mut joint: FxHashMap<Vec<u32>, Vec<u32>> = FxHashMap::default();
        for (mv, actions) in (0..).zip(&parts.factors.actions[0]) {
            let actions = relevant.iter().map(|&at| actions[at]).collect();
            joint.entry(actions).or_default().push(mv);
        }
        let idle = parts.relevant().map(|(_, factor)| {
            let actions = (0..).zip(&factor.actions[0]);
            let idle = actions.filter(|action| action.1.idle);
            idle.map(|action| action.0).collect()
        });
        Walker {
            idle: idle.collect(),
            parts,
            engine,
            start,
            joint,
            moves: FxHashMap::default(),
            budget,
        }
    }

    /// Whether there are moves that are idle in all relevant factors.
    pub fn can_wait(&self) -> bool {
        let mut joint = self.joint.keys();
        joint.any(|actions| {
            let mut each = actions.iter().zip(&self.idle);
            each.all(|(own, idle)| idle.contains(own))
        })
    }

    /// Plays the actions of each turn, one in each of the relevant factors, to the end of play.
    pub fn together(&mut self, turns: &[Vec<u32>]) -> Result<Option<Walk>, Failed> {
        let mut state = self.start.clone();
        let mut steps = Vec::new();
        for actions in turns {
            self.budget.check()?;
            if self.engine.terminal(&state)? {
                return Ok(None);
            }
            let legal = self.legal(&state)?;
            let moves = self.joint.get(actions).cloned().unwrap_or_default();
            let mut moves = moves.into_iter().filter_map(|mv| self.number(mv));
            let Some(mv) = moves.find(|mv| legal.contains(mv)) else {
                return Ok(None);
            };
            let mut next = State::default();
            self.engine.next(&state, &[mv], &mut next)?;
            steps.push((state, mv));
            state = next;
        }
        self.end(state, steps)
    }

    /// Plays the actions of each of the relevant factors in their order, one of them a turn,
    /// plus `waste` idle turns.
    ///
    /// It looks for an interleaving in which play does not end early.
    pub fn in_turn(&mut self, ways: &[Vec<u32>], waste: usize) -> Result<Option<Walk>, Failed> {
        let mut dead: FxHashSet<Vec<usize>> = FxHashSet::default();
        let mut done = vec![0; ways.len() + 1];
        let mut ends: Vec<usize> = ways.iter().map(Vec::len).collect();
        ends.push(waste);
        let mut steps: Vec<(State, MoveId)> = Vec::new();
        let mut places: Vec<usize> = Vec::new();
        let mut state = self.start.clone();
        // The next factor to try in the present state.
        let mut next_place = 0;
        for _ in 0..MOST {
            self.budget.check()?;
            if done == ends {
                return self.end(state, steps);
            }
            let stuck = dead.contains(&done) || self.engine.terminal(&state)?;
            let mut made = None;
            if !stuck {
                let legal = self.legal(&state)?;
                for place in next_place..done.len() {
                    if done[place] == ends[place] {
                        continue;
                    }
                    let action = ways.get(place).map(|way| way[done[place]]);
                    if let Some(mv) = self.alone(place, action, &legal) {
                        made = Some((place, mv));
                        break;
                    }
                }
            }
            match made {
                Some((place, mv)) => {
                    let mut next = State::default();
                    self.engine.next(&state, &[mv], &mut next)?;
                    steps.push((state, mv));
                    places.push(place);
                    done[place] += 1;
                    state = next;
                    next_place = 0;
                }
                None => {
                    dead.insert(done.clone());
                    let (Some((before, _)), Some(place)) = (steps.pop(), places.pop()) else {
                        return Ok(None);
                    };
                    done[place] -= 1;
                    state = before;
                    next_place = place + 1;
                }
            }
        }
        Ok(None)
    }

    /// A legal move that is this action in one of the relevant factors and idle in the others.
    /// Without an action, idle in all.
    fn alone(&mut self, place: usize, action: Option<u32>, legal: &[MoveId]) -> Option<MoveId> {
        let fits = |actions: &[u32]| {
            let mut each = actions.iter().enumerate();
            each.all(|(at, own)| match action {
                Some(action) if at == place => *own == action,
                _ => self.idle[at].contains(own),
            })
        };
        let fitting = self.joint.iter().filter(|joint| fits(joint.0));
        let mut moves: Vec<u32> = fitting.flat_map(|joint| joint.1.iter().copied()).collect();
        // Sorted, so that every run takes the same.
        moves.sort_unstable();
        let mut moves = moves.into_iter().filter_map(|mv| self.number(mv));
        moves.find(|mv| legal.contains(mv))
    }

    fn legal(&mut self, state: &State) -> Result<Vec<MoveId>, Failed> {
        let mut legal = Vec::new();
        self.engine.legal(state, RoleId(0), &mut legal)?;
        Ok(legal)
    }

    fn number(&mut self, mv: u32) -> Option<MoveId> {
        let terms = &self.parts.compiled.logic.words.moves[0];
        let engine = &mut self.engine;
        let found = self.moves.entry(mv);
        *found.or_insert_with(|| engine.find_move(RoleId(0), &terms[mv as usize]))
    }

    fn end(&mut self, state: State, steps: Vec<(State, MoveId)>) -> Result<Option<Walk>, Failed> {
        if !self.engine.terminal(&state)? {
            return Ok(None);
        }
        let result = self.engine.goal(&state, RoleId(0))?.unwrap_or(0);
        Ok(Some(Walk { steps, result }))
    }
}
