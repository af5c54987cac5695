//! A table: a game in play, who sits there, and what happens next.

use crate::game::Game;
use crate::line::{End, Line};
use crate::seat::{Seat, Who};
use crate::thinker::{News, Thinker};
use compile::Playable;
use game::RoleId;
use parking_lot::{Mutex, MutexGuard};
use players::Setup;
use records::Record;
use std::path::PathBuf;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tokio::sync::watch;

/// The most joint moves in a row that are played because nobody has a choice.
const FORCED: usize = 500;
/// The least time between two questions to a player about what it thinks.
const BETWEEN: Duration = Duration::from_millis(100);

/// How long a table that is cleared may be busy.
const PATIENCE: Duration = Duration::from_millis(50);

/// What players of this program may use.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Means {
    /// Search threads of each player.
    pub threads: usize,
    /// The memory of each player, in bytes.
    pub memory: usize,
}

/// How a table begins.
#[derive(Debug, Clone)]
pub(crate) struct NewTable {
    /// Who plays each role.
    pub seats: Vec<Who>,
    /// The start clock of players of this program.
    pub start_clock: Duration,
    /// Their play clock.
    pub play_clock: Duration,
}

/// A table. People and players act on it at any time; each change has a number, so that pages
/// know when to look again.
pub(crate) struct Table {
    /// What addresses call it.
    pub id: String,
    /// What is played.
    pub game: Arc<Game>,
    inner: Mutex<Inner>,
    changes: watch::Sender<u64>,
    thoughts: watch::Sender<u64>,
    means: Means,
    /// The file of its record.
    file: PathBuf,
    me: Weak<Table>,
}

/// What changes at a table.
pub(crate) struct Inner {
    /// The positions and moves.
    pub line: Line,
    /// The seats in the order of roles.
    pub seats: Vec<Seat>,
    /// The moves of those who have chosen, as positions in the lists of legal moves.
    pub chosen: Vec<Option<usize>>,
    /// Everything that is kept on the disk.
    pub record: Record,
    /// Whether players of this program wait.
    pub paused: bool,
    /// Why the record could not be written, if so.
    pub unsaved: Option<String>,
    /// The number of questions to players so far.
    questions: u64,
    asked_thoughts: Instant,
    used: Instant,
}

impl Inner {
    /// What is left of the clock of a role, if people have it, are asked, and have a clock.
    pub fn left(&self, role: usize) -> Option<Duration> {
        let asked = !self.paused && self.line.end().is_none() && self.chosen[role].is_none();
        let left = self.seats[role].left(self.record.play_clock);
        left.filter(|_| asked)
    }

    /// A role whose people have used up their clock.
    fn out_of_time(&self) -> Option<usize> {
        (0..self.seats.len()).find(|&role| self.left(role) == Some(Duration::ZERO))
    }
}

impl Table {
    /// A table at which nothing has been played.
    pub fn new(
        id: String,
        game: Arc<Game>,
        wanted: &NewTable,
        means: Means,
        file: PathBuf,
    ) -> Arc<Table> {
        let now = unix_millis();
        let record = Record {
            match_id: id.clone(),
            random_token: format!("{now:016x}"),
            start_time: now,
            game_meta_url: game.key.clone(),
            rulesheet: game.rules.clone(),
            is_completed: Some(false),
            game_role_names: game.roles.clone(),
            start_clock: wanted.start_clock,
            play_clock: wanted.play_clock,
            player_names_from_host: wanted.seats.iter().map(ToString::to_string).collect(),
            is_player_human: wanted.seats.iter().map(Who::is_human).collect(),
            ..Record::default()
        };
        let line = Line::new(&game);
        let seats = wanted.seats.iter().cloned().map(Seat::new).collect();
        let table = Table::with(id, game, means, file, line, seats, record);
        {
            let mut inner = table.inner.lock();
            let facts = inner.line.facts(0);
            inner
                .record
                .push_state(&facts, now, vec![String::new(); table.game.roles.len()]);
        }
        table
    }

    /// A table as a record left it. Players that sit there wait until [`Table::begin`].
    ///
    /// # Errors
    /// A message, if the record does not follow the rules.
    pub fn restored(
        id: String,
        game: Arc<Game>,
        means: Means,
        file: PathBuf,
        mut record: Record,
    ) -> Result<Arc<Table>, String> {
        let mut line = Line::new(&game);
        if record.game_role_names.len() != game.roles.len() {
            return Err(format!(
                "the record has {} roles, and the game {}",
                record.game_role_names.len(),
                game.roles.len()
            ));
        }
        for joint in &record.moves {
            let terms: Result<Vec<_>, _> = joint.iter().map(|text| text.parse()).collect();
            line.replay(&terms.map_err(|_| "a move is no term".to_owned())?)?;
        }
        record.rulesheet.clone_from(&game.rules);
        record.game_role_names.clone_from(&game.roles);
        records::add_states(&mut record, &mut *game.playable().engine);
        let states = record.states.len();
        record.state_times.resize(states, record.start_time);
        record
            .errors
            .resize(states, vec![String::new(); game.roles.len()]);
        record
            .answer_times
            .resize(record.moves.len(), vec![0; game.roles.len()]);
        record.thoughts.resize(record.moves.len(), Vec::new());
        let names = record.player_names_from_host.iter();
        let mut seats: Vec<Seat> = names
            .map(|name| Seat::new(name.parse().unwrap_or(Who::Human)))
            .collect();
        seats.resize_with(game.roles.len(), || Seat::new(Who::Human));
        let table = Table::with(id, game, means, file, line, seats, record);
        table.inner.lock().paused = true;
        Ok(table)
    }

    fn with(
        id: String,
        game: Arc<Game>,
        means: Means,
        file: PathBuf,
        line: Line,
        seats: Vec<Seat>,
        record: Record,
    ) -> Arc<Table> {
        Arc::new_cyclic(|me| Table {
            id,
            inner: Mutex::new(Inner {
                chosen: vec![None; game.roles.len()],
                line,
                seats,
                record,
                paused: false,
                unsaved: None,
                questions: 0,
                asked_thoughts: Instant::now(),
                used: Instant::now(),
            }),
            game,
            changes: watch::Sender::new(0),
            thoughts: watch::Sender::new(0),
            means,
            file,
            me: me.clone(),
        })
    }

    /// What is at the table now.
    pub fn look(&self) -> MutexGuard<'_, Inner> {
        let mut inner = self.inner.lock();
        inner.used = Instant::now();
        inner
    }

    /// The numbers of changes, and of new thoughts.
    pub fn news(&self) -> (watch::Receiver<u64>, watch::Receiver<u64>) {
        (self.changes.subscribe(), self.thoughts.subscribe())
    }

    /// The time since somebody looked, if nobody follows it any more.
    pub fn idle(&self) -> Option<Duration> {
        let followed = self.changes.receiver_count() > 0;
        (!followed).then(|| self.inner.lock().used.elapsed())
    }

    /// Tells pages to look again.
    pub fn touch(&self) {
        self.changes.send_modify(|number| *number += 1);
    }

    /// Lets play begin or go on.
    pub fn begin(&self) {
        let mut inner = self.inner.lock();
        if inner.paused {
            // Clocks of people stand still until now.
            let timed = inner.seats.iter_mut().filter(|seat| seat.who == Who::Timed);
            timed.for_each(|seat| seat.since = None);
        }
        inner.paused = false;
        self.advance(&mut inner);
        self.save(&mut inner);
    }

    /// Lets players of this program wait.
    pub fn pause(&self) {
        let mut inner = self.inner.lock();
        inner.paused = true;
        inner.seats.iter_mut().for_each(Seat::interrupt);
        self.touch();
    }

    /// Somebody moves for a role.
    ///
    /// # Errors
    /// A message, if it is too late for that, or the move is not legal.
    pub fn play(&self, ply: usize, role: usize, term: &str) -> Result<(), String> {
        let mut inner = self.inner.lock();
        if ply != inner.line.plies() {
            return Err("the position has changed since; look again".into());
        }
        if !inner.seats.get(role).is_some_and(Seat::is_human) {
            return Err("nobody at this page has that role".into());
        }
        let mut legal = inner.line.legal(role).iter();
        let at = legal.position(|(_, other)| other.to_string() == term);
        let at = at.ok_or_else(|| format!("{term} is not legal here"))?;
        inner.chosen[role] = Some(at);
        self.advance(&mut inner);
        Ok(())
    }

    /// Goes back to an earlier position, from which play goes on.
    ///
    /// # Errors
    /// A message, if there is no such position.
    pub fn back(&self, plies: usize) -> Result<(), String> {
        let mut inner = self.inner.lock();
        if plies > inner.line.plies() {
            return Err("there is no such position".into());
        }
        inner.line.back(plies);
        inner.record.truncate(plies);
        inner.record.goal_values.clear();
        inner.record.is_completed = Some(false);
        inner.chosen.fill(None);
        inner.seats.iter_mut().for_each(Seat::interrupt);
        self.advance(&mut inner);
        self.save(&mut inner);
        Ok(())
    }

    /// Takes back the last decision of the people here, or of anybody if no people play.
    ///
    /// # Errors
    /// A message, if there is none.
    pub fn undo(&self) -> Result<(), String> {
        let plies = {
            let inner = self.inner.lock();
            let any = inner.seats.iter().any(Seat::is_human);
            let takes = |role: usize| !any || inner.seats[role].is_human();
            inner.line.last_choice(&takes)
        };
        self.back(plies.ok_or("there is nothing to take back")?)
    }

    /// Gives a role to somebody else.
    ///
    /// # Errors
    /// A message, if there is no such role.
    pub fn sit(&self, role: usize, who: Who) -> Result<(), String> {
        let mut inner = self.inner.lock();
        let inner = &mut *inner;
        let seat = inner.seats.get_mut(role).ok_or("there is no such role")?;
        inner.record.player_names_from_host[role] = who.to_string();
        inner
            .record
            .is_player_human
            .resize(self.game.roles.len(), false);
        inner.record.is_player_human[role] = who.is_human();
        *seat = Seat::new(who);
        inner.chosen[role] = None;
        self.advance(inner);
        self.save(inner);
        Ok(())
    }

    /// The record up to a position, for a table of one's own.
    pub fn copy(&self, plies: usize) -> Record {
        let mut record = self.inner.lock().record.clone();
        if plies < record.moves.len() {
            record.truncate(plies);
            record.goal_values.clear();
            record.is_completed = Some(false);
        }
        record
    }

    /// Asks players what they think, if somebody wants to know, and takes the moves of those that
    /// are overdue.
    pub fn tick(&self) {
        let mut inner = self.inner.lock();
        let late = inner.seats.iter().enumerate().find_map(|(role, seat)| {
            let thinker = seat.thinker.as_ref()?;
            Some((role, thinker.question()?, thinker.overdue()?))
        });
        if let Some(role) = inner.out_of_time() {
            inner.seats[role].complaint =
                Some("was out of time; the first legal move was played".into());
            inner.chosen[role] = Some(0);
            self.advance(&mut inner);
        } else if let Some((role, _, best)) = late {
            inner.seats[role].complaint = Some("was late; its best move so far was played".into());
            let legal = inner.line.legal(role);
            let at = best.and_then(|best| legal.iter().position(|(mv, _)| *mv == best));
            if let Some(thinker) = &mut inner.seats[role].thinker {
                thinker.forget();
            }
            inner.chosen[role] = Some(at.unwrap_or(0));
            self.advance(&mut inner);
        }
        if self.thoughts.receiver_count() > 0 && inner.asked_thoughts.elapsed() >= BETWEEN {
            inner.asked_thoughts = Instant::now();
            let mut any = false;
            for seat in &mut inner.seats {
                let thinker = seat.thinker.as_ref();
                if let Some(thought) = thinker.and_then(Thinker::thought) {
                    seat.told(thought);
                    any = true;
                }
            }
            if any {
                self.thoughts.send_modify(|number| *number += 1);
            }
        }
    }

    /// Plays on until somebody has to be waited for.
    fn advance(&self, inner: &mut Inner) {
        let mut forced = 0;
        while inner.line.end().is_none() {
            let roles = 0..self.game.roles.len();
            let free: Vec<bool> = roles.map(|role| inner.line.legal(role).len() > 1).collect();
            forced = if free.contains(&true) { 0 } else { forced + 1 };
            if forced > FORCED {
                break;
            }
            for (role, free) in free.into_iter().enumerate() {
                match (free, inner.chosen[role]) {
                    (false, None) => inner.chosen[role] = Some(0),
                    (true, None) => self.ask(inner, role),
                    _ => {}
                }
            }
            let joint: Option<Vec<usize>> = inner.chosen.iter().copied().collect();
            let Some(joint) = joint else { break };
            if let Err(error) = inner.line.play(&joint) {
                inner.unsaved = Some(error.to_string());
                break;
            }
            self.note(inner);
        }
        self.touch();
    }

    /// Asks the seat of a role for a move.
    fn ask(&self, inner: &mut Inner, role: usize) {
        let paused = inner.paused;
        let seat = &mut inner.seats[role];
        let Who::Player(spec) = &seat.who else {
            seat.since.get_or_insert_with(Instant::now);
            return;
        };
        if paused
            || seat
                .thinker
                .as_ref()
                .is_some_and(|thinker| thinker.question().is_some())
        {
            return;
        }
        let (me, record) = (self.me.clone(), &inner.record);
        let Playable { engine, compiled } = self.game.playable();
        let thinker = seat.thinker.get_or_insert_with(|| {
            let setup = Setup {
                playable: Playable { engine, compiled },
                role: RoleId(role),
                seed: record.start_time.wrapping_mul(31).wrapping_add(role as u64),
                threads: self.means.threads,
                memory: self.means.memory,
            };
            Thinker::new(spec, setup, record.start_clock, move |news| {
                if let Some(table) = me.upgrade() {
                    table.hear(role, news);
                }
            })
        });
        inner.questions += 1;
        seat.values.clear();
        seat.since = Some(Instant::now());
        thinker.ask(inner.questions, inner.line.state(), inner.record.play_clock);
    }

    /// A player has something to say.
    fn hear(&self, role: usize, news: News) {
        let mut inner = self.inner.lock();
        let inner = &mut *inner;
        let Some(seat) = inner.seats.get_mut(role) else {
            return;
        };
        match news {
            News::Ready(plan) => {
                seat.plan = plan;
                seat.since = seat.since.map(|_| Instant::now());
                self.touch();
            }
            News::Chosen(number, chosen, thought) => {
                let Some(thinker) = seat.thinker.as_mut() else {
                    return;
                };
                // What was asked before a move was taken back does not count.
                if thinker.question() != Some(number) {
                    return;
                }
                thinker.forget();
                if let Some(thought) = thought {
                    seat.told(thought);
                }
                let legal = inner.line.legal(role);
                let at = match chosen {
                    Ok(mv) => legal.iter().position(|(other, _)| *other == mv),
                    Err(why) => {
                        seat.complaint = Some(why);
                        None
                    }
                };
                inner.chosen[role] = Some(at.unwrap_or(0));
                self.advance(inner);
            }
        }
    }

    /// Writes down the joint move that was just played.
    fn note(&self, inner: &mut Inner) {
        let plies = inner.line.plies();
        let joint = inner.line.moves()[plies - 1].iter();
        inner
            .record
            .moves
            .push(joint.map(ToString::to_string).collect());
        let (mut times, mut told) = (Vec::new(), Vec::new());
        for (role, seat) in inner.seats.iter_mut().enumerate() {
            let time = seat.since.take().map(|since| since.elapsed());
            times.push(time.map_or(0, |time| time.as_millis() as u64));
            if let (Some(thought), Some(_), false) = (&seat.thought, time, seat.is_human()) {
                let name = game::GroundTerm::constant(&self.game.roles[role]);
                told.push(records::Thought::new(&name, thought));
            }
        }
        inner.record.answer_times.push(times);
        inner.record.thoughts.resize(plies - 1, Vec::new());
        inner.record.thoughts.push(told);
        let facts = inner.line.facts(plies);
        inner.record.push_state(
            &facts,
            unix_millis(),
            vec![String::new(); self.game.roles.len()],
        );
        if let Some(End::Results(goals)) = inner.line.end() {
            inner.record.goal_values = goals.iter().map(|goal| goal.unwrap_or(0)).collect();
            inner.record.is_completed = Some(true);
        }
        inner.chosen.fill(None);
        self.save(inner);
    }

    /// Writes the record, which is all that is needed to open the table again.
    fn save(&self, inner: &mut Inner) {
        inner.unsaved = inner
            .record
            .write(&self.file)
            .err()
            .map(|error| format!("the match is not kept on the disk: {error}"));
    }

    /// Whether people play here.
    pub fn has_people(&self) -> bool {
        self.inner.lock().seats.iter().any(Seat::is_human)
    }

    /// Stops everybody who thinks. Does not wait for rules that take long.
    pub fn close(&self) {
        if let Some(mut inner) = self.inner.try_lock_for(PATIENCE) {
            for seat in &mut inner.seats {
                seat.thinker = None;
            }
        }
    }
}

/// Unix time in milliseconds.
pub(crate) fn unix_millis() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as u64)
}
