//! The evaluators that make many random playouts at once, by name.

use crate::{EngineChoice, Options, PrepareError, Prepared, in_lanes, prepare, simulators};
use budget::Budget;
use compile::{Compiled, Report};
use game::{EngineError, GroundTerm, Playouts, State};
use std::sync::Arc;

/// How programs in lanes are run, where the machine can: otherwise as the next one says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lanes {
    /// Machine code for as many lanes as a vector of the machine has bits.
    Widest,
    /// Machine code for 256 lanes. A seed gives the same playouts on all machines that have it.
    Of256,
    /// Interpreted.
    Interpreted,
}

/// The settings of all evaluators.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Fold all names to lower case.
    pub fold_case: bool,
    /// Seed of the moves.
    ///
    /// A simulator repeats its playouts with the same seed. [`Evaluator::repeats_anywhere`]
    /// returns whether another simulator of the same game does, too.
    pub seed: u64,
    /// Joint moves after which a playout is cut.
    pub max_steps: usize,
    /// Build goals that count as adders and comparisons, where that is proved and smaller.
    pub emulate_goals: bool,
    /// How programs in lanes are run.
    pub lanes: Lanes,
    /// In lanes, roles play decisive moves: wins that are one move away, where these can be
    /// computed cheaply.
    pub decisive: bool,
    /// In lanes, roles play anti-decisive moves: they block a win that the next role would
    /// have, likewise.
    pub anti_decisive: bool,
    /// In lanes, roles play careful moves: they avoid moves after which the next role could win
    /// at once, likewise.
    pub careful: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            fold_case: false,
            seed: 0,
            max_steps: 1000,
            emulate_goals: true,
            lanes: Lanes::Widest,
            decisive: false,
            anti_decisive: false,
            careful: false,
        }
    }
}

/// A game ready for playouts.
pub struct Simulator {
    /// The evaluator.
    pub playouts: Box<dyn Playouts>,
    /// The initial state, in the form that `playouts` uses.
    pub initial: State,
    /// The roles in order.
    pub roles: Vec<GroundTerm>,
    /// How the evaluator was made.
    pub report: Report,
}

/// A kind of evaluator.
#[derive(Debug, Clone, Copy)]
pub struct Evaluator {
    name: &'static str,
    kind: Kind,
}

/// Makes an evaluator of the logic of a game.
type InLanes = fn(Arc<Compiled>, Report, &Settings, &Budget) -> Simulator;

#[derive(Debug, Clone, Copy)]
enum Kind {
    /// One playout after the other on this engine.
    Scalar(EngineChoice),
    /// Many side by side. Needs a network, and no engine.
    InLanes(InLanes),
    /// All states in a table.
    Table,
    /// The fastest of all.
    Fastest,
}

/// All evaluators. Measurements and command lines offer exactly this list.
pub const EVALUATORS: &[Evaluator] = &[
    Evaluator::scalar(EngineChoice::Reasoner),
    Evaluator::scalar(EngineChoice::Propnet),
    Evaluator::scalar(EngineChoice::Scalar),
    Evaluator::new("lanes", Kind::InLanes(in_lanes::lanes)),
    Evaluator::new("quick-lanes", Kind::InLanes(in_lanes::quick_lanes)),
    Evaluator::new("table", Kind::Table),
    Evaluator::new("auto", Kind::Fastest),
];

/// The evaluator with this name.
///
/// # Errors
/// A sentence with all names.
pub fn evaluator(name: &str) -> Result<Evaluator, String> {
    let found = EVALUATORS.iter().find(|evaluator| evaluator.name == name);
    found.copied().ok_or_else(|| {
        let names: Vec<_> = EVALUATORS.iter().map(Evaluator::name).collect();
        format!(
            "no evaluator is called {name}; there are {}",
            names.join(", ")
        )
    })
}

impl Evaluator {
    /// Playouts one after the other on an engine, with the engine's name.
    const fn scalar(engine: EngineChoice) -> Self {
        Evaluator::new(engine.name(), Kind::Scalar(engine))
    }

    const fn new(name: &'static str, kind: Kind) -> Self {
        Evaluator { name, kind }
    }

    /// The name on command lines and in tables.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Whether it chooses among the others, so that it need not be measured beside them.
    pub fn chooses(&self) -> bool {
        self.name == "auto"
    }

    /// Whether a seed gives the same playouts however fast the machine is.
    ///
    /// It does not where proofs end by the clock: what they find changes how moves are
    /// numbered, though not how likely they are.
    pub fn repeats_anywhere(&self) -> bool {
        !matches!(self.name, "lanes" | "auto")
    }

    /// The engine to prepare the game with for [`Evaluator::of`].
    pub fn engine(&self) -> EngineChoice {
        match self.kind {
            Kind::Scalar(engine) => engine,
            // Lanes need the network, even one that the reasoner outruns.
            Kind::InLanes(_) => EngineChoice::Network,
            Kind::Table | Kind::Fastest => EngineChoice::Auto,
        }
    }

    /// Reads `source` and makes the evaluator within `budget`.
    ///
    /// # Errors
    /// If the text holds no rules, or this evaluator cannot be made of them.
    pub fn make(
        &self,
        source: &str,
        settings: &Settings,
        budget: &Budget,
    ) -> Result<Simulator, PrepareError> {
        if let Kind::InLanes(make) = self.kind {
            let (compiled, report) = in_lanes::compiled(source, settings, budget)?;
            return Ok(make(compiled, report, settings, budget));
        }
        let options = Options {
            fold_case: settings.fold_case,
            engine: self.engine(),
        };
        self.of(prepare(source, &options, budget)?, settings, budget)
    }

    /// Makes the evaluator of a game that was prepared with [`Evaluator::engine`].
    ///
    /// # Errors
    /// If this evaluator cannot be made of the game: it has no network, or its states are too
    /// many for a table.
    pub fn of(
        &self,
        prepared: Prepared,
        settings: &Settings,
        budget: &Budget,
    ) -> Result<Simulator, PrepareError> {
        match self.kind {
            Kind::Scalar(_) => Ok(simulators::scalar(prepared, settings)),
            Kind::InLanes(make) => {
                let Prepared {
                    playable, report, ..
                } = prepared;
                let compiled = playable.compiled.ok_or_else(|| {
                    let why = report.fallback.clone();
                    let why = why.unwrap_or_else(|| "the game has no network".to_owned());
                    PrepareError::Engine {
                        stage: "lanes",
                        error: EngineError::Rules(why),
                    }
                })?;
                Ok(make(compiled, report, settings, budget))
            }
            Kind::Table => simulators::table(prepared, settings, budget),
            Kind::Fastest => Ok(simulators::best(prepared, settings, budget)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::{Start, Tally};

    const COIN: &str = "(role a) (role b) (side heads) (side tails)
        (<= (legal ?r ?s) (role ?r) (side ?s))
        (<= (next (shown ?r ?s)) (does ?r ?s))
        (<= terminal (true (shown a ?s)))
        (<= same (true (shown a ?s)) (true (shown b ?s)))
        (<= (goal a 100) same) (<= (goal b 0) same)
        (<= (goal a 0) (not same)) (<= (goal b 100) (not same))";

    fn tally(evaluator: &Evaluator, playouts: u64) -> Tally {
        let budget = Budget::system();
        let made = evaluator.make(COIN, &Settings::default(), &budget);
        let mut simulator = made.expect("a good game");
        assert_eq!(simulator.roles.len(), 2);
        let grounded = simulator.report.ground_rules.is_some();
        assert_eq!(grounded, evaluator.name() != "reasoner");
        let start = Start {
            state: &simulator.initial,
            playouts,
        };
        let mut tallies = Vec::new();
        let played = simulator.playouts.run(&[start], &mut tallies, &budget);
        played.expect("a good game");
        tallies.remove(0)
    }

    #[test]
    fn all_play_the_same_game_and_repeat_themselves() {
        for evaluator in EVALUATORS {
            let name = evaluator.name();
            let played = tally(evaluator, 4000);
            assert_eq!((played.finished, played.cut), (4000, 0), "{name}");
            assert_eq!(played.steps, 4000, "{name}");
            // Five standard deviations of a fair coin.
            let mean = played.mean(0).expect("it finished");
            assert!((mean - 50.0).abs() < 4.0, "{name}: {mean}");
            assert_eq!(played.goals[0] + played.goals[1], 400_000, "{name}");
            assert_eq!(played, tally(evaluator, 4000), "{name}");
        }
    }

    #[test]
    fn evaluators_are_found_by_unique_names() {
        for evaluator in EVALUATORS {
            let found = super::evaluator(evaluator.name()).expect("it is there");
            assert_eq!(found.name(), evaluator.name());
            let same = EVALUATORS.iter().filter(|e| e.name == evaluator.name);
            assert_eq!(same.count(), 1);
        }
        let error = super::evaluator("prolog").expect_err("there is none");
        assert!(error.contains("there are reasoner, propnet, "), "{error}");
    }
}
