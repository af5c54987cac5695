//! Ten thousand random playouts of a rulesheet: `playouts [FILE]`.

use rocinante::Game;

const RULES: &str = include_str!("../../../fixtures/games/breakthrough_small.gdl");

/// Run with `cargo run --release -p rocinante --example playouts -- my_game.gdl`.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rules = match std::env::args().nth(1).filter(|arg| arg.ends_with(".gdl")) {
        Some(file) => std::fs::read_to_string(file)?,
        None => RULES.to_owned(),
    };
    let game = Game::load(&rules)?;
    let mut random = game.random(7);
    let tally = random.run(&game.initial(), 10_000)?;

    println!("{} playouts by {}", tally.finished, random.name());
    println!(
        "{:.1} moves each",
        tally.steps as f64 / tally.finished as f64
    );
    for (role, name) in game.roles().iter().enumerate() {
        println!("{name}: {:.1} points", tally.mean(role).unwrap_or(0.0));
    }
    Ok(())
}
