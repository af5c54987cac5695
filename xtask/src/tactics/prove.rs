//! Proves the claims of all positions.

use super::playable;
use ::tactics::Sheet;
use budget::Budget;
use prepare::EngineChoice;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// The time limit for the proof of one position.
const PATIENCE: Duration = Duration::from_secs(60);

/// Prints a line for each position. Returns `false` if a claim is not proved.
pub fn run(sheets: &[Sheet], choice: EngineChoice) -> anyhow::Result<bool> {
    let begin = Instant::now();
    let mut classes: BTreeMap<&str, usize> = BTreeMap::new();
    let mut failed = 0;
    println!(
        "{:<58} {:>5} {:>5} {:>7} {:>7} {:>9} {:>7}",
        "position", "moves", "value", "within", "refuted", "states", "seconds"
    );
    for sheet in sheets {
        let mut engine = playable(&sheet.game, choice)?.engine;
        for position in &sheet.positions {
            let name = format!("{}/{}", sheet.game, position.name);
            let budget = Budget::system().with_timeout(PATIENCE).with_memory(2 << 30);
            let since = Instant::now();
            match ::tactics::prove(&mut *engine, position, &budget) {
                Ok(proof) => {
                    *classes.entry(&position.class).or_default() += 1;
                    let within = match proof.fastest == proof.slowest {
                        true => proof.slowest.to_string(),
                        false => format!("{}-{}", proof.fastest, proof.slowest),
                    };
                    println!(
                        "{name:<58} {:>5} {:>5} {within:>7} {:>7} {:>9} {:>7.2}",
                        proof.moves,
                        position.forces,
                        proof.refuted,
                        proof.states,
                        since.elapsed().as_secs_f64()
                    );
                }
                Err(error) => {
                    failed += 1;
                    println!("{name:<58} FAILED: {error}");
                }
            }
        }
    }
    let proved: usize = classes.values().sum();
    let classes: Vec<String> = classes.iter().map(|(c, n)| format!("{c} {n}")).collect();
    println!("{}", classes.join(", "));
    println!(
        "{proved} positions of {} games proved, {failed} failed, in {:.1} s",
        sheets.len(),
        begin.elapsed().as_secs_f64()
    );
    Ok(failed == 0)
}
