//! Players that are processes on this machine, started and ended here.

use crate::Address;
use std::io::{self, BufRead, BufReader, Read};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long to wait before looking again whether a process listens.
const SLICE: Duration = Duration::from_millis(20);
/// Longest first line of a process.
const LINE: u64 = 4096;
/// In the words of a command, where the port belongs.
const PORT: &str = "{port}";

/// How a player's process is started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    /// The program, as for [`Command::new`].
    pub program: String,
    /// Its arguments. If `{port}` is in any of them, it stands for a free port on which the program
    /// must listen; without one, the program must choose its own address and say `listening on
    /// ADDRESS` in its first line, as `rocinante serve --port 0` does.
    pub arguments: Vec<String>,
}

/// Why a player's process could not be started.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LaunchError {
    /// The command has no words, or a quotation mark that is never closed.
    #[error("{0:?} is no command")]
    Command(String),
    /// The program could not be run.
    #[error("cannot run {0}: {1}")]
    Run(String, #[source] io::Error),
    /// It ended before it listened.
    #[error("{0} has ended before it listened: {1}")]
    Ended(String, ExitStatus),
    /// It did not listen within the time that was given.
    #[error("{0} did not listen within {1:?}")]
    Late(String, Duration),
    /// Its first line was something else.
    #[error("{0} said {1:?} and not where it listens")]
    Silent(String, String),
}

impl Launch {
    /// The player `spec` of `program`, which must be `rocinante`, with that many search threads,
    /// that many bytes for its search, and that seed. It does not think on after it has answered:
    /// whoever else plays on this machine may have no other core to think on.
    pub fn rocinante(
        program: &Path,
        spec: &str,
        threads: usize,
        memory: usize,
        seed: u64,
    ) -> Launch {
        /// The least that it takes, in MiB.
        const LEAST: usize = 64;
        /// What it leaves unused of its clocks, in milliseconds: the way there and back is short,
        /// and whoever asks grants more for it.
        const MARGIN: u64 = 50;
        let memory = (memory >> 20).max(LEAST);
        let words = ["serve", "--while-stdin", "--port", "0", "--log", "error"];
        let mut arguments = words.map(String::from).to_vec();
        for (flag, value) in [
            ("--profile", spec.to_string()),
            ("--threads", threads.to_string()),
            ("--memory-mib", memory.to_string()),
            ("--margin-ms", MARGIN.to_string()),
            ("--ponder", "false".to_string()),
            ("--seed", seed.to_string()),
        ] {
            arguments.extend([flag.to_string(), value]);
        }
        Launch {
            program: program.to_string_lossy().into_owned(),
            arguments,
        }
    }

    /// The words of a command: separated by spaces, except within `'` or `"`. No shell is involved.
    ///
    /// # Errors
    /// If there is no word, or a quotation mark is not closed.
    pub fn parse(command: &str) -> Result<Launch, LaunchError> {
        let mut words = Vec::new();
        let mut word: Option<String> = None;
        let mut quote = None;
        for c in command.chars() {
            match quote {
                Some(mark) if c == mark => quote = None,
                None if c == '\'' || c == '"' => {
                    quote = Some(c);
                    word.get_or_insert_default();
                }
                None if c.is_whitespace() => words.extend(word.take()),
                _ => word.get_or_insert_default().push(c),
            }
        }
        words.extend(word);
        let no_command = || LaunchError::Command(command.into());
        if quote.is_some() {
            return Err(no_command());
        }
        let mut words = words.into_iter();
        Ok(Launch {
            program: words.next().ok_or_else(no_command)?,
            arguments: words.collect(),
        })
    }
}

/// A player's process. Clones are the same one; it is ended when the last is dropped.
///
/// Its standard input is a pipe that is closed when this process ends, however it ends, so that
/// programs which watch it (`rocinante serve --while-stdin`) are never left behind.
#[derive(Debug, Clone)]
pub struct Process(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    child: Mutex<Child>,
    address: SocketAddr,
}

impl Process {
    /// Starts a process and waits, at most for `limit`, until it listens.
    ///
    /// # Errors
    /// If that does not succeed; what was started has been ended then.
    pub fn start(launch: &Launch, limit: Duration) -> Result<Process, LaunchError> {
        let end = Instant::now() + limit;
        let name = &launch.program;
        let failed = |error| LaunchError::Run(name.clone(), error);
        let told = launch.arguments.iter().any(|word| word.contains(PORT));
        let port = match told {
            true => free_port().map_err(failed)?,
            false => 0,
        };
        let words = launch.arguments.iter();
        let words = words.map(|word| word.replace(PORT, &port.to_string()));
        let mut child = Command::new(name)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(if told { Stdio::null() } else { Stdio::piped() })
            .spawn()
            .map_err(failed)?;
        let stdout = child.stdout.take();
        // From here on, it is ended on every way out.
        let mut process = Inner {
            child: Mutex::new(child),
            address: SocketAddr::from((Ipv4Addr::LOCALHOST, port)),
        };
        match stdout {
            Some(stdout) => process.address = process.listen(stdout, name, end, limit)?,
            None => process.knock(name, end, limit)?,
        }
        Ok(Process(Arc::new(process)))
    }

    /// Where it listens.
    pub fn address(&self) -> Address {
        self.0.address.into()
    }

    /// How it ended, if it has, or does within `limit`.
    pub fn wait(&self, limit: Duration) -> Option<ExitStatus> {
        self.0.wait(limit)
    }

    /// Its number, for logs.
    pub fn id(&self) -> u32 {
        self.0.child().id()
    }
}

impl Inner {
    fn child(&self) -> std::sync::MutexGuard<'_, Child> {
        // A child cannot be left half changed.
        self.child.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ended(&self) -> Option<ExitStatus> {
        self.child().try_wait().ok().flatten()
    }

    /// The address in the first line that the process prints.
    fn listen(
        &self,
        stdout: ChildStdout,
        name: &str,
        end: Instant,
        limit: Duration,
    ) -> Result<SocketAddr, LaunchError> {
        let (sender, receiver) = channel();
        // A thread, because reading cannot be given a time; it goes on reading, because a program
        // whose output nobody takes would stand still.
        std::thread::spawn(move || {
            let mut reader = BufReader::new(stdout);
            let mut line = String::new();
            // An error leaves the line as it is, which says enough.
            let _ = reader.by_ref().take(LINE).read_line(&mut line);
            let _ = sender.send(line);
            let _ = io::copy(&mut reader, &mut io::sink());
        });
        let left = end.saturating_duration_since(Instant::now());
        match receiver.recv_timeout(left) {
            Ok(line) => {
                let line = line.trim();
                let address = line.strip_prefix("listening on ");
                let address = address.and_then(|text| text.parse().ok());
                // A program that ends without a word closes its output a moment before.
                address.ok_or_else(|| match (line, self.wait(SLICE * 10)) {
                    ("", Some(status)) => LaunchError::Ended(name.into(), status),
                    _ => LaunchError::Silent(name.into(), line.into()),
                })
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                Err(LaunchError::Late(name.into(), limit))
            }
        }
    }

    /// Waits until somebody listens on the port that the process was told.
    fn knock(&self, name: &str, end: Instant, limit: Duration) -> Result<(), LaunchError> {
        loop {
            if let Some(status) = self.ended() {
                return Err(LaunchError::Ended(name.into(), status));
            }
            if let Ok(stream) = TcpStream::connect_timeout(&self.address, SLICE) {
                // A connection within the machine can come to meet itself where nobody listens.
                let own = stream.local_addr().ok();
                if own != Some(self.address) {
                    return Ok(());
                }
            }
            if Instant::now() >= end {
                return Err(LaunchError::Late(name.into(), limit));
            }
            std::thread::sleep(SLICE);
        }
    }

    /// How it ends, if it does within `limit`.
    fn wait(&self, limit: Duration) -> Option<ExitStatus> {
        let end = Instant::now() + limit;
        loop {
            match self.ended() {
                None if Instant::now() < end => std::thread::sleep(SLICE),
                ended => return ended,
            }
        }
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        let mut child = self.child();
        // It may have ended by itself. Its own handle names it and nobody else: the number of a
        // process is not given away again before it was waited for.
        let _ = child.kill();
        let _ = child.wait();
    }
}

/// A port that is free now.
fn free_port() -> io::Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?
        .local_addr()?
        .port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_into_words() {
        for (text, words) in [
            ("player", &["player"][..]),
            (
                " java  -jar  p.jar {port} ",
                &["java", "-jar", "p.jar", "{port}"],
            ),
            ("a 'b c' \"d 'e'\"f ''", &["a", "b c", "d 'e'f", ""]),
        ] {
            let launch = Launch::parse(text).expect(text);
            let found = [vec![launch.program], launch.arguments].concat();
            assert_eq!(found, words, "{text}");
        }
        for text in ["", "  ", "a 'b"] {
            assert!(Launch::parse(text).is_err(), "{text:?}");
        }
    }

    fn fails(command: &str, limit: Duration) -> String {
        let launch = Launch::parse(command).expect(command);
        let began = Instant::now();
        let error = Process::start(&launch, limit).expect_err(command);
        assert!(
            began.elapsed() < limit + Duration::from_secs(5),
            "{command}"
        );
        error.to_string()
    }

    #[cfg(unix)]
    #[test]
    fn what_does_not_listen_is_an_error_in_time() {
        let (short, long) = (Duration::from_millis(200), Duration::from_secs(60));
        assert!(fails("/no/such/program", long).starts_with("cannot run /no/such/program: "));
        assert_eq!(
            fails("sleep 60", short),
            "sleep did not listen within 200ms"
        );
        let told = fails("sh -c 'read line; : {port}'", short);
        assert_eq!(told, "sh did not listen within 200ms");
        let ended = fails("sh -c 'exit 3'", long);
        assert_eq!(ended, "sh has ended before it listened: exit status: 3");
        let ended = fails("sh -c 'exit 3 {port}'", long);
        assert_eq!(ended, "sh has ended before it listened: exit status: 3");
        assert_eq!(
            fails("echo hello", long),
            "echo said \"hello\" and not where it listens"
        );
    }
}
