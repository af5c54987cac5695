//! Games with their structure, for tests.

use crate::shared::{build, sheet};
use budget::Budget;
use invariants::Groups;
use netlist::GameLogic;
use profile::structure::Structure;
use std::path::PathBuf;
use std::time::Duration;

/// The invariants of the facts, found within `time`.
pub fn groups(logic: &GameLogic, time: Duration) -> Groups {
    Groups::find(logic, 1, &Budget::system().with_timeout(time))
}

/// The structure of a game, found within `time`.
pub fn find(logic: &GameLogic, time: Duration) -> Structure {
    let groups = groups(logic, time.min(Duration::from_secs(1)));
    Structure::find(logic, &groups, 1, &Budget::system().with_timeout(time))
}

/// The structure of a game, bounded by steps, so that every machine finds the same.
pub fn find_in_steps(logic: &GameLogic, looks: u64) -> Structure {
    let groups = Groups::find(logic, 1, &testkit::steps(looks));
    Structure::find(logic, &groups, 1, &testkit::steps(looks))
}

/// The structure of a fixture.
pub fn fixture(name: &str) -> (GameLogic, Structure) {
    let (_, logic) = build(&sheet(name)).unwrap();
    let structure = find(&logic, Duration::from_secs(20));
    (logic, structure)
}

/// All rulesheets of the corpus, if long tests are requested.
pub fn corpus() -> Vec<PathBuf> {
    let long = std::env::var_os("ROCINANTE_LONG_TESTS").is_some_and(|value| value == "1");
    let corpus = long.then(testkit::corpus).flatten();
    corpus.map_or_else(Vec::new, |corpus| {
        testkit::files(&corpus.join("games"), "kif")
    })
}
