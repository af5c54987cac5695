//! Uniformly random play to the end of a game.

use crate::{Engine, EngineError, MoveId, RoleId, State};
use budget::Exhausted;
use rand::Rng;

/// How a playout ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Playout {
    /// Transitions made.
    pub steps: usize,
    /// Whether a terminal state was reached. If not, the step limit was reached or a role had
    /// no move.
    pub terminal: bool,
    /// Each role's result in the last state, where one is defined.
    pub goals: Vec<Option<u8>>,
}

/// Plays uniformly random legal moves from `state`, at most `max_steps` steps.
///
/// # Errors
/// If the engine could not evaluate the rules.
pub fn playout(
    engine: &mut dyn Engine,
    state: &State,
    rng: &mut impl Rng,
    max_steps: usize,
) -> Result<Playout, EngineError> {
    let mut track = Track::default();
    let (steps, terminal) = track.playout(engine, state, rng, max_steps, || Ok(()))?;
    Ok(Playout {
        steps,
        terminal,
        goals: track.goals,
    })
}

/// The scratch space of playouts, reused for many.
#[derive(Default)]
pub(crate) struct Track {
    here: State,
    there: State,
    moves: Vec<MoveId>,
    joint: Vec<MoveId>,
    /// Each role's result in the last state of the last playout.
    pub goals: Vec<Option<u8>>,
}

impl Track {
    /// The last state of the last playout.
    pub fn last(&self) -> &State {
        &self.here
    }

    /// Like [`playout`], but returns the steps and whether a terminal state was reached.
    ///
    /// `check` is called before every step, and may abort it.
    pub fn playout(
        &mut self,
        engine: &mut dyn Engine,
        state: &State,
        rng: &mut impl Rng,
        max_steps: usize,
        mut check: impl FnMut() -> Result<(), Exhausted>,
    ) -> Result<(usize, bool), EngineError> {
        let roles = engine.roles().len();
        self.here.clone_from(state);
        let mut steps = 0;
        let terminal = 'play: loop {
            if engine.terminal(&self.here)? {
                break true;
            }
            if steps == max_steps {
                break false;
            }
            check()?;
            self.joint.clear();
            for role in (0..roles).map(RoleId) {
                match engine.pick(&self.here, role, rng.next_u64(), &mut self.moves)? {
                    Some(mv) => self.joint.push(mv),
                    None => break 'play false,
                }
            }
            engine.next(&self.here, &self.joint, &mut self.there)?;
            std::mem::swap(&mut self.here, &mut self.there);
            steps += 1;
        };
        self.goals.clear();
        for role in (0..roles).map(RoleId) {
            self.goals.push(engine.goal(&self.here, role)?);
        }
        Ok((steps, terminal))
    }
}
