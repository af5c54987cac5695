//! Load a game, look at it, make moves.

use rocinante::Game;

const RULES: &str = include_str!("../../../fixtures/games/tic_tac_toe.gdl");

/// Run with `cargo run -p rocinante --example load`.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let game = Game::load(RULES)?;
    println!("{}", game.report());

    let mut position = game.initial();
    while !position.is_over()? {
        // The first legal move of each role.
        let mut joint = Vec::new();
        for role in 0..game.roles().len() {
            joint.push(position.legal(role)?.swap_remove(0));
        }
        println!("{}", joint.join("  "));
        position.play(&joint)?;
    }
    for (role, goal) in game.roles().iter().zip(position.goals()?) {
        println!("{role}: {goal:?}");
    }
    Ok(())
}
