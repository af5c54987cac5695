//! The signature: one hash of the play of all engines.
//!
//! Seeded random play on every fixture through every engine is hashed as text: roles, facts of
//! every state, legal moves, joint moves, terminal states and goals. Moves are chosen from the
//! legal ones in the order of their text, so every engine must give the same hash. A change of
//! rules, parsing or engines that changes play changes the hash, and an engine that plays
//! differently from the others is found.
//!
//! Evaluators that choose their own moves add the tallies of a few seeded playouts each, except
//! those whose build depends on time. A commit that claims to change nothing can show that the
//! hash is the same.

use anyhow::{Context, ensure};
use budget::Budget;
use game::{Engine, EngineError, MoveId, RoleId, Start, State};
use prepare::{EVALUATORS, EngineChoice, Evaluator, Lanes, Options as Prepare, Settings, prepare};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use std::collections::BTreeMap;
use std::time::Duration;

/// The number of playouts on each fixture and engine.
const PLAYOUTS: usize = 3;
/// The maximum number of steps of a playout.
const STEPS: usize = 200;
/// The number of playouts of an evaluator that runs one at a time. Others run twice their
/// width.
const FEWEST: u64 = 16;

/// The hash FNV-1a of 64 bits, which is the same in every build and on every machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hash(u64);

impl Default for Hash {
    fn default() -> Self {
        Hash(0xcbf2_9ce4_8422_2325)
    }
}

impl Hash {
    fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// Hashes a text and an end marker.
    fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
        self.bytes(&[0]);
    }

    fn number(&mut self, number: u64) {
        self.bytes(&number.to_le_bytes());
    }
}

/// Hashes a few seeded playouts.
///
/// # Errors
/// Fails if the rules could not be evaluated.
pub fn play(engine: &mut dyn Engine, seed: u64, hash: &mut Hash) -> Result<(), EngineError> {
    let roles = engine.roles().to_vec();
    for role in &roles {
        hash.text(&role.to_string());
    }
    let mut texts = vec![BTreeMap::new(); roles.len()];
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    for _ in 0..PLAYOUTS {
        let (mut here, mut there) = (engine.initial(), State::default());
        for _ in 0..STEPS {
            for fact in engine.facts(&here) {
                hash.text(&fact.to_string());
            }
            for role in 0..roles.len() {
                let goal = engine.goal(&here, RoleId(role))?;
                hash.number(goal.map_or(u64::MAX, u64::from));
            }
            let over = engine.terminal(&here)?;
            hash.number(u64::from(over));
            if over {
                break;
            }
            let mut joint = Vec::new();
            for (role, texts) in texts.iter_mut().enumerate() {
                let moves = by_text(engine, &here, RoleId(role), texts)?;
                moves.iter().for_each(|(text, _)| hash.text(text));
                if moves.is_empty() {
                    continue;
                }
                let (text, mv) = &moves[rng.random_range(0..moves.len())];
                hash.text(text);
                joint.push(*mv);
            }
            if joint.len() < roles.len() {
                break;
            }
            engine.next(&here, &joint, &mut there)?;
            std::mem::swap(&mut here, &mut there);
        }
    }
    Ok(())
}

/// The legal moves of a role in the order of their text.
fn by_text(
    engine: &mut dyn Engine,
    state: &State,
    role: RoleId,
    texts: &mut BTreeMap<MoveId, String>,
) -> Result<Vec<(String, MoveId)>, EngineError> {
    let mut moves = Vec::new();
    engine.legal(state, role, &mut moves)?;
    let mut moves: Vec<(String, MoveId)> = moves
        .into_iter()
        .map(|mv| {
            let text = texts
                .entry(mv)
                .or_insert_with(|| engine.move_term(role, mv).to_string());
            (text.clone(), mv)
        })
        .collect();
    moves.sort();
    Ok(moves)
}

/// The hash of the seeded play of a rulesheet on an engine.
///
/// # Errors
/// Fails if the engine cannot be built or cannot evaluate the rules.
pub fn of_rules(source: &str, engine: EngineChoice, seed: u64) -> anyhow::Result<Hash> {
    let options = Prepare {
        engine,
        ..Prepare::default()
    };
    let mut prepared = prepare(source, &options, &budget())?;
    let mut hash = Hash::default();
    play(&mut *prepared.playable.engine, seed, &mut hash)?;
    Ok(hash)
}

/// Enough for every fixture on a slow machine.
fn budget() -> Budget {
    Budget::system()
        .with_timeout(Duration::from_secs(120))
        .with_memory(4 << 30)
}

/// Hashes the tallies of a few playouts.
fn tally(source: &str, evaluator: &Evaluator, seed: u64, hash: &mut Hash) -> anyhow::Result<()> {
    let settings = Settings {
        seed,
        max_steps: STEPS,
        // The number of lanes is part of what a seed means.
        lanes: Lanes::Of256,
        ..Settings::default()
    };
    let budget = budget();
    let mut simulator = match evaluator.make(source, &settings, &budget) {
        Ok(simulator) => simulator,
        // Some evaluators do not support every game. That is part of the hash.
        Err(error) => {
            ensure!(!error.is_exhausted(), "no time to build it: {error}");
            hash.text("not made");
            return Ok(());
        }
    };
    let playouts = match simulator.playouts.width() {
        1 => FEWEST,
        width => 2 * width as u64,
    };
    let start = Start {
        state: &simulator.initial,
        playouts,
    };
    let mut tallies = Vec::new();
    simulator.playouts.run(&[start], &mut tallies, &budget)?;
    for tally in &tallies {
        for number in [tally.finished, tally.cut, tally.steps] {
            hash.number(number);
        }
        tally
            .goals
            .iter()
            .chain(&tally.squares)
            .for_each(|&sum| hash.number(sum));
    }
    Ok(())
}

/// Prints the hash. Its parts are printed on the standard error.
///
/// # Errors
/// Fails if an engine plays differently from the reasoner, or cannot play a fixture.
pub fn run(seed: u64) -> anyhow::Result<bool> {
    let mut all = Hash::default();
    let mut tallies = vec![Hash::default(); EVALUATORS.len()];
    let fixtures = testkit::fixtures();
    for path in &fixtures {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let source = std::fs::read_to_string(path)?;
        let expected = of_rules(&source, EngineChoice::Reasoner, seed).context(name.to_string())?;
        for engine in EngineChoice::ALL {
            // The engines that `Auto` and `Network` would choose are tested anyway.
            use EngineChoice::{Auto, Network, Reasoner};
            if matches!(engine, Auto | Network | Reasoner) {
                continue;
            }
            let here = || format!("{name} on {}", engine.name());
            let hash = of_rules(&source, engine, seed).with_context(here)?;
            ensure!(
                hash == expected,
                "{}: not played as by the reasoner",
                here()
            );
        }
        all.text(&name);
        all.number(expected.0);
        for (evaluator, hash) in EVALUATORS.iter().zip(&mut tallies) {
            if evaluator.repeats_anywhere() {
                let here = || format!("{name} on {}", evaluator.name());
                tally(&source, evaluator, seed, hash).with_context(here)?;
            }
        }
    }
    eprintln!(
        "play of {} fixtures, the same on every engine: {}",
        fixtures.len(),
        all.0
    );
    for (evaluator, hash) in EVALUATORS.iter().zip(&tallies) {
        if evaluator.repeats_anywhere() {
            eprintln!("playouts by {}: {}", evaluator.name(), hash.0);
            all.text(evaluator.name());
            all.number(hash.0);
        }
    }
    println!("{}", all.0);
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::toys::TakeAway;

    fn of_toy(tokens: u64, seed: u64) -> u64 {
        let mut hash = Hash::default();
        play(&mut TakeAway::new(2, tokens, 3), seed, &mut hash).unwrap();
        hash.0
    }

    #[test]
    fn the_hash_is_fnv_1a() {
        let mut hash = Hash::default();
        hash.bytes(b"foobar");
        assert_eq!(hash.0, 0x8594_4171_f739_67e8);
    }

    #[test]
    fn the_hash_repeats_and_depends_on_game_and_seed() {
        assert_eq!(of_toy(10, 1), of_toy(10, 1));
        assert_ne!(of_toy(10, 1), of_toy(10, 2));
        assert_ne!(of_toy(10, 1), of_toy(11, 1));
        // If this changes, hashes of different commits can no longer be compared.
        assert_eq!(of_toy(10, 1), 1_853_734_766_948_142_111);
    }

    #[test]
    fn all_engines_have_the_same_hash() {
        for game in ["tic_tac_toe", "light_cycles", "chomp"] {
            let path = testkit::root().join(format!("fixtures/games/{game}.gdl"));
            let source = std::fs::read_to_string(path).unwrap();
            let hashes = EngineChoice::ALL.map(|engine| of_rules(&source, engine, 1).unwrap());
            assert!(
                hashes.iter().all(|hash| *hash == hashes[0]),
                "{game}: {hashes:?}"
            );
        }
    }
}
