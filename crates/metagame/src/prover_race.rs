//! Which proof search a game gets: by proof numbers, depth first or in batches, guided by what was
//! learnt or not, or by alpha-beta.
//!
//! Which of them answers soonest differs by game several times, so all are asked about the same
//! positions of random play.

use crate::local::state_beyond;
use crate::searchable::Searchable;
use crate::timetable::{Stage, StartClock};
use budget::Budget;
use game::State;
use heuristics::Value;
use provers::{Answer, ProofMethod, ProofSearch};
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
/// Who takes more than so many times the time of the fastest is asked no further.
const BEHIND: u32 = 5;
/// Who took more than so many times the time of the best, after that many questions, is out.
const SLOW: f64 = 2.0;
const SETTLED: u32 = 3;
/// The questions that are needed to decide.
const FEW: u32 = 6;
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
    /// How many times as fast as plain depth-first search it has to be. Alpha-beta shines in late
    /// positions, of which these are, and finds little before: where it was 1.5 times as fast in
    /// reversi, it lost 15 of 20 matches.
    fn handicap(self) -> f64 {
        match (self.method, self.guided) {
            (ProofMethod::DepthFirst, false) => 1.0,
            (ProofMethod::AlphaBeta, _) => 3.0,
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
    let mut engine = searchable.fork();
    let mut runners = runners(searchable, value);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(searchable.seed());
    let mut asked = 0;
    for _ in 0..POSITIONS {
        if budget.remaining().is_some_and(|left| left < 2 * EACH) || budget.check().is_err() {
            break;
        }
        let Some(state) = state_beyond(LATE, &mut *engine, &mut rng) else {
            continue;
        };
        if ask(&mut runners, &state, &budget) {
            asked += 1;
            drop_the_slow(&mut runners, asked);
        }
    }
    runners.sort_by(|a, b| a.cost().total_cmp(&b.cost()));
    let best = runners.first().filter(|_| asked >= FEW);
    let chosen = best.map_or(Candidate::default(), |runner| runner.candidate);
    let why = match asked {
        0..FEW => format!("only {asked} random positions take proofs longer than a moment"),
        _ => {
            let times = runners.iter().map(|runner| {
                let each = 1000.0 * runner.spent.as_secs_f64() / f64::from(asked);
                format!("{each:.1} ms {}", runner.candidate.in_words())
            });
            let times: Vec<String> = times.collect();
            format!("{asked} random positions take {}", times.join("; "))
        }
    };
    clock.decide(Stage::Prover, chosen.in_words(), why);
    chosen
}

/// All candidates.
fn runners(searchable: &Searchable, value: Option<&Value>) -> Vec<Runner> {
    let plain = ProofMethod::ALL.map(|method| (method, false)).into_iter();
    let guided = ProofMethod::ALL.map(|method| (method, true)).into_iter();
    let guided = guided.filter(|(method, _)| value.is_some() && method.by_numbers());
    let runner = |(method, guided)| Runner {
        candidate: Candidate { method, guided },
        search: searchable
            .maker(value.filter(|_| guided))
            .make(method, MEMORY),
        spent: Duration::ZERO,
    };
    plain.chain(guided).map(runner).collect()
}

/// Asks all of them, whoever was fastest so far first. Returns whether the question says something.
fn ask(runners: &mut [Runner], state: &State, budget: &Budget) -> bool {
    let mut order: Vec<usize> = (0..runners.len()).collect();
    order.sort_by_key(|&which| runners[which].spent);
    let mut times = vec![EACH; runners.len()];
    let mut most = EACH;
    for which in order {
        let since = budget.clock().now();
        let short = budget.clone().with_timeout(most);
        let answer = runners[which].search.ask(state, BEST, u64::MAX, &short);
        if matches!(answer, Ok(Answer::Yes { .. } | Answer::No { .. })) {
            times[which] = budget.clock().now().saturating_sub(since);
            most = most.min(BEHIND * times[which].max(SHORT));
        }
    }
    let says = times.iter().any(|&time| time < EACH) && times.iter().any(|&time| time >= SHORT);
    if says {
        for (runner, time) in runners.iter_mut().zip(times) {
            runner.spent += time.min(most);
        }
    }
    says
}

/// Leaves the time to those that may win.
fn drop_the_slow(runners: &mut Vec<Runner>, asked: u32) {
    let costs = runners.iter().map(Runner::cost);
    let best = costs.fold(f64::INFINITY, f64::min);
    if asked >= SETTLED {
        runners.retain(|runner| runner.cost() <= SLOW * best);
    }
}
