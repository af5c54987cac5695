//! Proof-number search, measured like an evaluator.

use super::first::First;
use super::memory;
use super::message::{Build, Built, Played};
use super::serve::Measured;
use crate::stopwatch::ProcessClock;
use budget::{Budget, Clock};
use dfpn::{Answer, ProofSearch, Prover};
use std::sync::Arc;
use std::time::Duration;

/// The name beside the evaluators.
pub const PROOFS: &str = "proofs";

/// The number of states examined for each question. Questions are counted instead of playouts.
/// An unsolved question is asked again, and the search continues where it was.
const STATES: u64 = 10_000;
/// The size of the table in bytes.
const MEMORY: usize = 64 << 20;

/// Asks whether the first role with a choice can win.
pub struct Proving {
    first: First,
    prover: Prover,
    clock: Arc<dyn Clock>,
}

impl Proving {
    /// Prepares the game up to the first question.
    ///
    /// # Errors
    /// Fails if the game cannot be played, or never has a choice.
    pub fn make(build: &Build) -> anyhow::Result<(Proving, Built)> {
        let clock: Arc<dyn Clock> = Arc::new(ProcessClock::new(build.time));
        let (first, built) = First::make(build, &clock)?;
        let prover = prover(&first);
        let proving = Proving {
            first,
            prover,
            clock,
        };
        Ok((proving, built))
    }
}

impl Measured for Proving {
    fn play(&mut self, seconds: f64, threads: usize) -> anyhow::Result<Played> {
        anyhow::ensure!(threads == 1, "one thread looks for a proof");
        let (mut questions, mut spent) = (0, 0.0);
        let mut states = 0;
        let end = self.clock.now() + Duration::from_secs_f64(seconds);
        while questions == 0 || self.clock.now() < end {
            // The first question is asked however late it is on a busy machine.
            let budget = Budget::unlimited(self.clock.clone());
            let budget = match questions {
                0 => budget,
                _ => budget.with_deadline(end),
            };
            let (began, before) = (self.clock.now(), self.prover.states());
            let answer = self.prover.ask(&self.first.state, 100, STATES, &budget)?;
            spent += self.clock.now().saturating_sub(began).as_secs_f64();
            let looked_at = self.prover.states() - before;
            anyhow::ensure!(
                looked_at > 0,
                "where several choose at once nothing is proved"
            );
            states += looked_at;
            questions += 1;
            if answer != Answer::Open {
                // A solved question would be answered from the table at once.
                self.prover = prover(&self.first);
            }
        }
        let rate = |count: u64| count as f64 / spent.max(f64::MIN_POSITIVE);
        Ok(Played {
            states_per_second: rate(states),
            playouts_per_second: rate(questions),
            nodes_per_second: None,
            playouts: questions,
            cut: 0,
            steps: states,
            peak_bytes: memory::peak(),
        })
    }
}

fn prover(first: &First) -> Prover {
    Prover::new(first.playable.engine.fork(), first.role, MEMORY, 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stopwatch::Time;

    fn proving(game: &str) -> Proving {
        let path = testkit::root().join("fixtures/games").join(game);
        let build = Build {
            source: std::fs::read_to_string(path).unwrap(),
            evaluator: PROOFS.to_owned(),
            seed: 1,
            max_steps: 1000,
            timeout: 10.0,
            memory: 1 << 30,
            time: Time::Wall,
            watch_memory: false,
        };
        Proving::make(&build).unwrap().0
    }

    #[test]
    fn states_are_counted_question_by_question() {
        let played = proving("connect_four.gdl").play(0.01, 1).unwrap();
        assert!(played.playouts > 0 && played.states_per_second > 0.0);
        // A question may complete the children of its last state.
        assert!(played.steps > 0 && played.steps <= played.playouts * (STATES + 100));
    }

    #[test]
    fn unsupported_games_and_threads_are_errors() {
        let several = proving("rock_paper_scissors_repeated.gdl").play(0.01, 1);
        assert!(several.unwrap_err().to_string().contains("at once"));
        let threads = proving("connect_four.gdl").play(0.01, 2);
        assert!(threads.unwrap_err().to_string().contains("one thread"));
    }
}
