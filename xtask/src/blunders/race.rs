//! Time to answer of the two proof searches, question by question and in turns.

use super::games::playable;
use super::judge::Game;
use crate::statistics::geometric_mean;
use crate::stopwatch::{Stopwatch, Time};
use budget::Budget;
use dfpn::{Answer, ProofSearch};
use game::{EngineError, RoleId, State};
use serde::Serialize;
use std::path::Path;
use std::time::Duration;
use tactics::{Scene, Sheet};

/// Bytes for each search.
const MEMORY: usize = 512 << 20;

/// Seconds that a question takes at least to say something about speed: df-pn's, processor time.
const LEAST: f64 = 0.01;

/// States between two looks at the processor time.
const SLICE: u64 = 1 << 16;

/// One question to both.
#[derive(Debug, Serialize)]
struct Row {
    game: String,
    position: String,
    /// The move, or `null` for the position itself.
    after: Option<String>,
    at_least: u8,
    /// `null` if there was no answer in time.
    yes: Option<bool>,
    dfpn_seconds: f64,
    dfpn_states: u64,
    pnsearch_seconds: f64,
    pnsearch_states: u64,
}

/// What one search found in what time.
struct Found {
    answer: Answer,
    seconds: f64,
    states: u64,
}

/// Asks until there is an answer, or the time is up.
fn ask(
    mut slice: impl FnMut(&Budget) -> Result<Answer, EngineError>,
    most: f64,
) -> anyhow::Result<(Answer, f64)> {
    let watch = Stopwatch::start(Time::Processor);
    // Neighbours on the machine make the clock on the wall run ahead of the processor's.
    let budget = Budget::system().with_timeout(Duration::from_secs_f64(20.0 * most));
    loop {
        let answer = slice(&budget)?;
        let seconds = watch.seconds();
        if answer != Answer::Open || seconds > most || budget.check().is_err() {
            return Ok((answer, seconds));
        }
    }
}

/// Both searches begin anew.
fn both(
    game: &Game,
    role: RoleId,
    state: &State,
    at_least: u8,
    most: f64,
) -> anyhow::Result<[Found; 2]> {
    let mut old = game.dfpn(role, MEMORY);
    let (answer, seconds) = ask(|budget| old.ask(state, at_least, SLICE, budget), most)?;
    let states = old.states();
    let one = Found {
        answer,
        seconds,
        states,
    };
    drop(old);
    let mut new = game.pnsearch(role, MEMORY);
    let (answer, seconds) = ask(|budget| new.ask(state, at_least, SLICE, budget), most)?;
    let states = new.states();
    Ok([
        one,
        Found {
            answer,
            seconds,
            states,
        },
    ])
}

/// The answer in a word.
fn yes(answer: Answer) -> Option<bool> {
    match answer {
        Answer::Yes { .. } => Some(true),
        Answer::No { .. } => Some(false),
        Answer::Open => None,
    }
}

/// Asks both searches what each position and each of its moves is worth.
///
/// # Errors
/// Fails if a position is not one of its game, or an engine fails.
pub fn run(sheets: &[Sheet], most: f64, json: Option<&Path>) -> anyhow::Result<bool> {
    let (mut rows, mut ratios, mut agree) = (Vec::new(), Vec::new(), true);
    for sheet in sheets {
        let mut playable = playable(&sheet.game)?;
        let game = Game::new(&playable);
        let (mut own, mut only, mut open) = (Vec::new(), [0, 0], 0);
        for position in &sheet.positions {
            let scene = Scene::new(&mut *playable.engine, position)?;
            let mut questions = vec![(None, scene.state.clone())];
            for &mv in scene.right.iter().take(1).chain(scene.wrong.iter().take(2)) {
                let mut joint = Vec::new();
                for role in 0..playable.engine.roles().len() {
                    let mut legal = Vec::new();
                    playable
                        .engine
                        .legal(&scene.state, RoleId(role), &mut legal)?;
                    joint.push(legal[0]);
                }
                joint[scene.role.0] = mv;
                let mut next = State::default();
                playable.engine.next(&scene.state, &joint, &mut next)?;
                questions.push((Some(playable.engine.move_term(scene.role, mv)), next));
            }
            for (after, state) in questions {
                let [old, new] = both(&game, scene.role, &state, position.forces, most)?;
                match (yes(old.answer), yes(new.answer)) {
                    (Some(a), Some(b)) => {
                        if a != b {
                            println!("{}/{}: the answers differ", sheet.game, position.name);
                            agree = false;
                        }
                        if old.seconds >= LEAST {
                            own.push(old.seconds / new.seconds.max(1e-6));
                        }
                    }
                    (Some(_), None) => only[0] += 1,
                    (None, Some(_)) => only[1] += 1,
                    (None, None) => open += 1,
                }
                rows.push(Row {
                    game: sheet.game.clone(),
                    position: position.name.clone(),
                    after: after.map(|mv| mv.to_string()),
                    at_least: position.forces,
                    yes: yes(new.answer).or(yes(old.answer)),
                    dfpn_seconds: old.seconds,
                    dfpn_states: old.states,
                    pnsearch_seconds: new.seconds,
                    pnsearch_states: new.states,
                });
            }
        }
        print(&sheet.game, &own, only, open);
        ratios.extend(own);
        if let Some(path) = json {
            crate::files::write(path, serde_json::to_string_pretty(&rows)? + "\n")?;
        }
    }
    print("all games", &ratios, [0, 0], 0);
    Ok(agree)
}

fn print(name: &str, ratios: &[f64], only: [usize; 2], open: usize) {
    let mean = geometric_mean(ratios).map_or("-".to_owned(), |mean| format!("{mean:.2}"));
    let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
    println!(
        "{name:<24} {:>4} questions, {mean} times as fast (least {least:.2}); \
         only dfpn {}, only pnsearch {}, neither {open}",
        ratios.len(),
        only[0],
        only[1]
    );
}
