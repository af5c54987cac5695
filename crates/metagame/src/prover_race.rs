//! Which proof search by numbers a game gets: depth first, deep before wide or in batches, guided
//! by what was learnt or not.
//!
//! Which of them answers soonest differs by game several times, so all are asked about the same
//! positions of random play, for which plain depth-first search takes some milliseconds.
//!
//! Alpha-beta takes no part. It shines in such late positions and finds little before: where it was
//! 1.5 times as fast in reversi, it lost 15 of 20 matches. Where it is good, deep before wide or in
//! batches is as well.

mod questions;

use crate::searchable::Searchable;
use crate::timetable::{Stage, StartClock};
use budget::Budget;
use game::State;
use heuristics::Value;
use provers::{ProofMethod, ProofSearch};
use questions::{SHORT, ask, question};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::time::Duration;

/// Random games at most.
const GAMES: usize = 400;
/// Games without a question after which there is none.
const VAIN: usize = 40;
/// The time of a race, at least.
const LEAST: Duration = Duration::from_millis(50);
/// Milliseconds for each search in the rounds of a question, which ends after a round with an
/// answer.
const ROUNDS: [u64; 4] = [2, 4, 8, 16];
/// A search without an answer is taken to need so many times what it had.
const OPEN: u32 = 2;
/// Who took more than so many times the time of the best, after that many questions, is out.
const SLOW: f64 = 2.0;
const SETTLED: u32 = 4;
/// The questions that are needed to decide.
const FEW: u32 = 4;
/// The memory of each search, in bytes.
const MEMORY: usize = 16 << 20;

/// A proof search that takes part.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Candidate {
    pub method: ProofMethod,
    /// Whether what was learnt guides it.
    pub guided: bool,
}

impl Candidate {
    /// How many times as fast as plain depth-first search it has to be.
    fn handicap(self) -> f64 {
        match (self.method, self.guided) {
            (ProofMethod::DepthFirst, false) => 1.0,
            _ => 1.15,
        }
    }

    fn in_words(self) -> String {
        let method = match self.method {
            ProofMethod::DepthFirst => "depth first",
            ProofMethod::Plunging => "deep before wide",
            ProofMethod::Batched => "in batches",
            ProofMethod::AlphaBeta => "by alpha-beta",
        };
        match self.guided {
            true => format!("{method}, guided"),
            false => method.to_owned(),
        }
    }
}

/// A candidate in the race, and the time of all its questions.
struct Runner {
    candidate: Candidate,
    search: Box<dyn ProofSearch>,
    spent: Duration,
}

impl Runner {
    /// What decides: its seconds, times its handicap.
    fn cost(&self) -> f64 {
        self.spent.as_secs_f64() * self.candidate.handicap()
    }
}

/// The proof search that answers soonest, with what was learnt if there is something.
pub(crate) fn race(
    searchable: &Searchable,
    value: Option<&Value>,
    clock: &mut StartClock,
) -> Candidate {
    let budget = clock.begin(Stage::Prover);
    if budget.remaining().is_some_and(|left| left < LEAST) {
        let chosen = Candidate::default();
        clock.decide(
            Stage::Prover,
            chosen.in_words(),
            "there is no time for a race",
        );
        return chosen;
    }
    let mut engine = searchable.fork();
    let mut runners = runners(searchable, value);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(searchable.seed());
    let mut scout = searchable.maker(None).make(ProofMethod::DepthFirst, MEMORY);
    let mut asked = 0;
    for game in 0..GAMES {
        if asked == 0 && game == VAIN {
            break;
        }
        let round = SHORT * runners.len() as u32;
        if budget.remaining().is_some_and(|left| left < round) || budget.check().is_err() {
            break;
        }
        let Some(state) = question(&mut *scout, &mut *engine, &mut rng, &budget) else {
            continue;
        };
        if compare(&mut runners, &state, &budget) {
            asked += 1;
            drop_the_slow(&mut runners, asked);
        }
    }
    runners.sort_by(|a, b| a.cost().total_cmp(&b.cost()));
    let best = runners.first().filter(|_| asked >= FEW);
    let chosen = best.map_or(Candidate::default(), |runner| runner.candidate);
    let why = match asked {
        0..FEW => format!("only {asked} positions of random games say something"),
        _ => {
            let times = runners.iter().map(|runner| {
                let each = 1000.0 * runner.spent.as_secs_f64() / f64::from(asked);
                format!("{each:.1} ms {}", runner.candidate.in_words())
            });
            let times: Vec<String> = times.collect();
            format!(
                "{asked} positions of random games take {}",
                times.join("; ")
            )
        }
    };
    clock.decide(Stage::Prover, chosen.in_words(), why);
    chosen
}

/// All candidates.
fn runners(searchable: &Searchable, value: Option<&Value>) -> Vec<Runner> {
    let methods = ProofMethod::ALL.into_iter();
    let plain = methods.filter(|method| method.by_numbers());
    let guided = plain.clone().filter(|_| value.is_some());
    let all = plain
        .map(|method| (method, false))
        .chain(guided.map(|method| (method, true)));
    let runner = |(method, guided)| Runner {
        candidate: Candidate { method, guided },
        search: searchable
            .maker(value.filter(|_| guided))
            .make(method, MEMORY),
        spent: Duration::ZERO,
    };
    all.map(runner).collect()
}

/// Asks all of them, a little more in each round, until there are answers. Returns whether there
/// are.
fn compare(runners: &mut [Runner], state: &State, budget: &Budget) -> bool {
    let mut times = vec![Duration::ZERO; runners.len()];
    let mut answered = vec![false; runners.len()];
    for round in ROUNDS.map(Duration::from_millis) {
        for (which, runner) in runners.iter_mut().enumerate() {
            let (answer, time) = ask(&mut *runner.search, state, round, budget);
            times[which] += time;
            answered[which] = answer;
        }
        if answered.contains(&true) {
            break;
        }
    }
    if !answered.contains(&true) || budget.check().is_err() {
        return false;
    }
    for (runner, (time, answered)) in runners.iter_mut().zip(times.into_iter().zip(answered)) {
        runner.spent += time * if answered { 1 } else { OPEN };
    }
    true
}

/// Leaves the time to those that may win.
fn drop_the_slow(runners: &mut Vec<Runner>, asked: u32) {
    let costs = runners.iter().map(Runner::cost);
    let best = costs.fold(f64::INFINITY, f64::min);
    if asked >= SETTLED {
        runners.retain(|runner| runner.cost() <= SLOW * best);
    }
}
