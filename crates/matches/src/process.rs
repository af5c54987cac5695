//! Players that run as processes on this machine.

use crate::Address;
use std::io::{self, BufRead, BufReader, Read};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long to wait before checking again whether a process listens.
const SLICE: Duration = Duration::from_millis(20);
/// Maximum length of the first line that a process prints, in bytes.
const LINE: u64 = 4096;
/// Stands for the port in the arguments of a command.
const PORT: &str = "{port}";

/// The command line of a player's process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    /// The program, as for [`Command::new`].
    pub program: String,
    /// Its arguments. If any of them contains `{port}`, it is replaced by a free port, and the
    /// program must listen on it. Otherwise the program chooses its own address and must print
    /// `listening on ADDRESS` as its first line, as `rocinante serve --port 0` does.
    pub arguments: Vec<String>,
}

/// Why a player's process could not be started.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LaunchError {
    /// The command has no words, or an unclosed quotation mark.
    #[error("{0:?} is no command")]
    Command(String),
    /// The program could not be run.
    #[error("cannot run {0}: {1}")]
    Run(String, io::Error),
    /// The process ended before it listened.
    #[error("{0} has ended before it listened: {1}")]
    Ended(String, ExitStatus),
    /// The process did not listen within the time limit.
    #[error("{0} did not listen within {1:?}")]
    Late(String, Duration),
    /// The first line of the process is not an address.
    #[error("{0} said {1:?} and not where it listens")]
    Silent(String, String),
}

impl Launch {
    /// The command for the player `spec`. `program` must be `rocinante`. The number of search
    /// threads, the memory of the search in bytes, and the seed are passed to it.
    ///
    /// It does not ponder, because other players on this machine may share its cores.
    pub fn rocinante(
        program: &Path,
        spec: &str,
        threads: usize,
        memory: usize,
        seed: u64,
    ) -> Launch {
        /// The smallest memory that the program accepts, in MiB.
        const LEAST: usize = 64;
        /// The safety margin of its clocks, in milliseconds. It is small, because the
        /// connection is local and the referee grants additional time.
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

    /// Splits a command into words, at white space except within `'` or `"`. No shell is
    /// involved.
    ///
    /// # Errors
    /// Fails if there is no word, or a quotation mark is not closed.
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

/// A player's process. Clones share it, and it is killed when the last clone is dropped.
///
/// Its standard input is a pipe that closes when the present process ends, however it ends. A
/// program that watches the pipe (`rocinante serve --while-stdin`) therefore never outlives
/// this process.
#[derive(Debug, Clone)]
pub struct Process(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    child: Mutex<Child>,
    address: SocketAddr,
}

impl Process {
    /// Starts a process and waits until it listens, at most for `limit`.
    ///
    /// # Errors
    /// Fails if the process does not start or does not listen in time. It has then been killed.
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
        // From here on, dropping `process` kills the child on every return path.
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

    /// The address on which it listens.
    pub fn address(&self) -> Address {
        self.0.address.into()
    }

    /// Waits at most `limit` for the process to end. `None` if it still runs.
    pub fn wait(&self, limit: Duration) -> Option<ExitStatus> {
        self.0.wait(limit)
    }

    /// The process id, for logs.
    pub fn id(&self) -> u32 {
        self.0.child().id()
    }
}

impl Inner {
    fn child(&self) -> std::sync::MutexGuard<'_, Child> {
        // A panic cannot leave a child in an inconsistent state.
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
        // On a thread, because reading takes no timeout. The thread continues to read, because
        // a program whose output nobody reads blocks.
        std::thread::spawn(move || {
            let mut reader = BufReader::new(stdout);
            let mut line = String::new();
            // After an error the line is too short to hold an address, which is reported below.
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
                // A program that ends without a word closes its output shortly before it exits.
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

    /// Waits until something listens on the port that the process was given.
    fn knock(&self, name: &str, end: Instant, limit: Duration) -> Result<(), LaunchError> {
        loop {
            if let Some(status) = self.ended() {
                return Err(LaunchError::Ended(name.into(), status));
            }
            if let Ok(stream) = TcpStream::connect_timeout(&self.address, SLICE) {
                // A TCP connection within the machine can connect to itself when nothing
                // listens.
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

    /// Waits at most `limit` for the process to end. `None` if it still runs.
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
        // The child may have ended by itself. Killing it is still safe: the system does not
        // reuse a process id before `wait` was called on it.
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
    fn a_process_that_does_not_listen_is_an_error() {
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
