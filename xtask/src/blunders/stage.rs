//! Players that are prepared once for a game, and asked about many positions.

use budget::Budget;
use compile::Playable;
use game::{MoveId, RoleId, State};
use players::{BestMove, Player, Setup, Spec};
use std::collections::BTreeMap;
use std::time::Duration;

/// Bytes of each player. Its tables are new for every choice, so they have to be small beside a
/// choice of a tenth of a second.
const MEMORY: usize = 256 << 20;

/// One player of a game for each role that is asked for.
pub struct Stage {
    playable: Playable,
    spec: Spec,
    start_clock: Duration,
    seed: u64,
    players: BTreeMap<RoleId, Box<dyn Player>>,
}

impl Stage {
    /// Players of this specification. Each begins when it is asked for the first time.
    pub fn new(playable: &Playable, spec: &Spec, start_clock: f64, seed: u64) -> Stage {
        Stage {
            playable: playable.fork(),
            spec: spec.clone(),
            start_clock: Duration::from_secs_f64(start_clock),
            seed,
            players: BTreeMap::new(),
        }
    }

    /// The move of a role within a play clock.
    ///
    /// # Errors
    /// Fails if the player does.
    pub fn choose(
        &mut self,
        state: &State,
        role: RoleId,
        best: &BestMove,
        clock: Duration,
    ) -> anyhow::Result<MoveId> {
        let player = self.player(role)?;
        let budget = Budget::system().with_timeout(clock);
        Ok(player.choose(state, best, &budget)?)
    }

    /// The player of a role, with its start clock behind it.
    ///
    /// # Errors
    /// Fails if the player cannot play the game.
    pub fn player(&mut self, role: RoleId) -> anyhow::Result<&mut dyn Player> {
        if !self.players.contains_key(&role) {
            let setup = Setup {
                playable: self.playable.fork(),
                role,
                seed: self.seed,
                threads: 1,
                memory: MEMORY,
            };
            let mut player = self.spec.build();
            let budget = Budget::system().with_timeout(self.start_clock);
            player.start(setup, &budget)?;
            self.players.insert(role, player);
        }
        let player = self.players.get_mut(&role);
        Ok(&mut **player.expect("inserted above"))
    }
}
