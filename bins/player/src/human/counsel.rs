//! What our own player would do in the place of a human.

use budget::Budget;
use compile::Playable;
use game::{GroundTerm, RoleId};
use matches::{Fault, Local, Opening, Participant, Resources, Turn};
use players::Spec;
use std::time::Duration;

/// The time to prepare before the first hint.
const START: Duration = Duration::from_millis(500);
/// The time to think about a hint.
const THINK: Duration = Duration::from_secs(1);

/// The default player, which is only prepared when it is asked for the first time.
pub struct Counsel {
    player: Local,
    ready: bool,
    id: String,
    roles: Vec<GroundTerm>,
    role: RoleId,
    seed: u64,
}

impl Counsel {
    /// Counsel in a game that is being played.
    pub fn new(playable: &Playable, resources: Resources, budget: &Budget) -> Counsel {
        let player = Spec::default().build_with(None);
        Counsel {
            player: Local::new(player, playable.fork(), resources, budget),
            ready: false,
            id: String::new(),
            roles: Vec::new(),
            role: RoleId(0),
            seed: 0,
        }
    }

    /// A match begins.
    pub fn start(&mut self, opening: &Opening<'_>) {
        self.id = opening.id.to_owned();
        self.roles = opening.roles.to_vec();
        self.role = opening.role;
        self.seed = opening.seed;
        self.ready = false;
    }

    /// What the player would do, in a sentence.
    ///
    /// # Errors
    /// Fails if the player cannot play this game.
    pub fn hint(&mut self, turn: &Turn<'_>) -> Result<String, Fault> {
        if !self.ready {
            self.player.start(&Opening {
                id: &self.id,
                roles: &self.roles,
                role: self.role,
                start_clock: START,
                play_clock: THINK,
                seed: self.seed,
            })?;
            self.ready = true;
        }
        let answer = self.player.play(&Turn {
            clock: THINK,
            ..turn.clone()
        })?;
        Ok(match answer.thought {
            Some(thought) => thought.sentence(),
            None => format!("plays {}", answer.mv),
        })
    }
}
