//! Playouts in lanes from the states of an engine.

use crate::evaluators::Settings;
use crate::in_lanes::{better_lanes, plain_lanes};
use budget::Budget;
use compile::{Compiled, Proved, Report, Stage};
use game::{Engine, EngineError, Playouts, Start, State, Tally};

/// What lanes are made from, and so how much time is spent before their programs are built.
#[derive(Clone, Copy)]
pub enum Effort<'a> {
    /// The logic as it is, for a caller that cannot wait. The playouts of a seed do not depend
    /// on the clock.
    AtOnce(&'a Compiled),
    /// The proofs, and passes as far as the budget goes: faster playouts, but available later.
    Thorough(&'a Proved),
}

/// Playouts in lanes that start from states of `engine`, with the stages that prepared them.
///
/// The engine must be one of the game that they are made from.
pub fn lanes_beside(
    engine: &dyn Engine,
    effort: Effort<'_>,
    settings: &Settings,
    budget: &Budget,
) -> (Box<dyn Playouts>, Vec<Stage>) {
    let mut report = Report::new(budget);
    let lanes = match effort {
        Effort::AtOnce(compiled) => plain_lanes(compiled, settings, budget, &mut report),
        Effort::Thorough(proved) => better_lanes(proved, settings, budget, &mut report),
    };
    let beside = Translated {
        engine: engine.fork(),
        lanes,
        states: Vec::new(),
    };
    (Box::new(beside), report.stages)
}

/// Translates an engine's states for lanes.
struct Translated {
    engine: Box<dyn Engine>,
    lanes: Box<dyn Playouts>,
    states: Vec<State>,
}

impl Playouts for Translated {
    fn name(&self) -> &'static str {
        self.lanes.name()
    }

    fn width(&self) -> usize {
        self.lanes.width()
    }

    fn run(
        &mut self,
        starts: &[Start<'_>],
        tallies: &mut Vec<Tally>,
        budget: &Budget,
    ) -> Result<(), EngineError> {
        if self.states.len() < starts.len() {
            self.states.resize_with(starts.len(), State::default);
        }
        for (start, bits) in starts.iter().zip(&mut self.states) {
            if !self.engine.bits(start.state, bits) {
                return Err(EngineError::Rules("a state of another engine".into()));
            }
        }
        let both = starts.iter().zip(&self.states);
        let starts: Vec<Start<'_>> = both
            .map(|(start, state)| Start {
                state,
                playouts: start.playouts,
            })
            .collect();
        self.lanes.run(&starts, tallies, budget)
    }

    fn reseed(&mut self, seed: u64) {
        self.lanes.reseed(seed);
    }

    fn watch(&mut self, ends: bool) -> bool {
        self.lanes.watch(ends)
    }

    fn fork(&self, seed: u64) -> Option<Box<dyn Playouts>> {
        Some(Box::new(Translated {
            engine: self.engine.fork(),
            lanes: self.lanes.fork(seed)?,
            states: Vec::new(),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EngineChoice, Options, prepare};
    use propnet::PropnetEngine;

    #[test]
    fn lanes_play_from_the_states_of_all_engines_on_a_network() {
        let fixtures = testkit::fixtures();
        let path = fixtures
            .iter()
            .find(|path| path.ends_with("connect_four.gdl"));
        let text = std::fs::read_to_string(path.expect("a fixture")).expect("it can be read");
        let budget = Budget::system();
        let options = Options {
            engine: EngineChoice::Scalar,
            ..Options::default()
        };
        let made = prepare(&text, &options, &budget).expect("it is well formed");
        let compiled = made.playable.compiled.expect("it is compiled");
        let network = compiled.network.as_ref().expect("it has one");
        let mut propnet = PropnetEngine::new(network, &budget).expect("it is well formed");
        let proved = crate::proved(compiled.clone(), 1, &budget);
        lanes_play_from_states_of(&mut propnet, &proved, &budget);
        let mut scalar = made.playable.engine;
        lanes_play_from_states_of(&mut *scalar, &proved, &budget);
    }

    fn lanes_play_from_states_of(engine: &mut dyn Engine, proved: &Proved, budget: &Budget) {
        let settings = Settings::default();
        // Play five plies, so that the state is not the initial one.
        let (mut state, mut next) = (engine.initial(), State::default());
        for _ in 0..5 {
            let mut joint = Vec::new();
            for role in 0..2 {
                let mut moves = Vec::new();
                let legal = engine.legal(&state, game::RoleId(role), &mut moves);
                legal.expect("it is well formed");
                joint.push(moves[0]);
            }
            engine.next(&state, &joint, &mut next).expect("it is legal");
            std::mem::swap(&mut state, &mut next);
        }
        let start = Start {
            state: &state,
            playouts: 20_000,
        };
        let mut plain = game::ScalarPlayouts::new(engine.fork(), 1, 1000);
        assert!(plain.watch(true), "the engine tells facts");
        let mut expected = Vec::new();
        plain
            .run(&[start], &mut expected, budget)
            .expect("it plays");
        for effort in [Effort::AtOnce(&proved.compiled), Effort::Thorough(proved)] {
            let (mut lanes, _) = lanes_beside(engine, effort, &settings, budget);
            assert!(lanes.watch(true));
            let mut tallies = Vec::new();
            lanes
                .run(&[start, start], &mut tallies, budget)
                .expect("it plays");
            for tally in &tallies {
                assert_eq!((tally.finished, tally.cut), (20_000, 0));
                let means = [tally, &expected[0]].map(|tally| tally.mean(0).unwrap());
                // Five standard deviations of the difference.
                assert!((means[0] - means[1]).abs() < 2.5, "{means:?}");
            }
            let [ends, other] = [&tallies[0].ends.counts, &expected[0].ends.counts];
            assert!(ends.len() == other.len() && ends.iter().any(|&count| count > 1000));
            for (&one, &other) in ends.iter().zip(other) {
                assert!(one.abs_diff(other) < 600, "{one} and {other} of 20000");
            }
            // Forks play from the same states.
            let mut fork = lanes.fork(7).expect("lanes can be forked");
            assert!(fork.run(&[start], &mut tallies, budget).is_ok());
        }
    }
}
