//! One HTTP request and its reply, within a time limit.
//!
//! Nothing here blocks without a limit, whatever the peer does. Looking up the peer's name,
//! connecting, sending the request and receiving the reply all end at the time limit. A reply
//! that never ends is cut off at a maximum size.

use crate::{Address, Fault};
use budget::Budget;
use protocol::http::{HttpError, HttpLimits, Progress, ResponseReader, write_request};
use std::cell::Cell;
use std::io::{ErrorKind, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpStream, ToSocketAddrs};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

/// Connect timeout, the one that game servers use.
const CONNECT: Duration = Duration::from_secs(5);
/// How long to block before checking again whether the match was called off.
const SLICE: Duration = Duration::from_millis(50);
/// After this long without a byte, a reply counts as complete if it can be: some players keep
/// the connection open, and do not say how long the reply is.
const QUIET: Duration = Duration::from_millis(400);
/// A slice that takes longer than this was not spent waiting for the peer.
const STALL: Duration = Duration::from_millis(500);
/// Longer limits are cut to this, so that adding them to an instant cannot overflow.
const FOREVER: Duration = Duration::from_secs(365 * 24 * 60 * 60);
/// Maximum size of a reply. A move is a term, and no game has a term of a megabyte.
const LIMITS: HttpLimits = HttpLimits {
    head: 32 << 10,
    body: 1 << 20,
};

/// The sockets of a player. Its name is looked up once.
pub(crate) struct Peer {
    address: Address,
    sockets: Vec<SocketAddr>,
}

/// The time limit of an exchange.
///
/// Nothing here blocks for longer than a slice. If a slice has taken much longer all the same,
/// this process was stopped, or the machine slept: the peer could not be heard, and that time
/// does not count.
struct Time<'a> {
    end: Cell<Instant>,
    /// When the current slice began.
    since: Cell<Instant>,
    /// Checked while waiting for a long clock, so that calling the match off ends the wait.
    budget: &'a Budget,
}

impl<'a> Time<'a> {
    fn new(limit: Duration, budget: &'a Budget) -> Self {
        let now = Instant::now();
        Time {
            end: Cell::new(now + limit.min(FOREVER)),
            since: Cell::new(now),
            budget,
        }
    }

    fn left(&self) -> Duration {
        self.end.get().saturating_duration_since(Instant::now())
    }

    /// Begins to measure anew, after something that may take longer than a slice.
    fn resume(&self) {
        self.since.set(Instant::now());
    }

    /// How long to block at once. It is never zero, because a socket timeout of zero means no
    /// timeout.
    ///
    /// # Errors
    /// Fails if no time is left.
    fn slice(&self) -> Result<Duration, Fault> {
        let now = Instant::now();
        let took = now.saturating_duration_since(self.since.replace(now));
        if took > STALL {
            self.end.set(self.end.get() + (took - SLICE));
        }
        let left = self.left();
        if left.is_zero() || self.budget.check().is_err() {
            return Err(Fault::Late);
        }
        Ok(left.clamp(Duration::from_millis(1), SLICE))
    }
}

impl Peer {
    pub(crate) fn new(address: Address) -> Self {
        Peer {
            address,
            sockets: Vec::new(),
        }
    }

    pub(crate) fn address(&self) -> &Address {
        &self.address
    }

    /// Sends a message and reads the body of the reply, within `limit`.
    ///
    /// # Errors
    /// [`Fault::Late`] or [`Fault::Connection`].
    pub(crate) fn exchange(
        &mut self,
        message: &str,
        limit: Duration,
        budget: &Budget,
    ) -> Result<String, Fault> {
        let time = Time::new(limit, budget);
        let request = write_request(&self.address.to_string(), "", message);
        let mut stream = self.connect(&time)?;
        time.resume();
        send(&mut stream, &request, &time)?;
        receive(&mut stream, &time)
    }

    fn connect(&mut self, time: &Time<'_>) -> Result<TcpStream, Fault> {
        if self.sockets.is_empty() {
            self.sockets = look_up(&self.address, time)?;
        }
        let mut last = Fault::Connection(format!("{} has no address", self.address));
        for socket in &self.sockets {
            time.slice()?;
            // Sockets reject a timeout of zero.
            let limit = time.left().clamp(Duration::from_millis(1), CONNECT);
            let stream = TcpStream::connect_timeout(socket, limit);
            time.resume();
            match stream {
                Ok(stream) => return Ok(stream),
                // A peer that does not accept the connection is absent, even if time is left.
                Err(error) if !time.left().is_zero() => last = Fault::Connection(error.to_string()),
                Err(error) => last = fault(&error),
            }
        }
        Err(last)
    }
}

/// Resolves a host name. The system's resolver takes no timeout, so it runs on a thread that is
/// abandoned when the time is over.
fn look_up(address: &Address, time: &Time<'_>) -> Result<Vec<SocketAddr>, Fault> {
    if let Ok(ip) = address.host.parse::<IpAddr>() {
        return Ok(vec![SocketAddr::new(ip, address.port)]);
    }
    let (sender, receiver) = channel();
    let host = (address.host.clone(), address.port);
    std::thread::spawn(move || {
        let found = host.to_socket_addrs().map(Iterator::collect);
        // The receiver is dropped if the time is over.
        let _ = sender.send(found);
    });
    loop {
        match receiver.recv_timeout(time.slice()?) {
            Ok(found) => return found.map_err(|error| fault(&error)),
            Err(std::sync::mpsc::RecvTimeoutError::Timeout) => {}
            Err(error) => return Err(Fault::Connection(error.to_string())),
        }
    }
}

/// Writes all bytes. The peer may read them slowly or not at all.
fn send(stream: &mut TcpStream, mut bytes: &[u8], time: &Time<'_>) -> Result<(), Fault> {
    while !bytes.is_empty() {
        let slice = Some(time.slice()?);
        stream.set_write_timeout(slice).map_err(|e| fault(&e))?;
        match stream.write(bytes) {
            Ok(0) => return Err(Fault::Connection("it takes no more".into())),
            Ok(count) => bytes = &bytes[count..],
            Err(error) if is_timeout(error.kind()) => {}
            Err(error) => return Err(fault(&error)),
        }
    }
    Ok(())
}

/// Reads a whole response, however its bytes are split.
fn receive(stream: &mut TcpStream, time: &Time<'_>) -> Result<String, Fault> {
    let garbage = |error: HttpError| Fault::Connection(error.to_string());
    let mut reader = ResponseReader::new(LIMITS);
    let mut buffer = [0; 4096];
    let mut last = Instant::now();
    loop {
        let quiet = last.elapsed() >= QUIET;
        let slice = match time.slice() {
            Ok(slice) => slice,
            // A word has no end of its own, but it came in time.
            Err(fault) if quiet => return reader.end().map(|r| r.body).map_err(|_| fault),
            Err(fault) => return Err(fault),
        };
        stream
            .set_read_timeout(Some(slice))
            .map_err(|e| fault(&e))?;
        let progress = match stream.read(&mut buffer) {
            Ok(0) => return reader.end().map(|r| r.body).map_err(garbage),
            Ok(count) => {
                last = Instant::now();
                reader.feed(&buffer[..count])
            }
            Err(error) if is_timeout(error.kind()) && quiet => reader.quiet(),
            Err(error) if is_timeout(error.kind()) => Ok(Progress::NeedMore),
            Err(error) => return Err(fault(&error)),
        };
        if let Progress::Done(response) = progress.map_err(garbage)? {
            return Ok(response.body);
        }
    }
}

fn is_timeout(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted
    )
}

fn fault(error: &std::io::Error) -> Fault {
    match is_timeout(error.kind()) {
        true => Fault::Late,
        false => Fault::Connection(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use budget::Stop;
    use std::net::TcpListener;

    /// The result and duration of an exchange with a peer that runs `there` on its side of the
    /// connection.
    fn with(
        there: impl FnOnce(TcpStream) + Send + 'static,
        message: &str,
        limit: Duration,
        budget: &Budget,
    ) -> (Result<String, Fault>, Duration) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let socket = listener.local_addr().expect("bound");
        let address = socket.into();
        let thread = std::thread::spawn(move || {
            there(listener.accept().expect("a connection").0);
        });
        let began = Instant::now();
        let result = Peer::new(address).exchange(message, limit, budget);
        let took = began.elapsed();
        // If the limit passed before the connection was made, this one lets `accept` return.
        drop(TcpStream::connect(socket));
        thread.join().expect("no panic");
        (result, took)
    }

    /// How far an exchange may exceed its limit on a busy machine.
    const SLACK: Duration = Duration::from_secs(2);

    #[test]
    fn stalled_peers_are_dropped_at_the_limit() {
        let limit = Duration::from_millis(150);
        let hold = |stream: TcpStream| {
            std::thread::sleep(Duration::from_millis(400));
            drop(stream);
        };
        let drip = |mut stream: TcpStream| {
            // Ends when the other side closes the connection.
            while stream.write_all(b"x").is_ok() {
                std::thread::sleep(Duration::from_millis(5));
            }
        };
        let large = "x".repeat(64 << 20);
        let budget = Budget::system();
        for (name, (result, took)) in [
            ("says nothing", with(hold, "m", limit, &budget)),
            ("drips", with(drip, "m", limit, &budget)),
            ("takes nothing", with(hold, &large, limit, &budget)),
        ] {
            assert_eq!(result, Err(Fault::Late), "{name}");
            assert!(took >= limit && took < limit + SLACK, "{name}: {took:?}");
        }
    }

    #[test]
    fn replies_of_players_that_keep_the_connection_open_are_read() {
        let hold = |reply: &'static str| {
            move |mut stream: TcpStream| {
                let _ = stream.write_all(reply.as_bytes());
                // Reads until the other side closes the connection.
                while stream.read(&mut [0; 64]).is_ok_and(|count| count > 0) {}
            }
        };
        let budget = Budget::system();
        let limit = Duration::from_secs(60);
        for reply in [
            "HTTP/1.1 200 OK\r\n\r\n(mark 1 1)",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\na\r\n(mark 1 1)\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Length: 10\r\n\r\n(mark 1 1)",
        ] {
            let (result, took) = with(hold(reply), "m", limit, &budget);
            assert_eq!(result, Ok("(mark 1 1)".into()));
            assert!(took < limit, "{took:?}");
        }
        let word = hold("HTTP/1.1 200 OK\r\n\r\nnoop");
        let (result, _) = with(word, "m", Duration::from_millis(800), &budget);
        assert_eq!(result, Ok("noop".into()));
    }

    #[test]
    fn time_in_which_this_process_was_stopped_does_not_count() {
        let budget = Budget::system();
        let time = Time::new(STALL, &budget);
        // As if the process had been stopped.
        time.since.set(Instant::now() - 10 * STALL);
        time.end.set(Instant::now() - 9 * STALL);
        assert_eq!(time.slice(), Ok(SLICE));
        time.resume();
        std::thread::sleep(2 * STALL);
        assert!(time.slice().is_ok(), "it was no slice");
        // Waiting in slices is waiting.
        let time = Time::new(3 * SLICE, &budget);
        while time.slice().is_ok() {
            std::thread::sleep(SLICE / 2);
        }
    }

    #[test]
    fn endless_replies_are_cut_off() {
        let flood = |mut stream: TcpStream| while stream.write_all(&[b'x'; 4096]).is_ok() {};
        let head = |mut stream: TcpStream| {
            let _ = stream.write_all(b"HTTP/1.0 200 OK\r\n");
            while stream.write_all(b"a: b\r\n").is_ok() {}
        };
        let limit = Duration::from_secs(60);
        for result in [
            with(flood, "m", limit, &Budget::system()).0,
            with(head, "m", limit, &Budget::system()).0,
        ] {
            assert_eq!(
                result,
                Err(Fault::Connection(HttpError::TooLarge.to_string()))
            );
        }
    }

    #[test]
    fn calling_the_match_off_ends_an_exchange() {
        let stop = Stop::default();
        let budget = Budget::system().with_stop(stop.clone());
        let there = move |mut stream: TcpStream| {
            stop.stop();
            // Reads until the other side closes the connection.
            while stream.read(&mut [0; 64]).is_ok_and(|count| count > 0) {}
        };
        let (result, took) = with(there, "m", Duration::from_secs(600), &budget);
        assert_eq!(result, Err(Fault::Late));
        assert!(took < SLACK, "{took:?}");
    }

    #[test]
    fn names_are_resolved_within_the_limit() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("bound").port();
        std::thread::spawn(move || {
            if let Ok((mut stream, _)) = listener.accept() {
                let _ = stream.read(&mut [0; 512]);
                let _ = stream.write_all(b"HTTP/1.0 200 OK\r\n\r\nready");
            }
        });
        let address: Address = format!("http://localhost:{port}").parse().expect("one");
        let mut peer = Peer::new(address);
        let limit = Duration::from_secs(20);
        let reply = peer.exchange("m", limit, &Budget::system());
        assert_eq!(reply, Ok("ready".into()));
        assert!(!peer.sockets.is_empty());
        let mut nobody = Peer::new("http://no.such.name.invalid:1".parse().expect("one"));
        let (began, short) = (Instant::now(), Duration::from_millis(500));
        assert!(nobody.exchange("m", short, &Budget::system()).is_err());
        assert!(began.elapsed() < short + SLACK);
        let late = nobody.exchange("m", Duration::ZERO, &Budget::system());
        assert_eq!(late, Err(Fault::Late));
    }
}
