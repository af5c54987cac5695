//! Validation: whether a record describes a match that the rules allow.

use crate::Record;
use game::{Engine, EngineError, GroundTerm, MoveId, RoleId, State};
use gdl_parse::{Limits, Sexpr, read_all};
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
    #[error("{key} holds {found} entries and not {expected}")]
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
/// Lists that a record of another server lacks are skipped. Only states and moves must be
/// there, and the goal values of a completed match. Times are not checked.
///
/// # Errors
/// The first violation.
pub fn validate(record: &Record, engine: &mut dyn Engine) -> Result<(), Violation> {
    let roles = engine.roles().to_vec();
    let names: Vec<String> = roles.iter().map(ToString::to_string).collect();
    if !record.game_role_names.is_empty() && record.game_role_names != names {
        return Err(Violation::Roles {
            recorded: record.game_role_names.clone(),
            rules: names,
        });
    }
    lengths(record, roles.len())?;
    let mut state = engine.initial();
    for (step, joint) in record.moves.iter().enumerate() {
        compare(record, step, engine.facts(&state))?;
        let broken = |error| Violation::Engine { step, error };
        if engine.terminal(&state).map_err(broken)? {
            return Err(Violation::Continues { step });
        }
        let mut moves = Vec::new();
        for (role, text) in joint.iter().enumerate() {
            moves.push(legal_move(engine, &state, step, RoleId(role), text)?);
        }
        let mut next = State::default();
        engine.next(&state, &moves, &mut next).map_err(broken)?;
        state = next;
    }
    let step = record.moves.len();
    compare(record, step, engine.facts(&state))?;
    let broken = |error| Violation::Engine { step, error };
    let terminal = engine.terminal(&state).map_err(broken)?;
    let (completed, aborted) = (record.is_completed, record.is_aborted);
    if completed != terminal || (completed && aborted) {
        return Err(Violation::Ending {
            completed,
            aborted,
            terminal,
        });
    }
    for ((role, name), &recorded) in roles.into_iter().enumerate().zip(&record.goal_values) {
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

/// Checks the length of every list of the record.
fn lengths(record: &Record, roles: usize) -> Result<(), Violation> {
    let exactly = |key: &str, found, expected| match found == expected {
        true => Ok(()),
        false => Err(Violation::Length {
            key: key.into(),
            found,
            expected,
        }),
    };
    let optional = |key: &str, found, expected| match found {
        0 => Ok(()),
        _ => exactly(key, found, expected),
    };
    let rows = |key: &str, lengths: &mut dyn Iterator<Item = usize>| {
        for (at, length) in lengths.enumerate() {
            exactly(&format!("{key}[{at}]"), length, roles)?;
        }
        Ok(())
    };
    let moves = record.moves.len();
    exactly("states", record.states.len(), moves + 1)?;
    rows("moves", &mut record.moves.iter().map(Vec::len))?;
    optional("stateTimes", record.state_times.len(), moves + 1)?;
    optional("answerTimes", record.answer_times.len(), moves)?;
    rows("answerTimes", &mut record.answer_times.iter().map(Vec::len))?;
    // Some servers write no entry for the start clock.
    if record.errors.len() != moves {
        optional("errors", record.errors.len(), moves + 1)?;
    }
    rows("errors", &mut record.errors.iter().map(Vec::len))?;
    match record.is_completed {
        true => exactly("goalValues", record.goal_values.len(), roles)?,
        false => exactly("goalValues", record.goal_values.len(), 0)?,
    }
    let names = record.player_names_from_host.len();
    optional("playerNamesFromHost", names, roles)?;
    optional("isPlayerHuman", record.is_player_human.len(), roles)
}

/// Checks that the record's state after `step` moves has exactly these facts.
fn compare(record: &Record, step: usize, facts: Vec<GroundTerm>) -> Result<(), Violation> {
    let recorded = parse_facts(&record.states[step]).map_err(|why| Violation::Unreadable {
        place: format!("state {step}"),
        why,
    })?;
    let facts: BTreeSet<GroundTerm> = facts.into_iter().collect();
    let recorded: BTreeSet<GroundTerm> = recorded.into_iter().collect();
    if facts == recorded {
        return Ok(());
    }
    Err(Violation::State {
        step,
        missing: facts.difference(&recorded).cloned().collect(),
        surplus: recorded.difference(&facts).cloned().collect(),
    })
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
    let found = moves
        .into_iter()
        .find(|&legal| engine.move_term(role, legal) == mv);
    found.ok_or(Violation::Illegal {
        step,
        role: name,
        mv,
    })
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
