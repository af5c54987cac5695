//! Plans in files, one for each game: so that what was found out about a game is there when it comes
//! again.

use anyhow::Context;
use metagame::{Plan, Plans, VERSION};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tracing::warn;

/// Plans in a folder, if there is to be one.
///
/// # Errors
/// If it cannot be made.
pub fn open(folder: Option<&Path>) -> anyhow::Result<Option<Arc<dyn Plans>>> {
    let Some(folder) = folder else {
        return Ok(None);
    };
    let store = Store::open(folder);
    let store = store.with_context(|| format!("cannot keep plans in {}", folder.display()))?;
    Ok(Some(Arc::new(store)))
}

/// A folder of plans. What cannot be read or written there is warned of, and nothing else happens.
#[derive(Debug)]
struct Store {
    folder: PathBuf,
    /// Tells files that are being written apart.
    written: AtomicU64,
}

impl Store {
    /// Plans in this folder, which is made if it is not there.
    ///
    /// # Errors
    /// If it cannot be made.
    fn open(folder: &Path) -> io::Result<Store> {
        std::fs::create_dir_all(folder)?;
        Ok(Store {
            folder: folder.to_owned(),
            written: AtomicU64::new(0),
        })
    }

    fn path(&self, form: u64) -> PathBuf {
        self.folder.join(format!("{form:016x}.json"))
    }

    fn read(&self, form: u64) -> anyhow::Result<Option<Plan>> {
        let text = match std::fs::read_to_string(self.path(form)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            text => text?,
        };
        // Of another version, the rest may mean something else.
        let plain: serde_json::Value = serde_json::from_str(&text)?;
        let version = plain.get("version").and_then(serde_json::Value::as_u64);
        anyhow::ensure!(
            version == Some(VERSION.into()),
            "it is not of version {VERSION}"
        );
        let plan: Plan = serde_json::from_value(plain)?;
        anyhow::ensure!(plan.settings.make_sense(), "its settings make no sense");
        Ok(Some(plan))
    }

    /// A whole file or none, whatever happens, and whoever else writes there.
    fn write(&self, form: u64, plan: &Plan) -> io::Result<()> {
        let number = self.written.fetch_add(1, Ordering::Relaxed);
        let part = format!(".{form:016x}.{}.{number}", std::process::id());
        let part = self.folder.join(part);
        let mut text = serde_json::to_string_pretty(plan)?;
        text.push('\n');
        let written = std::fs::File::create(&part).and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            file.sync_all()?;
            std::fs::rename(&part, self.path(form))
        });
        if written.is_err() {
            // It may never have been there.
            let _ = std::fs::remove_file(&part);
        }
        written
    }
}

impl Plans for Store {
    fn find(&self, form: u64) -> Option<Plan> {
        self.read(form).unwrap_or_else(|error| {
            warn!("{} is no plan: {error:#}", self.path(form).display());
            None
        })
    }

    fn keep(&self, form: u64, plan: &Plan) {
        if let Err(error) = self.write(form, plan) {
            warn!("{} was not written: {error}", self.path(form).display());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use metagame::{Decision, Settings};

    fn plan() -> Plan {
        let given = Settings {
            exploration: 0.7,
            learning: 10.0,
            look_ahead: true,
            lanes: true,
            decisive: true,
            per_leaf: 8,
            leaves: 32,
        };
        let decision = Decision {
            stage: "tune".to_owned(),
            ms: 7,
            decided: "lanes off".to_owned(),
            why: "they are behind".to_owned(),
            numbers: [("positions".to_owned(), 9.0)].into(),
        };
        Plan {
            version: VERSION,
            settings: Settings {
                lanes: false,
                ..given.clone()
            },
            given,
            tuned: true,
            decisions: vec![decision],
        }
    }

    #[test]
    fn what_is_kept_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("a/b")).unwrap();
        assert_eq!(store.find(7), None);
        store.keep(7, &plan());
        let other = Plan {
            tuned: false,
            ..plan()
        };
        store.keep(8, &plan());
        store.keep(8, &other);
        assert_eq!(store.find(7), Some(plan()));
        assert_eq!(store.find(8), Some(other));
        let files = std::fs::read_dir(folder.path().join("a/b")).unwrap();
        assert_eq!(files.count(), 2);
        let text = std::fs::read_to_string(store.path(7)).unwrap();
        insta::assert_snapshot!(text);
    }

    #[test]
    fn what_is_no_plan_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let old = serde_json::to_string(&Plan {
            version: VERSION + 1,
            ..plan()
        });
        let mut wild = plan();
        wild.settings.exploration = -1.0;
        let wild = serde_json::to_string(&wild);
        for text in ["", "{", "{\"version\": 1}", &old.unwrap(), &wild.unwrap()] {
            std::fs::write(store.path(1), text).unwrap();
            assert_eq!(store.find(1), None, "{text}");
        }
        std::fs::remove_dir_all(folder.path()).unwrap();
        store.keep(1, &plan());
        assert_eq!(store.find(1), None);
    }
}
