//! A player in a position.

use crate::scene::Scene;
use budget::Budget;
use compile::Playable;
use game::MoveId;
use players::{BestMove, Player, Setup};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// What a player is given in a position.
#[derive(Debug, Clone, Copy)]
pub struct Conditions {
    /// Time to prepare for the match.
    pub start_clock: Duration,
    /// Time to choose.
    pub play_clock: Duration,
    /// Seeds the player.
    pub seed: u64,
    /// Search threads.
    pub threads: usize,
    /// Bytes that its search may hold.
    pub memory: usize,
}

/// How a player did.
#[derive(Debug, Clone, PartialEq)]
pub struct Attempt {
    /// What it chose, if it came to a choice.
    pub chosen: Option<MoveId>,
    /// Whether that is right.
    pub solved: bool,
    /// Time since which its published best move had been right, if it was in the end.
    pub solved_after: Option<Duration>,
    /// Time that it took to choose.
    pub took: Duration,
    /// What the player says of its choice, or why there is none.
    pub note: Option<String>,
}

/// How often the published move is looked at.
const GLANCE: Duration = Duration::from_millis(1);

/// Lets a player choose in a scene, alone and from scratch. The clock is that of `budget`. A player
/// that panics has not solved it.
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
    // The time since which each look saw a right move.
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
