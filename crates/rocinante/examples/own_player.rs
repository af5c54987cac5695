//! A player of one's own: it moves at random, but never back to a position that it has seen, if
//! it can.

use rocinante::game::{MoveId, RoleId, State};
use rocinante::{BestMove, Budget, Game, Player, PlayerError, Setup};
use std::collections::HashSet;
use std::time::Duration;

const RULES: &str = include_str!("../../../fixtures/games/eight_puzzle.gdl");

/// Never goes back.
#[derive(Default)]
pub struct Explorer {
    game: Option<Setup>,
    seen: HashSet<State>,
}

impl Player for Explorer {
    fn name(&self) -> &str {
        "explorer"
    }

    fn start(&mut self, setup: Setup, _: &Budget) -> Result<(), PlayerError> {
        (self.game, self.seen) = (Some(setup), HashSet::new());
        Ok(())
    }

    fn choose(&mut self, here: &State, best: &BestMove, _: &Budget) -> Result<MoveId, PlayerError> {
        let setup = self.game.as_mut().ok_or(PlayerError::NotStarted)?;
        let (engine, own) = (&mut *setup.playable.engine, setup.role.0);
        self.seen.insert(here.clone());
        // The moves of all roles, the first that is legal of each; its own is replaced below.
        let (mut joint, mut legal) = (Vec::new(), Vec::new());
        for role in (0..engine.roles().len()).map(RoleId) {
            engine.legal(here, role, &mut legal)?;
            joint.push(*legal.first().ok_or(PlayerError::NoLegalMove)?);
        }
        engine.legal(here, RoleId(own), &mut legal)?;
        let mut next = State::default();
        for &mv in &legal {
            joint[own] = mv;
            engine.next(here, &joint, &mut next)?;
            if !self.seen.contains(&next) {
                best.publish(mv);
                return Ok(mv);
            }
        }
        Ok(legal[0])
    }
}

/// Run with `cargo run -p rocinante --example own_player`.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let game = Game::load(RULES)?;
    let time = Duration::from_secs(1);
    let outcome = game.play_with(vec![Box::new(Explorer::default())], time)?;
    println!("{} moves, results {:?}", outcome.steps, outcome.goals);
    Ok(())
}
