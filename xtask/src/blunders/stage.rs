//! Players that are prepared once for a game, and asked about many positions.

use super::Options;
use crate::stopwatch::ProcessClock;
use budget::{Budget, Clock};
use compile::Playable;
use game::{MoveId, RoleId, State};
use players::{BestMove, Player, Setup, Spec};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// Bytes of each player. Its tables are new for every choice, so they have to be small beside a
/// choice of a tenth of a second.
const MEMORY: usize = 256 << 20;

/// One player of a game for each role that is asked for.
pub struct Stage {
    playable: Playable,
    spec: Spec,
    start_clock: Duration,
    clock: Arc<dyn Clock>,
    seed: u64,
    players: BTreeMap<RoleId, Box<dyn Player>>,
}

impl Stage {
    /// Players of this specification. Each begins when it is asked for the first time.
    ///
    /// Clocks, their kind and the seed are those of the command.
    pub fn new(playable: &Playable, spec: &Spec, options: &Options) -> Stage {
        Stage {
            playable: playable.fork(),
            spec: spec.clone(),
            start_clock: Duration::from_secs_f64(options.start_clock),
            clock: Arc::new(ProcessClock::new(options.time)),
            seed: options.seed,
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
        // The start clock comes before the play clock.
        self.player(role)?;
        let budget = self.budget(clock);
        let player = self.player(role)?;
        Ok(player.choose(state, best, &budget)?)
    }

    /// Time of the kind that counts, from now on.
    fn budget(&self, time: Duration) -> Budget {
        Budget::unlimited(self.clock.clone()).with_timeout(time)
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
            let budget = self.budget(self.start_clock);
            player.start(setup, &budget)?;
            self.players.insert(role, player);
        }
        let player = self.players.get_mut(&role);
        Ok(&mut **player.expect("inserted above"))
    }
}
