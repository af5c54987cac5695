//! Proof of what a position claims.

use crate::position::Position;
use crate::print::list;
use crate::scene::{Scene, SceneError};
use budget::Budget;
use exhaustive::{Answer, Limits, Reading, Solver};
use game::{Engine, EngineError, GroundTerm, MoveId};

/// A claim that was proved, and what it took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Proof {
    /// Legal moves, right and wrong ones.
    pub moves: usize,
    /// How many own moves the fastest right move needs.
    pub fastest: u32,
    /// How many own moves the slowest right move needs.
    pub slowest: u32,
    /// How many own moves had to be looked ahead to see the worst of the wrong moves fail.
    pub refuted: u32,
    /// States visited for the question that took more.
    pub states: u64,
}

/// Why a claim is not proved.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refuted {
    /// The position cannot be set up.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// The engine failed.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// Moves that are said to be right do not force the value.
    #[error("said to be right, but {} not force {value}", verb(.moves))]
    NotForced {
        /// The moves.
        moves: Vec<GroundTerm>,
        /// The value.
        value: u8,
    },
    /// Moves that are said to be right need more own moves than claimed.
    #[error("said to need {within} own moves, but {} {slowest}", list(.moves))]
    TooSlow {
        /// The moves.
        moves: Vec<GroundTerm>,
        /// What was claimed.
        within: u32,
        /// What is needed.
        slowest: u32,
    },
    /// The class says in how many own moves it is won, and it is another number.
    #[error("said to be {class}, but the fastest needs {fastest} own moves")]
    Misnamed {
        /// The class.
        class: String,
        /// What the fastest right move needs.
        fastest: u32,
    },
    /// Moves that are said to be wrong force the value as well.
    #[error("said to be wrong, but {} not miss {value}", verb(.moves))]
    NotMissed {
        /// The moves.
        moves: Vec<GroundTerm>,
        /// The value.
        value: u8,
    },
    /// Moves on which nothing was proved within the states, the time or the memory.
    #[error("nothing was proved of {} after {states} states", list(.moves))]
    Open {
        /// The moves.
        moves: Vec<GroundTerm>,
        /// States visited.
        states: u64,
    },
}

fn verb(moves: &[GroundTerm]) -> String {
    let ending = if moves.len() == 1 { "does" } else { "do" };
    format!("{} {ending}", list(moves))
}

/// Proves what a position claims: that each right move forces the value within the claimed number
/// of own moves, and that after each wrong move the others together can prevent it. In a position of
/// the class `win-in-N` the fastest right move needs N own moves; slower ones are right too.
///
/// # Errors
/// If it is not so, if it could not be proved, or if the position is not one of this game.
pub fn prove(
    engine: &mut dyn Engine,
    position: &Position,
    budget: &Budget,
) -> Result<Proof, Refuted> {
    let scene = Scene::new(engine, position)?;
    let value = position.forces;
    let limits = Limits {
        states: position.states,
        ..Limits::default()
    };
    let mut solver = Solver::new(engine, scene.role, limits);
    let (state, right, wrong) = (&scene.state, &scene.right, &scene.wrong);
    let forced = solver.ask(state, right, value, Reading::Guaranteed, budget)?;
    let missed = solver.ask(state, wrong, value, Reading::Conceded, budget)?;
    let mut terms = |answers: &[Answer], is: &dyn Fn(&Answer) -> bool| -> Vec<GroundTerm> {
        let moves: Vec<MoveId> = answers.iter().filter(|a| is(a)).map(|a| a.mv).collect();
        let term = |mv| engine.move_term(scene.role, mv);
        moves.into_iter().map(term).collect()
    };
    let moves = terms(&forced.answers, &|answer| answer.verdict.is_no());
    if !moves.is_empty() {
        return Err(Refuted::NotForced { moves, value });
    }
    let moves = terms(&missed.answers, &|answer| answer.verdict.is_yes());
    if !moves.is_empty() {
        return Err(Refuted::NotMissed { moves, value });
    }
    for (outcome, count) in [(&forced, right.len()), (&missed, wrong.len())] {
        let moves = terms(&outcome.answers, &|answer| {
            !answer.verdict.is_yes() && !answer.verdict.is_no()
        });
        if !moves.is_empty() || outcome.answers.len() != count {
            let states = outcome.states;
            return Err(Refuted::Open { moves, states });
        }
    }
    let needed = |answers: &[Answer]| answers.iter().map(|a| a.own_moves).max().unwrap_or(0);
    let slowest = needed(&forced.answers);
    if let Some(within) = position.within
        && slowest > within
    {
        let moves = terms(&forced.answers, &|answer| answer.own_moves > within);
        return Err(Refuted::TooSlow {
            moves,
            within,
            slowest,
        });
    }
    let fastest = forced.answers.iter().map(|answer| answer.own_moves).min();
    let fastest = fastest.unwrap_or(0);
    let claimed = position.class.strip_prefix("win-in-");
    if claimed.is_some_and(|claimed| claimed != fastest.to_string()) {
        let class = position.class.clone();
        return Err(Refuted::Misnamed { class, fastest });
    }
    Ok(Proof {
        moves: right.len() + wrong.len(),
        fastest,
        slowest,
        refuted: needed(&missed.answers),
        states: forced.states.max(missed.states),
    })
}
