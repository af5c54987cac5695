//! A player's process, which is killed, stopped and started again.

use crate::endurance::serving::Serving;
use ::matches::Process;
use anyhow::Context;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError, TryLockError};
use std::time::Duration;

/// A player, whichever process it is at the moment.
pub struct Seat {
    serving: Arc<Serving>,
    number: usize,
    process: Mutex<Option<Process>>,
}

impl Seat {
    /// Starts the process of the player with this number.
    ///
    /// # Errors
    /// Fails if it does not listen.
    pub fn new(serving: Arc<Serving>, number: usize) -> anyhow::Result<Seat> {
        let process = serving.launch(number)?;
        Ok(Seat {
            serving,
            number,
            process: Mutex::new(Some(process)),
        })
    }

    fn now<T>(&self, of: impl FnOnce(&Process) -> T) -> Option<T> {
        let process = self.process.lock();
        process
            .unwrap_or_else(PoisonError::into_inner)
            .as_ref()
            .map(of)
    }

    /// Where the process listens. `None` while there is none.
    pub fn address(&self) -> Option<SocketAddr> {
        self.now(|process| process.address().to_string().parse().ok())
            .flatten()
    }

    /// Whether a process is being started, which does not listen yet.
    pub fn is_starting(&self) -> bool {
        matches!(self.process.try_lock(), Err(TryLockError::WouldBlock))
    }

    /// The id of the process. `None` while there is none.
    pub fn id(&self) -> Option<u32> {
        self.now(Process::id)
    }

    /// How the process ended, if it did so by itself.
    pub fn ended(&self) -> Option<String> {
        let status = self.now(|process| process.wait(Duration::ZERO)).flatten();
        status.map(|status| status.to_string())
    }

    /// Kills the process, whatever it is doing, and starts another one.
    ///
    /// # Errors
    /// Fails if the new one does not listen.
    pub fn restart(&self) -> anyhow::Result<()> {
        let mut process = self.process.lock().unwrap_or_else(PoisonError::into_inner);
        // The last reference kills it.
        *process = None;
        *process = Some(self.serving.launch(self.number)?);
        Ok(())
    }

    /// Stops the process for a while, as a busy machine does.
    ///
    /// # Errors
    /// Fails if there is no process.
    #[cfg(unix)]
    pub fn stop(&self, time: Duration) -> anyhow::Result<()> {
        use rustix::process::{Pid, Signal, kill_process};
        let id = self.id().and_then(|id| Pid::from_raw(id.try_into().ok()?));
        let id = id.context("there is no process")?;
        kill_process(id, Signal::STOP)?;
        std::thread::sleep(time);
        kill_process(id, Signal::CONT)?;
        Ok(())
    }

    /// Waits instead, where processes cannot be stopped.
    #[cfg(not(unix))]
    pub fn stop(&self, time: Duration) -> anyhow::Result<()> {
        std::thread::sleep(time);
        Ok(())
    }
}
