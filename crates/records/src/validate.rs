//! Validation: whether a record describes a match that the rules allow.

use crate::record::state_text;
use crate::{Record, check_lengths};
use game::{Engine, EngineError, GroundTerm, MoveId, RoleId, State};
use gdl_parse::{Limits, Sexpr, read_all};
use protocol::Place;
use std::collections::BTreeSet;

/// What is wrong with a record. States are numbered by the joint moves before them.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Violation {
    /// The roles are not those of the game.
    #[error("gameRoleNames are {}, but the roles of the rules are {}", list(.recorded), list(.rules))]
    Roles {
        /// The roles in the record.
        recorded: Vec<String>,
        /// The roles of the rules.
        rules: Vec<String>,
    },
    /// A list is too long or too short.
    #[error("{key} holds {} and not {expected}", entries(*.found))]
    Length {
        /// The key of the list.
        key: String,
        /// Its length.
        found: usize,
        /// The expected length.
        expected: usize,
    },
    /// A text cannot be parsed.
    #[error("{place} cannot be read: {why}")]
    Unreadable {
        /// Where the text is.
        place: String,
        /// The message of the parser.
        why: String,
    },
    /// A state is not the successor that the rules give.
    #[error("state {step} {}", differ(.missing, .surplus))]
    State {
        /// The number of the state.
        step: usize,
        /// Facts that hold by the rules, but not in the record.
        missing: Vec<GroundTerm>,
        /// Facts that hold in the record only.
        surplus: Vec<GroundTerm>,
    },
    /// A move is not legal.
    #[error("in state {step}, {mv} is no legal move of {role}")]
    Illegal {
        /// The number of the state.
        step: usize,
        /// The role that moves.
        role: GroundTerm,
        /// The move.
        mv: GroundTerm,
    },
    /// A move in another case than the rules can mean two legal moves.
    #[error("in state {step}, {mv} of {role} can mean {} or {}", .moves[0], .moves[1])]
    Ambiguous {
        /// The number of the state.
        step: usize,
        /// The role that moves.
        role: GroundTerm,
        /// The move.
        mv: GroundTerm,
        /// What it can mean.
        moves: Box<[GroundTerm; 2]>,
    },
    /// The record continues after a terminal state.
    #[error("state {step} is terminal, but moves follow")]
    Continues {
        /// The number of the terminal state.
        step: usize,
    },
    /// The record's flags contradict its last state.
    #[error("{}", ending(*.completed, *.aborted, *.terminal))]
    Ending {
        /// Whether the record says that it is completed.
        completed: bool,
        /// Whether the record says that it is aborted.
        aborted: bool,
        /// Whether its last state is terminal.
        terminal: bool,
    },
    /// A goal value differs from that of the rules.
    #[error("goalValues gives {recorded} to {role}, but the rules give {}", goal(*.rules))]
    Goal {
        /// The role.
        role: GroundTerm,
        /// The goal value in the record.
        recorded: u8,
        /// The goal value by the rules.
        rules: Option<u8>,
    },
    /// The engine could not evaluate the rules.
    #[error("in state {step}: {error}")]
    Engine {
        /// The number of the state.
        step: usize,
        /// The error of the engine.
        error: EngineError,
    },
}

/// Replays the match of `record` on `engine`, which must know the game of the record's rules.
/// It compares the roles and every fact of every state, and checks that every move is legal. It
/// checks that play ends where the record ends and not before, and compares the goal values and
/// the lengths of all lists.
///
/// What a record of another server lacks is skipped; only the moves must be there. Servers that
/// wrote everything in upper case exist, so names may be in another case than in the rules,
/// where one meaning is possible. Times are not checked.
///
/// # Errors
/// The first violation.
pub fn validate(record: &Record, engine: &mut dyn Engine) -> Result<(), Violation> {
    let roles = engine.roles().to_vec();
    check_roles(record, &roles)?;
    check_lengths(record, roles.len())?;
    let mut state = engine.initial();
    for step in 0..record.moves.len() {
        compare(record, step, engine.facts(&state))?;
        let broken = |error| Violation::Engine { step, error };
        if engine.terminal(&state).map_err(broken)? {
            return Err(Violation::Continues { step });
        }
        state = after(record, engine, &state, step)?;
    }
    let step = record.moves.len();
    compare(record, step, engine.facts(&state))?;
    let broken = |error| Violation::Engine { step, error };
    let terminal = engine.terminal(&state).map_err(broken)?;
    let (completed, aborted) = (record.is_completed, record.is_aborted);
    if let Some(completed) = completed
        && (completed != terminal || completed && aborted)
    {
        return Err(Violation::Ending {
            completed,
            aborted,
            terminal,
        });
    }
    // A match that may have gone on after its last recorded state may have another result.
    let goals = record.goal_values.iter().filter(|_| terminal);
    for ((role, name), &recorded) in roles.into_iter().enumerate().zip(goals) {
        let rules = engine.goal(&state, RoleId(role)).map_err(broken)?;
        if rules.unwrap_or(0) != recorded {
            return Err(Violation::Goal {
                role: name,
                recorded,
                rules,
            });
        }
    }
    Ok(())
}

/// Adds the states that a record lacks, as the rules give them, as far as its moves are legal.
pub fn add_states(record: &mut Record, engine: &mut dyn Engine) {
    let count = record.moves.len() + 1;
    if record.states.len() == count && !record.states.iter().any(String::is_empty) {
        return;
    }
    record
        .states
        .resize(count.max(record.states.len()), String::new());
    let mut state = engine.initial();
    for step in 0..count {
        if record.states[step].is_empty() {
            record.states[step] = state_text(&engine.facts(&state));
        }
        match record.moves.len() > step {
            true => match after(record, engine, &state, step) {
                Ok(next) => state = next,
                Err(_) => return,
            },
            false => return,
        }
    }
}

fn check_roles(record: &Record, roles: &[GroundTerm]) -> Result<(), Violation> {
    let recorded = &record.game_role_names;
    let rules: Vec<String> = roles.iter().map(ToString::to_string).collect();
    let same = |one: &String, other: &String| one.eq_ignore_ascii_case(other);
    let equal =
        recorded.len() == rules.len() && recorded.iter().zip(&rules).all(|(a, b)| same(a, b));
    match recorded.is_empty() || equal {
        true => Ok(()),
        false => Err(Violation::Roles {
            recorded: recorded.clone(),
            rules,
        }),
    }
}

/// The state that follows from the recorded joint move of a step.
fn after(
    record: &Record,
    engine: &mut dyn Engine,
    state: &State,
    step: usize,
) -> Result<State, Violation> {
    let mut moves = Vec::new();
    for (role, text) in record.moves[step].iter().enumerate() {
        if role < engine.roles().len() {
            moves.push(legal_move(engine, state, step, RoleId(role), text)?);
        }
    }
    let mut next = State::default();
    let broken = |error| Violation::Engine { step, error };
    engine.next(state, &moves, &mut next).map_err(broken)?;
    Ok(next)
}

/// Checks that the record's state after `step` moves has exactly these facts.
fn compare(record: &Record, step: usize, facts: Vec<GroundTerm>) -> Result<(), Violation> {
    let Some(text) = record.states.get(step).filter(|text| !text.is_empty()) else {
        return Ok(());
    };
    let recorded = parse_facts(text).map_err(|why| Violation::Unreadable {
        place: format!("state {step}"),
        why,
    })?;
    let facts: BTreeSet<GroundTerm> = facts.into_iter().collect();
    let recorded: BTreeSet<GroundTerm> = recorded.into_iter().collect();
    if facts == recorded || folded(&facts) == folded(&recorded) {
        return Ok(());
    }
    Err(Violation::State {
        step,
        missing: facts.difference(&recorded).cloned().collect(),
        surplus: recorded.difference(&facts).cloned().collect(),
    })
}

/// The texts of facts in lower case.
fn folded(facts: &BTreeSet<GroundTerm>) -> BTreeSet<String> {
    let lower = |fact: &GroundTerm| fact.to_string().to_ascii_lowercase();
    facts.iter().map(lower).collect()
}

/// The legal move of `role` that has this text.
fn legal_move(
    engine: &mut dyn Engine,
    state: &State,
    step: usize,
    role: RoleId,
    text: &str,
) -> Result<MoveId, Violation> {
    let name = engine.roles()[role.0].clone();
    let mv: GroundTerm =
        text.parse()
            .map_err(|why: gdl_parse::TermError| Violation::Unreadable {
                place: format!("the move of {name} in state {step}"),
                why: why.to_string(),
            })?;
    let mut moves = Vec::new();
    engine
        .legal(state, role, &mut moves)
        .map_err(|error| Violation::Engine { step, error })?;
    if let Some(exact) = engine.find_move(role, &mv).filter(|mv| moves.contains(mv)) {
        return Ok(exact);
    }
    let terms: Vec<GroundTerm> = moves.iter().map(|&mv| engine.move_term(role, mv)).collect();
    match Place::of(&mv, &terms) {
        Place::Exact(at) | Place::OtherCase(at) => Ok(moves[at]),
        Place::Several(one, other) => Err(Violation::Ambiguous {
            step,
            role: name,
            mv,
            moves: Box::new([one, other].map(|at| terms[at].clone())),
        }),
        Place::Nowhere => Err(Violation::Illegal {
            step,
            role: name,
            mv,
        }),
    }
}

/// Parses the facts of a state in the format of records: `( fact fact )`.
///
/// # Errors
/// What the text contains instead.
pub fn parse_facts(text: &str) -> Result<Vec<GroundTerm>, String> {
    let (exprs, diagnostics) = read_all(text, &Limits::default());
    if let Some(problem) = diagnostics.first() {
        return Err(problem.message.clone());
    }
    let [Sexpr::List(facts, _)] = exprs.as_slice() else {
        return Err("a state must be one list of facts".into());
    };
    let fact = |fact| GroundTerm::from_sexpr(fact).map_err(|error| error.to_string());
    facts.iter().map(fact).collect()
}

fn list<T: ToString>(items: &[T]) -> String {
    let items: Vec<String> = items.iter().map(ToString::to_string).collect();
    items.join(", ")
}

/// The length of a list, in words.
fn entries(found: usize) -> String {
    match found {
        1 => "1 entry".into(),
        _ => format!("{found} entries"),
    }
}

/// The difference between a state and the one that the rules give, in words.
fn differ(missing: &[GroundTerm], surplus: &[GroundTerm]) -> String {
    /// The number of facts that are listed. A state of the wrong game can differ in hundreds.
    const MOST: usize = 5;
    let some = |facts: &[GroundTerm]| match facts.len() {
        0..=MOST => list(facts),
        many => format!("{} and {} more", list(&facts[..MOST]), many - MOST),
    };
    match (missing.is_empty(), surplus.is_empty()) {
        (false, true) => format!("lacks {}", some(missing)),
        (true, _) => format!("holds {}, which does not hold", some(surplus)),
        (false, false) => format!("holds {} instead of {}", some(surplus), some(missing)),
    }
}

fn ending(completed: bool, aborted: bool, terminal: bool) -> &'static str {
    match (completed, aborted, terminal) {
        (true, true, _) => "the match is said to be completed and aborted",
        (true, _, false) => "the match is said to be completed, but its last state is not terminal",
        _ => "the last state is terminal, but the match is not said to be completed",
    }
}

fn goal(value: Option<u8>) -> String {
    value.map_or("none".into(), |value| value.to_string())
}
