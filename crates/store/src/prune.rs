//! Removing what has not been used for long.

use crate::entries::{ALL, bytes_of, games};
use crate::{Store, StoreError};
use redb::ReadableDatabase;

/// What is to be left in a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Limits {
    /// Games that were last used before this time, in seconds since 1970, are removed.
    pub before: Option<u64>,
    /// Of the others, those used last stay, as long as they take no more bytes than this.
    pub bytes: Option<u64>,
}

impl Store {
    /// Removes games beyond the limits, and gives their space back. Returns their certificates.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn prune(&self, limits: Limits) -> Result<Vec<u64>, StoreError> {
        self.on(|database| {
            let read = database.begin_read()?;
            let mut all = games(&read)?;
            all.sort_by_key(|(game, about)| (std::cmp::Reverse(about.used), *game));
            let (mut sum, mut out) = (0u64, Vec::new());
            for (game, about) in all {
                for table in ALL {
                    sum += bytes_of(&read, table, game)?.map_or(0, |bytes| bytes.len()) as u64;
                }
                let old = limits.before.is_some_and(|before| about.used < before);
                if old || limits.bytes.is_some_and(|most| sum > most) {
                    out.push(game);
                }
            }
            drop(read);
            let write = database.begin_write()?;
            for table in ALL {
                let mut table = write.open_table(table)?;
                for &game in &out {
                    table.remove(game)?;
                }
            }
            write.commit()?;
            database.compact()?;
            Ok(out)
        })
    }
}
