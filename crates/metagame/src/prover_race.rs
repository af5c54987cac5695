//! Which proof search a game gets: depth-first (`dfpn`), or in batches (`pnsearch`).
//!
//! Batches make each state once and hundreds of children in a call; depth-first search makes states
//! again and needs no graph. Which of them answers sooner differs by game up to four times, so both
//! are asked about the same positions of random play.

use crate::local::state_beyond;
use crate::searchable::Searchable;
use crate::timetable::{Stage, StartClock};
use dfpn::Answer;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::time::Duration;

/// The result that is asked for.
const BEST: u8 = 100;
/// Positions at most, the part of play that lies before them, and the time for each question.
const POSITIONS: usize = 400;
const LATE: f64 = 0.5;
const EACH: Duration = Duration::from_millis(20);
/// A question that both answer within this time says nothing about long ones.
const SHORT: Duration = Duration::from_millis(1);
/// The questions that are needed to decide, and how many times the other search must be faster.
const FEW: u32 = 6;
const CLEARLY: f64 = 1.15;
/// The memory of each search, in bytes.
const MEMORY: usize = 64 << 20;

/// Whether proofs of the game come in batches.
pub(crate) fn race(searchable: &Searchable, clock: &mut StartClock) -> bool {
    let budget = clock.begin(Stage::Prover);
    let mut engine = searchable.fork();
    let mut searches = [false, true].map(|batched| searchable.proofs_of(batched, MEMORY));
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(searchable.seed());
    let (mut spent, mut asked) = ([Duration::ZERO; 2], 0u32);
    for number in 0..POSITIONS {
        let left = budget.remaining().unwrap_or(EACH * 2);
        if left < EACH * 2 || budget.check().is_err() {
            break;
        }
        let Some(state) = state_beyond(LATE, &mut *engine, &mut rng) else {
            continue;
        };
        let mut times = [Duration::ZERO; 2];
        for turn in 0..2 {
            // None of them is always the first.
            let which = (turn + number) % 2;
            let since = budget.clock().now();
            let short = budget.clone().with_timeout(EACH);
            let answer = searches[which].ask(&state, BEST, u64::MAX, &short);
            times[which] = match answer {
                Ok(Answer::Open) | Err(_) => EACH,
                Ok(_) => budget.clock().now().saturating_sub(since).min(EACH),
            };
        }
        if times.iter().any(|&time| time >= SHORT) && times != [EACH; 2] {
            asked += 1;
            spent = [spent[0] + times[0], spent[1] + times[1]];
        }
    }
    let [first, batched] = spent.map(|time| time.as_secs_f64().max(f64::MIN_POSITIVE));
    let faster = asked >= FEW && first >= CLEARLY * batched;
    let decided = match faster {
        true => "in batches",
        false => "depth first",
    };
    let why = match asked {
        0..FEW => format!("only {asked} random positions take proofs longer than a moment"),
        _ => format!(
            "{asked} random positions take {:.1} ms depth first and {:.1} ms in batches",
            1000.0 * first / f64::from(asked),
            1000.0 * batched / f64::from(asked)
        ),
    };
    clock.decide(Stage::Prover, decided, why);
    faster
}
