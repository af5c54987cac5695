//! The file of a store: opened for as long as something is read or written.

use crate::{SetAside, StoreError};
use redb::{Builder, Database, ReadableDatabase, TableDefinition, TableHandle};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// The version of what is in the file. Files of other versions are not read.
pub(crate) const VERSION: u64 = 2;
/// How long one waits for another process.
const PATIENCE: Duration = Duration::from_millis(400);
/// The time between two attempts.
const PAUSE: Duration = Duration::from_millis(5);
/// Memory for pages while the file is open, in bytes.
const CACHE: usize = 16 << 20;
/// Files up to this size, in bytes, are checked page by page when they are used first.
const CHECKED: u64 = 64 << 20;

const ABOUT: TableDefinition<'static, &str, u64> = TableDefinition::new("about");

/// What is kept of games, in one file.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    /// Held while the file is open in this process.
    open: Mutex<()>,
}

impl Store {
    /// Opens a store, and begins it where there is none. A file that can never be of use is set
    /// aside under another name, with the reason.
    ///
    /// # Errors
    /// If the path is a folder, or the file cannot be read, written or renamed. That another
    /// process is using it is no error.
    pub fn open(path: &Path) -> Result<(Store, Option<SetAside>), StoreError> {
        if path.is_dir() {
            return Err(StoreError::Folder);
        }
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let store = Store {
            path: path.to_owned(),
            open: Mutex::new(()),
        };
        let mut aside = None;
        // Another process may have set it aside in the meantime, so it is looked at twice.
        let checked = store.check().or_else(|error| match error.is_lasting() {
            true => store.check(),
            false => Err(error),
        });
        match checked {
            Ok(()) | Err(StoreError::Busy) => {}
            Err(why) if why.is_lasting() => {
                let to = free_name(path);
                std::fs::rename(path, &to)?;
                store.check()?;
                let from = path.to_owned();
                aside = Some(SetAside { from, to, why });
            }
            Err(error) => return Err(error),
        }
        Ok((store, aside))
    }

    /// Opens a store that is there, and leaves the file as it is if it is none.
    ///
    /// # Errors
    /// If there is no such file, it is no store, or another process has it for long.
    pub fn existing(path: &Path) -> Result<Store, StoreError> {
        if std::fs::metadata(path)?.is_dir() {
            return Err(StoreError::Folder);
        }
        let store = Store {
            path: path.to_owned(),
            open: Mutex::new(()),
        };
        store.check()?;
        Ok(store)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Checks the whole file, if it is not too large for that.
    fn check(&self) -> Result<(), StoreError> {
        let small = std::fs::metadata(&self.path).is_ok_and(|data| data.len() <= CHECKED);
        self.with(small, |_| Ok(()))
    }

    /// Does something with the open file.
    pub(crate) fn on<T>(
        &self,
        act: impl FnOnce(&mut Database) -> Result<T, redb::Error>,
    ) -> Result<T, StoreError> {
        self.with(false, act)
    }

    fn with<T>(
        &self,
        check: bool,
        act: impl FnOnce(&mut Database) -> Result<T, redb::Error>,
    ) -> Result<T, StoreError> {
        let _open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        // What redb reads without a check it trusts, and may panic.
        let done = catch_unwind(AssertUnwindSafe(|| {
            let mut database = self.database(check)?;
            greet(&database)?;
            Ok(act(&mut database)?)
        }));
        done.unwrap_or_else(|_| {
            Err(StoreError::Damaged(
                "its pages contradict each other".into(),
            ))
        })
    }

    /// The database, as soon as no other process has it.
    fn database(&self, check: bool) -> Result<Database, StoreError> {
        let since = Instant::now();
        loop {
            let mut builder = Builder::new();
            builder.set_cache_size(CACHE);
            builder.set_check_integrity_on_open(check);
            let error = match builder.create(&self.path) {
                Ok(database) => return Ok(database),
                Err(error) => StoreError::from(redb::Error::from(error)),
            };
            if !matches!(error, StoreError::Busy) || since.elapsed() >= PATIENCE {
                return Err(error);
            }
            std::thread::sleep(PAUSE);
        }
    }
}

/// Checks that the database is a store of this version; marks it as one if it is new.
fn greet(database: &Database) -> Result<(), StoreError> {
    let as_is = || -> Result<(Option<u64>, bool), redb::Error> {
        let read = database.begin_read()?;
        let version = match read.open_table(ABOUT) {
            Ok(about) => about.get("version")?.map(|version| version.value()),
            Err(redb::TableError::TableDoesNotExist(_)) => None,
            Err(error) => return Err(error.into()),
        };
        let mut others = read.list_tables()?;
        Ok((version, others.any(|table| table.name() != ABOUT.name())))
    };
    match as_is()? {
        (Some(VERSION), _) => Ok(()),
        (Some(found), _) => Err(StoreError::Version {
            found,
            known: VERSION,
        }),
        (None, false) => Ok(mark(database)?),
        _ => Err(StoreError::Foreign),
    }
}

fn mark(database: &Database) -> Result<(), redb::Error> {
    let write = database.begin_write()?;
    write.open_table(ABOUT)?.insert("version", VERSION)?;
    write.commit()?;
    Ok(())
}

/// A name beside `path` that no file has.
fn free_name(path: &Path) -> PathBuf {
    let name = |number: u32| {
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(format!(".aside-{number}"));
        path.with_file_name(name)
    };
    let mut names = (1..).map(name);
    names.find(|name| !name.exists()).unwrap_or_else(|| name(0))
}

/// The time of day in seconds since 1970.
pub(crate) fn now() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}
