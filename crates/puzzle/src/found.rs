//! What is known of a puzzle: the best line so far, and what no line can exceed.

use game::{Engine, EngineError, MoveId, RoleId, State};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The only role.
pub(crate) const ROLE: RoleId = RoleId(0);

/// A line of play to its end, replayed on the engine, so that its result is certain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The result, 0 to 100.
    pub result: u8,
    /// The moves, each with the state in which it is played.
    pub steps: Vec<(State, MoveId)>,
    /// The method that found it.
    pub method: &'static str,
}

impl Line {
    /// The move in a state of the line, and the number of moves left including it.
    pub fn at(&self, state: &State) -> Option<(MoveId, usize)> {
        let at = self.steps.iter().position(|step| step.0 == *state)?;
        Some((self.steps[at].1, self.steps.len() - at))
    }
}

/// What is known of the value of a puzzle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The best line so far.
    pub line: Option<Line>,
    /// No line has a greater result.
    pub bound: u8,
    /// The method that proved the bound; `None` if it is merely the greatest result of the rules.
    pub proof: Option<&'static str>,
    /// Lines that a method claimed and the engine did not confirm. Anything but 0 is a bug.
    pub refused: u64,
}

impl Found {
    /// The result of the best line.
    pub fn result(&self) -> Option<u8> {
        self.line.as_ref().map(|line| line.result)
    }

    /// Whether the best line is proved to be one.
    pub fn is_best(&self) -> bool {
        self.result().is_some_and(|result| result >= self.bound)
    }
}

/// What all methods write to and read from.
pub(crate) struct Board {
    inner: Mutex<(Box<dyn Engine>, Found)>,
    start: State,
    /// The results that the rules know, descending.
    pub results: Vec<u8>,
    /// The engine's number of each move of the space.
    moves: Vec<Option<MoveId>>,
}

impl Board {
    /// `engine` replays lines from `start`. `moves` are its numbers of the space's moves.
    pub fn new(
        engine: Box<dyn Engine>,
        start: State,
        results: Vec<u8>,
        moves: Vec<Option<MoveId>>,
    ) -> Board {
        let found = Found {
            line: None,
            bound: results.first().copied().unwrap_or(100),
            proof: None,
            refused: 0,
        };
        Board {
            inner: Mutex::new((engine, found)),
            start,
            results,
            moves,
        }
    }

    fn lock(&self) -> MutexGuard<'_, (Box<dyn Engine>, Found)> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The state from which lines are played.
    pub fn start(&self) -> &State {
        &self.start
    }

    /// What is known now.
    pub fn found(&self) -> Found {
        self.lock().1.clone()
    }

    /// The least result that would be an improvement, if one is possible.
    pub fn wanted(&self) -> Option<u8> {
        let found = &self.lock().1;
        let least = found.result().map_or(0, |result| result + 1);
        (least <= found.bound).then_some(least)
    }

    /// The greatest result that is not excluded.
    pub fn bound(&self) -> u8 {
        self.lock().1.bound
    }

    /// No line has a greater result than `bound`.
    pub fn limit(&self, bound: u8, method: &'static str) {
        let found = &mut self.lock().1;
        // The line that was found is a proof of its own that its result can be had.
        if bound < found.bound && found.result().is_none_or(|result| result <= bound) {
            (found.bound, found.proof) = (bound, Some(method));
        }
    }

    /// No line is better than the best so far.
    pub fn close(&self, method: &'static str) {
        let result = self.lock().1.result();
        if let Some(result) = result {
            self.limit(result, method);
        }
    }

    /// Offers a line in moves of the space. Returns whether it is better than the best so far.
    pub fn offer(&self, moves: &[MoveId], method: &'static str) -> bool {
        let moves: Option<Vec<MoveId>> = match self.moves.is_empty() {
            true => Some(moves.to_vec()),
            false => moves
                .iter()
                .map(|mv| self.moves.get(mv.0 as usize).copied().flatten())
                .collect(),
        };
        match moves {
            Some(moves) => self.offer_moves(&moves, method),
            None => {
                self.lock().1.refused += 1;
                false
            }
        }
    }

    /// Offers a line in moves of the engine.
    pub fn offer_moves(&self, moves: &[MoveId], method: &'static str) -> bool {
        let (engine, found) = &mut *self.lock();
        match replay(&mut **engine, &self.start, moves) {
            Ok(Some((result, steps))) => {
                let better = found.result().is_none_or(|so_far| result > so_far);
                if better {
                    found.line = Some(Line {
                        result,
                        steps,
                        method,
                    });
                    // A line beats any proof that it cannot be.
                    if result > found.bound {
                        (found.bound, found.proof) = (100, None);
                        found.refused += 1;
                    }
                }
                better
            }
            Ok(None) | Err(_) => {
                found.refused += 1;
                false
            }
        }
    }
}

/// Plays the moves. `None` if one is not legal, or they do not lead to an end with a result.
#[allow(clippy::type_complexity)]
fn replay(
    engine: &mut dyn Engine,
    start: &State,
    moves: &[MoveId],
) -> Result<Option<(u8, Vec<(State, MoveId)>)>, EngineError> {
    let mut state = start.clone();
    let mut next = State::default();
    let mut legal = Vec::new();
    let mut steps = Vec::with_capacity(moves.len());
    for &mv in moves {
        if engine.terminal(&state)? {
            return Ok(None);
        }
        engine.legal(&state, ROLE, &mut legal)?;
        if !legal.contains(&mv) {
            return Ok(None);
        }
        engine.next(&state, &[mv], &mut next)?;
        steps.push((state, mv));
        state = std::mem::take(&mut next);
    }
    if !engine.terminal(&state)? {
        return Ok(None);
    }
    Ok(engine.goal(&state, ROLE)?.map(|result| (result, steps)))
}
