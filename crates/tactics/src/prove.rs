//! Proofs of the claims of positions.

use crate::position::Position;
use crate::print::list;
use crate::scene::{Scene, SceneError};
use budget::Budget;
use exhaustive::{Answer, Limits, Reading, Solver};
use game::{Engine, EngineError, GroundTerm, MoveId};

/// A proof of a claim, with statistics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Proof {
    /// The number of legal moves, right and wrong.
    pub moves: usize,
    /// The number of own moves that the fastest right move needs.
    pub fastest: u32,
    /// The number of own moves that the slowest right move needs.
    pub slowest: u32,
    /// The depth, in own moves, of the refutation of the last wrong move.
    pub refuted: u32,
    /// The number of states visited for the larger of the two questions.
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
    /// Some moves of the claimed right ones do not force the value.
    #[error("said to be right, but {} not force {value}", verb(.moves))]
    NotForced {
        /// The moves.
        moves: Vec<GroundTerm>,
        /// The value.
        value: u8,
    },
    /// Some right moves need more own moves than claimed.
    #[error("said to need {within} own moves, but {} {slowest}", list(.moves))]
    TooSlow {
        /// The moves.
        moves: Vec<GroundTerm>,
        /// The claimed number.
        within: u32,
        /// The needed number.
        slowest: u32,
    },
    /// The class claims another number of own moves than the fastest right move needs.
    #[error("said to be {class}, but the fastest needs {fastest} own moves")]
    Misnamed {
        /// The class.
        class: String,
        /// The number that the fastest right move needs.
        fastest: u32,
    },
    /// Some moves of the claimed wrong ones force the value.
    #[error("said to be wrong, but {} not miss {value}", verb(.moves))]
    NotMissed {
        /// The moves.
        moves: Vec<GroundTerm>,
        /// The value.
        value: u8,
    },
    /// Some moves were not solved within the limits of states, time or memory.
    #[error("nothing was proved of {} after {states} states", list(.moves))]
    Open {
        /// The moves.
        moves: Vec<GroundTerm>,
        /// The number of states visited.
        states: u64,
    },
}

fn verb(moves: &[GroundTerm]) -> String {
    let ending = if moves.len() == 1 { "does" } else { "do" };
    format!("{} {ending}", list(moves))
}

/// Proves the claims of a position.
///
/// Each right move must force the value within the claimed number of own moves. After each
/// wrong move the others together must be able to prevent it. In a position of the class
/// `win-in-N` the fastest right move needs N own moves; slower ones are right too.
///
/// # Errors
/// Fails if a claim is wrong, if it could not be proved, or if the position is not one of this
/// game.
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
