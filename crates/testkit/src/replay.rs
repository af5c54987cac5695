//! Replays traces on engines.

use crate::golden::{Step, Trace};
use game::{Engine, EngineError, GroundTerm, MoveId, RoleId, State};

/// Replays `trace` on `engine`: states, legal moves, terminality and goals must all be equal.
///
/// # Errors
/// The first difference, as a sentence.
pub fn replay(engine: &mut dyn Engine, trace: &Trace) -> Result<usize, String> {
    if engine.roles() != trace.roles {
        return Err(format!(
            "roles are {:?}, expected {:?}",
            engine.roles(),
            trace.roles
        ));
    }
    // The engine's successor of the previous step, if that is in the same playout.
    let mut expected: Option<State> = None;
    for step in &trace.steps {
        let here = format!("playout {} ply {}", step.playout, step.ply);
        let state = if step.ply == 0 {
            Some(engine.initial())
        } else {
            expected.take()
        };
        let state = state.ok_or_else(|| format!("{here}: the trace has a gap"))?;
        expected = check(engine, &state, step).map_err(|problem| format!("{here}: {problem}"))?;
    }
    Ok(trace.steps.len())
}

/// Compares one state and plays the recorded move.
fn check(engine: &mut dyn Engine, state: &State, step: &Step) -> Result<Option<State>, String> {
    let failed = |e: EngineError| e.to_string();
    // `(f)` and `f` are the same term to us, but not in the sort order of a trace.
    same("state", &engine.facts(state), &by_text(step.state.clone()))?;
    let again = engine.state_of(&step.state).map_err(failed)?;
    if again != *state {
        return Err("the state made from its facts is not the same state".into());
    }
    let terminal = engine.terminal(state).map_err(failed)?;
    if terminal != step.terminal {
        return Err(format!(
            "terminal is {terminal}, expected {}",
            step.terminal
        ));
    }
    for (role, expected) in step.legals.iter().flatten().enumerate() {
        let mut moves = Vec::new();
        engine
            .legal(state, RoleId(role), &mut moves)
            .map_err(failed)?;
        let terms = moves
            .iter()
            .map(|&mv| engine.move_term(RoleId(role), mv))
            .collect();
        same(
            &format!("legal moves of role {role}"),
            &by_text(terms),
            &by_text(expected.clone()),
        )?;
    }
    for (role, expected) in step.goals.iter().flatten().enumerate() {
        let goal = engine
            .goal(state, RoleId(role))
            .map_err(failed)?
            .map(i64::from);
        if goal != *expected {
            return Err(format!(
                "goal of role {role} is {goal:?}, expected {expected:?}"
            ));
        }
    }
    let Some(moves) = &step.moves else {
        return Ok(None);
    };
    let joint: Option<Vec<MoveId>> = moves
        .iter()
        .enumerate()
        .map(|(role, term)| engine.find_move(RoleId(role), term))
        .collect();
    let joint = joint.ok_or("a recorded move is unknown")?;
    let mut next = State::default();
    engine.next(state, &joint, &mut next).map_err(failed)?;
    Ok(Some(next))
}

fn by_text(mut terms: Vec<GroundTerm>) -> Vec<GroundTerm> {
    terms.sort_by_cached_key(ToString::to_string);
    terms
}

fn same(what: &str, found: &[GroundTerm], expected: &[GroundTerm]) -> Result<(), String> {
    if found == expected {
        return Ok(());
    }
    let list = |terms: Vec<&GroundTerm>| {
        let texts: Vec<String> = terms.iter().take(5).map(ToString::to_string).collect();
        if texts.is_empty() {
            "nothing".to_owned()
        } else {
            texts.join(" ")
        }
    };
    let missing = expected
        .iter()
        .filter(|term| !found.contains(term))
        .collect();
    let extra = found
        .iter()
        .filter(|term| !expected.contains(term))
        .collect();
    Err(format!(
        "{what}: missing {}, not expected {}",
        list(missing),
        list(extra)
    ))
}
