//! The move that the player `default` makes, and why.

use rocinante::{Game, Spec};
use std::time::Duration;

const RULES: &str = include_str!("../../../fixtures/games/connect_four.gdl");

/// Run with `cargo run --release -p rocinante --example search`.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let game = Game::load(RULES)?;
    let time = Duration::from_secs(1);
    let chosen = game.choose(&game.initial(), 0, &Spec::default(), time)?;
    println!("{}: {}", chosen.mv, chosen.why.unwrap_or_default());

    // Anything that the command line understands is a player: without proofs, say, and bounded by
    // playouts.
    let player: Spec = "default:no-proofs,playouts=2000".parse()?;
    let chosen = game.choose(&game.initial(), 0, &player, time)?;
    println!("{player} plays {}", chosen.mv);
    Ok(())
}
