//! Time to answer of the proof searches, question by question and in turns.

use super::games::playable;
use super::judge::Game;
use crate::statistics::geometric_mean;
use crate::stopwatch::{Stopwatch, Time};
use budget::Budget;
use game::{EngineError, RoleId, State};
use provers::{Answer, ProofMethod};
use serde::Serialize;
use std::path::Path;
use std::time::Duration;
use tactics::{Scene, Sheet};

/// The number of methods.
const METHODS: usize = ProofMethod::ALL.len();

/// Bytes for each search.
const MEMORY: usize = 64 << 20;

/// Seconds that a question takes at least to say something about speed: those of depth-first proof
/// numbers, processor time.
const LEAST: f64 = 0.01;

/// States between two looks at the processor time.
const SLICE: u64 = 1 << 16;

/// One question to all.
#[derive(Debug, Serialize)]
struct Row {
    game: String,
    position: String,
    /// The move, or `null` for the position itself.
    after: Option<String>,
    at_least: u8,
    /// `null` if there was no answer in time.
    yes: Option<bool>,
    /// By method, in the order of [`ProofMethod::ALL`].
    seconds: [f64; METHODS],
    states: [u64; METHODS],
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

/// All searches begin anew.
fn all(
    game: &Game,
    role: RoleId,
    state: &State,
    at_least: u8,
    most: f64,
) -> anyhow::Result<Vec<Found>> {
    let methods = ProofMethod::ALL.into_iter();
    let found = methods.map(|method| {
        let mut search = game.prover(method, role, MEMORY);
        let (answer, seconds) = ask(|budget| search.ask(state, at_least, SLICE, budget), most)?;
        Ok(Found {
            answer,
            seconds,
            states: search.states(),
        })
    });
    found.collect()
}

/// The answer in a word.
fn yes(answer: Answer) -> Option<bool> {
    match answer {
        Answer::Yes { .. } => Some(true),
        Answer::No { .. } => Some(false),
        Answer::Open => None,
    }
}

/// Asks all searches what each position and some of its moves are worth.
///
/// # Errors
/// Fails if a position is not one of its game, or an engine fails.
pub fn run(sheets: &[Sheet], most: f64, json: Option<&Path>) -> anyhow::Result<bool> {
    let (mut rows, mut ratios, mut agree) = (Vec::new(), Ratios::default(), true);
    for sheet in sheets {
        let mut playable = playable(&sheet.game)?;
        let game = Game::new(&playable);
        let mut own = Ratios::default();
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
                let found = all(&game, scene.role, &state, position.forces, most)?;
                let answers: Vec<bool> = found.iter().filter_map(|one| yes(one.answer)).collect();
                if answers.windows(2).any(|pair| pair[0] != pair[1]) {
                    println!("{}/{}: the answers differ", sheet.game, position.name);
                    agree = false;
                }
                own.add(&found);
                let each = |which: usize| &found[which];
                rows.push(Row {
                    game: sheet.game.clone(),
                    position: position.name.clone(),
                    after: after.map(|mv| mv.to_string()),
                    at_least: position.forces,
                    yes: answers.first().copied(),
                    seconds: std::array::from_fn(|which| each(which).seconds),
                    states: std::array::from_fn(|which| each(which).states),
                });
            }
        }
        own.print(&sheet.game);
        ratios.extend(own);
        if let Some(path) = json {
            crate::files::write(path, serde_json::to_string_pretty(&rows)? + "\n")?;
        }
    }
    ratios.print("all games");
    Ok(agree)
}

/// How many times as fast as depth-first proof numbers the methods are.
#[derive(Debug, Default)]
struct Ratios {
    /// For each method one ratio for each question. A search without an answer counts as if it had
    /// one when its time was up.
    of: [Vec<f64>; METHODS],
    /// The questions that each method left open, among those that another one answered.
    open: [usize; METHODS],
}

impl Ratios {
    fn add(&mut self, found: &[Found]) {
        let answered = |one: &Found| one.answer != Answer::Open;
        if !found.iter().any(answered) {
            return;
        }
        for (which, one) in found.iter().enumerate() {
            self.open[which] += usize::from(!answered(one));
            if found[0].seconds >= LEAST {
                self.of[which].push(found[0].seconds / one.seconds.max(1e-6));
            }
        }
    }

    fn extend(&mut self, other: Ratios) {
        for (all, more) in self.of.iter_mut().zip(other.of) {
            all.extend(more);
        }
        for (all, more) in self.open.iter_mut().zip(other.open) {
            *all += more;
        }
    }

    fn print(&self, name: &str) {
        print!("{name:<24} {:>4} questions", self.of[0].len());
        for (which, method) in ProofMethod::ALL.into_iter().enumerate() {
            let mean = geometric_mean(&self.of[which]).unwrap_or(f64::NAN);
            let least = self.of[which].iter().copied().fold(f64::INFINITY, f64::min);
            let open = self.open[which];
            print!("  {method:?} {mean:.2} (least {least:.2}, open {open})");
        }
        println!();
    }
}
