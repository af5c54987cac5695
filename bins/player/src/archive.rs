//! The store that players of a command use.

use anyhow::Context;
use metagame::Archive;
use serde::{Deserialize, Deserializer};
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use store::{Keeper, Store};

/// What became of an option.
const MOVED: &str = "plans are kept in one file now, with all else that is known of games: give \
                     --store PATH instead";

/// Opens a store. What was set aside is told.
///
/// # Errors
/// If it is a folder, or cannot be read or written.
pub fn store(path: &Path, tell: fn(&str)) -> anyhow::Result<Store> {
    let opened = Store::open(path);
    let cannot = || format!("cannot keep anything in {}", path.display());
    let (store, aside) = opened.with_context(cannot)?;
    if let Some(aside) = aside {
        tell(&aside.to_string());
    }
    Ok(store)
}

/// The archive of players, if a store is given. What fails later is told.
///
/// # Errors
/// As [`store()`].
pub fn open(path: Option<&Path>, tell: fn(&str)) -> anyhow::Result<Option<Arc<dyn Archive>>> {
    let Some(path) = path else {
        return Ok(None);
    };
    Ok(Some(Arc::new(Keeper::new(
        store(path, tell)?,
        Arc::new(tell),
    ))))
}

/// The value of the option that named a folder of plans: nothing is accepted, with the reason.
#[derive(Debug, Clone, PartialEq)]
pub enum Plans {}

impl FromStr for Plans {
    type Err = String;

    fn from_str(_: &str) -> Result<Self, String> {
        Err(MOVED.to_owned())
    }
}

impl<'de> Deserialize<'de> for Plans {
    fn deserialize<D: Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
        Err(serde::de::Error::custom(MOVED))
    }
}
