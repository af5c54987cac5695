//! A player in its own process on this machine.

use crate::{Answer, Fault, Opening, Participant, Process, Remote, Turn};
use game::GroundTerm;
use std::time::Duration;

/// How long the system may take to report the end of a process after its connections have
/// closed.
const DEATH: Duration = Duration::from_millis(100);

/// A player in a process that this program started. It is reached over HTTP.
///
/// If the process ends, the player gets a fault in every turn that it misses, and the match
/// continues.
pub struct Spawned {
    name: String,
    process: Process,
    remote: Remote,
}

impl Spawned {
    /// The player in `process`, called `name` in records. `remote` must be connected to the
    /// address of that process.
    pub fn new(name: String, process: Process, remote: Remote) -> Self {
        Spawned {
            name,
            process,
            remote,
        }
    }

    /// Distinguishes a failed connection from a process that has ended.
    fn diagnose<T>(&self, result: Result<T, Fault>) -> Result<T, Fault> {
        match result {
            Err(Fault::Connection(why)) => Err(match self.process.wait(DEATH) {
                Some(status) => Fault::Failed(format!("its process has ended: {status}")),
                None => Fault::Connection(why),
            }),
            other => other,
        }
    }
}

impl Participant for Spawned {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn is_remote(&self) -> bool {
        true
    }

    fn start(&mut self, opening: &Opening<'_>) -> Result<(), Fault> {
        let result = self.remote.start(opening);
        self.diagnose(result)
    }

    fn play(&mut self, turn: &Turn<'_>) -> Result<Answer, Fault> {
        let result = self.remote.play(turn);
        self.diagnose(result)
    }

    fn finish(&mut self, last: Option<&[GroundTerm]>) {
        self.remote.finish(last);
    }

    fn abort(&mut self) {
        self.remote.abort();
    }
}
