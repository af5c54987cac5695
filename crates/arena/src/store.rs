//! The folder of a tournament: its configuration and one record for each match played.

use crate::{ArenaError, Config, Fixture, Played};
use matches::Record;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

/// The folder of a tournament, kept to ourselves as long as the value lives.
pub(crate) struct Store {
    folder: PathBuf,
    _lock: File,
}

impl Store {
    /// Opens the folder, or makes it.
    pub fn open(folder: &Path, config: &Config) -> Result<Self, ArenaError> {
        let file = |path: &Path, source| ArenaError::File {
            path: path.to_path_buf(),
            source,
        };
        let matches = folder.join("matches");
        std::fs::create_dir_all(&matches).map_err(|error| file(&matches, error))?;
        let path = folder.join("lock");
        let lock = File::create(&path).map_err(|error| file(&path, error))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(ArenaError::InUse {
                    folder: folder.to_path_buf(),
                });
            }
            // Some file systems cannot lock. Then it is on the user.
            Err(TryLockError::Error(_)) => {}
        }
        // What a killed process had only half written.
        for entry in std::fs::read_dir(&matches).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if name.starts_with('.') && name.ends_with(".tmp") {
                // If it stays, it does no harm.
                let _ = std::fs::remove_file(entry.path());
            }
        }
        let path = folder.join("arena.toml");
        if path.exists() && !Config::read_as_is(&path)?.is_same_as(config) {
            return Err(ArenaError::Other {
                folder: folder.to_path_buf(),
            });
        }
        let text = toml::to_string(config).map_err(|error| ArenaError::Config {
            path: path.clone(),
            why: error.to_string(),
        })?;
        matches::write_file(&path, text.as_bytes()).map_err(|error| file(&path, error))?;
        Ok(Store {
            folder: folder.to_path_buf(),
            _lock: lock,
        })
    }

    /// Where a match is kept.
    pub fn path(&self, fixture: &Fixture, game: &str) -> PathBuf {
        let name = format!("{:06}.{game}.json", fixture.number);
        self.folder.join("matches").join(name)
    }

    /// The match, if it has been played: by these rules and by players of these names.
    pub fn read(
        &self,
        fixture: &Fixture,
        game: &str,
        rules: &str,
        names: &[String],
    ) -> Result<Option<Played>, ArenaError> {
        let path = self.path(fixture, game);
        let damaged = |why: String| ArenaError::Record {
            path: path.clone(),
            why,
        };
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(ArenaError::File { path, source }),
        };
        let record = Record::from_json(&text).map_err(|error| damaged(error.to_string()))?;
        if record.rulesheet != rules {
            return Err(damaged(format!("it is of other rules than {game} has now")));
        }
        let seats = fixture.seats.iter().map(|&player| &names[player]);
        if !record.player_names_from_host.iter().eq(seats) {
            return Err(damaged("it is of other players".into()));
        }
        if record.is_completed && record.goal_values.len() != fixture.seats.len() {
            return Err(damaged("it has not one result for each role".into()));
        }
        Ok(Some(Played::new(fixture.clone(), &record)))
    }

    /// Keeps a match.
    pub fn write(&self, fixture: &Fixture, game: &str, record: &Record) -> Result<(), ArenaError> {
        let path = self.path(fixture, game);
        record
            .write(&path)
            .map_err(|source| ArenaError::File { path, source })
    }

    /// Writes a file of results into the folder.
    pub fn export(&self, name: &str, text: &str) -> Result<(), ArenaError> {
        let path = self.folder.join(name);
        matches::write_file(&path, text.as_bytes())
            .map_err(|source| ArenaError::File { path, source })
    }
}
