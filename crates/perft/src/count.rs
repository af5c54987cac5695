//! Breadth-first counting.

use crate::Level;
use game::{Engine, EngineError, MoveId, RoleId, State};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// Limits at which counting stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The maximum depth to count.
    pub depth: usize,
    /// The maximum number of transitions, over all levels. A level that cannot be finished
    /// within this limit is left out.
    pub transitions: u64,
}

/// The states of one level in order of discovery, each with the number of paths to it.
#[derive(Default)]
struct Frontier {
    states: Vec<(State, u128)>,
    index: FxHashMap<State, usize>,
}

impl Frontier {
    /// Adds paths to a state. `None` on overflow.
    fn add(&mut self, state: &State, paths: u128) -> Option<()> {
        match self.index.entry(state.clone()) {
            Entry::Occupied(entry) => {
                let known = &mut self.states[*entry.get()].1;
                *known = known.checked_add(paths)?;
            }
            Entry::Vacant(entry) => {
                self.states.push((entry.key().clone(), paths));
                entry.insert(self.states.len() - 1);
            }
        }
        Some(())
    }

    /// The counts of the level. `None` on overflow.
    fn level(&self) -> Option<Level> {
        let paths = self
            .states
            .iter()
            .try_fold(0u128, |sum, (_, paths)| sum.checked_add(*paths))?;
        Some(Level {
            paths,
            states: self.states.len() as u64,
        })
    }
}

/// Counts the levels from depth 0 on, as far as the limits allow, but at least the first.
/// Counting ends after a level without states.
///
/// # Errors
/// If the engine could not evaluate the rules, or if a role has no legal move in a non-terminal
/// state.
pub fn count(engine: &mut dyn Engine, limits: Limits) -> Result<Vec<Level>, EngineError> {
    let mut here = Frontier::default();
    here.add(&engine.initial(), 1);
    let mut levels = vec![Level {
        paths: 1,
        states: 1,
    }];
    let mut transitions = 0;
    while !here.states.is_empty() && levels.len() <= limits.depth {
        let mut there = Frontier::default();
        for (state, paths) in &here.states {
            let expanded = expand(engine, state, |next| {
                transitions += 1;
                (transitions <= limits.transitions).then_some(())?;
                there.add(next, *paths)
            })?;
            if expanded.is_none() {
                return Ok(levels);
            }
        }
        let Some(level) = there.level() else {
            return Ok(levels);
        };
        levels.push(level);
        here = there;
    }
    Ok(levels)
}

/// Calls `visit` with the state after each joint move, until it returns `None`.
fn expand(
    engine: &mut dyn Engine,
    state: &State,
    mut visit: impl FnMut(&State) -> Option<()>,
) -> Result<Option<()>, EngineError> {
    if engine.terminal(state)? {
        return Ok(Some(()));
    }
    let roles = engine.roles().len();
    let mut legal: Vec<Vec<MoveId>> = vec![Vec::new(); roles];
    for (role, moves) in legal.iter_mut().enumerate() {
        engine.legal(state, RoleId(role), moves)?;
        if moves.is_empty() {
            let role = &engine.roles()[role];
            return Err(EngineError::Rules(format!(
                "{role} has no legal move in a state that is not terminal"
            )));
        }
    }
    // Enumerates the joint moves like an odometer, with the last role fastest.
    let mut chosen = vec![0; roles];
    let mut joint: Vec<MoveId> = legal.iter().map(|moves| moves[0]).collect();
    let mut next = State::default();
    loop {
        engine.next(state, &joint, &mut next)?;
        if visit(&next).is_none() {
            return Ok(None);
        }
        let mut role = roles;
        loop {
            if role == 0 {
                return Ok(Some(()));
            }
            role -= 1;
            chosen[role] += 1;
            if chosen[role] < legal[role].len() {
                joint[role] = legal[role][chosen[role]];
                break;
            }
            chosen[role] = 0;
            joint[role] = legal[role][0];
        }
    }
}
