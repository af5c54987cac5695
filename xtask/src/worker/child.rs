//! The parent's side of a child process.

use super::message::{Answer, Build, Built, Played, Request};
use anyhow::{Context, bail};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// A child process that builds and measures. It is killed when the value is dropped.
pub struct Worker {
    child: Child,
    requests: ChildStdin,
    answers: Receiver<String>,
}

/// This program. The link is valid even if a newer build has replaced the file.
fn this_program() -> anyhow::Result<PathBuf> {
    let link = Path::new("/proc/self/exe");
    if link.exists() {
        return Ok(link.to_owned());
    }
    std::env::current_exe().context("this program cannot be found")
}

impl Worker {
    /// Starts `program`, a build of xtask, or this program, and lets it build an evaluator.
    ///
    /// # Errors
    /// Fails if the child cannot be started, or the evaluator cannot be built.
    pub fn build(program: Option<&Path>, build: &Build) -> anyhow::Result<(Worker, Built)> {
        let program = match program {
            Some(program) => program.to_owned(),
            None => this_program()?,
        };
        let mut child = Command::new(&program)
            .arg("worker")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot run {}", program.display()))?;
        let requests = child.stdin.take().context("its input is piped")?;
        let output = BufReader::new(child.stdout.take().context("its output is piped")?);
        let (send, answers) = channel();
        // The thread ends when the child ends and its output closes.
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if send.send(line).is_err() {
                    break;
                }
            }
        });
        let mut worker = Worker {
            child,
            requests,
            answers,
        };
        // The budget stops nearly all work in time. This limit is for work that does not check
        // it.
        let patience = Duration::from_secs_f64(build.timeout * 4.0 + 60.0);
        match worker.ask(&Request::Build(build.clone()), patience)? {
            Answer::Built(built) => Ok((worker, built)),
            other => bail!("an unexpected answer: {other:?}"),
        }
    }

    /// Lets the child run playouts.
    ///
    /// # Errors
    /// Fails if the rules could not be evaluated, or the child has ended.
    pub fn play(&mut self, seconds: f64, threads: usize) -> anyhow::Result<Played> {
        let patience = Duration::from_secs_f64(seconds * 40.0 + 300.0);
        match self.ask(&Request::Play { seconds, threads }, patience)? {
            Answer::Played(played) => Ok(played),
            other => bail!("an unexpected answer: {other:?}"),
        }
    }

    fn ask(&mut self, request: &Request, patience: Duration) -> anyhow::Result<Answer> {
        // If this fails, the child has ended, and reading the answer reports that.
        let _ = writeln!(self.requests, "{}", serde_json::to_string(request)?);
        let _ = self.requests.flush();
        let line = match self.answers.recv_timeout(patience) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout) => bail!("no answer in {patience:.0?}"),
            Err(RecvTimeoutError::Disconnected) => {
                bail!("the process ended: {}", self.child.wait()?)
            }
        };
        match serde_json::from_str(&line).with_context(|| format!("not an answer: {line}"))? {
            Answer::Failed(why) => bail!("{why}"),
            answer => Ok(answer),
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // The child may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
