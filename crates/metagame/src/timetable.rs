//! The timetable of the start clock: the stages, their order, and their shares.
//!
//! [`TIMETABLE`] is the one place where shares of the start clock are defined. A new stage of
//! preparation is a line there, and a step of [`crate::prepare`].

use crate::plan::Decision;
use budget::{Budget, Clock};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// A stage of the start clock, in the order in which they run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Rules become an engine. The program that starts the player runs it: `serve`, or a match
    /// controller.
    Engine,
    /// Groups of facts that exclude each other, and moves that are never legal together.
    Facts,
    /// Solving, in games of one role.
    Puzzle,
    /// Parts that can be played as games of their own.
    Parts,
    /// Identification of the game, if plans are stored.
    Recognise,
    /// The constant sum of the results of two roles.
    Sum,
    /// Results that the facts of a state put out of reach.
    Ranges,
    /// Playouts in lanes: several kinds are made, each within this share, and measured.
    Playouts,
    /// The evaluator of all moves of a state side by side.
    Moves,
    /// Local search for forced wins, tried out in random positions.
    Local,
    /// The race of settings, if it is requested.
    Tune,
    /// Self-play, from which the value of states is learnt.
    Learn,
    /// Which proof search answers soonest, and whether proof cubes help it, tried out in random
    /// positions.
    Prover,
    /// Short matches between the methods of search that could use it.
    Race,
    /// The search begins, from the first position.
    Search,
}

/// A line of the timetable.
#[derive(Debug, Clone, Copy)]
pub struct Slot {
    /// The stage.
    pub stage: Stage,
    /// Its name, as `plan` and logs print it.
    pub name: &'static str,
    /// The percentage of what is left of the start clock when the stage begins.
    pub percent: u32,
    /// The most that it takes, however long the clock is.
    pub most: Option<Duration>,
    /// What it produces.
    pub gives: &'static str,
    /// The stages that use it.
    pub to: &'static str,
    /// What happens if its time ends first.
    pub cut: &'static str,
}

const fn seconds(seconds: u64) -> Option<Duration> {
    Some(Duration::from_secs(seconds))
}

/// The timetable.
pub const TIMETABLE: [Slot; 15] = [
    Slot {
        stage: Stage::Engine,
        name: "engine",
        percent: 90,
        most: None,
        gives: "the network, its logic and the fastest engine",
        to: "all stages",
        cut: "the reasoner plays; a network that comes later is taken in the match",
    },
    Slot {
        stage: Stage::Facts,
        name: "facts",
        percent: 6,
        most: seconds(5),
        gives: "groups of facts, and moves that exclude each other",
        to: "puzzle, parts, sum, ranges, playouts",
        cut: "what was proved by then is used",
    },
    Slot {
        stage: Stage::Puzzle,
        name: "puzzle",
        percent: 70,
        most: None,
        gives: "in games of one role, the best line that all methods find",
        to: "players",
        cut: "the search for a better line goes on in play",
    },
    Slot {
        stage: Stage::Parts,
        name: "parts",
        percent: 25,
        most: seconds(10),
        gives: "games within the game, or the solution of a puzzle",
        to: "players",
        cut: "the game is searched as a whole",
    },
    Slot {
        stage: Stage::Recognise,
        name: "recognise",
        percent: 12,
        most: None,
        gives: "settings from an earlier plan",
        to: "playouts, search",
        cut: "the game is taken for a new one",
    },
    Slot {
        stage: Stage::Sum,
        name: "sum",
        percent: 25,
        most: seconds(5),
        gives: "what the results of two roles add up to",
        to: "search, proofs",
        cut: "a loss of one role is not taken for a win of the other",
    },
    Slot {
        stage: Stage::Ranges,
        name: "ranges",
        percent: 6,
        most: seconds(5),
        gives: "results that facts put out of reach",
        to: "search",
        cut: "bounds come from the ends of play alone",
    },
    Slot {
        stage: Stage::Playouts,
        name: "playouts",
        percent: 33,
        most: None,
        gives: "playouts side by side, and how many leaves suit them",
        to: "search",
        cut: "of the kinds that are made, the fastest is used, or one playout at a time",
    },
    Slot {
        stage: Stage::Moves,
        name: "moves",
        percent: 12,
        most: None,
        gives: "all moves of a state side by side, with wins that are foreseen",
        to: "search, proofs",
        cut: "moves are made one by one",
    },
    Slot {
        stage: Stage::Local,
        name: "local",
        percent: 5,
        most: seconds(2),
        gives: "forced wins by proof cubes, if random positions have some",
        to: "players",
        cut: "what was tried by then decides",
    },
    Slot {
        stage: Stage::Tune,
        name: "tune",
        percent: 100,
        most: None,
        gives: "settings that won a race",
        to: "search",
        cut: "the given settings stay",
    },
    Slot {
        stage: Stage::Learn,
        name: "learn",
        percent: 60,
        most: None,
        gives: "the value of states, learnt by self-play",
        to: "race, search",
        cut: "what was learnt by then is used",
    },
    Slot {
        stage: Stage::Prover,
        name: "prover",
        percent: 15,
        most: seconds(2),
        gives: "the proof search that answers soonest, guided by the value or not, with proof cubes if they answer more",
        to: "race, search",
        cut: "what was tried by then decides",
    },
    Slot {
        stage: Stage::Race,
        name: "race",
        percent: 90,
        most: None,
        gives: "the method that makes the best of it",
        to: "search",
        cut: "playouts and value are mixed",
    },
    Slot {
        stage: Stage::Search,
        name: "search",
        percent: 100,
        most: None,
        gives: "a graph below the first position",
        to: "the first move",
        cut: "what was searched by then is kept",
    },
];

impl Stage {
    /// The stage's line of the timetable.
    pub fn slot(self) -> &'static Slot {
        let mut slots = TIMETABLE.iter();
        let found = slots.find(|slot| slot.stage == self);
        found.unwrap_or(&TIMETABLE[TIMETABLE.len() - 1])
    }

    /// The stage's share of a start clock with `left` left.
    pub fn of(self, left: Duration) -> Duration {
        let Slot { percent, most, .. } = self.slot();
        let share = left * *percent / 100;
        most.map_or(share, |most| share.min(most))
    }

    /// The stage's share as a budget.
    pub fn share(self, budget: &Budget) -> Budget {
        let share = budget.clone();
        match (budget.remaining(), self.slot().most) {
            (Some(left), _) => share.with_timeout(self.of(left)),
            (None, Some(most)) => share.with_timeout(most),
            (None, None) => share,
        }
    }
}

impl fmt::Display for Slot {
    /// One line: the name, the share, what it produces for which stages, and what happens if it
    /// is cut.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let most = self
            .most
            .map(|most| format!(", at most {} s", most.as_secs()));
        write!(
            f,
            "{:10} {:3} % of what is left{}: {}, for {}; if cut, {}",
            self.name,
            self.percent,
            most.unwrap_or_default(),
            self.gives,
            self.to,
            self.cut
        )
    }
}

/// A running start clock: gives each stage its share, and records decisions and times.
pub struct StartClock {
    budget: Budget,
    since: Duration,
    decisions: Vec<Decision>,
}

impl StartClock {
    /// Begins the first stage now. `budget` is the whole start clock.
    pub fn new(budget: &Budget) -> StartClock {
        StartClock {
            since: budget.clock().now(),
            budget: budget.clone(),
            decisions: Vec::new(),
        }
    }

    /// What is left of the whole clock.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Begins a stage. Returns its share.
    pub fn begin(&mut self, stage: Stage) -> Budget {
        self.since = self.now();
        self.budget.begins(stage.slot().name);
        stage.share(&self.budget)
    }

    /// Ends a stage, or a step of one, with this decision.
    pub fn decide(&mut self, stage: Stage, decided: impl Into<String>, why: impl Into<String>) {
        self.measured(stage, decided, why, []);
    }

    /// Like [`StartClock::decide`], with the numbers behind the decision.
    pub fn measured<'a>(
        &mut self,
        stage: Stage,
        decided: impl Into<String>,
        why: impl Into<String>,
        numbers: impl IntoIterator<Item = (&'a str, f64)>,
    ) {
        let now = self.now();
        let numbers = numbers.into_iter();
        self.decisions.push(Decision {
            stage: stage.slot().name.to_owned(),
            ms: now.saturating_sub(self.since).as_millis() as u64,
            decided: decided.into(),
            why: why.into(),
            numbers: numbers
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
        });
        self.since = now;
    }

    /// All decisions.
    pub fn into_decisions(self) -> Vec<Decision> {
        self.decisions
    }

    fn now(&self) -> Duration {
        let clock: &Arc<dyn Clock> = self.budget.clock();
        clock.now()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use budget::ManualClock;

    #[test]
    fn every_stage_has_one_slot_in_order() {
        for (at, slot) in TIMETABLE.iter().enumerate() {
            assert_eq!(slot.stage as usize, at, "{}", slot.name);
            assert_eq!(slot.stage.slot().name, slot.name);
            assert!((1..=100).contains(&slot.percent), "{}", slot.name);
        }
    }

    #[test]
    fn shares_are_bounded_parts_of_the_time_left() {
        let clock = Arc::new(ManualClock::default());
        let budget = Budget::unlimited(clock.clone());
        assert_eq!(
            Stage::Facts.share(&budget).remaining(),
            Some(Duration::from_secs(5))
        );
        assert_eq!(Stage::Search.share(&budget).remaining(), None);
        let budget = budget.with_timeout(Duration::from_secs(20));
        let left = |stage: Stage| stage.share(&budget).remaining();
        assert_eq!(left(Stage::Facts), Some(Duration::from_millis(1200)));
        assert_eq!(left(Stage::Engine), Some(Duration::from_secs(18)));
        clock.advance(Duration::from_secs(10));
        assert_eq!(left(Stage::Facts), Some(Duration::from_millis(600)));
    }
}
