//! Which proof search a game gets: by proof numbers depth first or in batches, or by alpha-beta.
//!
//! Which of them answers sooner differs by game several times, so all are asked about the same
//! positions of random play.

use crate::local::state_beyond;
use crate::searchable::Searchable;
use crate::timetable::{Stage, StartClock};
use provers::{Answer, ProofMethod};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::time::Duration;

/// The result that is asked for.
const BEST: u8 = 100;
/// Positions at most, the part of play that lies before them, and the time for each question.
const POSITIONS: usize = 400;
const LATE: f64 = 0.5;
const EACH: Duration = Duration::from_millis(20);
/// A question that all answer within this time says nothing about long ones.
const SHORT: Duration = Duration::from_millis(1);
/// The questions that are needed to decide.
const FEW: u32 = 6;
/// How many times as fast as the first method each has to be. Alpha-beta shines in late positions,
/// of which these are, and finds little before: where it was 1.5 times as fast in reversi, it lost
/// 15 of 20 matches.
const CLEARLY: [f64; METHODS] = [1.0, 1.15, 3.0];
/// The number of methods.
const METHODS: usize = ProofMethod::ALL.len();
/// The memory of each search, in bytes.
const MEMORY: usize = 64 << 20;

/// The method of proofs that answers soonest.
pub(crate) fn race(searchable: &Searchable, clock: &mut StartClock) -> ProofMethod {
    let budget = clock.begin(Stage::Prover);
    let mut engine = searchable.fork();
    let methods = ProofMethod::ALL;
    let mut searches = methods.map(|method| searchable.proofs_by(method, MEMORY));
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(searchable.seed());
    let (mut spent, mut asked) = ([Duration::ZERO; METHODS], 0u32);
    let question = EACH * METHODS as u32;
    for number in 0..POSITIONS {
        let left = budget.remaining().unwrap_or(question);
        if left < question || budget.check().is_err() {
            break;
        }
        let Some(state) = state_beyond(LATE, &mut *engine, &mut rng) else {
            continue;
        };
        let mut times = [Duration::ZERO; METHODS];
        for turn in 0..METHODS {
            // None of them is always the first.
            let which = (turn + number) % METHODS;
            let since = budget.clock().now();
            let short = budget.clone().with_timeout(EACH);
            let answer = searches[which].ask(&state, BEST, u64::MAX, &short);
            times[which] = match answer {
                Ok(Answer::Open) | Err(_) => EACH,
                Ok(_) => budget.clock().now().saturating_sub(since).min(EACH),
            };
        }
        if times.iter().any(|&time| time >= SHORT) && times != [EACH; METHODS] {
            asked += 1;
            for (spent, time) in spent.iter_mut().zip(times) {
                *spent += time;
            }
        }
    }
    let gain = |which: usize| {
        let gain = spent[0].as_secs_f64() / spent[which].as_secs_f64().max(f64::MIN_POSITIVE);
        gain / CLEARLY[which]
    };
    let best = (0..METHODS).max_by(|&a, &b| gain(a).total_cmp(&gain(b)));
    let best = best.filter(|&which| asked >= FEW && gain(which) >= 1.0);
    let chosen = best.map_or(ProofMethod::default(), |which| methods[which]);
    let why = match asked {
        0..FEW => format!("only {asked} random positions take proofs longer than a moment"),
        _ => {
            let times = methods.iter().zip(spent).map(|(&method, spent)| {
                let each = 1000.0 * spent.as_secs_f64() / f64::from(asked);
                format!("{each:.1} ms {}", in_words(method))
            });
            let times: Vec<String> = times.collect();
            format!("{asked} random positions take {}", times.join(", "))
        }
    };
    clock.decide(Stage::Prover, in_words(chosen), why);
    chosen
}

fn in_words(method: ProofMethod) -> &'static str {
    match method {
        ProofMethod::DepthFirst => "depth first",
        ProofMethod::Batched => "in batches",
        ProofMethod::AlphaBeta => "by alpha-beta",
    }
}
