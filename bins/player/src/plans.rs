//! A folder of plans, with one file for each game. A plan is reused when its game is played
//! again.

use anyhow::Context;
use metagame::{Plan, Plans, VERSION};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tracing::warn;

/// Opens the folder of plans, if one is given.
///
/// # Errors
/// Fails if the folder cannot be created.
pub fn open(folder: Option<&Path>) -> anyhow::Result<Option<Arc<dyn Plans>>> {
    let Some(folder) = folder else {
        return Ok(None);
    };
    let store = Store::open(folder);
    let store = store.with_context(|| format!("cannot keep plans in {}", folder.display()))?;
    Ok(Some(Arc::new(store)))
}

/// A folder of plans. Files that cannot be read or written only cause a warning.
#[derive(Debug)]
struct Store {
    folder: PathBuf,
}

impl Store {
    /// Opens the folder, and creates it if necessary.
    ///
    /// # Errors
    /// Fails if the folder cannot be created.
    fn open(folder: &Path) -> io::Result<Store> {
        std::fs::create_dir_all(folder)?;
        Ok(Store {
            folder: folder.to_owned(),
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
        // In another version the other fields may have another meaning.
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

    fn write(&self, form: u64, plan: &Plan) -> io::Result<()> {
        let text = serde_json::to_string_pretty(plan)? + "\n";
        atomic_file::write(&self.path(form), text.as_bytes())
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
    fn invalid_plans_are_ignored() {
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
