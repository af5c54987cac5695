//! How long it takes to ask the table about a state, by the number of cubes in it.
//!
//! `cargo run --release -p localsearch --example look_ups -- GAME.gdl > FILE.csv`
//!
//! One position of random play is searched with ever more joint moves. Whenever the table has ten
//! times as many cubes, it is asked about the children of positions a few moves later. The time
//! to make these children, by a search with an empty table, is taken off. Times are those of the
//! processor.

use budget::Budget;
use compile::Proved;
use game::{Engine, RoleId, State};
use localsearch::Search;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rustix::time::{ClockId, clock_gettime};
use std::sync::Arc;

const MEMORY: usize = 4 << 30;
/// Random moves to the position that is searched, and the most from there to those asked about.
const OPENING: usize = 16;
const LATER: usize = 6;
const QUESTIONS: usize = 2_000;
/// Joint moves that the questions look ahead.
const PLIES: u16 = 8;
const MOST_CUBES: usize = 1_000_000;
/// States after which the table is looked at.
const STEP: u64 = 20_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("game,cubes,searched_states,searched_seconds,asked_states,look_up_microseconds");
    for path in std::env::args().skip(1) {
        let name = path.rsplit('/').next().unwrap_or(&path).replace(".gdl", "");
        measure(&name, &std::fs::read_to_string(&path)?)?;
    }
    Ok(())
}

fn measure(name: &str, rules: &str) -> Result<(), Box<dyn std::error::Error>> {
    let budget = Budget::system();
    let compiled = Arc::new(compile::compile(rules, &budget)?);
    let mut engine = prepare::engine_of(&compiled, &budget)?;
    let proved = Proved::find(compiled, 1, &budget);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let first = engine.initial();
    let begin = walk(&mut *engine, &first, OPENING, &mut rng)?;
    let mut asked = Vec::new();
    while asked.len() < QUESTIONS {
        let moves = rng.random_range(1..=LATER);
        let state = walk(&mut *engine, &begin, moves, &mut rng)?;
        asked.push(bits(&*engine, &state));
    }
    let begin = bits(&*engine, &begin);
    let make = || Search::new(&proved, RoleId(0), 100, MEMORY, &budget);
    let mut empty = make()?;
    let (states, without) = time(&mut empty, &asked);
    let mut search = make()?;
    let mut target = MOST_CUBES / 1_000;
    let (mut plies, stride) = (1, search.stride() as u16);
    let mut seconds = 0.0;
    while target <= MOST_CUBES {
        let since = microseconds();
        if search.ask(&begin, plies, STEP, &budget).is_some() {
            plies += stride;
        }
        seconds += (microseconds() - since) / 1e6;
        let table = search.statistics();
        if table.wins + table.failures >= target {
            let (cubes, searched) = (table.wins + table.failures, search.states());
            let (_, with) = time(&mut search, &asked);
            let look_up = (with - without) / states as f64;
            println!("{name},{cubes},{searched},{seconds:.2},{states},{look_up:.3}");
            target *= 10;
        }
    }
    Ok(())
}

/// Asks about the children of all states, and goes no further: how many there are, and the
/// microseconds that it takes.
fn time(search: &mut Search, states: &[State]) -> (u64, f64) {
    let (made, since) = (search.states(), microseconds());
    for state in states {
        search.ask(state, PLIES, 1, &Budget::system());
    }
    (search.states() - made, microseconds() - since)
}

fn walk(
    engine: &mut dyn Engine,
    from: &State,
    moves: usize,
    rng: &mut Xoshiro256PlusPlus,
) -> Result<State, Box<dyn std::error::Error>> {
    let (mut state, mut next, mut legal) = (from.clone(), State::default(), Vec::new());
    for _ in 0..moves {
        let mut joint = Vec::new();
        for role in (0..engine.roles().len()).map(RoleId) {
            engine.legal(&state, role, &mut legal)?;
            joint.push(legal[rng.random_range(0..legal.len())]);
        }
        engine.next(&state, &joint, &mut next)?;
        if engine.terminal(&next)? {
            break;
        }
        std::mem::swap(&mut state, &mut next);
    }
    Ok(state)
}

fn bits(engine: &dyn Engine, state: &State) -> State {
    let mut bits = State::default();
    engine.bits(state, &mut bits);
    bits
}

fn microseconds() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 * 1e6 + time.tv_nsec as f64 / 1e3
}
