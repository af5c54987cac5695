//! Starts the real binary and communicates with it.
#![allow(dead_code)] // Each test binary uses its own part.

pub mod faulty;

use budget::Budget;
use game::{Engine, GroundTerm};
use gdl_scramble::ScrambleOptions;
use matches::{Fault, Observer, Outcome, Participant, Remote, Settings, Step};
use protocol::http::{Progress, ResponseReader, write_request};
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

/// The longest time that a test waits for anything.
pub const LONG: Duration = Duration::from_secs(60);

/// Runs `rocinante` with these arguments in the folder of fixtures, with `input` as standard
/// input.
pub fn run(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_rocinante"))
        .args(args)
        .current_dir(testkit::root().join("fixtures/games"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    stdin.write_all(input.as_bytes()).expect("it reads");
    drop(stdin);
    child.wait_with_output().expect("it ends")
}

/// A `rocinante serve` process on a free port. It is killed when the value is dropped.
pub struct Player {
    pub child: Child,
    pub address: SocketAddr,
}

impl Player {
    /// Starts a process with these flags in addition to the port.
    pub fn start(flags: &[&str]) -> Player {
        Player::start_logging("error", Stdio::inherit(), flags)
    }

    /// Like [`Player::start`], with a log level and a destination of the log.
    pub fn start_logging(level: &str, log: Stdio, flags: &[&str]) -> Player {
        Player::launch(&[env!("CARGO_BIN_EXE_rocinante")], level, log, flags)
    }

    /// Like [`Player::start_logging`], with the words that start the binary.
    pub fn launch(launcher: &[&str], level: &str, log: Stdio, flags: &[&str]) -> Player {
        let mut child = Command::new(launcher[0])
            .args(&launcher[1..])
            .args([
                "serve",
                "--port",
                "0",
                "--threads",
                "1",
                "--seed",
                "1",
                "--log",
                level,
            ])
            .args(flags)
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .expect("the binary starts");
        let stdout = child.stdout.take().expect("its output is piped");
        let mut line = String::new();
        BufReader::new(stdout)
            .read_line(&mut line)
            .expect("it prints its address");
        let address = line
            .trim()
            .strip_prefix("listening on ")
            .and_then(|text| text.parse().ok())
            .unwrap_or_else(|| panic!("no address in {line:?}"));
        Player { child, address }
    }

    /// The whole response to these bytes. With `half_close`, our side of the connection is
    /// closed first.
    pub fn raw(&self, bytes: &[u8], half_close: bool) -> String {
        let mut stream = TcpStream::connect(self.address).expect("it listens");
        stream.set_read_timeout(Some(LONG)).unwrap();
        stream.write_all(bytes).unwrap();
        if half_close {
            stream.shutdown(std::net::Shutdown::Write).unwrap();
        }
        let mut response = Vec::new();
        stream
            .read_to_end(&mut response)
            .expect("it answers and closes");
        String::from_utf8(response).unwrap()
    }

    /// The reply to a message, sent as servers do.
    pub fn say(&self, message: &str) -> String {
        let mut stream = TcpStream::connect(self.address).expect("it listens");
        stream.set_read_timeout(Some(LONG)).unwrap();
        stream
            .write_all(&write_request("test", "", message))
            .unwrap();
        let mut reader = ResponseReader::default();
        let mut buffer = [0; 4096];
        loop {
            match stream.read(&mut buffer).expect("it answers in time") {
                0 => return reader.end().expect("the answer is whole").body,
                count => {
                    if let Progress::Done(response) = reader.feed(&buffer[..count]).unwrap() {
                        return response.body;
                    }
                }
            }
        }
    }

    /// Like [`Player::raw`] with our side closed, for bytes so invalid that the player may
    /// reset the connection before it has read them all. The response is then empty.
    pub fn raw_or_reset(&self, bytes: &[u8]) -> String {
        let mut stream = TcpStream::connect(self.address).expect("it listens");
        stream.set_read_timeout(Some(LONG)).unwrap();
        let mut response = Vec::new();
        let talked = stream
            .write_all(bytes)
            .and_then(|()| stream.shutdown(std::net::Shutdown::Write))
            .and_then(|()| stream.read_to_end(&mut response));
        if let Err(error) = talked {
            assert!(
                matches!(
                    error.kind(),
                    ErrorKind::ConnectionReset | ErrorKind::BrokenPipe | ErrorKind::NotConnected
                ),
                "{error}"
            );
        }
        String::from_utf8(response).unwrap()
    }

    /// The response to `bytes` and then `tail`, sent byte by byte with a `pause` before each.
    pub fn drip(&self, bytes: &[u8], tail: &[u8], pause: Duration) -> String {
        let mut stream = TcpStream::connect(self.address).expect("it listens");
        stream.set_read_timeout(Some(LONG)).unwrap();
        stream.write_all(bytes).unwrap();
        for byte in tail {
            std::thread::sleep(pause);
            stream.write_all(&[*byte]).unwrap();
        }
        let mut response = String::new();
        stream
            .read_to_string(&mut response)
            .expect("it answers and closes");
        response
    }

    pub fn is_busy(&self) -> bool {
        self.say("(info)").contains("status busy")
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        // The process may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sends a message to a player that may end before it answers.
pub fn say_and_forget(address: SocketAddr, message: &str) {
    let mut stream = TcpStream::connect(address).expect("it listens");
    stream
        .write_all(&write_request("test", "", message))
        .unwrap();
    let _ = stream.read(&mut [0; 64]);
}

/// The text of one of our own games.
pub fn fixture(name: &str) -> String {
    read(&testkit::root().join(format!("fixtures/games/{name}.gdl")))
}

pub fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A START message for a match `m` of these rules, for the first role.
pub fn start_message(rules: &str, start_clock: u64, play_clock: u64) -> String {
    protocol::Message::Start {
        id: "m".into(),
        role: referee(rules).roles()[0].clone(),
        rules: rules.into(),
        start_clock: Duration::from_secs(start_clock),
        play_clock: Duration::from_secs(play_clock),
    }
    .to_string()
}

/// The reasoner for a game, as the referee's engine.
pub fn referee(rules: &str) -> Box<dyn Engine> {
    let options = prepare::Options {
        engine: prepare::EngineChoice::Reasoner,
        ..Default::default()
    };
    prepare::prepare(rules, &options, &Budget::system())
        .expect("the rules are good")
        .playable
        .engine
}

/// Collects every fault.
#[derive(Default)]
pub struct Faults(pub Vec<String>);

impl Faults {
    fn note(&mut self, step: usize, faults: &[Option<Fault>]) {
        for (role, fault) in faults.iter().enumerate() {
            if let Some(fault) = fault {
                self.0.push(format!("step {step} role {role}: {fault}"));
            }
        }
    }
}

impl Observer for Faults {
    fn started(&mut self, _: &[GroundTerm], faults: &[Option<Fault>]) {
        self.note(0, faults);
    }

    fn moved(&mut self, step: &Step<'_>) {
        self.note(step.number, step.faults);
    }
}

/// Plays a match between `players`, without grace for late answers. With `scrambled`, all of
/// them receive scrambled rules. Panics at any fault.
pub fn play(
    rules: &str,
    players: &[&Player],
    scrambled: Option<ScrambleOptions>,
    settings: &Settings,
) -> Outcome {
    let budget = Budget::system();
    let mut engine = referee(rules);
    let (sent, mapping) = match scrambled {
        None => (rules.to_string(), None),
        Some(options) => {
            let sheet = gdl_parse::parse(rules, &Default::default()).sheet;
            let scrambled = gdl_scramble::scramble(&sheet, &options);
            (scrambled.to_wire(), Some(scrambled.mapping))
        }
    };
    let mut participants: Vec<Box<dyn Participant>> = Vec::new();
    for player in players {
        let address = format!("http://{}", player.address).parse().unwrap();
        let remote = Remote::new(
            address,
            sent.clone(),
            mapping.clone(),
            Duration::ZERO,
            &budget,
        );
        participants.push(Box::new(remote));
    }
    let mut faults = Faults::default();
    let outcome = matches::play(
        &mut *engine,
        &mut participants,
        settings,
        &mut faults,
        &budget,
    )
    .expect("there is a player for each role");
    assert!(
        faults.0.is_empty(),
        "{}: {}",
        settings.game,
        faults.0.join("; ")
    );
    outcome
}

/// Settings with clocks of one second.
pub fn second(game: &str) -> Settings {
    Settings {
        id: "m".into(),
        game: game.into(),
        start_clock: Duration::from_secs(1),
        play_clock: Duration::from_secs(1),
        ..Settings::default()
    }
}
