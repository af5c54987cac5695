//! Time to answer of the proof searches, question by question and in turns.

use super::games::playable;
use super::judge::Game;
use crate::statistics::geometric_mean;
use crate::stopwatch::{Stopwatch, Time};
use budget::Budget;
use game::{EngineError, RoleId, State};
use heuristics::Value;
use provers::{Answer, Maker, ProofMethod, ProofSearch};
use serde::Serialize;
use std::fmt;
use std::path::Path;
use std::time::Duration;
use tactics::{Scene, Sheet};

/// A search that takes part: one thread with some method, or a team of so many.
#[derive(Debug, Clone, Copy)]
enum Contender {
    Alone(ProofMethod),
    Team(usize),
    /// A method with a value that was learnt.
    Guided(ProofMethod),
}

impl Contender {
    /// All methods, depth-first proof numbers first, and what else takes part.
    fn all(race: &Race<'_>) -> Vec<Contender> {
        let alone = ProofMethod::ALL.into_iter().map(Contender::Alone);
        let team = (race.team > 1).then_some(Contender::Team(race.team));
        let guided = ProofMethod::ALL
            .into_iter()
            .filter(|method| method.by_numbers());
        let guided = guided
            .filter(|_| !race.learn.is_zero())
            .map(Contender::Guided);
        alone.chain(team).chain(guided).collect()
    }

    fn search(self, game: &Game, role: RoleId, value: Option<&Value>) -> Box<dyn ProofSearch> {
        let maker = game.maker(role);
        match self {
            Contender::Guided(method) => Maker { value, ..maker }.make(method, MEMORY),
            Contender::Alone(method) => maker.make(method, MEMORY),
            Contender::Team(threads) => maker.make_team(MEMORY, threads),
        }
    }
}

impl fmt::Display for Contender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Contender::Alone(method) => write!(f, "{method:?}"),
            Contender::Team(threads) => write!(f, "DepthFirst x {threads}"),
            Contender::Guided(method) => write!(f, "{method:?} guided"),
        }
    }
}

/// What is compared, and how.
pub struct Race<'a> {
    /// The most time for each question, in seconds.
    pub most: f64,
    /// The threads of the team that takes part; 1 for no team. With a team, time is what the clock
    /// on the wall says.
    pub team: usize,
    /// The time to learn each game, if searches that are guided by what was learnt take part;
    /// else 0.
    pub learn: Duration,
    /// Where to write the questions and times.
    pub json: Option<&'a Path>,
}
/// Bytes for each search.
const MEMORY: usize = 64 << 20;

/// Seconds that a question takes at least to say something about speed: those of depth-first proof
/// numbers, processor time.
const LEAST: f64 = 0.01;

/// States of each thread between two looks at the time.
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
    /// By contender: all of [`ProofMethod::ALL`], then the team, then the guided ones.
    seconds: Vec<f64>,
    states: Vec<u64>,
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
    time: Time,
) -> anyhow::Result<(Answer, f64)> {
    let watch = Stopwatch::start(time);
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
    value: Option<&Value>,
    role: RoleId,
    state: &State,
    at_least: u8,
    race: &Race<'_>,
) -> anyhow::Result<Vec<Found>> {
    let time = match race.team {
        0 | 1 => Time::Processor,
        _ => Time::Wall,
    };
    let contenders = Contender::all(race).into_iter();
    let found = contenders.map(|contender| {
        let mut search = contender.search(game, role, value);
        let states = SLICE * race.team.max(1) as u64;
        let slice = |budget: &Budget| search.ask(state, at_least, states, budget);
        let (answer, seconds) = ask(slice, race.most, time)?;
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
pub fn run(sheets: &[Sheet], race: &Race<'_>) -> anyhow::Result<bool> {
    let contenders = Contender::all(race);
    let (mut rows, mut ratios, mut agree) = (Vec::new(), Ratios::new(&contenders), true);
    for sheet in sheets {
        let mut playable = playable(&sheet.game)?;
        let game = Game::new(&playable);
        let learns = !race.learn.is_zero();
        let value = learns.then(|| game.learn(race.learn)).flatten();
        let mut own = Ratios::new(&contenders);
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
                let found = all(
                    &game,
                    value.as_ref(),
                    scene.role,
                    &state,
                    position.forces,
                    race,
                )?;
                let answers: Vec<bool> = found.iter().filter_map(|one| yes(one.answer)).collect();
                if answers.windows(2).any(|pair| pair[0] != pair[1]) {
                    println!("{}/{}: the answers differ", sheet.game, position.name);
                    agree = false;
                }
                own.add(&found);
                rows.push(Row {
                    game: sheet.game.clone(),
                    position: position.name.clone(),
                    after: after.map(|mv| mv.to_string()),
                    at_least: position.forces,
                    yes: answers.first().copied(),
                    seconds: found.iter().map(|one| one.seconds).collect(),
                    states: found.iter().map(|one| one.states).collect(),
                });
            }
        }
        own.print(&sheet.game);
        ratios.extend(own);
        if let Some(path) = race.json {
            crate::files::write(path, serde_json::to_string_pretty(&rows)? + "\n")?;
        }
    }
    ratios.print("all games");
    Ok(agree)
}

/// How many times as fast as depth-first proof numbers the contenders are.
#[derive(Debug)]
struct Ratios {
    contenders: Vec<Contender>,
    /// For each contender one ratio for each question. A search without an answer counts as if it
    /// had one when its time was up.
    of: Vec<Vec<f64>>,
    /// The questions that each one left open, among those that another one answered.
    open: Vec<usize>,
}

impl Ratios {
    fn new(contenders: &[Contender]) -> Ratios {
        Ratios {
            contenders: contenders.to_vec(),
            of: vec![Vec::new(); contenders.len()],
            open: vec![0; contenders.len()],
        }
    }

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
        for (which, contender) in self.contenders.iter().enumerate() {
            let mean = geometric_mean(&self.of[which]).unwrap_or(f64::NAN);
            let least = self.of[which].iter().copied().fold(f64::INFINITY, f64::min);
            let open = self.open[which];
            print!("  {contender} {mean:.2} (least {least:.2}, open {open})");
        }
        println!();
    }
}
