//! Cubes against plain search in random states inside them.

mod common;

use budget::Budget;
use common::Game;
use game::{RoleId, State};
use localsearch::{Proof, Search};
use rand::RngExt;
use std::time::Instant;

const MEMORY: usize = 64 << 20;

#[derive(Debug, Default)]
struct Seen {
    wins: usize,
    failures: usize,
    literals: usize,
    checked: usize,
    violations: usize,
    /// Checks with one literal turned round, and how many of these broke the claim.
    weakened: usize,
    noticed: usize,
    whole: u64,
}

/// Asks about states of random play, and checks every answer in states inside its cube.
fn check(name: &str, plies: u16, most: u16, asks: usize, inside: usize) -> Seen {
    let mut game = Game::fixture(name);
    let roles = game.engine.roles().len();
    let budget = Budget::system();
    let mut seen = Seen::default();
    for role in 0..roles {
        let mut search = Search::new(&game.proved, RoleId(role), 100, MEMORY, &budget).unwrap();
        let mut pool: Vec<State> = Vec::new();
        for ask in 0..asks {
            let length = game.rng.random_range(0..60);
            let state = game.random_state(length);
            pool.push(state.clone());
            let within = 1 + ask as u16 % plies;
            let bits = game.bits(&state);
            let Some(Proof { cube, .. }) = search.ask(&bits, within, 20_000, &budget) else {
                continue;
            };
            assert!(cube.claim.answers(within), "{name}");
            let of_bits = |fact: u32| bits.words()[fact as usize / 64] >> (fact % 64) & 1 == 1;
            assert!(cube.contains(of_bits), "{name}: a state is in its own cube");
            match cube.claim.wins() {
                true => seen.wins += 1,
                false => seen.failures += 1,
            }
            seen.literals += cube.literals.len();
            for _ in 0..inside {
                let like = pool[game.rng.random_range(0..pool.len())].clone();
                if let Some(state) = game.state_in(&cube.literals, cube.phase, &like) {
                    seen.checked += 1;
                    let wrong = game.refutes(&state, &cube, role, 100, most);
                    seen.violations += usize::from(wrong);
                }
                if cube.literals.is_empty() {
                    continue;
                }
                let mut weaker = cube.literals.to_vec();
                let at = game.rng.random_range(0..weaker.len());
                weaker[at] = !weaker[at];
                if let Some(state) = game.state_in(&weaker, cube.phase, &like) {
                    seen.weakened += 1;
                    let wrong = game.refutes(&state, &cube, role, 100, most);
                    seen.noticed += usize::from(wrong);
                }
            }
        }
        seen.whole += search.whole();
    }
    seen
}

/// The games, with the joint moves asked for and the questions for each role. Plain search goes
/// as far, three joint moves at most, which takes long where there are many moves.
const GAMES: [(&str, u16, usize); 13] = [
    ("breakthrough_small", 5, 16),
    ("breakthrough_walls", 3, 12),
    ("escort_latch_breakthrough", 3, 8),
    ("sheep_and_wolf", 3, 12),
    ("connect_four", 4, 12),
    ("connect_four_small", 4, 16),
    ("tic_tac_toe", 4, 16),
    ("breakthrough", 3, 4),
    ("reversi", 2, 2),
    // Play ends at a step.
    ("speed_chess", 2, 4),
    ("dots_and_boxes", 3, 12),
    ("three_player_free_for_all", 3, 12),
    ("kalaha", 2, 3),
];

/// `ROCINANTE_LONG_TESTS=N` asks N times as often.
#[test]
fn claims_hold_everywhere_in_their_cubes() {
    let long = std::env::var("ROCINANTE_LONG_TESTS");
    let times = long.ok().and_then(|times| times.parse().ok()).unwrap_or(1);
    let (mut checked, mut noticed) = (0, 0);
    for (name, plies, asks) in GAMES {
        let since = Instant::now();
        let seen = check(name, plies, plies.min(3), asks * times, 3);
        println!("{name}: {seen:?} in {:.1?}", since.elapsed());
        assert_eq!(seen.violations, 0, "{name}: {seen:?}");
        assert_eq!(seen.whole, 0, "{name}: every proof leaves some facts open");
        checked += seen.checked;
        noticed += seen.noticed;
    }
    assert!(checked > 500, "states were found in the cubes");
    assert!(
        noticed > 50,
        "the check notices literals that are turned round"
    );
}
