//! The same forced wins by proof cubes and by proof-number search: states made, and time.
//!
//! `cargo run --release -p localsearch --example against_dfpn -- GAME.gdl... > FILE.csv`
//!
//! Positions are those of random play in which the role that chooses can force a win. Each is
//! proved from scratch by both, on one thread, within 2 million states. Times are those of
//! the processor.

use budget::Budget;
use compile::Proved;
use dfpn::{ProofSearch, Prover};
use game::{Engine, MoveId, RoleId, State};
use localsearch::{Claim, Search};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rustix::time::{ClockId, clock_gettime};
use std::collections::BTreeMap;
use std::sync::Arc;

const MEMORY: usize = 256 << 20;
/// Positions for each length of a win.
const EACH: usize = 8;
/// Games of random play.
const GAMES: usize = 400;
/// States to find out whether a position has a win.
const LOOK: u64 = 40_000;
/// The most joint moves of a win.
const PLIES: u16 = 15;
const STATES: u64 = 2_000_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("game,plies,position,cube_states,cube_ms,facts,dfpn_states,dfpn_ms,dfpn_proved");
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
    let proved = Proved::find(compiled.clone(), 1, &budget);
    let fans = prepare::fans_beside(&*engine, &compiled, 1, true, &budget);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut found: BTreeMap<u16, usize> = BTreeMap::new();
    for game in 0..GAMES {
        let states = play(&mut *engine, &mut rng);
        let Some((state, role)) = states.get(rng.random_range(0..states.len().max(1))) else {
            continue;
        };
        let mut bits = State::default();
        engine.bits(state, &mut bits);
        let mut search = Search::new(&proved, *role, 100, MEMORY, &budget)?;
        let proof = search.deepen(&bits, PLIES, LOOK, &budget);
        let Some(Claim::Wins(plies)) = proof.map(|proof| proof.cube.claim) else {
            continue;
        };
        let count = found.entry(plies).or_default();
        if plies < 3 || *count >= EACH {
            continue;
        }
        *count += 1;
        let mut search = Search::new(&proved, *role, 100, MEMORY, &budget)?;
        let since = milliseconds();
        let proof = search.deepen(&bits, plies, STATES, &budget);
        let (cube_states, cube_time) = (search.states(), milliseconds() - since);
        let facts = proof.map_or(0, |proof| proof.cube.literals.len());
        let mut prover = Prover::new(engine.fork(), *role, MEMORY, 0);
        if let Some(fans) = &fans {
            prover.fan_out(fans.fans.fork());
            prover.foresee(Some(100));
        }
        let since = milliseconds();
        let answer = prover.ask(state, 100, STATES, &budget)?;
        let is_yes = matches!(answer, dfpn::Answer::Yes { .. });
        println!(
            "{name},{plies},{game},{cube_states},{:.3},{facts},{},{:.3},{is_yes}",
            cube_time,
            prover.states(),
            milliseconds() - since,
        );
    }
    Ok(())
}

/// The states of a random game in which exactly one role chooses, with the role.
fn play(engine: &mut dyn Engine, rng: &mut Xoshiro256PlusPlus) -> Vec<(State, RoleId)> {
    let (mut state, mut next) = (engine.initial(), State::default());
    let (mut states, mut moves) = (Vec::new(), Vec::new());
    while !engine.terminal(&state).unwrap_or(true) {
        let mut joint: Vec<MoveId> = Vec::new();
        let mut choosers = Vec::new();
        for role in (0..engine.roles().len()).map(RoleId) {
            if engine.legal(&state, role, &mut moves).is_err() || moves.is_empty() {
                return states;
            }
            if moves.len() > 1 {
                choosers.push(role);
            }
            joint.push(moves[rng.random_range(0..moves.len())]);
        }
        if let [role] = choosers[..] {
            states.push((state.clone(), role));
        }
        if engine.next(&state, &joint, &mut next).is_err() {
            return states;
        }
        std::mem::swap(&mut state, &mut next);
    }
    states
}

/// The time that the processor has spent on this thread.
fn milliseconds() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6
}
