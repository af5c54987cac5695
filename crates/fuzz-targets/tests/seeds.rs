//! Every target accepts its seeds and mutations of them.

use fuzz_targets::{TARGETS, Target, mutate};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The most seeds of a target that are taken, and mutations of each.
const MOST: usize = 16;
const MUTATIONS: u64 = 3;

/// Some bytes of an input changed, dropped or repeated.
fn damaged(input: &[u8], seed: u64) -> Vec<u8> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut bytes = input.to_vec();
    for _ in 0..rng.random_range(1..4) {
        let at = rng.random_range(0..=bytes.len());
        let to = rng.random_range(at..=bytes.len().min(at + 8));
        let piece = bytes[at..to].to_vec();
        match rng.random_range(0..3) {
            0 => drop(bytes.drain(at..to)),
            1 => bytes.splice(at..at, piece).for_each(drop),
            _ => bytes[at..to]
                .iter_mut()
                .for_each(|byte| *byte = rng.random()),
        }
    }
    bytes
}

/// Prints an input if it is being checked when the test fails.
struct Shown<'a>(&'a Target, &'a [u8]);

impl Drop for Shown<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let text = String::from_utf8_lossy(self.1);
            eprintln!("the input of {} was\n{text}", self.0.name);
        }
    }
}

fn check(target: &Target, input: &[u8]) {
    let shown = Shown(target, input);
    target.run(input);
    drop(shown);
}

fn run(target: &Target) {
    let seeds = (target.seeds)();
    assert!(
        seeds.len() >= 4,
        "{} has {} seeds",
        target.name,
        seeds.len()
    );
    let stride = seeds.len().div_ceil(MOST);
    for (number, seed) in seeds.iter().enumerate().step_by(stride) {
        check(target, seed);
        for mutation in 0..MUTATIONS {
            let seed_of_change = mutation + MUTATIONS * number as u64;
            let changed = match target.rules {
                true => {
                    let text = String::from_utf8_lossy(seed);
                    mutate::rules(&text, 8_000, seed_of_change).into_bytes()
                }
                false => damaged(seed, seed_of_change),
            };
            check(target, &changed);
        }
    }
}

#[test]
fn seeds_and_mutations_of_them_are_handled() {
    std::thread::scope(|scope| {
        for target in TARGETS {
            scope.spawn(|| run(target));
        }
    });
}
