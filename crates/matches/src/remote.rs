//! Remote players, which speak the GGP protocol over HTTP.

use crate::exchange::Peer;
use crate::{Address, Answer, Fault, Opening, Participant, Turn};
use budget::Budget;
use game::GroundTerm;
use gdl_scramble::Mapping;
use protocol::{Message, Unheard, is_ready, read_move};
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
    /// Its role, in the names that it knows.
    role: GroundTerm,
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
            role: GroundTerm::constant(""),
        }
    }

    fn scramble(&self, term: &GroundTerm) -> GroundTerm {
        let mapping = self.mapping.as_ref();
        mapping.map_or_else(|| term.clone(), |mapping| mapping.scramble(term))
    }

    /// A reply in the referee's names, if it is a term.
    fn unscramble(&self, reply: &str) -> String {
        match (reply.parse(), &self.mapping) {
            (Ok(term), Some(mapping)) => mapping.unscramble(&term).to_string(),
            (Ok(term), None) => GroundTerm::to_string(&term),
            (Err(_), _) => reply.to_string(),
        }
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
        self.role = self.scramble(&opening.roles[opening.role.0]);
        let message = Message::Start {
            id: self.id.clone(),
            role: self.role.clone(),
            rules: self.rules.clone(),
            start_clock: opening.start_clock,
            play_clock: opening.play_clock,
        };
        let reply = self.call(&message, opening.start_clock.saturating_add(self.grace))?;
        match is_ready(&reply) {
            true => Ok(()),
            false => Err(Fault::illegal(&reply)),
        }
    }

    fn play(&mut self, turn: &Turn<'_>) -> Result<Answer, Fault> {
        let message = Message::Play(self.turn(turn.previous));
        let reply = self.call(&message, turn.clock.saturating_add(self.grace))?;
        let legal = turn.legal.iter().map(|(_, term)| self.scramble(term));
        let legal: Vec<GroundTerm> = legal.collect();
        match read_move(&reply, &self.role, &legal) {
            Ok(heard) => Ok(Answer {
                thought: None,
                mv: turn.legal[heard.index].1.clone(),
                note: (!heard.plain).then(|| format!("answered {}", Fault::shorten(&reply))),
            }),
            Err(Unheard::Illegal) => Err(Fault::illegal(&self.unscramble(&reply))),
            Err(Unheard::Ambiguous(one, other)) => Err(Fault::Illegal(format!(
                "{} (can mean {} or {})",
                Fault::shorten(&reply),
                turn.legal[one].1,
                turn.legal[other].1
            ))),
        }
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
    use game::{MoveId, RoleId};
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

    fn turn<'a>(
        state: &'a game::State,
        legal: &'a [(MoveId, GroundTerm)],
        clock: Duration,
    ) -> Turn<'a> {
        Turn {
            step: 0,
            state,
            facts: &[],
            legal,
            previous: None,
            clock,
            may_take_back: false,
        }
    }

    fn legal(texts: &[&str]) -> Vec<(MoveId, GroundTerm)> {
        let terms = texts.iter().map(|text| text.parse().expect("a term"));
        (0..).map(MoveId).zip(terms).collect()
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
        let state = game::State::default();
        let legal = legal(&["(mark 1 1)", "(mark 1 2)"]);
        let answer = remote.play(&turn(&state, &legal, LONG)).expect("a move");
        assert_eq!(answer.mv.to_string(), "(mark 1 2)");
        assert_eq!(answer.note, None);
        remote.finish(Some(&["(mark 1 2)".parse().expect("a term")]));
        let requests = thread.join().expect("no panic");
        let body = |at: usize| requests[at].split("\r\n\r\n").nth(1).expect("a body");
        assert_eq!(body(0), "( START m1 a ( (role a) ) 60 60 )");
        assert_eq!(body(1), "( PLAY m1 NIL )");
        assert_eq!(body(2), "( STOP m1 ( (mark 1 2) ) )");
    }

    #[test]
    fn answers_in_other_words_are_read_with_a_note() {
        let state = game::State::default();
        let legal = legal(&["(take 1)", "(take 2)", "(Take 2)"]);
        let ask = |reply| {
            let (mut remote, thread) = player(vec![reply]);
            let answer = remote.play(&turn(&state, &legal, LONG));
            thread.join().expect("no panic");
            answer.map(|answer| (answer.mv.to_string(), answer.note))
        };
        for reply in ["(TAKE 1)", "(take 1) (explanation \"one\") (taunt \"ha\")"] {
            let body: &'static str = format!("HTTP/1.0 200 OK\r\n\r\n{reply}").leak();
            let note = format!("answered {reply}");
            assert_eq!(ask(body), Ok(("(take 1)".into(), Some(note))), "{reply}");
        }
        assert_eq!(
            ask("HTTP/1.0 200 OK\r\n\r\n(TAKE 2)"),
            Err(Fault::illegal("(TAKE 2) (can mean (take 2) or (Take 2))"))
        );
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
            assert_eq!(
                remote.play(&turn(&state, &[], clock)),
                Err(fault),
                "{reply}"
            );
            // On a busy machine a short clock may have run out before there was a connection.
            let address = remote.peer.address().to_string();
            if let Ok(mut stream) = std::net::TcpStream::connect(address) {
                let _ = stream.write_all(b"over");
            }
            thread.join().expect("no panic");
        }
        let (mut remote, thread) = player(vec![]);
        thread.join().expect("no panic");
        let refused = remote.play(&turn(&state, &[], LONG));
        assert!(matches!(refused, Err(Fault::Connection(_))), "{refused:?}");
    }
}
