//! Plays the missing matches of a tournament.

use crate::games::Game;
use crate::seats::Seat;
use crate::store::Store;
use crate::{ArenaError, Config, Fixture, Played, Results, schedule};
use budget::{Budget, ManualClock, Stop, SystemClock};
use gdl_scramble::{ScrambleOptions, scramble};
use matches::{End, Outcome, Ready, Settings, Table};
use parking_lot::Mutex;
use prepare::EngineChoice;
use records::Record;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};

/// Receives the events of a tournament, from several threads. All methods do nothing unless
/// overridden.
pub trait Progress: Sync {
    /// Play begins, with this number of matches side by side.
    fn began(&self, results: &Results, side_by_side: usize) {
        let _ = (results, side_by_side);
    }
    /// A match was played. The results include it.
    fn played(&self, played: &Played, results: &Results) {
        let _ = (played, results);
    }
}

/// Ignores all events.
impl Progress for () {}

/// A tournament and its folder.
pub struct Arena {
    config: Config,
    seats: Vec<Seat>,
    games: Vec<Game>,
    fixtures: Vec<Fixture>,
    store: Store,
    /// The build of this program, if one of the players uses it.
    program: Option<String>,
    /// Whether the records are a function of the configuration.
    repeatable: bool,
}

impl Arena {
    /// Checks the configuration and the contents of the folder, and prepares the games. Nothing
    /// is written before [`Arena::run`].
    ///
    /// # Errors
    /// Fails if the tournament is invalid, a game cannot be played, or the folder belongs to
    /// another tournament.
    pub fn open(config: Config, folder: &Path) -> Result<Self, ArenaError> {
        config.check().map_err(ArenaError::Invalid)?;
        let store = Store::new(folder, &config)?;
        let seats: Vec<Seat> = config
            .players
            .iter()
            .map(Seat::of)
            .collect::<Result<_, _>>()?;
        let engine: EngineChoice = config.engine.parse().map_err(ArenaError::Invalid)?;
        let repeatable = seats.iter().all(Seat::repeats);
        let budget = Budget::system();
        let load = |path: &std::path::PathBuf| Game::load(path, engine, repeatable, &budget);
        let games: Vec<Game> = config.games.iter().map(load).collect::<Result<_, _>>()?;
        let roles: Vec<usize> = games.iter().map(|game| game.roles).collect();
        if config.players.len() < 2 && roles.iter().any(|&roles| roles > 1) {
            return Err(ArenaError::Invalid(
                "games of several roles need two players".into(),
            ));
        }
        let fixtures = schedule(&config, &roles);
        for fixture in &fixtures {
            for &player in &fixture.seats {
                let count = fixture
                    .seats
                    .iter()
                    .filter(|&&other| other == player)
                    .count();
                if count > 1 && seats[player].is_single() {
                    return Err(ArenaError::Invalid(format!(
                        "{} is one server, which can have one role of a match, and not {count} of \
                         {}: leave the game out, or start players with process: or exec:",
                        config.players[player].name, games[fixture.game].name
                    )));
                }
            }
        }
        Ok(Arena {
            program: seats.iter().any(Seat::is_ours).then(program),
            fixtures,
            config,
            seats,
            games,
            store,
            repeatable,
        })
    }

    /// The results so far, from the records.
    ///
    /// # Errors
    /// Fails if a record cannot be read or does not belong to this tournament.
    pub fn results(&self) -> Result<Results, ArenaError> {
        let mut played = Vec::new();
        for fixture in &self.fixtures {
            let record = self.record(fixture)?;
            played.extend(record.map(|record| Played::new(fixture.clone(), &record)));
        }
        Ok(Results::new(&self.config, &self.fixtures, played))
    }

    fn record(&self, fixture: &Fixture) -> Result<Option<Record>, ArenaError> {
        let names: Vec<String> = self.config.players.iter().map(|p| p.name.clone()).collect();
        let game = &self.games[fixture.game];
        self.store.read(fixture, &game.name, &game.rules, &names)
    }

    /// Checks all records against their rules with the reasoner. Returns the number of records.
    ///
    /// # Errors
    /// Fails if a record does not describe a valid match.
    pub fn validate(&self) -> Result<usize, ArenaError> {
        let mut count = 0;
        for fixture in &self.fixtures {
            if let Some(record) = self.record(fixture)? {
                let game = &self.games[fixture.game];
                let valid = game.validate(&record);
                valid.map_err(|why| self.store.damaged(fixture, &game.name, &why))?;
                count += 1;
            }
        }
        Ok(count)
    }

    /// Plays the missing matches until none is left, the sequential test has decided, or `stop`
    /// calls the tournament off. Matches that are running when it is called off are discarded.
    ///
    /// The results are also written to the folder; [`Results::exports`] lists their files.
    ///
    /// # Errors
    /// Fails if another process is playing this tournament, another build of this program has
    /// played it, or a record cannot be read or written. Records of finished matches are kept.
    pub fn run(&self, stop: &Stop, progress: &dyn Progress) -> Result<Results, ArenaError> {
        let _lock = self.store.lock(&self.config, self.program.as_deref())?;
        let results = self.results()?;
        let missing: Vec<&Fixture> = {
            let mut done = results.played.iter().map(|p| p.fixture.number).peekable();
            let fixtures = self.fixtures.iter();
            fixtures
                .filter(|fixture| done.next_if_eq(&fixture.number).is_none())
                .collect()
        };
        let (share, tables) = self.tables();
        let cores = matches::cores();
        progress.began(&results, tables);
        let next = AtomicUsize::new(0);
        let shared = Mutex::new((results, None));
        let over = Stop::default();
        std::thread::scope(|scope| {
            for cores in cores.chunks(share.max(1)).take(tables) {
                let (shared, over, next, missing) = (&shared, &over, &next, &missing);
                scope.spawn(move || {
                    // The players' threads and processes are started from this thread and
                    // inherit its cores. If the system cannot pin threads, clocks are a little
                    // less fair.
                    let _ = matches::pin(cores);
                    while !(stop.is_stopped() || over.is_stopped() || shared.lock().0.is_decided())
                    {
                        let Some(fixture) = missing.get(next.fetch_add(1, Ordering::Relaxed))
                        else {
                            break;
                        };
                        match self.play(fixture, stop) {
                            Ok(None) => break,
                            Ok(Some(played)) => {
                                let results = &mut shared.lock().0;
                                results.add(played.clone());
                                progress.played(&played, results);
                            }
                            Err(error) => {
                                over.stop();
                                shared.lock().1.get_or_insert(error);
                            }
                        }
                    }
                });
            }
        });
        let (results, error) = shared.into_inner();
        match error {
            Some(error) => Err(error),
            None => {
                for (name, text) in results.exports() {
                    self.store.export(name, &text)?;
                }
                Ok(results)
            }
        }
    }

    /// The number of cores that a match needs, and the number of matches that may run side by
    /// side.
    fn tables(&self) -> (usize, usize) {
        let cores = matches::cores().len();
        let needs = |fixture: &Fixture| {
            let threads = |elsewhere: bool| {
                let seats = fixture.seats.iter().map(|&player| &self.seats[player]);
                seats
                    .filter(move |e| e.is_elsewhere() == elsewhere)
                    .map(Seat::threads)
            };
            // Players in this process search one after the other.
            threads(false).max().unwrap_or(0) + threads(true).sum::<usize>()
        };
        let share = self.fixtures.iter().map(needs).max().unwrap_or(1);
        let most = match self.seats.iter().any(Seat::is_single) {
            true => 1,
            false => (cores / share.max(1)).max(1),
        };
        match self.config.concurrency {
            0 => (share, most),
            wanted => (share, wanted.min(most)),
        }
    }

    /// Plays a match and stores its record. `None` if it was called off.
    fn play(&self, fixture: &Fixture, stop: &Stop) -> Result<Option<Played>, ArenaError> {
        let game = &self.games[fixture.game];
        let config = &self.config;
        let seconds = |clock: f64| {
            Duration::try_from_secs_f64(clock).map_err(|e| ArenaError::Invalid(e.to_string()))
        };
        // All matches of a unit have the same seed, so that they differ only in seats.
        let seed = config
            .seed
            .wrapping_mul(1_000_003)
            .wrapping_add(fixture.unit as u64);
        let clock: Arc<dyn budget::Clock> = match self.repeatable {
            true => Arc::new(ManualClock::default()),
            false => Arc::new(SystemClock::default()),
        };
        let budget = Budget::unlimited(clock).with_stop(stop.clone());
        let mut playable = game.playable();
        let scrambled = config.scramble.then(|| {
            let options = ScrambleOptions {
                seed,
                shuffle_rules: true,
                shuffle_arguments: true,
                ..ScrambleOptions::default()
            };
            scramble(&game.sheet, &options)
        });
        let rules = match &scrambled {
            Some(scrambled) => scrambled.to_wire(),
            None => game.sheet.to_wire(),
        };
        let table = Table {
            playable: &playable,
            wire: &rules,
            mapping: scrambled.as_ref().map(|scrambled| &scrambled.mapping),
            grace: seconds(config.grace)?,
            archive: None,
            budget: &budget,
            watch: None,
        };
        let seats = || fixture.seats.iter().map(|&player| &self.seats[player]);
        let ready = (0..).zip(seats());
        let ready: Vec<Result<Ready, String>> = ready
            .map(|(role, seat)| seat.ready(seed.wrapping_add(role)))
            .collect();
        let mut participants: Vec<_> = seats()
            .zip(&ready)
            .map(|(seat, ready)| seat.sit(ready, &table))
            .collect();
        let settings = Settings {
            id: format!("{}.{}.{seed}", config.name, fixture.number),
            tournament: Some(config.name.clone()),
            game: game.path.clone(),
            rulesheet: game.rules.clone(),
            start_clock: seconds(config.start_clock)?,
            play_clock: seconds(config.play_clock)?,
            seed,
            max_steps: config.max_steps,
            start_time: if self.repeatable { 0 } else { unix_millis() },
            scrambled: scrambled.is_some(),
        };
        let outcome = matches::play(
            &mut *playable.engine,
            &mut participants,
            &settings,
            &mut (),
            &budget,
        )
        .map_err(|error| ArenaError::Invalid(error.to_string()))?;
        let Outcome {
            end,
            record,
            faults,
            ..
        } = outcome;
        // Ctrl-C reaches the players' processes too, perhaps before it reaches this one.
        let faulty = stop.is_stopped() && faults.iter().any(|&count| count > 0);
        if end == End::CalledOff || faulty {
            return Ok(None);
        }
        self.store.write(fixture, &game.name, &record)?;
        Ok(Some(Played::new(fixture.clone(), &record)))
    }
}

/// Identifies the build of this program, by version and hash.
fn program() -> String {
    let mut hasher = DefaultHasher::new();
    let bytes = std::env::current_exe().and_then(std::fs::read);
    // If the program file cannot be read, only the version identifies it.
    bytes.unwrap_or_default().hash(&mut hasher);
    format!("{} {:016x}", env!("CARGO_PKG_VERSION"), hasher.finish())
}

fn unix_millis() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    now.map_or(0, |since| since.as_millis() as u64)
}
