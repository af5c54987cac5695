//! The tunable settings.

use mcts::Config;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The parameters of a search that are decided for each game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The weight of exploration; see [`Config::exploration`].
    pub exploration: f64,
    /// Virtual visits of the learnt prior; see [`mcts::Learning::visits`].
    pub learning: f64,
    /// Whether moves are checked for terminal successors; see [`Config::look_ahead`].
    pub look_ahead: bool,
    /// Whether playouts run in lanes.
    pub lanes: bool,
    /// Whether roles play decisive moves, in lanes.
    pub decisive: bool,
    /// Playouts from each leaf, in lanes.
    pub per_leaf: u32,
    /// Leaves that are collected before playouts are made, in lanes.
    pub leaves: u32,
}

impl Settings {
    /// Copies these settings into those of a search.
    pub fn apply(&self, config: &mut Config) {
        config.exploration = self.exploration;
        config.learning.visits = self.learning;
        config.look_ahead = self.look_ahead;
        (config.playouts, config.batch) = match self.lanes {
            true => (self.per_leaf, self.leaves),
            false => (1, 1),
        };
    }

    /// Settings that each differ from these in one thing, those first that have mattered most
    /// in matches.
    ///
    /// What is off stays off, since it was switched off on purpose. If the available playouts
    /// are not in lanes, `lanes` must be off.
    pub fn others(&self) -> Vec<Settings> {
        let mut others = Vec::new();
        let mut other = |change: &dyn Fn(&mut Settings)| {
            let mut settings = self.clone();
            change(&mut settings);
            others.push(settings);
        };
        if self.lanes {
            other(&|settings| settings.lanes = false);
        }
        if self.learning > 0.0 {
            other(&|settings| settings.learning = 0.0);
        }
        other(&|settings| settings.exploration *= 0.6);
        other(&|settings| settings.exploration /= 0.6);
        if self.lanes && self.leaves >= 8 {
            other(&|settings| {
                settings.leaves /= 4;
                settings.per_leaf = settings.per_leaf.saturating_mul(4);
            });
        }
        if self.learning > 0.0 {
            other(&|settings| settings.learning *= 3.0);
        }
        if self.lanes && self.decisive {
            other(&|settings| settings.decisive = false);
        }
        if self.look_ahead {
            other(&|settings| settings.look_ahead = false);
        }
        others
    }

    /// Whether a search can be created with them. Settings read from a file may have any
    /// values.
    pub fn make_sense(&self) -> bool {
        let weights = [self.exploration, self.learning];
        let finite = weights
            .iter()
            .all(|weight| weight.is_finite() && *weight >= 0.0);
        finite && self.exploration > 0.0 && self.per_leaf > 0 && self.leaves > 0
    }

    /// The differences from other settings, in words.
    pub fn unlike(&self, others: &Settings) -> String {
        let mut words = Vec::new();
        if self.lanes != others.lanes {
            words.push(format!("lanes {}", on(self.lanes)));
        }
        if (self.per_leaf, self.leaves) != (others.per_leaf, others.leaves) {
            words.push(format!("{} from each of {}", self.per_leaf, self.leaves));
        }
        if self.exploration != others.exploration {
            words.push(format!("exploration {:.2}", self.exploration));
        }
        if self.learning != others.learning {
            words.push(format!("learning {:.0}", self.learning));
        }
        if self.decisive != others.decisive {
            words.push(format!("decisive {}", on(self.decisive)));
        }
        if self.look_ahead != others.look_ahead {
            words.push(format!("look-ahead {}", on(self.look_ahead)));
        }
        match words.is_empty() {
            true => "the same".to_owned(),
            false => words.join(", "),
        }
    }
}

fn on(on: bool) -> &'static str {
    if on { "on" } else { "off" }
}

impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.lanes {
            true => write!(
                f,
                "{} playouts from each of {} leaves, decisive {}",
                self.per_leaf,
                self.leaves,
                on(self.decisive)
            )?,
            false => write!(f, "one playout at a time")?,
        }
        write!(
            f,
            ", exploration {:.2}, learning {:.0}, look-ahead {}",
            self.exploration,
            self.learning,
            on(self.look_ahead)
        )
    }
}
