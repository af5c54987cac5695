//! A proxy in front of one player that troubles the messages.

use super::seat::Seat;
use super::trouble::Trouble;
use protocol::Message;
use protocol::http::{Progress, RequestReader};
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How much longer than the clock an answer is waited for.
const PATIENCE: Duration = Duration::from_secs(2);
/// How much later than the clock something arrives that is to be late.
const BEHIND: Duration = Duration::from_millis(60);
/// How long it takes until a connection is accepted, on a busy machine.
const STAND: Duration = Duration::from_millis(50);
/// Connections of a flood. The player grants 64.
const FLOOD: usize = 40;
/// Pieces of a message that arrives in pieces.
const PIECES: usize = 6;

/// A message that went through.
#[derive(Debug, Clone)]
pub struct Sent {
    /// What happened to it.
    pub trouble: Trouble,
    /// A wrong answer that only the proxy sees.
    pub problem: Option<String>,
    /// Whether the process that took the place of a killed one did not listen yet.
    pub early: bool,
}

/// What the proxy does to the messages of one match.
pub struct Script {
    /// The source of all choices.
    pub rng: Xoshiro256PlusPlus,
    /// How many messages have trouble, in per cent.
    pub percent: u32,
    /// The start and the play clock.
    pub clocks: [Duration; 2],
}

struct State {
    script: Script,
    sent: Vec<Sent>,
    /// The request before the present one.
    before: Vec<u8>,
    /// Whether the match goes on. A START that came behind its STOP would begin another one.
    running: Arc<AtomicBool>,
}

/// A proxy. It ends when it is dropped.
pub struct Proxy {
    address: SocketAddr,
    shared: Arc<Shared>,
    acceptor: Option<JoinHandle<()>>,
}

struct Shared {
    seat: Arc<Seat>,
    state: Mutex<Option<State>>,
    closing: AtomicBool,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, Option<State>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Proxy {
    /// A proxy in front of `seat`.
    ///
    /// # Errors
    /// Fails if there is no port.
    pub fn new(seat: Arc<Seat>) -> io::Result<Proxy> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            seat,
            state: Mutex::new(None),
            closing: AtomicBool::new(false),
        });
        let accepting = shared.clone();
        let acceptor = thread::spawn(move || accept(&listener, &accepting));
        Ok(Proxy {
            address,
            shared,
            acceptor: Some(acceptor),
        })
    }

    /// Where the referee finds the player.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Begins a match.
    pub fn begin(&self, script: Script) {
        *self.shared.state() = Some(State {
            script,
            sent: Vec::new(),
            before: Vec::new(),
            running: Arc::new(AtomicBool::new(true)),
        });
    }

    /// Ends the match: what happened to its messages, in order.
    pub fn end(&self) -> Vec<Sent> {
        let Some(state) = self.shared.state().take() else {
            return Vec::new();
        };
        state.running.store(false, Ordering::Release);
        state.sent
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.shared.closing.store(true, Ordering::Release);
        // The acceptor waits for a connection; this one wakes it.
        if TcpStream::connect(self.address).is_ok()
            && let Some(acceptor) = self.acceptor.take()
        {
            let _ = acceptor.join();
        }
    }
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    for stream in listener.incoming() {
        if shared.closing.load(Ordering::Acquire) {
            return;
        }
        let Ok(stream) = stream else { continue };
        let shared = shared.clone();
        // A connection that fails closes, which is what the referee is to see.
        thread::spawn(move || drop(pass(&shared, stream)));
    }
}

/// A message on its way.
struct Way<'a> {
    seat: &'a Seat,
    request: &'a [u8],
    before: &'a [u8],
    running: &'a AtomicBool,
    clock: Duration,
    since: Instant,
    rng: Xoshiro256PlusPlus,
}

/// Passes on one message, with what the script has for it.
fn pass(shared: &Shared, mut referee: TcpStream) -> io::Result<()> {
    let since = Instant::now();
    let (request, message) = read(&mut referee)?;
    let (trouble, number, before, running, clock, rng) = {
        let mut state = shared.state();
        let state = state.as_mut().ok_or(io::ErrorKind::NotConnected)?;
        let script = &mut state.script;
        let ends = matches!(message, Some(Message::Stop(_) | Message::Abort { .. }));
        let trouble = Trouble::choose(&mut script.rng, script.percent, ends);
        let rng = Xoshiro256PlusPlus::seed_from_u64(script.rng.next_u64());
        let first = matches!(message, Some(Message::Start { .. }));
        let clock = script.clocks[usize::from(!first)];
        let before = std::mem::replace(&mut state.before, request.clone());
        state.sent.push(Sent {
            trouble,
            problem: None,
            early: shared.seat.is_starting(),
        });
        let running = state.running.clone();
        if ends {
            running.store(false, Ordering::Release);
        }
        (trouble, state.sent.len() - 1, before, running, clock, rng)
    };
    let mut way = Way {
        seat: &shared.seat,
        request: &request,
        before: &before,
        running: &running,
        clock,
        since,
        rng,
    };
    let result = way.pass(trouble, referee);
    if let Err(Failure::Problem(problem)) = &result
        && let Some(state) = shared.state().as_mut()
        && let Some(sent) = state.sent.get_mut(number)
    {
        sent.problem = Some(problem.clone());
    }
    result.map_err(|_| io::ErrorKind::ConnectionAborted.into())
}

/// Why a message did not get through.
enum Failure {
    Io,
    Problem(String),
}

impl From<io::Error> for Failure {
    fn from(_: io::Error) -> Self {
        Failure::Io
    }
}

impl Way<'_> {
    fn pass(&mut self, trouble: Trouble, mut referee: TcpStream) -> Result<(), Failure> {
        match trouble {
            Trouble::Calm => referee.write_all(&self.ask(self.request)?)?,
            Trouble::Delay => {
                thread::sleep(self.part());
                referee.write_all(&self.ask(self.request)?)?;
            }
            Trouble::Drip => {
                let mut player = self.player()?;
                drip(&mut player, self.request, self.part())?;
                referee.write_all(&answer(player)?)?;
            }
            Trouble::DripReply => {
                let reply = self.ask(self.request)?;
                drip(&mut referee, &reply, self.part())?;
            }
            Trouble::Twice => {
                // Both connections stand before either request is sent. A copy that comes when
                // the answer is out may as well be the next turn, with the same moves.
                let [mut one, mut other] = [self.player()?, self.player()?];
                thread::sleep(STAND);
                one.write_all(self.request)?;
                other.write_all(self.request)?;
                let one = answer(one)?;
                referee.write_all(&one)?;
                if let Ok(other) = answer(other)
                    && one != other
                {
                    let texts = [one, other].map(|reply| {
                        let text = String::from_utf8_lossy(&reply).into_owned();
                        text.lines().last().unwrap_or_default().to_owned()
                    });
                    let problem =
                        format!("asked twice at once, it answered {}", texts.join(" and "));
                    return Err(Failure::Problem(problem));
                }
            }
            Trouble::Stale => {
                referee.write_all(&self.ask(self.request)?)?;
                drop(referee);
                if !self.before.is_empty() {
                    self.behind(self.before)?;
                }
            }
            Trouble::Garbage => {
                let mut other = self.player()?;
                let mut garbage = vec![0; self.rng.random_range(1..2000)];
                self.rng.fill(&mut garbage[..]);
                if self.rng.random_bool(0.5) {
                    other.write_all(b"POST / HTTP/1.0\r\nContent-Length: 99999\r\n\r\n")?;
                }
                other.write_all(&garbage)?;
                referee.write_all(&self.ask(self.request)?)?;
            }
            Trouble::Flood => {
                let mut others = Vec::new();
                for number in 0..FLOOD {
                    let mut other = self.player()?;
                    if number % 2 == 0 {
                        other.write_all(b"POST / HT")?;
                    }
                    others.push(other);
                }
                referee.write_all(&self.ask(self.request)?)?;
            }
            Trouble::Pause | Trouble::Freeze => {
                let time = match trouble {
                    Trouble::Pause => self.part(),
                    _ => self.clock + BEHIND,
                };
                let reply = thread::scope(|scope| {
                    scope.spawn(|| self.seat.stop(time).is_ok());
                    self.ask(self.request)
                });
                referee.write_all(&reply?)?;
            }
            Trouble::CutReply => drop(self.ask(self.request)?),
            Trouble::HalfReply => {
                let reply = self.ask(self.request)?;
                referee.write_all(&reply[..reply.len() / 2])?;
            }
            Trouble::Mangle => {
                self.ask(self.request)?;
                referee.write_all(b"HTTP/1.0 200 OK\r\nContent-Length: 9\r\n\r\n) 7 (garb")?;
            }
            Trouble::Stall => {
                let reply = self.ask(self.request)?;
                thread::sleep((self.clock + BEHIND).saturating_sub(self.since.elapsed()));
                referee.write_all(&reply)?;
            }
            Trouble::Cut => {}
            Trouble::HalfRequest => {
                self.player()?
                    .write_all(&self.request[..self.request.len() / 2])?;
            }
            Trouble::Reorder => {
                thread::sleep(self.clock + BEHIND);
                drop(referee);
                self.behind(self.request)?;
            }
            Trouble::Kill => {
                // The player is to have begun with the message.
                self.player()?.write_all(self.request)?;
                thread::sleep(self.part());
                let restarted = self.seat.restart();
                drop(referee);
                restarted.map_err(|error| Failure::Problem(format!("{error:#}")))?;
            }
        }
        Ok(())
    }

    /// Sends a request out of order, unless the match has ended in the meantime.
    fn behind(&self, request: &[u8]) -> io::Result<()> {
        match self.running.load(Ordering::Acquire) {
            true => self.ask(request).map(drop),
            false => Ok(()),
        }
    }

    /// A part of the clock that leaves time to answer.
    fn part(&mut self) -> Duration {
        self.clock.mul_f64(self.rng.random_range(0.02..0.25))
    }

    fn player(&self) -> io::Result<TcpStream> {
        let address = self.seat.address().ok_or(io::ErrorKind::NotConnected)?;
        let player = TcpStream::connect_timeout(&address, PATIENCE)?;
        player.set_read_timeout(Some(self.clock + PATIENCE))?;
        player.set_nodelay(true)?;
        Ok(player)
    }

    /// The reply to a request.
    fn ask(&self, request: &[u8]) -> io::Result<Vec<u8>> {
        let mut player = self.player()?;
        player.write_all(request)?;
        answer(player)
    }
}

fn answer(mut player: TcpStream) -> io::Result<Vec<u8>> {
    let mut reply = Vec::new();
    player.read_to_end(&mut reply)?;
    match reply.is_empty() {
        true => Err(io::ErrorKind::UnexpectedEof.into()),
        false => Ok(reply),
    }
}

/// Writes the bytes in pieces that take this long together.
fn drip(to: &mut TcpStream, bytes: &[u8], time: Duration) -> io::Result<()> {
    to.set_nodelay(true)?;
    for piece in bytes.chunks(bytes.len().div_ceil(PIECES).max(1)) {
        to.write_all(piece)?;
        thread::sleep(time / PIECES as u32);
    }
    Ok(())
}

/// The bytes of the referee's request, and its message.
fn read(referee: &mut TcpStream) -> io::Result<(Vec<u8>, Option<Message>)> {
    referee.set_read_timeout(Some(PATIENCE))?;
    let mut reader = RequestReader::default();
    let (mut bytes, mut buffer) = (Vec::new(), [0; 16 << 10]);
    loop {
        let count = referee.read(&mut buffer)?;
        if count == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        bytes.extend_from_slice(&buffer[..count]);
        let progress = reader.feed(&buffer[..count]);
        if let Progress::Done(request) = progress.map_err(io::Error::other)? {
            let message = request
                .message()
                .and_then(|text| Message::parse(&text).ok());
            return Ok((bytes, message));
        }
    }
}
