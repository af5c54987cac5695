//! Requests: read by players, written by match controllers.

use super::framing::Buffer;
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
            Method::Post => Some(self.body.clone()),
            Method::Get => Some(decode(&self.target)),
            Method::Options | Method::Other => None,
        }
    }
}

/// The message of an address: without the slash, `%20` and `+` decoded, line ends as spaces.
fn decode(target: &str) -> String {
    let target = target.trim_start_matches(['/', '?']);
    let mut bytes = Vec::with_capacity(target.len());
    let mut rest = target.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = tail;
        bytes.push(match (first, tail) {
            (b'+', _) => b' ',
            (b'%', [high, low, after @ ..]) => {
                let digit = |b: &u8| char::from(*b).to_digit(16);
                match (digit(high), digit(low)) {
                    (Some(high), Some(low)) => {
                        rest = after;
                        match (high * 16 + low) as u8 {
                            b'\r' => b' ',
                            byte => byte,
                        }
                    }
                    _ => b'%',
                }
            }
            (byte, _) => *byte,
        });
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Reads one request from bytes that arrive in any pieces.
///
/// A body with a length is complete when that many bytes have arrived and the parentheses
/// balance: some servers count characters instead of bytes. A body without a length is complete
/// when a whole list has arrived. [`RequestReader::quiet`] and [`RequestReader::end`] decide
/// the other cases.
#[derive(Debug, Clone, Default)]
pub struct RequestReader {
    buffer: Buffer,
    head: Option<Head>,
}

#[derive(Debug, Clone)]
struct Head {
    method: Method,
    target: String,
    headers: Vec<(String, String)>,
    length: Option<usize>,
}

impl RequestReader {
    /// A reader with the given limits.
    pub fn new(limits: HttpLimits) -> Self {
        RequestReader {
            buffer: Buffer::new(limits),
            head: None,
        }
    }

    /// Appends bytes that arrived.
    ///
    /// # Errors
    /// If they are too many, or not HTTP.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<Progress<Request>, HttpError> {
        if self.buffer.push(bytes)? {
            self.head = Some(parse_head(&self.buffer)?);
        }
        let Some(head) = &self.head else {
            return Ok(Progress::NeedMore);
        };
        let parentheses = self.buffer.parentheses();
        let done = match (head.method, head.length) {
            (Method::Post, Some(length)) => {
                self.buffer.body().len() >= length && parentheses.balanced()
            }
            (Method::Post, None) => parentheses.complete(),
            _ => true,
        };
        Ok(self.progress(done))
    }

    /// Decides whether a request is complete when nothing has arrived for a while, though the
    /// connection is open.
    ///
    /// It is complete if a whole list has arrived, or as many bytes as announced, or nothing at
    /// all was announced. Otherwise the peer is merely slow.
    pub fn quiet(&mut self) -> Progress<Request> {
        let Some(head) = &self.head else {
            return Progress::NeedMore;
        };
        let body = self.buffer.body();
        let done = self.buffer.parentheses().complete()
            || match head.length {
                Some(length) => body.len() >= length,
                None => self.buffer.parentheses().balanced(),
            };
        self.progress(done)
    }

    /// The request when the peer has closed its side.
    ///
    /// # Errors
    /// If the request was cut off: acting on a part of a message is worse than no answer.
    pub fn end(&mut self) -> Result<Request, HttpError> {
        if self.buffer.is_empty() {
            return Err(HttpError::Empty);
        }
        if !self.buffer.has_head() {
            // A head without its empty line is complete only if it has no body.
            self.buffer.push(b"\r\n\r\n")?;
            self.head = Some(parse_head(&self.buffer)?);
        }
        match self.quiet() {
            Progress::Done(request) => Ok(request),
            Progress::NeedMore => Err(HttpError::Truncated),
        }
    }

    /// Whether anything has arrived.
    pub fn is_empty(&self) -> bool {
        self.buffer.is_empty()
    }

    fn progress(&self, done: bool) -> Progress<Request> {
        match &self.head {
            Some(head) if done => Progress::Done(Request {
                method: head.method,
                target: head.target.clone(),
                headers: head.headers.clone(),
                body: self.buffer.text(),
            }),
            _ => Progress::NeedMore,
        }
    }
}

fn parse_head(buffer: &Buffer) -> Result<Head, HttpError> {
    let mut config = ParserConfig::default();
    config
        .ignore_invalid_headers_in_requests(true)
        .allow_multiple_spaces_in_request_line_delimiters(true)
        .allow_space_before_first_header_name(true);
    let mut headers = [EMPTY_HEADER; HEADERS];
    let mut request = httparse::Request::new(&mut headers);
    match config.parse_request(&mut request, buffer.head()) {
        Ok(Status::Complete(_)) => {}
        _ => return Err(HttpError::Malformed),
    }
    let method = match request.method.unwrap_or("") {
        m if m.eq_ignore_ascii_case("post") => Method::Post,
        m if m.eq_ignore_ascii_case("get") => Method::Get,
        m if m.eq_ignore_ascii_case("options") => Method::Options,
        _ => Method::Other,
    };
    let headers = lower_case(request.headers);
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length = buffer.believable(length.map(|(_, value)| value.as_str()));
    Ok(Head {
        method,
        target: request.path.unwrap_or("/").to_string(),
        headers,
        length,
    })
}

pub(super) fn lower_case(headers: &[httparse::Header<'_>]) -> Vec<(String, String)> {
    headers
        .iter()
        .map(|header| {
            let value = String::from_utf8_lossy(header.value).trim().to_string();
            (header.name.to_ascii_lowercase(), value)
        })
        .collect()
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
