//! Errors of tournaments.

use std::path::PathBuf;

/// Why a tournament cannot continue. Records of finished matches are kept.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArenaError {
    /// The configuration file is unusable.
    #[error("{path}: {why}")]
    Config {
        /// The file.
        path: PathBuf,
        /// What is wrong, with the position.
        why: String,
    },
    /// The configuration is invalid.
    #[error("{0}")]
    Invalid(String),
    /// A game cannot be played.
    #[error("{path}: {why}")]
    Game {
        /// The rulesheet.
        path: PathBuf,
        /// The reason.
        why: String,
    },
    /// A file in the tournament's folder cannot be read or written.
    #[error("{path}: {error}")]
    File {
        /// The file.
        path: PathBuf,
        /// The system error.
        error: std::io::Error,
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
    /// The recorded matches were played by another build of this program.
    #[error(
        "{folder} was played by another build of this program, and their matches would count as one: \
         take another folder, or remove {folder}/program to go on all the same"
    )]
    OtherProgram {
        /// The folder.
        folder: PathBuf,
    },
    /// Another process is playing this tournament.
    #[error("{folder} is in use by another process")]
    InUse {
        /// The folder.
        folder: PathBuf,
    },
    /// A record does not fit its match.
    #[error("{path}: {why}; move it away, and its match will be played again")]
    Record {
        /// The record.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
}
