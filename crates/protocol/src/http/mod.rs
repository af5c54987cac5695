//! HTTP as match servers and players use it: one message for each connection.

mod framing;
mod request;
mod response;

pub use request::{Method, Request, RequestReader, write_request};
pub use response::{Response, ResponseReader, write_response};

/// Bounds on what a peer may send. No reader ever holds more than the sum of both.
#[derive(Debug, Clone, Copy)]
pub struct HttpLimits {
    /// The longest head (request or status line, and headers) in bytes. [default: 32 KiB]
    pub head: usize,
    /// The longest body in bytes. [default: 16 MiB]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
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
}
