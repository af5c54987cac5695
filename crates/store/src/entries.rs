//! The tables of a store: what is read and written of a game.

use crate::encoded::{pack, unpack};
use crate::file::now;
use crate::{Store, StoreError};
use metagame::{Learnt, Plan};
use redb::{
    Database, ReadTransaction, ReadableDatabase, ReadableTable, TableDefinition, WriteTransaction,
};
use serde::{Deserialize, Serialize};

type Bytes = TableDefinition<'static, u64, &'static [u8]>;

pub(crate) const GAMES: Bytes = TableDefinition::new("games");
pub(crate) const PLANS: Bytes = TableDefinition::new("plans");
pub(crate) const VALUES: Bytes = TableDefinition::new("values");
pub(crate) const SOLUTIONS: Bytes = TableDefinition::new("solutions");
pub(crate) const OPENINGS: Bytes = TableDefinition::new("openings");
/// All tables whose keys are games.
pub(crate) const ALL: [Bytes; 5] = [GAMES, PLANS, VALUES, SOLUTIONS, OPENINGS];

/// What is noted of every game. Times are seconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Game {
    /// When something was kept of it first.
    pub since: u64,
    /// When something was kept of it last.
    pub used: u64,
    /// The games that its value was learnt from; 0 if there is none.
    pub games: u64,
    /// The positions that its value was learnt from.
    pub positions: u64,
}

/// A line of play that solves a puzzle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Solution {
    /// For each ply the canonical number of each role's move.
    pub moves: Vec<Vec<u32>>,
    /// The result of the first role.
    pub goal: u8,
    /// Whether no line has a better result.
    pub best: bool,
}

/// What came of an opening, in canonical numbers of moves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opening {
    /// For each ply the move of each role.
    pub moves: Vec<Vec<u32>>,
    /// The number of matches.
    pub matches: u64,
    /// For each role the sum of its results.
    pub points: Vec<u64>,
}

/// A game of a store.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Entry {
    /// The certificate, in hexadecimal digits as in lists.
    pub game: String,
    /// What is noted of it.
    #[serde(flatten)]
    pub about: Game,
    /// Whether there is a plan.
    pub plan: bool,
    /// Whether there is a solution.
    pub solution: bool,
    /// The number of openings.
    pub openings: usize,
    /// The bytes that it takes.
    pub bytes: u64,
}

/// The bytes of a table under a game.
pub(crate) fn bytes_of(
    read: &ReadTransaction,
    table: Bytes,
    game: u64,
) -> Result<Option<Vec<u8>>, redb::Error> {
    match read.open_table(table) {
        Ok(table) => Ok(table.get(game)?.map(|bytes| bytes.value().to_vec())),
        Err(redb::TableError::TableDoesNotExist(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn plain<T: for<'a> Deserialize<'a>>(bytes: &[u8]) -> Option<T> {
    postcard::from_bytes(bytes).ok()
}

/// What a table has under a game, as a transaction sees it.
fn known<T: for<'a> Deserialize<'a>>(
    write: &WriteTransaction,
    table: Bytes,
    game: u64,
) -> Result<Option<T>, redb::Error> {
    let table = write.open_table(table)?;
    let bytes = table.get(game)?;
    Ok(bytes.and_then(|bytes| plain(bytes.value())))
}

fn damaged(what: &str, why: impl ToString) -> StoreError {
    StoreError::Damaged(format!("{what}: {}", why.to_string()))
}

/// Writes what is noted of a game, and bytes into a table.
fn write(
    write: &WriteTransaction,
    game: u64,
    about: impl FnOnce(&mut Game),
    (table, bytes): (Bytes, &[u8]),
) -> Result<(), redb::Error> {
    let known = known(write, GAMES, game)?;
    let now = now();
    let mut noted = known.unwrap_or(Game {
        since: now,
        ..Game::default()
    });
    noted.used = now;
    about(&mut noted);
    let noted = postcard::to_stdvec(&noted).unwrap_or_default();
    write.open_table(GAMES)?.insert(game, &noted[..])?;
    write.open_table(table)?.insert(game, bytes)?;
    Ok(())
}

impl Store {
    fn find(&self, table: Bytes, game: u64) -> Result<Option<Vec<u8>>, StoreError> {
        self.on(|database| bytes_of(&database.begin_read()?, table, game))
    }

    fn keep(&self, table: Bytes, game: u64, bytes: &[u8]) -> Result<(), StoreError> {
        self.on(|database: &mut Database| {
            let transaction = database.begin_write()?;
            write(&transaction, game, |_| (), (table, bytes))?;
            Ok(transaction.commit()?)
        })
    }

    /// The plan for a game.
    ///
    /// # Errors
    /// If the store cannot be read, or what is there is no plan.
    pub fn plan(&self, game: u64) -> Result<Option<Plan>, StoreError> {
        let Some(bytes) = self.find(PLANS, game)? else {
            return Ok(None);
        };
        // In another version the other fields may have another meaning.
        let read: serde_json::Value =
            serde_json::from_slice(&bytes).map_err(|error| damaged("a plan", error))?;
        if read["version"] != metagame::VERSION {
            return Ok(None);
        }
        let plan: Plan = serde_json::from_value(read).map_err(|error| damaged("a plan", error))?;
        match plan.settings.make_sense() {
            true => Ok(Some(plan)),
            false => Err(damaged("a plan", "its settings make no sense")),
        }
    }

    /// Keeps a plan.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn keep_plan(&self, game: u64, plan: &Plan) -> Result<(), StoreError> {
        let bytes = serde_json::to_vec(plan).map_err(|error| damaged("a plan", error))?;
        self.keep(PLANS, game, &bytes)
    }

    /// What was learnt about a game.
    ///
    /// # Errors
    /// If the store cannot be read, or what is there is no value.
    pub fn learnt(&self, game: u64) -> Result<Option<Learnt>, StoreError> {
        let bytes = self.find(VALUES, game)?;
        let learnt = bytes.map(|bytes| unpack(&bytes)).transpose();
        learnt.map_err(|error| damaged("a value", error))
    }

    /// Keeps what was learnt, unless what is there was learnt from more games. Returns whether it
    /// was kept.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn keep_learnt(&self, game: u64, learnt: &Learnt) -> Result<bool, StoreError> {
        let bytes = pack(learnt).map_err(|error| damaged("a value", error))?;
        self.on(|database: &mut Database| {
            let transaction = database.begin_write()?;
            let known: Option<Game> = known(&transaction, GAMES, game)?;
            if known.is_some_and(|known| known.games > learnt.games) {
                return Ok(false);
            }
            let about = |about: &mut Game| {
                (about.games, about.positions) = (learnt.games, learnt.positions);
            };
            write(&transaction, game, about, (VALUES, &bytes))?;
            transaction.commit()?;
            Ok(true)
        })
    }

    /// The solution of a puzzle.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn solution(&self, game: u64) -> Result<Option<Solution>, StoreError> {
        let bytes = self.find(SOLUTIONS, game)?;
        Ok(bytes.and_then(|bytes| plain(&bytes)))
    }

    /// Keeps the solution of a puzzle.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn keep_solution(&self, game: u64, solution: &Solution) -> Result<(), StoreError> {
        let bytes = postcard::to_stdvec(solution);
        let bytes = bytes.map_err(|error| damaged("a solution", error))?;
        self.keep(SOLUTIONS, game, &bytes)
    }

    /// What came of the openings of a game.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn openings(&self, game: u64) -> Result<Vec<Opening>, StoreError> {
        let bytes = self.find(OPENINGS, game)?;
        Ok(bytes.and_then(|bytes| plain(&bytes)).unwrap_or_default())
    }

    /// Adds the results of a match that began with these moves.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn add_opening(
        &self,
        game: u64,
        moves: &[Vec<u32>],
        results: &[u8],
    ) -> Result<(), StoreError> {
        self.on(|database: &mut Database| {
            let transaction = database.begin_write()?;
            let mut all: Vec<Opening> = known(&transaction, OPENINGS, game)?.unwrap_or_default();
            let at = all.iter().position(|opening| opening.moves == moves);
            let at = at.unwrap_or_else(|| {
                all.push(Opening {
                    moves: moves.to_vec(),
                    matches: 0,
                    points: vec![0; results.len()],
                });
                all.len() - 1
            });
            all[at].matches += 1;
            for (sum, &result) in all[at].points.iter_mut().zip(results) {
                *sum += u64::from(result);
            }
            let bytes = postcard::to_stdvec(&all).unwrap_or_default();
            write(&transaction, game, |_| (), (OPENINGS, &bytes))?;
            Ok(transaction.commit()?)
        })
    }

    /// All games, by their certificates.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn list(&self) -> Result<Vec<Entry>, StoreError> {
        self.on(|database: &mut Database| {
            let read = database.begin_read()?;
            let mut entries = Vec::new();
            for (game, about) in games(&read)? {
                let len = |table| {
                    bytes_of(&read, table, game).map(|bytes| bytes.map(|bytes| bytes.len()))
                };
                let mut bytes = 0;
                for table in ALL {
                    bytes += len(table)?.unwrap_or(0) as u64;
                }
                let openings = bytes_of(&read, OPENINGS, game)?;
                let openings: Option<Vec<Opening>> = openings.and_then(|bytes| plain(&bytes));
                entries.push(Entry {
                    game: format!("{game:016x}"),
                    about,
                    plan: len(PLANS)?.is_some(),
                    solution: len(SOLUTIONS)?.is_some(),
                    openings: openings.map_or(0, |openings| openings.len()),
                    bytes,
                });
            }
            Ok(entries)
        })
    }
}

/// All games, and what is noted of them.
pub(crate) fn games(read: &ReadTransaction) -> Result<Vec<(u64, Game)>, redb::Error> {
    let table = match read.open_table(GAMES) {
        Ok(table) => table,
        Err(redb::TableError::TableDoesNotExist(_)) => return Ok(Vec::new()),
        Err(error) => return Err(error.into()),
    };
    let mut games = Vec::new();
    for one in table.iter()? {
        let (game, about) = one?;
        games.push((game.value(), plain(about.value()).unwrap_or_default()));
    }
    Ok(games)
}
