//! The lengths of the lists of a record.

use crate::{Record, Violation};

/// The number of roles that a record speaks of, if it says so anywhere.
pub fn count_roles(record: &Record) -> Option<usize> {
    let lists = [
        record.game_role_names.len(),
        record.goal_values.len(),
        record.player_names_from_host.len(),
        record.moves.first().map_or(0, Vec::len),
    ];
    lists.into_iter().find(|&count| count > 0)
}

/// Checks that all lists of a record have the lengths that its moves and this number of roles
/// give. Lists that it lacks are skipped.
///
/// # Errors
/// [`Violation::Length`], for the first list that has not.
pub fn check_lengths(record: &Record, roles: usize) -> Result<(), Violation> {
    let moves = record.moves.len();
    optional("states", record.states.len(), moves + 1)?;
    rows("moves", record.moves.iter().map(Vec::len), roles)?;
    optional("stateTimes", record.state_times.len(), moves + 1)?;
    optional("answerTimes", record.answer_times.len(), moves)?;
    rows(
        "answerTimes",
        record.answer_times.iter().map(Vec::len),
        roles,
    )?;
    // Some servers write no entry for the start clock.
    if record.errors.len() != moves {
        optional("errors", record.errors.len(), moves + 1)?;
    }
    rows("errors", record.errors.iter().map(Vec::len), roles)?;
    // The last move may have been chosen without having been played.
    if record.thoughts.len() != moves + 1 {
        optional("thoughts", record.thoughts.len(), moves)?;
    }
    let goals = record.goal_values.len();
    match record.is_completed {
        Some(true) => exactly("goalValues", goals, roles)?,
        Some(false) => exactly("goalValues", goals, 0)?,
        None => optional("goalValues", goals, roles)?,
    }
    let names = record.player_names_from_host.len();
    optional("playerNamesFromHost", names, roles)?;
    optional("isPlayerHuman", record.is_player_human.len(), roles)
}

fn exactly(key: &str, found: usize, expected: usize) -> Result<(), Violation> {
    match found == expected {
        true => Ok(()),
        false => Err(Violation::Length {
            key: key.into(),
            found,
            expected,
        }),
    }
}

fn optional(key: &str, found: usize, expected: usize) -> Result<(), Violation> {
    match found {
        0 => Ok(()),
        _ => exactly(key, found, expected),
    }
}

fn rows(key: &str, lengths: impl Iterator<Item = usize>, roles: usize) -> Result<(), Violation> {
    for (at, length) in lengths.enumerate() {
        exactly(&format!("{key}[{at}]"), length, roles)?;
    }
    Ok(())
}
