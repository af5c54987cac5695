//! A player's attempt at a position.

use crate::scene::Scene;
use budget::Budget;
use compile::Playable;
use game::MoveId;
use players::{BestMove, Player, Setup};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// The conditions of an attempt.
#[derive(Debug, Clone, Copy)]
pub struct Conditions {
    /// The start clock.
    pub start_clock: Duration,
    /// The play clock.
    pub play_clock: Duration,
    /// The random seed of the player.
    pub seed: u64,
    /// The number of search threads.
    pub threads: usize,
    /// The memory of the search, in bytes.
    pub memory: usize,
}

/// The result of an attempt.
#[derive(Debug, Clone, PartialEq)]
pub struct Attempt {
    /// The chosen move; `None` if the player failed.
    pub chosen: Option<MoveId>,
    /// Whether the chosen move is right.
    pub solved: bool,
    /// The time to solution: since then the published best move was right without interruption.
    /// `None` if the position was not solved.
    pub solved_after: Option<Duration>,
    /// The time until the player chose.
    pub took: Duration,
    /// The player's note on its choice, or the reason why there is none.
    pub note: Option<String>,
}

/// The interval between checks of the published move.
const GLANCE: Duration = Duration::from_millis(1);

/// Lets a player choose in a scene, without a search from earlier moves. The clock is that of
/// `budget`. A player that panics has not solved the position.
pub fn attempt(
    playable: &Playable,
    scene: &Scene,
    player: &mut dyn Player,
    conditions: &Conditions,
    budget: &Budget,
) -> Attempt {
    let setup = Setup {
        playable: playable.fork(),
        role: scene.role,
        seed: conditions.seed,
        threads: conditions.threads,
        memory: conditions.memory,
    };
    let clock = budget.clock().clone();
    let best = BestMove::default();
    let seen = best.clone();
    // The time of the first check in the present unbroken series with a right move.
    let mut since: Option<Duration> = None;
    let (begin, result) = std::thread::scope(|scope| {
        let (started, start) = channel();
        let (finished, finish) = channel();
        let (best, clock) = (&best, &clock);
        let thinking = scope.spawn(move || {
            let think = || {
                let first = budget.clone().with_timeout(conditions.start_clock);
                player
                    .start(setup, &first)
                    .map_err(|error| error.to_string())?;
                let _ = started.send(clock.now());
                let play = budget.clone().with_timeout(conditions.play_clock);
                let chosen = player.choose(&scene.state, best, &play);
                let chosen = chosen.map_err(|error| error.to_string())?;
                Ok((chosen, player.explain()))
            };
            let result = catch_unwind(AssertUnwindSafe(think));
            let _ = finished.send(clock.now());
            result.unwrap_or_else(|_| Err("the player panicked".to_owned()))
        });
        let begin = start.recv().unwrap_or_else(|_| clock.now());
        loop {
            let waited = finish.recv_timeout(GLANCE);
            let now = clock.now();
            match seen.get().is_some_and(|mv| scene.right.contains(&mv)) {
                true => since = since.or(Some(now)),
                false => since = None,
            }
            if waited != Err(RecvTimeoutError::Timeout) {
                break;
            }
        }
        let result = thinking.join();
        (
            begin,
            result.unwrap_or_else(|_| Err("the player panicked".to_owned())),
        )
    });
    let now = clock.now();
    let (chosen, note) = match result {
        Ok((chosen, note)) => (Some(chosen), note),
        Err(why) => (None, Some(why)),
    };
    let solved = chosen.is_some_and(|mv| scene.right.contains(&mv));
    let solved_after = solved.then(|| since.unwrap_or(now).saturating_sub(begin));
    Attempt {
        chosen,
        solved,
        solved_after,
        took: now.saturating_sub(begin),
        note,
    }
}
