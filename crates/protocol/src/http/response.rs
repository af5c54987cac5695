//! Responses: written by players, read by match controllers.

use super::body::Body;
use super::head::{Head, Headers};
use super::{HttpError, HttpLimits, Progress, Status};
use httparse::{EMPTY_HEADER, ParserConfig};

/// A response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    /// The status code; `None` if there was no head.
    pub status: Option<u16>,
    /// The body as text.
    pub body: String,
}

/// Reads one response from bytes that arrive in any pieces.
///
/// It may have a length, come in chunks, end with the connection, or have no head at all, as
/// from some players. Interim responses before it are skipped.
#[derive(Debug, Clone, Default)]
pub struct ResponseReader {
    limits: HttpLimits,
    head: Head,
    status: Option<u16>,
    body: Option<Body>,
}

impl ResponseReader {
    /// A reader with the given limits.
    pub fn new(limits: HttpLimits) -> Self {
        ResponseReader {
            limits,
            ..ResponseReader::default()
        }
    }

    /// Appends bytes that arrived.
    ///
    /// # Errors
    /// If they are too many, or encoded in a way that is not known.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<Progress<Response>, HttpError> {
        let mut rest = bytes;
        while self.body.is_none() {
            match self.head.push(rest, self.limits.head)? {
                Some(behind) => rest = behind,
                None => return Ok(Progress::NeedMore),
            }
            self.read_head()?;
        }
        let Some(body) = &mut self.body else {
            return Ok(Progress::NeedMore);
        };
        body.feed(rest)?;
        let done = body.is_complete();
        self.progress(done)
    }

    /// Decides whether a response is complete when nothing has arrived for a while, though the
    /// connection is open: if a whole list has arrived, or as many bytes as announced.
    ///
    /// # Errors
    /// If a packed body is damaged.
    pub fn quiet(&mut self) -> Result<Progress<Response>, HttpError> {
        let done = self.body.as_ref().is_some_and(Body::is_complete_when_quiet);
        self.progress(done)
    }

    /// The response when the peer has closed its side, or no time is left.
    ///
    /// # Errors
    /// If nothing was sent, or the body was cut off.
    pub fn end(&mut self) -> Result<Response, HttpError> {
        if self.head.is_empty() {
            return Err(HttpError::Empty);
        }
        if self.body.is_none() {
            self.without_head()?;
        }
        let done = self.body.as_ref().is_some_and(Body::is_complete_at_end);
        match self.progress(done)? {
            Progress::Done(response) => Ok(response),
            Progress::NeedMore => Err(HttpError::Truncated),
        }
    }

    /// Reads the head. After an interim response the next head is awaited.
    fn read_head(&mut self) -> Result<(), HttpError> {
        let mut headers = [EMPTY_HEADER; 128];
        let mut response = httparse::Response::new(&mut headers);
        let mut config = ParserConfig::default();
        config
            .ignore_invalid_headers_in_responses(true)
            .allow_multiple_spaces_in_response_status_delimiters(true)
            .allow_spaces_after_header_name_in_responses(true)
            .allow_obsolete_multiline_headers_in_responses(true);
        match config.parse_response(&mut response, self.head.bytes()) {
            Ok(httparse::Status::Complete(_)) => match response.code {
                Some(100..=199) => self.head = Head::default(),
                code => {
                    self.status = code;
                    let headers = Headers::of(response.headers);
                    self.body = Some(Body::new(&headers, &self.limits, false)?);
                }
            },
            // Text that contains an empty line, but no head.
            _ => self.without_head()?,
        }
        Ok(())
    }

    /// Takes everything as the body.
    fn without_head(&mut self) -> Result<(), HttpError> {
        let mut body = Body::alone(&self.limits);
        body.feed(self.head.bytes())?;
        self.body = Some(body);
        Ok(())
    }

    fn progress(&self, done: bool) -> Result<Progress<Response>, HttpError> {
        match &self.body {
            Some(body) if done => Ok(Progress::Done(Response {
                status: self.status,
                body: body.text()?,
            })),
            _ => Ok(Progress::NeedMore),
        }
    }
}

/// A response as servers and browsers need it.
///
/// The status is 200 for everything that could be read: servers take the body of any response
/// for a move. The response always ends with the connection: some servers wait for that.
pub fn write_response(body: &str) -> Vec<u8> {
    write("200 OK", "text/acl", body)
}

/// A response to what could not be read; `why` is for people.
pub fn write_refusal(status: Status, why: &str) -> Vec<u8> {
    write(
        status.line(),
        "text/plain; charset=utf-8",
        &format!("{why}\n"),
    )
}

fn write(status: &str, kind: &str, body: &str) -> Vec<u8> {
    format!(
        "HTTP/1.0 {status}\r\n\
         Content-Type: {kind}\r\n\
         Content-Length: {}\r\n\
         Access-Control-Allow-Origin: *\r\n\
         Access-Control-Allow-Methods: POST, GET, OPTIONS\r\n\
         Access-Control-Allow-Headers: Content-Type\r\n\
         Access-Control-Allow-Age: 86400\r\n\
         Access-Control-Max-Age: 86400\r\n\
         Connection: close\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}
