//! Games with their symmetries, for tests.

use analysis::boards::Boards;
use budget::Budget;
use datalog::Program;
use gdl_parse::{ParseOptions, Rulesheet, parse};
use invariants::Groups;
use netlist::{GameLogic, lower};
use profile::symmetries::Symmetries;
use propnet::Network;
use std::path::Path;
use std::time::Duration;

/// A game with its symmetries.
pub struct Found {
    pub network: Network,
    pub logic: GameLogic,
    pub symmetries: Symmetries,
}

impl Found {
    /// Finds the symmetries of a game; `None` if it has no logic within 20 seconds.
    pub fn of(sheet: &Rulesheet, time: Duration) -> Option<Found> {
        let program = Program::from_sheet(sheet);
        let budget = Budget::system().with_timeout(Duration::from_secs(20));
        let network = compile::build_network(&program, &budget).ok()?.network;
        let logic = lower(&network, &budget).ok()?;
        let budget = Budget::system().with_timeout(time);
        let boards = Boards::find(&logic, &Groups::default(), 1, &budget);
        let symmetries = Symmetries::find(&network, &logic, &boards, 1, &budget);
        Some(Found {
            network,
            logic,
            symmetries,
        })
    }

    /// A fixture.
    pub fn fixture(name: &str) -> Found {
        let path = testkit::root().join(format!("fixtures/games/{name}.gdl"));
        Found::of(&read(&path), Duration::from_secs(20)).unwrap()
    }

    /// The number of symmetries, of those that fix roles, and of those that fix the initial
    /// state.
    pub fn counts(&self) -> (u128, Option<u128>, Option<u128>) {
        let found = &self.symmetries;
        (found.order, found.fixing_roles, found.fixing_initial)
    }
}

/// Parses a rulesheet.
pub fn read(path: &Path) -> Rulesheet {
    let text = std::fs::read(path).unwrap();
    parse(&String::from_utf8_lossy(&text), &ParseOptions::default()).sheet
}
