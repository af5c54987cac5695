//! Responses: written by players, read by match controllers.

use super::framing::Buffer;
use super::request::lower_case;
use super::{HttpError, HttpLimits, Progress};
use httparse::{EMPTY_HEADER, ParserConfig, Status};

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
/// It may have a length, or end with the connection, or have no head at all, as from some
/// players.
#[derive(Debug, Clone, Default)]
pub struct ResponseReader {
    buffer: Buffer,
    status: Option<u16>,
    length: Option<usize>,
}

impl ResponseReader {
    /// A reader with the given limits.
    pub fn new(limits: HttpLimits) -> Self {
        ResponseReader {
            buffer: Buffer::new(limits),
            ..ResponseReader::default()
        }
    }

    /// Appends bytes that arrived.
    ///
    /// # Errors
    /// If they are too many.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<Progress<Response>, HttpError> {
        if self.buffer.push(bytes)? {
            self.read_head();
        }
        Ok(match self.length {
            Some(length)
                if self.buffer.body().len() >= length && self.buffer.parentheses().balanced() =>
            {
                Progress::Done(self.response())
            }
            _ => Progress::NeedMore,
        })
    }

    /// The response when the peer has closed its side.
    ///
    /// # Errors
    /// If nothing was sent, or the body was cut off.
    pub fn end(&mut self) -> Result<Response, HttpError> {
        if self.buffer.is_empty() {
            return Err(HttpError::Empty);
        }
        if !self.buffer.has_head() {
            self.buffer.without_head();
        }
        let enough = self.length.is_none_or(|n| self.buffer.body().len() >= n);
        if enough || self.buffer.parentheses().complete() {
            Ok(self.response())
        } else {
            Err(HttpError::Truncated)
        }
    }

    fn read_head(&mut self) {
        let mut headers = [EMPTY_HEADER; 128];
        let mut response = httparse::Response::new(&mut headers);
        let mut config = ParserConfig::default();
        config
            .ignore_invalid_headers_in_responses(true)
            .allow_multiple_spaces_in_response_status_delimiters(true)
            .allow_spaces_after_header_name_in_responses(true)
            .allow_obsolete_multiline_headers_in_responses(true);
        match config.parse_response(&mut response, self.buffer.head()) {
            Ok(Status::Complete(_)) => {
                self.status = response.code;
                let headers = lower_case(response.headers);
                let length = headers.iter().find(|(name, _)| name == "content-length");
                self.length = self
                    .buffer
                    .believable(length.map(|(_, value)| value.as_str()));
            }
            // Text that contains an empty line, but no head.
            _ => self.buffer.without_head(),
        }
    }

    fn response(&self) -> Response {
        Response {
            status: self.status,
            body: self.buffer.text(),
        }
    }
}

/// A response as servers and browsers need it.
///
/// The status is always 200: servers take the body of any response for a move. The response
/// always ends with the connection: some servers wait for that.
pub fn write_response(body: &str) -> Vec<u8> {
    format!(
        "HTTP/1.0 200 OK\r\n\
         Content-Type: text/acl\r\n\
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
