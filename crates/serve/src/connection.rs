//! One connection: a request in, a reply out.

use crate::connections::Place;
use crate::limits::ServerLimits;
use crate::service::{Context, Receipt, Service};
use protocol::Reply;
use protocol::http::{
    CONTINUE, HttpError, Progress, Request, RequestReader, Status, write_refusal, write_response,
};
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};
use tracing::{debug, error, warn};

/// How long the peer may take to close its side after our reply.
const LINGER: Duration = Duration::from_millis(500);
/// How long a reply may take to be sent.
const WRITING: Duration = Duration::from_secs(2);

/// Why a connection brought no request.
enum Failure {
    Http(HttpError),
    Io(io::Error),
    Slow(&'static str),
    Full,
}

impl Failure {
    /// The status to answer with, and the reason. `None` if nobody is there to read it.
    fn refusal(&self) -> Option<(Status, String)> {
        match self {
            Failure::Http(HttpError::Empty | HttpError::Truncated) | Failure::Io(_) => None,
            Failure::Http(problem) => Some((problem.status(), problem.to_string())),
            Failure::Slow(what) => Some((Status::Timeout, what.to_string())),
            Failure::Full => {
                let why = "too many requests are being received; send it again";
                Some((Status::Unavailable, why.to_string()))
            }
        }
    }
}

/// Answers the request of a connection that was accepted at `arrived`, and closes the
/// connection.
pub(crate) fn serve(
    stream: &TcpStream,
    mut place: Place,
    arrived: Duration,
    service: &Service,
    limits: &ServerLimits,
) {
    let peer = stream
        .peer_addr()
        .map_or_else(|_| "unknown".to_string(), |addr| addr.to_string());
    // If these fail, the connection still works, only less well.
    let _ = stream.set_nodelay(true);
    let _ = stream.set_write_timeout(Some(WRITING));
    let (response, receipt) = match read(stream, &mut place, service, limits) {
        Ok(request) => {
            place.has_request();
            let (body, receipt) = answer(&request, service, arrived, &peer);
            (write_response(&body), receipt)
        }
        Err(failure) => match failure.refusal() {
            Some((status, why)) => {
                warn!(peer, "{why}");
                (write_refusal(status, &why), Receipt::default())
            }
            None => {
                match failure {
                    Failure::Io(problem) => debug!(peer, "{problem}"),
                    Failure::Http(HttpError::Truncated) => warn!(peer, "{}", HttpError::Truncated),
                    _ => {}
                }
                return;
            }
        },
    };
    let mut writer = stream;
    let sent = writer.write_all(&response).and_then(|()| writer.flush());
    if let Err(problem) = sent {
        warn!(peer, "the reply could not be sent: {problem}");
        receipt.lost();
        return;
    }
    close(stream);
}

/// Reads until the tolerant parser considers the request complete.
fn read(
    mut stream: &TcpStream,
    place: &mut Place,
    service: &Service,
    limits: &ServerLimits,
) -> Result<Request, Failure> {
    let mut reader = RequestReader::new(limits.http);
    let mut buffer = [0; 16 << 10];
    let begin = service.clock().now();
    let mut last = begin;
    let mut permitted = false;
    let quiet = limits.quiet.max(Duration::from_millis(1));
    stream.set_read_timeout(Some(quiet)).map_err(Failure::Io)?;
    loop {
        let progress = match stream.read(&mut buffer) {
            Ok(0) => return reader.end().map_err(Failure::Http),
            Ok(count) => {
                last = service.clock().now();
                place.hold(count).map_err(|_| Failure::Full)?;
                reader.feed(&buffer[..count])
            }
            Err(error) => match error.kind() {
                ErrorKind::WouldBlock | ErrorKind::TimedOut => reader.quiet(),
                ErrorKind::Interrupted => Ok(Progress::NeedMore),
                _ => return Err(Failure::Io(error)),
            },
        };
        if let Progress::Done(request) = progress.map_err(Failure::Http)? {
            return Ok(request);
        }
        if !permitted && reader.waits_for_continue() {
            stream.write_all(CONTINUE).map_err(Failure::Io)?;
            permitted = true;
        }
        let now = service.clock().now();
        if now - last > limits.idle {
            return Err(Failure::Slow("nothing more came of the message"));
        }
        if now - begin > limits.request || !reader.has_head() && now - begin > limits.head {
            return Err(Failure::Slow("the message took too long to arrive"));
        }
    }
}

fn answer(
    request: &Request,
    service: &Service,
    arrived: Duration,
    peer: &str,
) -> (String, Receipt) {
    let Some(text) = request.message() else {
        debug!(peer, method = ?request.method, "no message");
        return (String::new(), Receipt::default());
    };
    let number = request
        .header("ggp-match-step")
        .and_then(|value| value.parse().ok());
    for (name, value) in &request.headers {
        if name.starts_with("ggp-") || name == "sender" {
            debug!(peer, "{name}: {value}");
        }
    }
    let context = Context { arrived, number };
    catch_unwind(AssertUnwindSafe(|| service.handle(&text, context))).map_or_else(
        |_| {
            error!(peer, "panic while answering");
            (Reply::Nil.to_string(), Receipt::default())
        },
        |answer| (answer.reply.to_string(), answer.receipt),
    )
}

/// Closes the connection without losing the reply.
///
/// With unread bytes the system would reset the connection, so the rest of the peer's data is
/// read for a moment.
fn close(mut stream: &TcpStream) {
    if stream.shutdown(Shutdown::Write).is_err() {
        return;
    }
    let until = Instant::now() + LINGER;
    let mut buffer = [0; 4096];
    loop {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() || stream.set_read_timeout(Some(left)).is_err() {
            return;
        }
        match stream.read(&mut buffer) {
            Ok(count) if count > 0 => {}
            _ => return,
        }
    }
}
