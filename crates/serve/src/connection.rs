//! One connection: a request in, a reply out.

use crate::server::ServerLimits;
use crate::service::{Context, Receipt, Service};
use protocol::Reply;
use protocol::http::{HttpError, Progress, Request, RequestReader, write_response};
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;
use tracing::{debug, error, warn};

/// How long the peer may take to close its side after our reply.
const LINGER: Duration = Duration::from_millis(200);
/// How long a reply may take to be sent.
const WRITING: Duration = Duration::from_secs(2);

/// Why a connection brought no request.
enum Failure {
    Http(HttpError),
    Io(io::Error),
    Slow,
}

/// Answers the request of a connection that was accepted at `arrived`, and closes the
/// connection.
pub(crate) fn serve(
    mut stream: TcpStream,
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
    let (body, receipt) = match read(&mut stream, service, limits) {
        Ok(request) => answer(&request, service, arrived, &peer),
        Err(Failure::Http(HttpError::Empty)) => return,
        Err(Failure::Http(problem @ (HttpError::Malformed | HttpError::TooLarge))) => {
            warn!(peer, "{problem}");
            (Reply::Nil.to_string(), Receipt::default())
        }
        Err(Failure::Http(problem)) => {
            warn!(peer, "{problem}");
            return;
        }
        Err(Failure::Io(problem)) => {
            debug!(peer, "{problem}");
            return;
        }
        Err(Failure::Slow) => {
            warn!(peer, "nothing more came of the message");
            return;
        }
    };
    let sent = stream
        .write_all(&write_response(&body))
        .and_then(|()| stream.flush());
    if let Err(problem) = sent {
        warn!(peer, "the reply could not be sent: {problem}");
        receipt.lost();
        return;
    }
    close(&mut stream);
}

/// Reads until the tolerant parser considers the request complete.
fn read(
    stream: &mut TcpStream,
    service: &Service,
    limits: &ServerLimits,
) -> Result<Request, Failure> {
    let mut reader = RequestReader::new(limits.http);
    let mut buffer = [0; 16 << 10];
    let begin = service.clock().now();
    let mut last = begin;
    let quiet = limits.quiet.max(Duration::from_millis(1));
    stream.set_read_timeout(Some(quiet)).map_err(Failure::Io)?;
    loop {
        let progress = match stream.read(&mut buffer) {
            Ok(0) => return reader.end().map_err(Failure::Http),
            Ok(count) => {
                last = service.clock().now();
                reader.feed(&buffer[..count]).map_err(Failure::Http)?
            }
            Err(error) => match error.kind() {
                ErrorKind::WouldBlock | ErrorKind::TimedOut => reader.quiet(),
                ErrorKind::Interrupted => Progress::NeedMore,
                _ => return Err(Failure::Io(error)),
            },
        };
        if let Progress::Done(request) = progress {
            return Ok(request);
        }
        let now = service.clock().now();
        if now - last > limits.idle || now - begin > limits.request {
            return Err(Failure::Slow);
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
fn close(stream: &mut TcpStream) {
    if stream.shutdown(Shutdown::Write).is_err() || stream.set_read_timeout(Some(LINGER)).is_err() {
        return;
    }
    let mut buffer = [0; 4096];
    for _ in 0..16 {
        match stream.read(&mut buffer) {
            Ok(count) if count > 0 => {}
            _ => return,
        }
    }
}
