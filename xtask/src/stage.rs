//! Players that are prepared once for a game, and asked about many positions.

use crate::stopwatch::{ProcessClock, Time};
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

/// How players are prepared, and how their time is counted.
#[derive(Debug, Clone, clap::Args)]
pub struct Conditions {
    /// Start clock of each game, in seconds; it is spent once
    #[arg(long, value_name = "SECONDS", default_value_t = 3.0)]
    pub start_clock: f64,
    /// What clocks count: neighbours on the machine change little in processor time
    #[arg(long, value_enum, default_value_t)]
    pub time: Time,
    /// Search threads of each player; with several, clocks count time on the wall
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub threads: usize,
    /// Seed of the players, or of the matches
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

impl Conditions {
    /// Seconds from now on, of the kind of time that counts.
    pub fn budget(&self, seconds: f64) -> Budget {
        Budget::unlimited(self.clock()).with_timeout(Duration::from_secs_f64(seconds))
    }

    fn clock(&self) -> Arc<dyn Clock> {
        // Processor time passes as many times as fast as there are threads.
        let time = match self.threads {
            0 | 1 => self.time,
            _ => Time::Wall,
        };
        Arc::new(ProcessClock::new(time))
    }
}

/// One player of a game for each role that is asked for.
pub struct Stage {
    playable: Playable,
    spec: Spec,
    start_clock: Duration,
    clock: Arc<dyn Clock>,
    threads: usize,
    seed: u64,
    players: BTreeMap<RoleId, Box<dyn Player>>,
}

impl Stage {
    /// Players of this specification. Each begins when it is asked for the first time.
    pub fn new(playable: &Playable, spec: &Spec, conditions: &Conditions) -> Stage {
        Stage {
            playable: playable.fork(),
            spec: spec.clone(),
            start_clock: Duration::from_secs_f64(conditions.start_clock),
            clock: conditions.clock(),
            threads: conditions.threads.max(1),
            seed: conditions.seed,
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
                threads: self.threads,
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
