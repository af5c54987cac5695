//! Requests: read by players, written by match controllers.

use super::body::{Body, length};
use super::head::{Head, Headers};
use super::text::{is_percent_encoded, percent_decoded};
use super::{HttpError, HttpLimits, Progress};
use httparse::{EMPTY_HEADER, ParserConfig, Status};

/// The most headers that are parsed.
const HEADERS: usize = 128;

/// The method of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// The usual way of sending a message.
    Post,
    /// A message in the address, from browsers.
    Get,
    /// A browser asks whether it may send a message (CORS preflight).
    Options,
    /// Anything else.
    Other,
}

/// A request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The method.
    pub method: Method,
    /// The address as it was sent, such as `/`.
    pub target: String,
    /// Headers in their order, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body as text.
    pub body: String,
}

impl Request {
    /// The value of a header; `name` in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.as_str())
    }

    /// The text of the message, from the body or from the address.
    ///
    /// `None` for methods that carry no message and expect an empty reply.
    pub fn message(&self) -> Option<String> {
        match self.method {
            Method::Post if is_percent_encoded(&self.body) => Some(percent_decoded(&self.body)),
            Method::Post => Some(self.body.clone()),
            Method::Get => Some(decode(&self.target)),
            Method::Options | Method::Other => None,
        }
    }
}

/// The message in an address: what follows the host and the slash.
fn decode(target: &str) -> String {
    let path = match target.split_once("://") {
        // Proxies get the whole address; a message begins with no scheme.
        Some((scheme, rest)) if scheme.bytes().all(|b| b.is_ascii_alphanumeric()) => {
            rest.find(['/', '?']).map_or("", |at| &rest[at..])
        }
        _ => target,
    };
    percent_decoded(path.trim_start_matches(['/', '?']))
}

/// The interim response to a request that waits for it before it sends its body.
pub const CONTINUE: &[u8] = b"HTTP/1.1 100 Continue\r\n\r\n";

/// Reads one request from bytes that arrive in any pieces.
///
/// A body with a length is complete when that many bytes have arrived and the parentheses
/// balance: some servers count characters instead of bytes. Chunks are complete with the last
/// one. A body of which neither is announced is complete when a whole list has arrived.
/// [`RequestReader::quiet`] and [`RequestReader::end`] decide the other cases.
#[derive(Debug, Clone, Default)]
pub struct RequestReader {
    limits: HttpLimits,
    head: Head,
    parsed: Option<Parsed>,
}

/// A request whose head is complete.
#[derive(Debug, Clone)]
struct Parsed {
    method: Method,
    target: String,
    headers: Headers,
    body: Body,
    waits: bool,
}

impl RequestReader {
    /// A reader with the given limits.
    pub fn new(limits: HttpLimits) -> Self {
        RequestReader {
            limits,
            ..RequestReader::default()
        }
    }

    /// Appends bytes that arrived.
    ///
    /// # Errors
    /// If they are too many, not HTTP, or encoded in a way that is not known.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<Progress<Request>, HttpError> {
        let rest = match &self.parsed {
            Some(_) => bytes,
            None => match self.head.push(bytes, self.limits.head)? {
                Some(rest) => {
                    self.parsed = Some(parse(&self.head, &self.limits)?);
                    rest
                }
                None => return Ok(Progress::NeedMore),
            },
        };
        let Some(parsed) = &mut self.parsed else {
            return Ok(Progress::NeedMore);
        };
        // Only POST has a body that matters.
        if parsed.method == Method::Post {
            parsed.body.feed(rest)?;
        }
        let done = parsed.method != Method::Post || parsed.body.is_complete();
        parsed.progress(done)
    }

    /// Whether the peer waits for [`CONTINUE`] before it sends the body.
    pub fn waits_for_continue(&self) -> bool {
        let waits = |parsed: &Parsed| parsed.waits && parsed.body.is_empty();
        self.parsed.as_ref().is_some_and(waits)
    }

    /// Whether the head is complete.
    pub fn has_head(&self) -> bool {
        self.parsed.is_some()
    }

    /// Decides whether a request is complete when nothing has arrived for a while, though the
    /// connection is open.
    ///
    /// It is complete if a whole list has arrived, or as many bytes as announced, or nothing at
    /// all was announced. Otherwise the peer is merely slow.
    ///
    /// # Errors
    /// If a packed body is damaged.
    pub fn quiet(&mut self) -> Result<Progress<Request>, HttpError> {
        match &self.parsed {
            Some(parsed) => parsed.progress(parsed.body.is_complete_when_quiet()),
            None => Ok(Progress::NeedMore),
        }
    }

    /// The request when the peer has closed its side.
    ///
    /// # Errors
    /// If the request was cut off: acting on a part of a message is worse than no answer.
    pub fn end(&mut self) -> Result<Request, HttpError> {
        if self.head.is_empty() {
            return Err(HttpError::Empty);
        }
        if self.parsed.is_none() {
            // A head without its empty line is complete only if it has no body.
            self.head.push(b"\r\n\r\n", self.limits.head)?;
            self.parsed = Some(parse(&self.head, &self.limits)?);
        }
        let Some(parsed) = &self.parsed else {
            return Err(HttpError::Truncated);
        };
        match parsed.progress(parsed.body.is_complete_at_end())? {
            Progress::Done(request) => Ok(request),
            Progress::NeedMore => Err(HttpError::Truncated),
        }
    }

    /// Whether anything has arrived.
    pub fn is_empty(&self) -> bool {
        self.head.is_empty()
    }
}

impl Parsed {
    fn progress(&self, done: bool) -> Result<Progress<Request>, HttpError> {
        if !done {
            return Ok(Progress::NeedMore);
        }
        Ok(Progress::Done(Request {
            method: self.method,
            target: self.target.clone(),
            headers: self.headers.0.clone(),
            body: self.body.text()?,
        }))
    }
}

fn parse(head: &Head, limits: &HttpLimits) -> Result<Parsed, HttpError> {
    let mut config = ParserConfig::default();
    config
        .ignore_invalid_headers_in_requests(true)
        .allow_multiple_spaces_in_request_line_delimiters(true)
        .allow_space_before_first_header_name(true);
    let mut headers = [EMPTY_HEADER; HEADERS];
    let mut request = httparse::Request::new(&mut headers);
    match config.parse_request(&mut request, head.bytes()) {
        Ok(Status::Complete(_)) => {}
        _ => return Err(HttpError::Malformed),
    }
    let method = match request.method.unwrap_or("") {
        m if m.eq_ignore_ascii_case("post") => Method::Post,
        m if m.eq_ignore_ascii_case("get") => Method::Get,
        m if m.eq_ignore_ascii_case("options") => Method::Options,
        _ => Method::Other,
    };
    let (target, version) = (request.path.unwrap_or("/").to_string(), request.version);
    let headers = Headers::of(request.headers);
    let body = match method {
        Method::Post => Body::new(&headers, limits, true)?,
        _ => Body::alone(limits),
    };
    // Only HTTP/1.1 knows interim responses.
    let expects = headers.list("expect").iter().any(|it| it == "100-continue");
    let waits = expects && version == Some(1) && method == Method::Post && !body.is_complete();
    // Who asks first is told before it sends in vain.
    if waits && length(&headers).is_some_and(|length| length > limits.body) {
        return Err(HttpError::TooLarge);
    }
    Ok(Parsed {
        method,
        target,
        headers,
        body,
        waits,
    })
}

/// A request as match controllers write it.
pub fn write_request(host: &str, receiver: &str, body: &str) -> Vec<u8> {
    format!(
        "POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: {host}\r\nSender: GAMESERVER\r\n\
         Receiver: {receiver}\r\nContent-Type: text/acl\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}
