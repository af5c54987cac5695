//! Bytes of a connection → HTTP framing → message, and the replies of players.

use gdl_parse::{GroundTerm, Limits, Sexpr, read_all};
use protocol::http::{HttpError, HttpLimits, Progress, Request, RequestReader, ResponseReader};
use protocol::{Message, Moves, Place, Presence, read_move};

/// Small limits, so that the fuzzer reaches them.
const LIMITS: HttpLimits = HttpLimits {
    head: 2 << 10,
    body: 16 << 10,
};

/// A message is read the same however its bytes are split, prints as a message that means the
/// same, and none is made up from a part of one.
pub(crate) fn check(data: &[u8]) {
    let whole = request(data, data.len().max(1));
    let split = request(data, 1 + data.len() / 3);
    let single = request(data, 1);
    for other in [&split, &single] {
        // A message that is complete before the last byte is read has less of what follows.
        if let (Some(Ok(one)), Some(Ok(other))) = (&whole, other) {
            assert_eq!(one.method, other.method);
            assert_eq!(one.target, other.target);
            assert_eq!(one.headers, other.headers);
        }
    }
    for request in [whole, split, single].into_iter().flatten().flatten() {
        if let Some(text) = request.message() {
            message(&text);
        }
    }
    message(&String::from_utf8_lossy(data));
    reply(data);
}

/// The request in these bytes, which arrive in pieces of this size; `None` if it is complete
/// only when the peer closes its side.
fn request(data: &[u8], piece: usize) -> Option<Result<Request, HttpError>> {
    let mut reader = RequestReader::new(LIMITS);
    for piece in data.chunks(piece) {
        match reader.feed(piece) {
            Ok(Progress::Done(request)) => return Some(Ok(request)),
            Ok(Progress::NeedMore) => {}
            Err(error) => return Some(Err(error)),
        }
    }
    match reader.quiet() {
        Ok(Progress::Done(request)) => Some(Ok(request)),
        Ok(Progress::NeedMore) => Some(reader.end()),
        Err(error) => Some(Err(error)),
    }
}

fn message(text: &str) {
    let Ok(message) = Message::parse(text) else {
        return;
    };
    if let Message::Start { rules, .. } | Message::Preview { rules, .. } = &message {
        let (rules, problems) = read_all(rules, &Limits::default());
        // Where their parentheses do not balance, those of the message do not either, and words
        // between rules are taken for another list of them.
        let lists = rules.iter().all(|rule| matches!(rule, Sexpr::List(..)));
        if !lists || !problems.is_empty() {
            return;
        }
    }
    let printed = message.to_string();
    let again = Message::parse(&printed);
    let again = again.unwrap_or_else(|error| panic!("{printed} is refused: {error}"));
    assert_eq!(again.to_string(), printed);
    if let Message::Play(turn) | Message::Stop(turn) = &message {
        for roles in [1, 2, 3] {
            let names: Vec<_> = ["a", "b", "c"][..roles].to_vec();
            let roles: Vec<_> = names.into_iter().map(GroundTerm::constant).collect();
            let joint = turn.joint(&roles, roles.len() - 1);
            assert!(joint.is_none_or(|joint| joint.len() == roles.len()));
        }
        assert!(turn.sight.is_some() || turn.is_first() == (turn.moves == Moves::None));
    }
}

/// The same bytes as the answer of a player.
fn reply(data: &[u8]) {
    let mut reader = ResponseReader::new(LIMITS);
    let read = match reader.feed(data) {
        Ok(Progress::Done(response)) => Ok(response),
        Ok(Progress::NeedMore) => reader.end(),
        Err(error) => Err(error),
    };
    let Ok(response) = read else { return };
    let [role, one, other] = ["robot", "left", "(mark 1 b)"].map(|text| text.parse().unwrap());
    let legal: [GroundTerm; 2] = [one, other];
    if let Ok(heard) = read_move(&response.body, &role, &legal) {
        let mv = &legal[heard.index];
        let again = read_move(&mv.to_string(), &role, &legal);
        assert!(again.is_ok_and(|again| again.plain && again.index == heard.index));
        let exact = Place::Exact(heard.index);
        let term = response.body.parse::<GroundTerm>();
        assert!(!heard.plain || term.is_ok_and(|term| Place::of(&term, &legal) == exact));
    }
    let _ = Presence::parse(&response.body);
}
