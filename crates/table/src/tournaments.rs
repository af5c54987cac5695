//! Tournaments in the folders that were given: a folder of one holds `arena.toml` and `matches`.

use arena::{Arena, Config};
use parking_lot::Mutex;
use records::Record;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The most folders below a given one that are looked into.
const DEEPEST: usize = 2;

/// Tournaments, which may be running in other processes.
pub(crate) struct Tournaments {
    folders: Vec<PathBuf>,
    /// Those that have been looked at, by their folders. Their games are made once.
    open: Mutex<BTreeMap<PathBuf, Arc<Mutex<Arena>>>>,
}

impl Tournaments {
    /// Those below these folders.
    pub fn new(folders: Vec<PathBuf>) -> Tournaments {
        Tournaments {
            folders,
            open: Mutex::default(),
        }
    }

    /// The folders of all tournaments, which are looked for anew each time.
    pub fn list(&self) -> Vec<PathBuf> {
        let mut found = Vec::new();
        for folder in &self.folders {
            collect(folder, 0, &mut found);
        }
        found.sort();
        found
    }

    /// The results of a tournament so far.
    ///
    /// # Errors
    /// A message, if it cannot be read.
    pub fn results(&self, folder: &Path) -> Result<arena::Results, String> {
        let known = self.open.lock().get(folder).cloned();
        let arena = match known {
            Some(arena) => arena,
            None => {
                let config = Config::read(&folder.join("arena.toml"));
                let config = config.map_err(|error| error.to_string())?;
                let arena = Arena::open(config, folder).map_err(|error| error.to_string())?;
                let arena = Arc::new(Mutex::new(arena));
                self.open.lock().insert(folder.to_path_buf(), arena.clone());
                arena
            }
        };
        let results = arena.lock().results();
        results.map_err(|error| error.to_string())
    }
}

/// The names of the files of a tournament's matches, the latest first.
pub(crate) fn matches(folder: &Path, most: usize) -> Vec<String> {
    let entries = fs::read_dir(folder.join("matches")).into_iter().flatten();
    let files = entries.flatten().filter_map(|entry| {
        let name = entry.file_name().into_string().ok()?;
        let is_record = name.ends_with(".json") && !name.starts_with('.');
        is_record.then_some((entry.metadata().ok()?.modified().ok()?, name))
    });
    let mut files: Vec<_> = files.collect();
    files.sort_by(|a, b| b.cmp(a));
    files.into_iter().take(most).map(|(_, name)| name).collect()
}

/// The record of one of these matches; `None` if there is no such file, or it is no record.
pub(crate) fn record(folder: &Path, name: &str) -> Option<Record> {
    let known = matches(folder, usize::MAX)
        .iter()
        .any(|other| other == name);
    let text = known.then(|| fs::read_to_string(folder.join("matches").join(name)).ok());
    Record::parse(&text??).ok()
}

fn collect(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    if folder.join("arena.toml").is_file() && folder.join("matches").is_dir() {
        found.push(folder.to_path_buf());
        return;
    }
    if depth < DEEPEST {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let folders = entries
            .map(|entry| entry.path())
            .filter(|path| path.is_dir());
        folders.for_each(|path| collect(&path, depth + 1, found));
    }
}
