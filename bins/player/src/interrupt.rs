//! Being asked to end: ctrl-C, a signal, a terminal that closes.

use anyhow::Context;
use budget::Stop;

/// Makes ctrl-C stop the current work. A second ctrl-C ends the process at once.
///
/// # Errors
/// Fails if the signal cannot be caught.
pub fn stop_on_interrupt(stop: &Stop) -> anyhow::Result<()> {
    let stop = stop.clone();
    on_interrupt(move || {
        if stop.is_stopped() {
            std::process::exit(130);
        }
        stop.stop();
    })
}

/// Calls `act` whenever the process is asked to end. It is not asked when its terminal closes,
/// if it was started so that it outlives it (`nohup`).
///
/// # Errors
/// Fails if the signals cannot be caught.
pub fn on_interrupt(act: impl FnMut() + Send + 'static) -> anyhow::Result<()> {
    let outlives = ignore_hangup()?;
    ctrlc::set_handler(act).context("cannot catch ctrl-C")?;
    if outlives {
        ignore_hangup()?;
    }
    Ok(())
}

/// Ignores the signal that a terminal sends when it closes. Returns whether it was ignored
/// before.
#[cfg(unix)]
#[expect(unsafe_code, reason = "it is a function of the C library")]
fn ignore_hangup() -> anyhow::Result<bool> {
    use nix::sys::signal::{SigHandler, Signal, signal};
    // SAFETY: a handler must be safe to run at any time; this installs none.
    let before = unsafe { signal(Signal::SIGHUP, SigHandler::SigIgn) };
    let before = before.context("cannot ignore a closed terminal")?;
    Ok(matches!(before, SigHandler::SigIgn))
}

/// Terminals send no signal here.
#[cfg(not(unix))]
fn ignore_hangup() -> anyhow::Result<bool> {
    Ok(false)
}
