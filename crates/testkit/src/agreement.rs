//! Whether an engine plays as another one does, in random play.

use game::{Engine, EngineError, GroundTerm, MoveId, RoleId, State};
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

/// All answers of an engine about a state, as terms.
#[derive(Debug, PartialEq, Eq)]
struct Answers {
    facts: Vec<GroundTerm>,
    terminal: bool,
    goals: Vec<Option<u8>>,
    legal: Vec<Vec<GroundTerm>>,
}

/// Why a comparison ended early.
#[derive(Debug)]
pub enum Parting {
    /// The engines differ. Holds both answers.
    Differ(String),
    /// One of them could not answer.
    Failed(EngineError),
}

impl From<EngineError> for Parting {
    fn from(error: EngineError) -> Self {
        Parting::Failed(error)
    }
}

/// Plays one random playout of at most `steps` joint moves on both engines and compares all
/// their answers about every state.
///
/// # Errors
/// The first difference, or the first question that an engine could not answer.
pub fn same_playout(
    oracle: &mut dyn Engine,
    engine: &mut dyn Engine,
    rng: &mut Xoshiro256PlusPlus,
    steps: usize,
) -> Result<(), Parting> {
    let (mut there, mut here) = (oracle.initial(), engine.initial());
    for step in 0..steps {
        let expected = answers(oracle, &there)?;
        let found = answers(engine, &here)?;
        if found != expected {
            return Err(differ(step, &found, &expected));
        }
        let again = engine.state_of(&expected.facts)?;
        if again != here {
            return Err(differ(step, &engine.facts(&again), &expected.facts));
        }
        let chosen: Option<Vec<&GroundTerm>> = expected
            .legal
            .iter()
            .map(|moves| moves.choose(rng))
            .collect();
        let Some(terms) = chosen.filter(|_| !expected.terminal) else {
            break;
        };
        there = after(oracle, &there, &terms)?;
        here = after(engine, &here, &terms)?;
    }
    Ok(())
}

fn differ<T: std::fmt::Debug>(step: usize, found: &T, expected: &T) -> Parting {
    Parting::Differ(format!(
        "in state {step}: {found:?}\nexpected: {expected:?}"
    ))
}

fn answers(engine: &mut dyn Engine, state: &State) -> Result<Answers, EngineError> {
    let roles = engine.roles().len();
    let terminal = engine.terminal(state)?;
    let mut legal = Vec::new();
    // Legality in terminal states is undefined, so it is not compared.
    for role in (0..roles).filter(|_| !terminal).map(RoleId) {
        let mut moves = Vec::new();
        engine.legal(state, role, &mut moves)?;
        let mut terms: Vec<_> = moves.iter().map(|&mv| engine.move_term(role, mv)).collect();
        terms.sort();
        legal.push(terms);
    }
    Ok(Answers {
        facts: engine.facts(state),
        terminal,
        goals: (0..roles)
            .map(|role| engine.goal(state, RoleId(role)))
            .collect::<Result<_, _>>()?,
        legal,
    })
}

fn after(engine: &mut dyn Engine, state: &State, moves: &[&GroundTerm]) -> Result<State, Parting> {
    let mut joint: Vec<MoveId> = Vec::new();
    for (role, term) in moves.iter().enumerate() {
        match engine.find_move(RoleId(role), term) {
            Some(mv) => joint.push(mv),
            None => return Err(Parting::Differ(format!("the legal move {term} is unknown"))),
        }
    }
    let mut next = State::default();
    engine.next(state, &joint, &mut next)?;
    Ok(next)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toys::TakeAway;
    use rand::SeedableRng;

    #[test]
    fn a_difference_is_found() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut compare = |heap| {
            let (mut oracle, mut engine) = (TakeAway::new(2, 9, 3), TakeAway::new(2, heap, 3));
            same_playout(&mut oracle, &mut engine, &mut rng, 100)
        };
        assert!(compare(9).is_ok());
        assert!(matches!(compare(8), Err(Parting::Differ(_))));
    }
}
