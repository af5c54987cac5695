//! Every example runs, within seconds.

#[path = "../examples/load.rs"]
mod load;
#[path = "../examples/own_player.rs"]
mod own_player;
#[path = "../examples/playouts.rs"]
mod playouts;
#[path = "../examples/profile.rs"]
mod profile;
#[path = "../examples/search.rs"]
mod search;
#[path = "../examples/serve_player.rs"]
mod serve_player;

#[test]
fn load_runs() {
    load::main().expect("it runs");
}

#[test]
fn playouts_runs() {
    playouts::main().expect("it runs");
}

#[test]
fn search_runs() {
    search::main().expect("it runs");
}

#[test]
fn own_player_runs() {
    own_player::main().expect("it runs");
}

#[test]
fn serve_player_runs() {
    serve_player::main().expect("it runs");
}

#[test]
fn profile_runs() {
    profile::main().expect("it runs");
}

/// Whatever the example does, nothing is played twice as long as there is another move.
#[test]
fn the_player_of_the_example_avoids_what_it_has_seen() {
    use rocinante::Game;
    let rules = include_str!("../../../fixtures/games/eight_puzzle.gdl");
    let game = Game::load(rules).expect("it is well formed");
    let player = Box::new(own_player::Explorer::default());
    let time = std::time::Duration::from_secs(1);
    let outcome = game.play_with(vec![player], time).expect("one role");
    let mut states: Vec<_> = outcome.record.states.clone();
    let count = states.len();
    states.sort();
    states.dedup();
    assert!(
        count > 10 && states.len() == count,
        "{} of {count}",
        states.len()
    );
}
