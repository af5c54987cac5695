//! How a player comes to its choice in one position.

use super::Options;
use super::games::playable;
use crate::stage::Stage;
use anyhow::Context;
use game::Engine;
use players::{BestMove, Thought};
use std::time::Duration;
use tactics::{Scene, Sheet};

/// The interval between questions to the player.
const GLANCE: Duration = Duration::from_millis(1);

/// Prints what the first player thinks whenever its visits have doubled.
pub fn run(name: &str, sheets: &[Sheet], options: &Options) -> anyhow::Result<bool> {
    let (game, position) = name.split_once('/').context("expected GAME/POSITION")?;
    let sheet = sheets.iter().find(|sheet| sheet.game == game);
    let sheet = sheet.with_context(|| format!("there is no sheet of {game}"))?;
    let mut named = sheet.positions.iter();
    let position = named.find(|own| own.name == position);
    let position = position.with_context(|| format!("there is no position {name}"))?;
    let mut playable = playable(game)?;
    let scene = Scene::new(&mut *playable.engine, position)?;
    let term = |engine: &mut dyn Engine, mv| engine.move_term(scene.role, mv).to_string();
    let right: Vec<String> = scene
        .right
        .iter()
        .map(|&mv| term(&mut *playable.engine, mv))
        .collect();
    println!("{name}: {} keep {}", right.join(" "), position.forces);
    let mark = |mv: &str| match right.iter().any(|own| own == mv) {
        true => "right",
        false => "WRONG",
    };
    let spec = &options.player[0];
    let mut stage = Stage::new(&playable, spec, &options.conditions);
    stage.player(scene.role)?;
    let longest = options.seconds.iter().copied().fold(0.0, f64::max);
    let clock = Duration::try_from_secs_f64(longest)?;
    let best = BestMove::default();
    let (watched, state, role) = (best.clone(), &scene.state, scene.role);
    std::thread::scope(|scope| {
        let thinking = scope.spawn(|| {
            stage.choose(state, role, &best, clock)?;
            anyhow::Ok(stage.player(role)?.thought().cloned())
        });
        let mut due = 1;
        while !thinking.is_finished() {
            watched.ask();
            std::thread::sleep(GLANCE);
            let Some(thought) = watched.thought() else {
                continue;
            };
            if visits(&thought) >= due {
                due = 2 * visits(&thought).next_power_of_two().max(1);
                println!("{} {thought}", mark(&thought.mv.to_string()));
            }
        }
        match thinking.join() {
            Ok(Ok(Some(thought))) => {
                println!("{} {thought}", mark(&thought.mv.to_string()));
                questions(&thought);
            }
            Ok(Ok(None)) => println!("there was nothing to search"),
            Ok(Err(error)) => return Err(error),
            Err(_) => anyhow::bail!("the player panicked"),
        }
        Ok(true)
    })
}

/// Visits of all moves so far.
fn visits(thought: &Thought) -> u64 {
    thought.search.as_ref().map_or(0, |search| search.playouts)
}

/// Prints what the search asked outright, and what it learnt.
fn questions(thought: &Thought) {
    for asked in &thought.asked {
        let of = asked
            .mv
            .as_ref()
            .map_or("the state".to_owned(), ToString::to_string);
        let answer = match asked.answer {
            Some(true) => "yes",
            Some(false) => "no",
            None => "open",
        };
        println!(
            "  at least {} after {of}? {answer}, {} states",
            asked.at_least, asked.states
        );
    }
}
