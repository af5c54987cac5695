//! A player behind HTTP, as on a game server, and a match against it.

use rocinante::matches::{self, Local, Participant, Remote, Resources, Settings};
use rocinante::serve::{Margin, Options, RulesPreparer, Server, ServerLimits, Service};
use rocinante::{Budget, Game, budget::Stop, budget::SystemClock, players};
use std::sync::Arc;
use std::time::Duration;

const RULES: &str = include_str!("../../../fixtures/games/tic_tac_toe.gdl");

/// Run with `cargo run --release -p rocinante --example serve_player`.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Here any player can be made: replace this line to serve your own.
    let player =
        || players::by_name("default").unwrap_or_else(|| Box::new(players::Random::default()));
    let options = Options {
        name: "Mine".into(),
        player: Arc::new(player),
        threads: 1,
        memory: 64 << 20,
        margin: Margin::default(),
        ponder: false,
        seed: 1,
        records: None,
    };
    let clock = Arc::new(SystemClock::default());
    let service = Service::new(options, Arc::new(RulesPreparer::default()), clock);
    let any_port = ([127, 0, 0, 1], 0).into();
    let server = Server::bind(any_port, Arc::new(service), ServerLimits::default())?;
    let address = format!("http://{}", server.address());
    let (stop, stopped) = (Stop::default(), Stop::default());
    let serving = std::thread::spawn({
        let stop = stop.clone();
        move || server.run(&stop)
    });

    // A match of two roles: the server plays the first, a random player here the second.
    let game = Game::load(RULES)?;
    let budget = Budget::system().with_stop(stopped);
    let resources = Resources {
        threads: 1,
        memory: 1 << 20,
    };
    let grace = Duration::from_secs(1);
    let remote = Remote::new(address.parse()?, RULES.into(), None, grace, &budget);
    let random = Box::new(players::Random::default());
    let local = Local::new(random, game.playable(), resources, &budget);
    let mut seats: Vec<Box<dyn Participant>> = vec![Box::new(remote), Box::new(local)];
    let settings = Settings {
        id: "example".into(),
        rulesheet: RULES.into(),
        start_clock: Duration::from_secs(1),
        play_clock: Duration::from_millis(200),
        ..Settings::default()
    };
    let mut engine = game.playable().engine;
    let outcome = matches::play(&mut *engine, &mut seats, &settings, &mut (), &budget)?;
    println!("{} moves, results {:?}", outcome.steps, outcome.goals);
    stop.stop();
    serving.join().map_err(|_| "the server panicked")??;
    Ok(())
}
