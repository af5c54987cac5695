//! The first state of a game in which a role has a choice, ready to be searched.

use super::memory;
use super::message::{Build, Built, StageFigures};
use anyhow::Context;
use budget::{Budget, Clock};
use compile::Playable;
use game::{Engine, RoleId, State};
use std::sync::Arc;
use std::time::Duration;

/// A game and its first state with a choice.
pub struct First {
    /// The game.
    pub playable: Playable,
    /// The first state in which one of the roles has a choice.
    pub state: State,
    /// That role.
    pub role: RoleId,
}

impl First {
    /// Prepares the engine that a player uses, and plays forced moves to the first state with a
    /// choice.
    ///
    /// # Errors
    /// Fails if the game cannot be played, or never has a choice.
    pub fn make(build: &Build, clock: &Arc<dyn Clock>) -> anyhow::Result<(First, Built)> {
        let budget = Budget::unlimited(clock.clone())
            .with_timeout(Duration::from_secs_f64(build.timeout))
            .with_memory(build.memory);
        let began = clock.now();
        let bytes_before = memory::resident();
        let options = prepare::Options::default();
        let mut playable = prepare::prepare(&build.source, &options, &budget)?.playable;
        let (state, role) = choice(&mut *playable.engine, build.max_steps)?;
        let built = Built {
            engine: playable.engine.name().to_owned(),
            fallback: None,
            seconds: clock.now().saturating_sub(began).as_secs_f64(),
            peak_bytes: memory::peak(),
            bytes_before,
            ground_rules: None,
            step: None,
            stages: Vec::<StageFigures>::new(),
        };
        let first = First {
            playable,
            state,
            role,
        };
        Ok((first, built))
    }
}

fn choice(engine: &mut dyn Engine, most: usize) -> anyhow::Result<(State, RoleId)> {
    let mut state = engine.initial();
    let roles = engine.roles().len();
    let mut moves = Vec::new();
    for _ in 0..most {
        let mut joint = Vec::new();
        if engine.terminal(&state)? {
            break;
        }
        for role in (0..roles).map(RoleId) {
            engine.legal(&state, role, &mut moves)?;
            if moves.len() > 1 {
                return Ok((state, role));
            }
            joint.push(*moves.first().context("a role has no legal move")?);
        }
        let mut next = State::default();
        engine.next(&state, &joint, &mut next)?;
        state = next;
    }
    anyhow::bail!("there is no choice in it")
}
