//! Keeps the record of a match in a file while it is played.
//!
//! A thread of its own writes, so that a slow disk delays no answer. The file is replaced as a
//! whole after every joint move: whenever the process is killed, a valid record is there.

use crate::live::Terms;
use game::GroundTerm;
use parking_lot::{Condvar, Mutex};
use records::{Record, Thought};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;
use tracing::{debug, warn};

/// Where records are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordFolder {
    /// The folder, which exists.
    pub folder: PathBuf,
    /// The Unix time at which the clock of the service reads zero.
    pub origin: Duration,
}

/// Something that a record holds.
enum Entry {
    /// The game is known: its roles, the place of ours, and its initial state.
    Game {
        roles: Vec<String>,
        me: usize,
        facts: Vec<GroundTerm>,
        time: u64,
    },
    /// A joint move was played after so many others.
    Moved {
        step: usize,
        joint: Arc<[GroundTerm]>,
        facts: Vec<GroundTerm>,
        time: u64,
    },
    /// A turn was answered after so many milliseconds.
    Answered { step: usize, ms: u64 },
    /// Something about a turn that people may want to know.
    Thought { step: usize, thought: Thought },
    /// Nothing more will come. The goals are known if play has ended.
    Ended { goals: Option<Vec<u8>> },
}

/// Passes what happens in a match to the thread that writes its record. Without a folder
/// nothing is kept.
pub(crate) struct Recorder {
    entries: Option<Sender<Entry>>,
    origin: Duration,
    finished: Arc<Finished>,
}

/// Whether the record is complete on the disk.
#[derive(Default)]
struct Finished {
    done: Mutex<bool>,
    changed: Condvar,
}

impl Recorder {
    /// The recorder of a match that begins when the clock reads `now`.
    ///
    /// # Errors
    /// If its thread cannot be started.
    pub(crate) fn new(
        records: Option<&RecordFolder>,
        terms: &Terms,
        rulesheet: String,
        name: &str,
        now: Duration,
        seed: u64,
    ) -> std::io::Result<Recorder> {
        let finished = Arc::new(Finished::default());
        let Some(records) = records else {
            *finished.done.lock() = true;
            return Ok(Recorder {
                entries: None,
                origin: Duration::ZERO,
                finished,
            });
        };
        let start_time = (records.origin + now).as_millis() as u64;
        let record = Record {
            match_id: terms.id.clone(),
            random_token: format!("{:016x}", seed ^ start_time),
            start_time,
            rulesheet,
            is_completed: Some(false),
            start_clock: terms.start_clock,
            play_clock: terms.play_clock,
            ..Record::default()
        };
        let writer = Writer {
            path: records
                .folder
                .join(file_name(&terms.id, &terms.role, start_time)),
            record,
            name: name.to_string(),
            me: None,
            answers: BTreeMap::new(),
            thoughts: BTreeMap::new(),
            begun: false,
            failed: false,
        };
        let (sender, entries) = channel();
        let done = finished.clone();
        thread::Builder::new()
            .name("recorder".into())
            .spawn(move || {
                writer.run(&entries);
                *done.done.lock() = true;
                done.changed.notify_all();
            })?;
        Ok(Recorder {
            entries: Some(sender),
            origin: records.origin,
            finished,
        })
    }

    fn time(&self, now: Duration) -> u64 {
        (self.origin + now).as_millis() as u64
    }

    fn send(&self, entry: Entry) {
        if let Some(entries) = &self.entries {
            // After its end, a record takes nothing more.
            let _ = entries.send(entry);
        }
    }

    /// Whether anything is kept, so that what is expensive to say can be left out.
    pub(crate) fn is_on(&self) -> bool {
        self.entries.is_some()
    }

    pub(crate) fn game(
        &self,
        roles: &[GroundTerm],
        me: usize,
        facts: Vec<GroundTerm>,
        now: Duration,
    ) {
        self.send(Entry::Game {
            roles: roles.iter().map(ToString::to_string).collect(),
            me,
            facts,
            time: self.time(now),
        });
    }

    pub(crate) fn moved(
        &self,
        step: usize,
        joint: Arc<[GroundTerm]>,
        facts: Vec<GroundTerm>,
        now: Duration,
    ) {
        let time = self.time(now);
        self.send(Entry::Moved {
            step,
            joint,
            facts,
            time,
        });
    }

    pub(crate) fn answered(&self, step: usize, took: Duration) {
        let ms = took.as_nanos().div_ceil(1_000_000) as u64;
        self.send(Entry::Answered { step, ms });
    }

    pub(crate) fn thought(&self, step: usize, thought: Thought) {
        self.send(Entry::Thought { step, thought });
    }

    /// Completes the record; only the first call counts.
    pub(crate) fn ended(&self, goals: Option<&[Option<u8>]>) {
        let goals = goals.map(|goals| goals.iter().map(|goal| goal.unwrap_or(0)).collect());
        self.send(Entry::Ended { goals });
    }

    /// Waits until a record that was ended is on the disk, but not for ever.
    pub(crate) fn wait(&self, most: Duration) {
        let mut done = self.finished.done.lock();
        if !*done {
            self.finished.changed.wait_for(&mut done, most);
        }
    }
}

/// The name of a file for a match. Servers choose the id, so that nothing in it may lead
/// elsewhere.
fn file_name(id: &str, role: &GroundTerm, start_time: u64) -> String {
    let plain = |text: &str| -> String {
        let allowed = |c: char| match c.is_ascii_alphanumeric() || "-_.".contains(c) {
            true => c,
            false => '_',
        };
        text.chars().take(60).map(allowed).collect()
    };
    format!(
        "{start_time}-{}-{}.json",
        plain(id),
        plain(&role.to_string())
    )
}

/// The thread that writes.
struct Writer {
    path: PathBuf,
    record: Record,
    /// Our name.
    name: String,
    me: Option<usize>,
    /// Answer times and thoughts by step: they come before the joint move.
    answers: BTreeMap<usize, u64>,
    thoughts: BTreeMap<usize, Vec<Thought>>,
    /// Whether a turn has come: a match that never began leaves no file.
    begun: bool,
    failed: bool,
}

impl Writer {
    fn run(mut self, entries: &Receiver<Entry>) {
        while let Ok(entry) = entries.recv() {
            let mut changed = false;
            let mut ended = false;
            // What has come in the meantime is written at once.
            for entry in std::iter::once(entry).chain(entries.try_iter()) {
                changed |= matches!(entry, Entry::Moved { .. } | Entry::Ended { .. })
                    || !self.begun && matches!(entry, Entry::Answered { .. });
                ended |= matches!(entry, Entry::Ended { .. });
                self.take(entry);
                if ended {
                    break;
                }
            }
            if changed && self.begun {
                self.write();
            }
            if ended {
                return;
            }
        }
    }

    fn take(&mut self, entry: Entry) {
        let record = &mut self.record;
        match entry {
            Entry::Game {
                roles,
                me,
                facts,
                time,
            } => {
                let names = roles
                    .iter()
                    .enumerate()
                    .map(|(role, name)| match role == me {
                        true => self.name.clone(),
                        // Servers do not say who the others are.
                        false => name.clone(),
                    });
                record.player_names_from_host = names.collect();
                record.is_player_human = vec![false; roles.len()];
                record.push_state(&facts, time, vec![String::new(); roles.len()]);
                record.game_role_names = roles;
                self.me = Some(me);
            }
            Entry::Moved {
                step,
                joint,
                facts,
                time,
            } => {
                self.begun = true;
                // Only what follows the known states can be added. A server may go back, and
                // play on from an earlier state.
                if record.states.len() <= step {
                    return;
                }
                record.states.truncate(step + 1);
                record.state_times.truncate(step + 1);
                record.errors.truncate(step + 1);
                record.moves.truncate(step);
                record
                    .moves
                    .push(joint.iter().map(ToString::to_string).collect());
                record.push_state(&facts, time, vec![String::new(); joint.len()]);
            }
            Entry::Answered { step, ms } => {
                self.begun = true;
                self.answers.entry(step).or_insert(ms);
            }
            Entry::Thought { step, thought } => {
                self.thoughts.entry(step).or_default().push(thought);
            }
            Entry::Ended { goals } => {
                record.is_completed = Some(goals.is_some());
                record.is_aborted = goals.is_none();
                record.goal_values = goals.unwrap_or_default();
            }
        }
    }

    fn write(&mut self) {
        let moves = self.record.moves.len();
        let roles = self.record.game_role_names.len();
        // The times of the others are known to the server alone.
        let row = |step: usize| {
            let mut row = vec![0; roles];
            if let (Some(me), Some(&ms)) = (self.me, self.answers.get(&step)) {
                row[me] = ms;
            }
            row
        };
        self.record.answer_times = (0..moves).map(row).collect();
        let thoughts = |step: usize| self.thoughts.get(&step).cloned().unwrap_or_default();
        self.record.thoughts = match self.thoughts.is_empty() {
            true => Vec::new(),
            false => (0..moves).map(thoughts).collect(),
        };
        match self.record.write(&self.path) {
            Ok(()) => debug!("record in {}", self.path.display()),
            Err(error) if !self.failed => {
                self.failed = true;
                warn!("the record {} cannot be written: {error}", show(&self.path));
            }
            Err(_) => {}
        }
    }
}

fn show(path: &Path) -> String {
    path.display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_stay_in_the_folder() {
        let role = GroundTerm::constant("x/y");
        assert_eq!(file_name("m.1", &role, 7), "7-m.1-x_y.json");
        assert_eq!(
            file_name("../../etc/(a b)\\", &role, 7),
            "7-.._.._etc__a_b__-x_y.json"
        );
        assert!(file_name(&"m".repeat(5000), &role, 7).len() < 200);
    }
}
