//! Who sits at a table.

use crate::thinker::Thinker;
use metagame::Plan;
use players::{Spec, Thought};
use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

/// The name of people in records.
const HUMAN: &str = "human";
/// The name of people who have a clock.
const TIMED: &str = "human:clock";

/// Who people may be: a name for people, and that in records.
pub(crate) const PEOPLE: [(&str, &str); 2] =
    [("people here", HUMAN), ("people, on the clock", TIMED)];

/// The strengths that are offered, weakest first: a name for people, and the player.
pub(crate) const STRENGTHS: [(&str, &str); 6] = [
    ("random moves", "random"),
    ("beginner", "default:playouts=30"),
    ("casual", "default:playouts=300"),
    ("club", "default:playouts=3000"),
    ("full strength", "default"),
    ("plain UCT", "baseline"),
];

/// The person or player that has a role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Who {
    /// People at the page, who take their time.
    Human,
    /// People at the page, who have the play clock like any player.
    Timed,
    /// A player of this program.
    Player(Spec),
}

impl Who {
    /// Whether people move.
    pub fn is_human(&self) -> bool {
        matches!(self, Who::Human | Who::Timed)
    }

    /// The name for people.
    pub fn title(&self) -> String {
        let text = self.to_string();
        let mut known = STRENGTHS.iter().chain(&PEOPLE);
        let known = known.find(|(_, spec)| *spec == text);
        known.map_or(text, |(name, _)| (*name).to_owned())
    }
}

impl fmt::Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Who::Human => f.write_str(HUMAN),
            Who::Timed => f.write_str(TIMED),
            Who::Player(spec) => spec.fmt(f),
        }
    }
}

impl FromStr for Who {
    type Err = String;

    fn from_str(text: &str) -> Result<Who, String> {
        match text {
            HUMAN => Ok(Who::Human),
            TIMED => Ok(Who::Timed),
            text => match text.parse() {
                Ok(spec) => Ok(Who::Player(spec)),
                Err(error) => Err(players::SpecError::to_string(&error)),
            },
        }
    }
}

/// A seat: who has a role, and what goes on there.
pub(crate) struct Seat {
    /// Who plays.
    pub who: Who,
    /// The player on its thread, once it is needed.
    pub thinker: Option<Thinker>,
    /// What the player thinks, or thought last.
    pub thought: Option<Thought>,
    /// The expected value over the time of thinking, in seconds.
    pub values: Vec<(f64, f64)>,
    /// What the player decided about the game.
    pub plan: Option<Plan>,
    /// When the role was asked for its move.
    pub since: Option<Instant>,
    /// What went wrong with the player, if anything.
    pub complaint: Option<String>,
}

impl Seat {
    /// A seat for somebody.
    pub fn new(who: Who) -> Seat {
        Seat {
            who,
            thinker: None,
            thought: None,
            values: Vec::new(),
            plan: None,
            since: None,
            complaint: None,
        }
    }

    /// Whether people move here.
    pub fn is_human(&self) -> bool {
        self.who.is_human()
    }

    /// What is left of the clock of people who have one and have been asked.
    pub fn left(&self, clock: Duration) -> Option<Duration> {
        let since = self.since.filter(|_| self.who == Who::Timed)?;
        Some(clock.saturating_sub(since.elapsed()))
    }

    /// Takes in what the player thinks at this time of its thinking.
    pub fn told(&mut self, thought: Thought) {
        /// The most points of the curve; after that every other one is dropped.
        const POINTS: usize = 240;
        let value = match thought.is_proved() {
            true => Some(f64::from(thought.bounds.low)),
            false => thought.value,
        };
        if let (Some(value), Some(since)) = (value, self.since) {
            if self.values.len() >= POINTS {
                let mut keep = false;
                self.values.retain(|_| {
                    keep = !keep;
                    keep
                });
            }
            self.values.push((since.elapsed().as_secs_f64(), value));
        }
        self.thought = Some(thought);
    }

    /// Stops the player and forgets what it thought.
    pub fn interrupt(&mut self) {
        if let Some(thinker) = &mut self.thinker {
            thinker.forget();
        }
        self.thought = None;
        self.values.clear();
        self.since = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_strength_is_a_player() {
        for (name, spec) in STRENGTHS {
            let who: Who = spec.parse().expect("a player");
            assert_eq!(
                (who.title().as_str(), who.to_string().as_str()),
                (name, spec)
            );
        }
        for (name, text) in PEOPLE {
            let who: Who = text.parse().expect("people");
            assert!(who.is_human());
            assert_eq!(
                (who.title().as_str(), who.to_string().as_str()),
                (name, text)
            );
        }
        assert!("nobody".parse::<Who>().is_err());
    }
}
