//! Remote players, which speak the GGP protocol over HTTP.

use crate::exchange::Peer;
use crate::{Address, Answer, Fault, Opening, Participant, Turn};
use budget::Budget;
use game::GroundTerm;
use gdl_scramble::Mapping;
use protocol::{Message, parse_move};
use std::time::Duration;

/// How long to wait for a reply that has no effect.
const COURTESY: Duration = Duration::from_secs(1);

/// A remote player.
pub struct Remote {
    peer: Peer,
    /// The rules as they are sent.
    rules: String,
    /// The mapping between the names in the rules that are sent and the referee's names.
    mapping: Option<Mapping>,
    /// How much later than its clock an answer may be.
    grace: Duration,
    budget: Budget,
    id: String,
}

impl Remote {
    /// The player at `address`. `rules` is the text that is sent to it; with a `mapping`, it is
    /// the text of the scrambled rules. Answers may be later than the clock by `grace`, for the
    /// network latency; servers in use grant 1 to 5 seconds.
    pub fn new(
        address: Address,
        rules: String,
        mapping: Option<Mapping>,
        grace: Duration,
        budget: &Budget,
    ) -> Self {
        Remote {
            peer: Peer::new(address),
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

    /// Sends a message and reads the reply, within `limit`.
    fn call(&mut self, message: &Message, limit: Duration) -> Result<String, Fault> {
        self.peer
            .exchange(&message.to_string(), limit, &self.budget)
    }
}

impl Participant for Remote {
    fn name(&self) -> String {
        format!("http://{}", self.peer.address())
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
        let reply = self.call(&message, opening.start_clock.saturating_add(self.grace))?;
        match reply.trim().eq_ignore_ascii_case("ready") {
            true => Ok(()),
            false => Err(Fault::illegal(&reply)),
        }
    }

    fn play(&mut self, turn: &Turn<'_>) -> Result<Answer, Fault> {
        let message = Message::Play(self.turn(turn.previous));
        let reply = self.call(&message, turn.clock.saturating_add(self.grace))?;
        let mv = parse_move(&reply).map_err(|_| Fault::illegal(&reply))?;
        let mapping = self.mapping.as_ref();
        Ok(Answer {
            thought: None,
            mv: mapping.map_or_else(|| mv.clone(), |mapping| mapping.unscramble(&mv)),
            note: None,
        })
    }

    fn finish(&mut self, last: Option<&[GroundTerm]>) {
        // The match is over, whatever the reply is.
        let _ = self.call(
            &Message::Stop(self.turn(last)),
            COURTESY.saturating_add(self.grace),
        );
    }

    fn abort(&mut self) {
        let message = Message::Abort {
            id: self.id.clone(),
        };
        // The match's own budget may have run out, and the player must still receive the
        // message.
        let budget = Budget::system();
        let _ = self.peer.exchange(&message.to_string(), COURTESY, &budget);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::RoleId;
    use std::io::{Read, Write};
    use std::net::TcpListener;

    /// A clock that cannot run out in a test.
    const LONG: Duration = Duration::from_secs(60);

    /// A player that sends these replies, one for each connection. It keeps the connection of
    /// an empty reply open for a while.
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

    fn turn<'a>(state: &'a game::State, clock: Duration) -> Turn<'a> {
        Turn {
            step: 0,
            state,
            facts: &[],
            legal: &[],
            previous: None,
            clock,
            may_take_back: false,
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
            start_clock: LONG,
            play_clock: LONG,
            seed: 0,
        };
        assert_eq!(remote.start(&opening), Ok(()));
        let answer = remote.play(&turn(&game::State::default(), LONG));
        assert_eq!(answer.map(|a| a.mv.to_string()), Ok("(mark 1 2)".into()));
        remote.finish(Some(&["(mark 1 2)".parse().expect("a term")]));
        let requests = thread.join().expect("no panic");
        let body = |at: usize| requests[at].split("\r\n\r\n").nth(1).expect("a body");
        assert_eq!(body(0), "( START m1 a ( (role a) ) 60 60 )");
        assert_eq!(body(1), "( PLAY m1 NIL )");
        assert_eq!(body(2), "( STOP m1 ( (mark 1 2) ) )");
    }

    #[test]
    fn bad_answers_are_faults() {
        let state = game::State::default();
        for (reply, clock, fault) in [
            ("HTTP/1.0 200 OK\r\n\r\n)(", LONG, Fault::illegal(")(")),
            ("HTTP/1.0 200 OK\r\n\r\n", LONG, Fault::illegal("")),
            ("", Duration::from_millis(100), Fault::Late),
        ] {
            let (mut remote, thread) = player(vec![reply]);
            assert_eq!(remote.play(&turn(&state, clock)), Err(fault), "{reply}");
            // On a busy machine a short clock may have run out before there was a connection.
            let address = remote.peer.address().to_string();
            if let Ok(mut stream) = std::net::TcpStream::connect(address) {
                let _ = stream.write_all(b"over");
            }
            thread.join().expect("no panic");
        }
        let (mut remote, thread) = player(vec![]);
        thread.join().expect("no panic");
        let refused = remote.play(&turn(&state, LONG));
        assert!(matches!(refused, Err(Fault::Connection(_))), "{refused:?}");
    }
}
