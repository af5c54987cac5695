//! A move by a player.

use crate::{Error, Game, Position};
use budget::Budget;
use game::RoleId;
use players::{BestMove, Player, Setup, Spec};
use std::time::Duration;

/// Bytes that a search may hold.
const MEMORY: usize = 256 << 20;

/// What a player chose.
#[derive(Debug, Clone)]
pub struct Chosen {
    /// The move, a GDL term.
    pub mv: String,
    /// Why, in a line, if the player says so: value, visits, the expected line of play.
    pub why: Option<String>,
}

impl Game {
    /// What a player needs to play a role: for [`Player::start`], on one thread.
    pub fn setup(&self, role: usize, seed: u64) -> Setup {
        Setup {
            playable: self.playable.fork(),
            role: RoleId(role),
            seed,
            threads: 1,
            memory: MEMORY,
        }
    }

    /// The move that a player chooses for a role, with a quarter of `time` to prepare and the
    /// rest to think.
    ///
    /// # Errors
    /// If the role has no legal move, or the rules cannot be evaluated.
    pub fn choose(
        &self,
        position: &Position,
        role: usize,
        player: &Spec,
        time: Duration,
    ) -> Result<Chosen, Error> {
        let mut player = player.build();
        let budget = Budget::system().with_timeout(time);
        player.start(self.setup(role, 1), &budget.share(4))?;
        self.ask(&mut *player, position, role, &budget)
    }

    /// The move that a player, which has been started, chooses within a budget.
    ///
    /// # Errors
    /// If the role has no legal move, or the rules cannot be evaluated.
    pub fn ask(
        &self,
        player: &mut dyn Player,
        position: &Position,
        role: usize,
        budget: &Budget,
    ) -> Result<Chosen, Error> {
        let mv = player.choose(position.state(), &BestMove::default(), budget)?;
        let mut engine = self.playable.engine.fork();
        Ok(Chosen {
            mv: engine.move_term(RoleId(role), mv).to_string(),
            why: player.explain(),
        })
    }
}
