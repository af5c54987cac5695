//! HTTP as match servers and players use it: one message for each connection.

mod body;
mod chunks;
mod head;
mod request;
mod response;
mod text;

pub use request::{CONTINUE, Method, Request, RequestReader, write_request};
pub use response::{Response, ResponseReader, write_refusal, write_response};

/// Bounds on what a peer may send. No reader ever holds more than the sum of both, and a body
/// that arrived packed once more unpacked.
#[derive(Debug, Clone, Copy)]
pub struct HttpLimits {
    /// The longest head (request or status line, and headers) in bytes. [default: 32 KiB]
    pub head: usize,
    /// The longest body in bytes, without the framing of chunks, and unpacked. [default: 16 MiB]
    pub body: usize,
}

impl Default for HttpLimits {
    fn default() -> Self {
        HttpLimits {
            head: 32 << 10,
            body: 16 << 20,
        }
    }
}

/// The state of a reader after a piece of input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Progress<T> {
    /// The message is not complete yet.
    NeedMore,
    /// The message is complete. Bytes that follow are ignored.
    Done(T),
}

/// Why a reader gave up.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HttpError {
    /// The connection ended before anything was sent.
    #[error("nothing was sent")]
    Empty,
    /// The connection ended in the middle.
    #[error("the connection ended in the middle of the message")]
    Truncated,
    /// The head is not an HTTP head.
    #[error("this is not HTTP")]
    Malformed,
    /// Head or body are longer than allowed.
    #[error("the message is too large")]
    TooLarge,
    /// The body is not made of chunks, though the head says so.
    #[error("the body is not made of chunks, though Transfer-Encoding says so")]
    Chunks,
    /// The body is packed in a way that is not known.
    #[error("the body is encoded as {0}; send it plain, or as gzip or deflate")]
    Coding(String),
    /// The body cannot be unpacked.
    #[error("the body is damaged: it cannot be unpacked")]
    Damaged,
}

impl HttpError {
    /// The status to answer with.
    pub fn status(&self) -> Status {
        match self {
            HttpError::TooLarge => Status::TooLarge,
            HttpError::Coding(_) => Status::UnknownCoding,
            _ => Status::BadRequest,
        }
    }
}

/// The status of a response to what could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Status {
    /// 400
    BadRequest,
    /// 408
    Timeout,
    /// 413
    TooLarge,
    /// 415
    UnknownCoding,
    /// 503
    Unavailable,
}

impl Status {
    /// Code and reason, as in a status line.
    fn line(self) -> &'static str {
        match self {
            Status::BadRequest => "400 Bad Request",
            Status::Timeout => "408 Request Timeout",
            Status::TooLarge => "413 Content Too Large",
            Status::UnknownCoding => "415 Unsupported Media Type",
            Status::Unavailable => "503 Service Unavailable",
        }
    }
}
