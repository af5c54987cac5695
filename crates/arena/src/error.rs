//! Why a tournament cannot go on.

use std::path::PathBuf;

/// Why a tournament cannot go on. What has been played stays.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArenaError {
    /// The description of the tournament is of no use.
    #[error("{path}: {why}")]
    Config {
        /// The file.
        path: PathBuf,
        /// What is wrong, with the place.
        why: String,
    },
    /// The description makes no sense.
    #[error("{0}")]
    Invalid(String),
    /// A game cannot be played.
    #[error("{path}: {why}")]
    Game {
        /// The rulesheet.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// Something in the tournament's folder cannot be read or written.
    #[error("{path}: {source}")]
    File {
        /// What.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The folder belongs to another tournament.
    #[error(
        "{folder} holds another tournament: take another folder, or go back to the configuration \
         in {folder}/arena.toml (rounds, concurrency and sprt may change)"
    )]
    Other {
        /// The folder.
        folder: PathBuf,
    },
    /// What has been played was played by another build of this program.
    #[error(
        "{folder} was played by another build of this program, and their matches would count as one: \
         take another folder, or remove {folder}/program to go on all the same"
    )]
    OtherProgram {
        /// The folder.
        folder: PathBuf,
    },
    /// Somebody else is playing this tournament.
    #[error("{folder} is in use by another process")]
    InUse {
        /// The folder.
        folder: PathBuf,
    },
    /// A record is not what was written.
    #[error("{path}: {why}; move it away, and its match will be played again")]
    Record {
        /// The record.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
}
