//! A store as JSON, for people and other programs.

use crate::encoded::Written;
use crate::{Entry, Store, StoreError};
use serde::Serialize;

/// All that is kept of a game.
#[derive(Serialize)]
struct Whole<'a> {
    #[serde(flatten)]
    entry: &'a Entry,
    #[serde(rename = "settings")]
    plan: Option<metagame::Plan>,
    #[serde(rename = "line")]
    solution: Option<crate::Solution>,
    #[serde(rename = "begun")]
    openings: Vec<crate::Opening>,
    value: Option<Written<'a>>,
}

impl Store {
    /// Everything about a game of [`Store::list`] in one line of JSON, weights and all.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn export(&self, entry: &Entry) -> Result<String, StoreError> {
        let game = u64::from_str_radix(&entry.game, 16).unwrap_or_default();
        let learnt = self.learnt(game)?;
        let whole = Whole {
            entry,
            plan: self.plan(game)?,
            solution: self.solution(game)?,
            openings: self.openings(game)?,
            value: learnt.as_ref().map(Written::of),
        };
        serde_json::to_string(&whole).map_err(|error| StoreError::Damaged(error.to_string()))
    }
}
