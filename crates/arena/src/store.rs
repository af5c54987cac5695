//! The folder of a tournament: its configuration and one record for each match played.

use crate::{ArenaError, Config, Fixture};
use records::Record;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

/// The folder of a tournament.
pub(crate) struct Store {
    folder: PathBuf,
}

/// Prevents other processes from playing in the folder while it exists.
pub(crate) struct Lock(#[expect(dead_code, reason = "the lock is freed when it is closed")] File);

impl Store {
    /// Opens the folder, which need not exist yet.
    ///
    /// # Errors
    /// Fails if it belongs to another tournament.
    pub fn new(folder: &Path, config: &Config) -> Result<Self, ArenaError> {
        let path = folder.join("arena.toml");
        if path.exists() && !Config::read(&path)?.is_same_as(config) {
            return Err(ArenaError::Other {
                folder: folder.to_path_buf(),
            });
        }
        Ok(Store {
            folder: folder.to_path_buf(),
        })
    }

    /// Creates and locks the folder for playing. `program` is the build that plays, if it
    /// matters.
    ///
    /// # Errors
    /// Fails if another process is playing in the folder, another build has played in it, or it
    /// cannot be written to.
    pub fn lock(&self, config: &Config, program: Option<&str>) -> Result<Lock, ArenaError> {
        let file = |path: &Path, error| ArenaError::File {
            path: path.to_path_buf(),
            error,
        };
        let matches = self.folder.join("matches");
        std::fs::create_dir_all(&matches).map_err(|error| file(&matches, error))?;
        let path = self.folder.join("lock");
        let lock = File::create(&path).map_err(|error| file(&path, error))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(ArenaError::InUse {
                    folder: self.folder.clone(),
                });
            }
            // Some file systems do not support locks. There the user must prevent concurrent
            // use.
            Err(TryLockError::Error(_)) => {}
        }
        // Removes the incomplete files of a killed process.
        for entry in std::fs::read_dir(&matches).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if name.starts_with('.') && name.ends_with(".tmp") {
                // A leftover file does no harm.
                let _ = std::fs::remove_file(entry.path());
            }
        }
        if let Some(program) = program {
            let path = self.folder.join("program");
            match std::fs::read_to_string(&path) {
                Ok(text) if text.trim() != program => {
                    return Err(ArenaError::OtherProgram {
                        folder: self.folder.clone(),
                    });
                }
                _ => self.export("program", &format!("{program}\n"))?,
            }
        }
        let text = toml::to_string(config).map_err(|error| ArenaError::Config {
            path: self.folder.join("arena.toml"),
            why: error.to_string(),
        })?;
        self.export("arena.toml", &text)?;
        Ok(Lock(lock))
    }

    /// The path of the record of a match.
    pub fn path(&self, fixture: &Fixture, game: &str) -> PathBuf {
        let name = format!("{:06}.{game}.json", fixture.number);
        self.folder.join("matches").join(name)
    }

    /// The record of a match, if it has been played. Checks the rules, the players and the goal
    /// values.
    pub fn read(
        &self,
        fixture: &Fixture,
        game: &str,
        rules: &str,
        names: &[String],
    ) -> Result<Option<Record>, ArenaError> {
        let path = self.path(fixture, game);
        let damaged = |why: &str| self.damaged(fixture, game, why);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(ArenaError::File { path, error }),
        };
        let record = Record::parse(&text).map_err(|error| damaged(&error.to_string()))?;
        if record.rulesheet != rules {
            return Err(damaged("it is of other rules than the game has now"));
        }
        let seats = fixture.seats.iter().map(|&player| &names[player]);
        if !record.player_names_from_host.iter().eq(seats) {
            return Err(damaged("it is of other players"));
        }
        let goals = &record.goal_values;
        if record.is_completed == Some(true) && goals.len() != fixture.seats.len() {
            return Err(damaged("it has not one result for each role"));
        }
        if goals.iter().any(|&goal| goal > 100) {
            return Err(damaged("it has a result above 100"));
        }
        Ok(Some(record))
    }

    /// The error for a record that does not fit its match.
    pub fn damaged(&self, fixture: &Fixture, game: &str, why: &str) -> ArenaError {
        ArenaError::Record {
            path: self.path(fixture, game),
            why: why.to_string(),
        }
    }

    /// Writes the record of a match.
    pub fn write(&self, fixture: &Fixture, game: &str, record: &Record) -> Result<(), ArenaError> {
        let path = self.path(fixture, game);
        record
            .write(&path)
            .map_err(|error| ArenaError::File { path, error })
    }

    /// Writes a result file into the folder.
    pub fn export(&self, name: &str, text: &str) -> Result<(), ArenaError> {
        let path = self.folder.join(name);
        atomic_file::write(&path, text.as_bytes()).map_err(|error| ArenaError::File { path, error })
    }
}
