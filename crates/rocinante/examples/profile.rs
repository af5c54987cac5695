//! What kind of game it is.

use rocinante::{Game, profile_report};
use std::time::Duration;

const RULES: &str = include_str!("../../../fixtures/games/breakthrough_small.gdl");

/// Run with `cargo run --release -p rocinante --example profile`.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let game = Game::load(RULES)?;
    let profile = game.profile(Duration::from_secs(3));
    let profile = profile.ok_or("without a network nothing is known of a game")?;
    println!("{}", profile_report::text(&profile));

    // The same as data.
    for board in &profile.boards.boards {
        println!("a board of {} cells", board.cells.len());
    }
    Ok(())
}
