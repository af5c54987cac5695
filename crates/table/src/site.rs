//! Everything that the server keeps: games, tables, and where they are on the disk.

use crate::game::Game;
use crate::library::{self, Sheet, Shelf};
use crate::seat::Who;
use crate::table::{Means, NewTable, Table, unix_millis};
use crate::tournaments::Tournaments;
use budget::Stop;
use parking_lot::Mutex;
use records::Record;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// The most tables that are open at the same time.
const TABLES: usize = 8;
/// The most games that are kept ready.
const GAMES: usize = 12;
/// How long a game is learnt for its page.
const LEARN: Duration = Duration::from_secs(10);
/// The most tables that the lobby lists.
const RECENT: usize = 12;

/// What the server offers, and what it may use.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// Folders of rulesheets, also in the layout of the public repository, and of tournaments.
    pub folders: Vec<PathBuf>,
    /// The folder in which tables and pasted rulesheets are kept.
    pub store: PathBuf,
    /// Search threads of each player.
    pub threads: usize,
    /// The memory of each player, in bytes.
    pub memory: usize,
    /// What visitors must know; needed if others than this machine can reach the server.
    pub token: Option<String>,
}

/// A table on the disk.
#[derive(Debug, Clone)]
pub(crate) struct Kept {
    /// What addresses call it.
    pub id: String,
    /// What is played.
    pub game: String,
    /// Who plays.
    pub players: Vec<String>,
    /// The number of joint moves.
    pub plies: usize,
    /// The results, if play is over.
    pub goals: Vec<u8>,
}

/// Everything that the server keeps.
pub(crate) struct Site {
    pub settings: Settings,
    pub tournaments: Tournaments,
    stop: Stop,
    tables: Mutex<BTreeMap<String, Arc<Table>>>,
    games: Mutex<Vec<Arc<Game>>>,
}

impl Site {
    /// A site without any table in use.
    pub fn new(settings: Settings, stop: Stop) -> Site {
        Site {
            tournaments: Tournaments::new(settings.folders.clone()),
            settings,
            stop,
            tables: Mutex::default(),
            games: Mutex::default(),
        }
    }

    /// What the lobby offers.
    pub fn shelves(&self) -> Vec<Shelf> {
        library::shelves(&self.settings.folders, &self.pasted())
    }

    /// The rulesheet with a key.
    pub fn sheet(&self, key: &str) -> Option<Sheet> {
        library::find(&self.settings.folders, &self.pasted(), key)
    }

    /// The game of a rulesheet, made if it is not ready yet. Whatever else there is to know of it
    /// is found out on another thread.
    ///
    /// # Errors
    /// A message, if it cannot be played.
    pub fn game(self: &Arc<Self>, sheet: &Sheet) -> Result<Arc<Game>, String> {
        let same = |game: &&Arc<Game>| game.key == sheet.key && game.rules == sheet.text;
        if let Some(game) = self.games.lock().iter().find(same) {
            return Ok(game.clone());
        }
        let game = Game::new(sheet, &self.stop).map_err(|error| error.to_string())?;
        let game = Arc::new(game);
        let mut games = self.games.lock();
        if games.len() >= GAMES {
            games.remove(0);
        }
        games.push(game.clone());
        let (site, studied) = (self.clone(), game.clone());
        std::thread::spawn(move || {
            studied.study(&site.stop);
            site.tables.lock().values().for_each(|table| table.touch());
        });
        Ok(game)
    }

    /// Learns a game on another thread, unless that has been done or is under way.
    pub fn learn(self: &Arc<Self>, game: &Arc<Game>) {
        if !game.begins_to_learn() {
            return;
        }
        let (site, game) = (self.clone(), game.clone());
        std::thread::spawn(move || game.learn(LEARN, &site.stop));
    }

    /// Keeps a rulesheet that was pasted. Returns its key.
    ///
    /// # Errors
    /// A message, if it cannot be written.
    pub fn paste(&self, name: &str, text: &str) -> Result<String, String> {
        let clean = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let mut name: String = name.chars().take(40).map(clean).collect();
        if name.trim_matches('_').is_empty() {
            name = format!("game_{}", unix_millis() % 100_000_000);
        }
        let folder = self.pasted();
        let file = format!("{name}.gdl");
        let written = std::fs::create_dir_all(&folder)
            .and_then(|()| atomic_file::write(&folder.join(&file), text.as_bytes()));
        written.map_err(|error| format!("the rulesheet cannot be kept: {error}"))?;
        Ok(format!("pasted/{file}"))
    }

    /// Lays a new table, and lets play begin.
    ///
    /// # Errors
    /// A message, if all tables are in use or the folder cannot be written.
    pub fn open_table(&self, game: Arc<Game>, wanted: &NewTable) -> Result<Arc<Table>, String> {
        let id = self.new_id()?;
        let table = Table::new(id.clone(), game, wanted, self.means(), self.file(&id));
        table.begin();
        self.tables.lock().insert(id, table.clone());
        Ok(table)
    }

    /// Lays a table with a record that came from elsewhere, or was copied.
    ///
    /// # Errors
    /// A message, if the record cannot be played, or as for [`Site::open_table`].
    pub fn adopt(self: &Arc<Self>, record: Record) -> Result<Arc<Table>, String> {
        let id = self.new_id()?;
        let table = self.restore(id.clone(), record)?;
        self.tables.lock().insert(id, table.clone());
        Ok(table)
    }

    /// A copy of a table up to a position, at which people try out what would have been.
    ///
    /// # Errors
    /// As for [`Site::adopt`].
    pub fn branch(self: &Arc<Self>, table: &Table, plies: usize) -> Result<Arc<Table>, String> {
        let mut record = table.copy(plies);
        record.player_names_from_host.fill(Who::Human.to_string());
        record.is_player_human.fill(true);
        self.adopt(record)
    }

    /// The table with an id, opened again if it is only on the disk.
    ///
    /// # Errors
    /// A message, if there is none.
    pub fn table(self: &Arc<Self>, id: &str) -> Result<Arc<Table>, String> {
        if let Some(table) = self.tables.lock().get(id) {
            return Ok(table.clone());
        }
        let known = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let text = known.then(|| std::fs::read_to_string(self.file(id)).ok());
        let text = text.flatten().ok_or("there is no such table")?;
        let record = Record::parse(&text).map_err(|error| error.to_string())?;
        self.make_room()?;
        let table = self.restore(id.to_owned(), record)?;
        let mut tables = self.tables.lock();
        Ok(tables.entry(id.to_owned()).or_insert(table).clone())
    }

    /// The tables on the disk, those first that were played at last.
    pub fn recent(&self) -> Vec<Kept> {
        let mut files: Vec<(SystemTime, PathBuf)> = std::fs::read_dir(self.folder())
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| {
                path.extension()
                    .is_some_and(|extension| extension == "json")
            })
            .filter_map(|path| Some((path.metadata().ok()?.modified().ok()?, path)))
            .collect();
        files.sort_by(|a, b| b.cmp(a));
        files.truncate(RECENT);
        files.iter().filter_map(|(_, path)| kept(path)).collect()
    }

    /// Asks all players what they think, where somebody watches.
    pub fn tick(&self) {
        let tables: Vec<Arc<Table>> = self.tables.lock().values().cloned().collect();
        tables.iter().for_each(|table| table.tick());
    }

    /// Stops all players.
    pub fn close(&self) {
        self.stop.stop();
        std::mem::take(&mut *self.tables.lock())
            .values()
            .for_each(|table| table.close());
    }

    fn restore(self: &Arc<Self>, id: String, record: Record) -> Result<Arc<Table>, String> {
        if record.rulesheet.trim().is_empty() {
            return Err("the record does not hold its rules, so that it cannot be replayed".into());
        }
        let known = self.sheet(&record.game_meta_url);
        let sheet = known.filter(|sheet| sheet.text == record.rulesheet);
        let sheet = sheet.unwrap_or_else(|| Sheet {
            key: String::new(),
            title: record
                .game_meta_url
                .rsplit('/')
                .next()
                .unwrap_or("")
                .to_owned(),
            text: record.rulesheet.clone(),
            style: None,
        });
        let game = self.game(&sheet)?;
        let file = self.file(&id);
        let table = Table::restored(id, game, self.means(), file, record)?;
        // Players among themselves go on when somebody says so.
        if table.has_people() {
            table.begin();
        }
        Ok(table)
    }

    fn means(&self) -> Means {
        Means {
            threads: self.settings.threads.max(1),
            memory: self.settings.memory,
        }
    }

    /// Makes room for one more table, by clearing the one that nobody has looked at for longest.
    fn make_room(&self) -> Result<(), String> {
        let mut tables = self.tables.lock();
        while tables.len() >= TABLES {
            let idle = tables
                .iter()
                .filter_map(|(id, table)| Some((table.idle()?, id)));
            let (_, id) = idle
                .max()
                .filter(|(idle, _)| *idle > Duration::from_secs(2))
                .ok_or(format!(
                    "all {TABLES} tables are in use; close the page of one of them"
                ))?;
            let id = id.clone();
            if let Some(table) = tables.remove(&id) {
                table.close();
            }
        }
        Ok(())
    }

    fn new_id(&self) -> Result<String, String> {
        self.make_room()?;
        let folder = self.folder();
        std::fs::create_dir_all(&folder)
            .map_err(|error| format!("{} cannot be made: {error}", folder.display()))?;
        let mut number = unix_millis();
        loop {
            let id = base36(number);
            if !self.file(&id).exists() && !self.tables.lock().contains_key(&id) {
                return Ok(id);
            }
            number += 1;
        }
    }

    fn folder(&self) -> PathBuf {
        self.settings.store.join("tables")
    }

    fn pasted(&self) -> PathBuf {
        self.settings.store.join("pasted")
    }

    fn file(&self, id: &str) -> PathBuf {
        self.folder().join(format!("{id}.json"))
    }
}

fn kept(path: &Path) -> Option<Kept> {
    let record = Record::parse(&std::fs::read_to_string(path).ok()?).ok()?;
    let game = record.game_meta_url.rsplit('/').next().unwrap_or("");
    Some(Kept {
        id: path.file_stem()?.to_str()?.to_owned(),
        game: game.trim_end_matches(".gdl").replace('_', " "),
        players: record.player_names_from_host,
        plies: record.moves.len(),
        goals: record.goal_values,
    })
}

fn base36(mut number: u64) -> String {
    let mut digits = Vec::new();
    while number > 0 {
        digits.push(char::from_digit((number % 36) as u32, 36).unwrap_or('0'));
        number /= 36;
    }
    digits.iter().rev().collect()
}
