//! What can go wrong with a store.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// Why a store could not be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// Another process has it open for longer than one waits.
    #[error("another process is using it")]
    Busy,
    /// Its contents contradict themselves.
    #[error("it is damaged: {0}")]
    Damaged(String),
    /// It is a file of another kind.
    #[error("it is no store of this program")]
    Foreign,
    /// A program of another version has written it.
    #[error("it is of version {found}, and this program reads version {known}")]
    Version {
        /// The version of the file.
        found: u64,
        /// The version of this program.
        known: u64,
    },
    /// It is a folder.
    #[error("it is a folder; a store is one file")]
    Folder,
    /// The file cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A value is too large, or the disk is full.
    #[error("{0}")]
    Storage(redb::Error),
}

impl StoreError {
    /// Whether the file will never be of use, so that another one may take its place.
    pub fn is_lasting(&self) -> bool {
        use StoreError::{Damaged, Foreign, Version};
        matches!(self, Damaged(_) | Foreign | Version { .. })
    }
}

impl From<redb::Error> for StoreError {
    fn from(error: redb::Error) -> Self {
        match error {
            redb::Error::DatabaseAlreadyOpen => StoreError::Busy,
            redb::Error::Corrupted(why) => StoreError::Damaged(why),
            redb::Error::UpgradeRequired(_) => StoreError::Foreign,
            redb::Error::TableTypeMismatch { .. } | redb::Error::TypeDefinitionChanged { .. } => {
                StoreError::Foreign
            }
            redb::Error::Io(error) => match error.kind() {
                // So redb calls a file that does not begin as its own do, and one that ends early.
                io::ErrorKind::InvalidData => StoreError::Foreign,
                io::ErrorKind::UnexpectedEof => StoreError::Damaged(error.to_string()),
                io::ErrorKind::WouldBlock => StoreError::Busy,
                _ => StoreError::Io(error),
            },
            other => StoreError::Storage(other),
        }
    }
}

/// A file that was set aside, so that a new store could be begun in its place.
#[derive(Debug)]
pub struct SetAside {
    /// Its name before.
    pub from: PathBuf,
    /// Its name now.
    pub to: PathBuf,
    /// What is wrong with it.
    pub why: StoreError,
}

impl fmt::Display for SetAside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SetAside { from, to, why } = self;
        write!(
            f,
            "{} cannot be used as a store: {why}. It was renamed to {}, and a new store is begun",
            from.display(),
            to.display()
        )
    }
}
