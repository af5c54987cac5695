//! Players elsewhere, that speak the GGP protocol over HTTP.

use crate::{Answer, Fault, Opening, Participant, Turn};
use budget::Budget;
use game::GroundTerm;
use gdl_scramble::Mapping;
use protocol::http::{Progress, ResponseReader, write_request};
use protocol::{Message, parse_move};
use std::io::{ErrorKind, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

/// The port that players listen on unless told otherwise.
const PORT: u16 = 9147;
/// How long to wait for a connection, as servers do.
const CONNECT: Duration = Duration::from_secs(5);
/// How long to wait for a reply that does not matter.
const COURTESY: Duration = Duration::from_secs(1);
/// How long to wait before looking whether the match was called off.
const SLICE: Duration = Duration::from_millis(50);

/// Where a remote player listens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    host: String,
    port: u16,
}

impl std::str::FromStr for Address {
    type Err = String;

    /// Reads `http://host:port`; the port may be left out, and so may the slash at the end.
    fn from_str(text: &str) -> Result<Self, String> {
        let rest = text
            .strip_prefix("http://")
            .ok_or_else(|| format!("{text} does not begin with http://"))?;
        let rest = rest.trim_end_matches('/');
        // The colons of an IPv6 address are inside brackets.
        let (host, port) = match rest.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => {
                let port = port.parse().map_err(|_| format!("{port} is no port"))?;
                (host, port)
            }
            _ => (rest, PORT),
        };
        let host = host.trim_start_matches('[').trim_end_matches(']');
        if host.is_empty() || host.contains('/') {
            return Err(format!("{text} is not of the form http://host:port"));
        }
        Ok(Address {
            host: host.to_string(),
            port,
        })
    }
}

impl std::fmt::Display for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.host.contains(':') {
            true => write!(f, "[{}]:{}", self.host, self.port),
            false => write!(f, "{}:{}", self.host, self.port),
        }
    }
}

/// A player elsewhere.
pub struct Remote {
    address: Address,
    /// The rules as they are sent.
    rules: String,
    /// How names differ between the rules that are sent and those of the referee.
    mapping: Option<Mapping>,
    /// How much later than its clock an answer may be.
    grace: Duration,
    budget: Budget,
    id: String,
}

impl Remote {
    /// The player at `address`, which is sent `rules`: the text of the game's rules, or with
    /// `mapping` that of the scrambled ones. Answers may be later than the clock by `grace`, for
    /// the way there and back; servers in use grant 1 to 5 seconds.
    pub fn new(
        address: Address,
        rules: String,
        mapping: Option<Mapping>,
        grace: Duration,
        budget: &Budget,
    ) -> Self {
        Remote {
            address,
            rules,
            mapping,
            grace,
            budget: budget.clone(),
            id: String::new(),
        }
    }

    fn scramble(&self, term: &GroundTerm) -> GroundTerm {
        let mapping = self.mapping.as_ref();
        mapping.map_or_else(|| term.clone(), |mapping| mapping.scramble(term))
    }

    fn turn(&self, joint: Option<&[GroundTerm]>) -> protocol::Turn {
        let joint: Option<Vec<GroundTerm>> =
            joint.map(|terms| terms.iter().map(|term| self.scramble(term)).collect());
        protocol::Turn::new(&self.id, joint.as_deref())
    }

    /// Sends a message and reads the reply, all within `limit`.
    fn call(&self, message: &Message, limit: Duration) -> Result<String, Fault> {
        let end = Instant::now() + limit;
        let left = || end.saturating_duration_since(Instant::now());
        let mut stream = self.connect(left().min(CONNECT))?;
        let place = self.address.to_string();
        let request = write_request(&place, "", &message.to_string());
        stream
            .set_write_timeout(Some(left().max(SLICE)))
            .and_then(|()| stream.write_all(&request))
            .map_err(fault)?;
        let mut reader = ResponseReader::default();
        let mut buffer = [0; 4096];
        let garbage = |error: protocol::http::HttpError| Fault::Connection(error.to_string());
        loop {
            if left().is_zero() || self.budget.check().is_err() {
                return Err(Fault::Late);
            }
            let wait = left().clamp(Duration::from_millis(1), SLICE);
            stream.set_read_timeout(Some(wait)).map_err(fault)?;
            match stream.read(&mut buffer) {
                Ok(0) => return reader.end().map(|r| r.body).map_err(garbage),
                Ok(read) => {
                    if let Progress::Done(response) =
                        reader.feed(&buffer[..read]).map_err(garbage)?
                    {
                        return Ok(response.body);
                    }
                }
                Err(error) if is_timeout(error.kind()) => {}
                Err(error) => return Err(fault(error)),
            }
        }
    }

    fn connect(&self, limit: Duration) -> Result<TcpStream, Fault> {
        let host = (self.address.host.as_str(), self.address.port);
        let mut last = Fault::Connection(format!("{} has no address", self.address));
        for address in host.to_socket_addrs().map_err(fault)? {
            // A timeout of zero is not allowed.
            match TcpStream::connect_timeout(&address, limit.max(SLICE)) {
                Ok(stream) => return Ok(stream),
                Err(error) => last = fault(error),
            }
        }
        Err(last)
    }
}

fn is_timeout(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted
    )
}

fn fault(error: std::io::Error) -> Fault {
    match is_timeout(error.kind()) {
        true => Fault::Late,
        false => Fault::Connection(error.to_string()),
    }
}

impl Participant for Remote {
    fn name(&self) -> String {
        format!("http://{}", self.address)
    }

    fn is_remote(&self) -> bool {
        true
    }

    fn start(&mut self, opening: &Opening<'_>) -> Result<(), Fault> {
        self.id = opening.id.to_string();
        let message = Message::Start {
            id: self.id.clone(),
            role: self.scramble(&opening.roles[opening.role.0]),
            rules: self.rules.clone(),
            start_clock: opening.start_clock,
            play_clock: opening.play_clock,
        };
        let reply = self.call(&message, opening.start_clock + self.grace)?;
        match reply.trim().eq_ignore_ascii_case("ready") {
            true => Ok(()),
            false => Err(Fault::Illegal(short(&reply))),
        }
    }

    fn play(&mut self, turn: &Turn<'_>) -> Result<Answer, Fault> {
        let message = Message::Play(self.turn(turn.previous));
        let reply = self.call(&message, turn.clock + self.grace)?;
        let mv = parse_move(&reply).map_err(|_| Fault::Illegal(short(&reply)))?;
        let mapping = self.mapping.as_ref();
        Ok(Answer {
            mv: mapping.map_or_else(|| mv.clone(), |mapping| mapping.unscramble(&mv)),
            note: None,
        })
    }

    fn finish(&mut self, last: Option<&[GroundTerm]>) {
        // The match is over for us whatever it answers.
        let _ = self.call(&Message::Stop(self.turn(last)), COURTESY + self.grace);
    }

    fn abort(&mut self) {
        let message = Message::Abort {
            id: self.id.clone(),
        };
        // The budget may be what called the match off; the player must hear of it all the same.
        let stopped = std::mem::replace(&mut self.budget, Budget::system());
        let _ = self.call(&message, COURTESY);
        self.budget = stopped;
    }
}

/// The beginning of a reply, for records.
fn short(reply: &str) -> String {
    let mut text: String = reply.trim().chars().take(80).collect();
    if text.is_empty() {
        text = "nothing".into();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::RoleId;
    use std::net::TcpListener;

    #[test]
    fn addresses_are_read_as_people_write_them() {
        for (text, wanted) in [
            ("http://localhost:1", "localhost:1"),
            ("http://127.0.0.1/", "127.0.0.1:9147"),
            ("http://[::1]:80", "[::1]:80"),
            ("http://[::1]", "[::1]:9147"),
        ] {
            let address: Address = text.parse().expect(text);
            assert_eq!(address.to_string(), wanted);
        }
        for text in ["localhost:1", "http://", "http://a:b", "http://a:99999"] {
            assert!(text.parse::<Address>().is_err(), "{text}");
        }
    }

    /// A player that gives these bytes back, one reply for each connection; it then keeps the last
    /// connection open for a while.
    fn player(replies: Vec<&'static str>) -> (Remote, std::thread::JoinHandle<Vec<String>>) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("bound").port();
        let thread = std::thread::spawn(move || {
            let mut requests = Vec::new();
            for reply in replies {
                let (mut stream, _) = listener.accept().expect("a connection");
                let mut buffer = [0; 4096];
                let read = stream.read(&mut buffer).expect("a request");
                requests.push(String::from_utf8_lossy(&buffer[..read]).into_owned());
                stream.write_all(reply.as_bytes()).expect("to reply");
                if reply.is_empty() {
                    std::thread::sleep(Duration::from_millis(300));
                }
            }
            requests
        });
        let address = format!("http://127.0.0.1:{port}").parse().expect("one");
        let grace = Duration::from_millis(50);
        let rules = "(role a)".to_string();
        let remote = Remote::new(address, rules, None, grace, &Budget::system());
        (remote, thread)
    }

    fn turn<'a>(state: &'a game::State) -> Turn<'a> {
        Turn {
            step: 0,
            state,
            facts: &[],
            legal: &[],
            previous: None,
            clock: Duration::from_millis(100),
        }
    }

    #[test]
    fn a_match_is_a_start_some_plays_and_a_stop() {
        let (mut remote, thread) = player(vec![
            "HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nREADY",
            "HTTP/1.0 200 OK\r\n\r\n ( mark 1 2 )\r\n",
            "done",
        ]);
        let roles = ["a".parse().expect("a term")];
        let opening = Opening {
            id: "m1",
            roles: &roles,
            role: RoleId(0),
            start_clock: Duration::from_secs(1),
            play_clock: Duration::from_secs(1),
            seed: 0,
        };
        assert_eq!(remote.start(&opening), Ok(()));
        let answer = remote.play(&turn(&game::State::default()));
        assert_eq!(answer.map(|a| a.mv.to_string()), Ok("(mark 1 2)".into()));
        remote.finish(Some(&["(mark 1 2)".parse().expect("a term")]));
        let requests = thread.join().expect("no panic");
        let body = |at: usize| requests[at].split("\r\n\r\n").nth(1).expect("a body");
        assert_eq!(body(0), "( START m1 a ( (role a) ) 1 1 )");
        assert_eq!(body(1), "( PLAY m1 NIL )");
        assert_eq!(body(2), "( STOP m1 ( (mark 1 2) ) )");
    }

    #[test]
    fn bad_answers_are_faults() {
        let state = game::State::default();
        for (reply, fault) in [
            ("HTTP/1.0 200 OK\r\n\r\n)(", Fault::Illegal(")(".into())),
            ("HTTP/1.0 200 OK\r\n\r\n", Fault::Illegal("nothing".into())),
            ("", Fault::Late),
        ] {
            let (mut remote, thread) = player(vec![reply]);
            assert_eq!(remote.play(&turn(&state)), Err(fault), "{reply}");
            thread.join().expect("no panic");
        }
        let (mut remote, thread) = player(vec![]);
        thread.join().expect("no panic");
        let refused = remote.play(&turn(&state));
        assert!(matches!(refused, Err(Fault::Connection(_))), "{refused:?}");
    }
}
