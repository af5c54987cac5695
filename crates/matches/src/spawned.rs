//! A player in a process of its own, on this machine.

use crate::{Answer, Fault, Opening, Participant, Process, Remote, Turn};
use game::GroundTerm;
use std::time::Duration;

/// How long it may take until the system tells that a process has ended whose connections are gone.
const DEATH: Duration = Duration::from_millis(100);

/// A player in a process that was started here, spoken to over HTTP.
///
/// If the process ends, that is the fault of every turn that it misses, and the match goes on
/// without it.
pub struct Spawned {
    name: String,
    process: Process,
    remote: Remote,
}

impl Spawned {
    /// The player in `process`, called `name` in records. `remote` must speak to the address of
    /// that process.
    pub fn new(name: String, process: Process, remote: Remote) -> Self {
        Spawned {
            name,
            process,
            remote,
        }
    }

    /// Tells connections that failed from processes that ended.
    fn told<T>(&self, result: Result<T, Fault>) -> Result<T, Fault> {
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
        self.told(result)
    }

    fn play(&mut self, turn: &Turn<'_>) -> Result<Answer, Fault> {
        let result = self.remote.play(turn);
        self.told(result)
    }

    fn finish(&mut self, last: Option<&[GroundTerm]>) {
        self.remote.finish(last);
    }

    fn abort(&mut self) {
        self.remote.abort();
    }
}
