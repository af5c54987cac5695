//! The profile `default`, and what it can do without.

use crate::searcher::Profile;
use mcts::Config;

/// The profile `default`: the strongest play that has been measured, with everything on.
pub(crate) fn default() -> Profile {
    Profile {
        config: Config::default(),
        prepare: true,
    }
}

/// A part of the play of `default` that can be switched off, so that matches can tell what it is
/// worth.
#[derive(Debug)]
pub struct Feature {
    /// Its name; the option `no-NAME` switches it off.
    pub name: &'static str,
    /// What it does, in a line.
    pub what: &'static str,
    /// Switches it off.
    pub(crate) off: fn(&mut Profile),
}

/// Every feature of `default`. Whatever is added to its search is added here.
pub const FEATURES: &[Feature] = &[
    Feature {
        name: "reuse",
        what: "what a search has learnt is kept for the next move",
        off: |profile| profile.config.reuse_search = 0,
    },
    Feature {
        name: "prepare",
        what: "the start clock is searched through",
        off: |profile| profile.prepare = false,
    },
    Feature {
        name: "greedy",
        what: "where roles choose at the same time, a coin decides between the best move and exploring",
        off: |profile| profile.config.greedy = 0.0,
    },
];
