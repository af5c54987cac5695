//! Finding the end of a body.

use super::chunks::Chunks;
use super::head::Headers;
use super::text::{Coding, text};
use super::{HttpError, HttpLimits};

/// How the end of a body is announced.
#[derive(Debug, Clone, Default)]
enum Framing {
    /// It has this many bytes. Some servers count characters instead of bytes, so open
    /// parentheses make it longer.
    Length(usize),
    Chunked(Chunks),
    /// It ends with its list, or with the connection.
    #[default]
    Unknown,
}

/// The body of one message as it arrives.
///
/// Bytes after its end belong to the next message of the connection and are dropped.
#[derive(Debug, Clone, Default)]
pub(super) struct Body {
    framing: Framing,
    coding: Coding,
    limit: usize,
    bytes: Vec<u8>,
    /// Counted in bodies that are not packed.
    parentheses: Parentheses,
    /// Whether the announced end, or that of the first list in a body without one, has come.
    ended: bool,
    /// Whether a body without an announced end ends with its first list.
    one_list: bool,
}

impl Body {
    /// A body that has these headers. With `one_list`, it ends with its first list if its end
    /// is not announced.
    ///
    /// # Errors
    /// [`HttpError::Coding`] for a coding that is not known.
    pub(super) fn new(
        headers: &Headers,
        limits: &HttpLimits,
        one_list: bool,
    ) -> Result<Body, HttpError> {
        let chunked = headers.list("transfer-encoding");
        let framing = match chunked.iter().any(|coding| coding == "chunked") {
            // Goes before a length, as the standard says.
            true => Framing::Chunked(Chunks::default()),
            false => match length(headers).filter(|&length| length <= limits.body) {
                Some(length) => Framing::Length(length),
                None => Framing::Unknown,
            },
        };
        Ok(Body {
            ended: matches!(framing, Framing::Length(0)),
            coding: Coding::of(headers)?,
            limit: limits.body,
            one_list,
            framing,
            ..Body::default()
        })
    }

    /// A body without a head, which ends with the connection.
    pub(super) fn alone(limits: &HttpLimits) -> Body {
        Body {
            limit: limits.body,
            ..Body::default()
        }
    }

    /// Appends bytes that arrived.
    ///
    /// # Errors
    /// If they are too many, or are no chunks though chunks were announced.
    pub(super) fn feed(&mut self, bytes: &[u8]) -> Result<(), HttpError> {
        if let Framing::Chunked(chunks) = &mut self.framing {
            // Taken out, so that its data can be appended.
            let mut chunks = std::mem::take(chunks);
            chunks.feed(bytes, |data| self.append(data))?;
            self.ended |= chunks.is_done();
            self.framing = Framing::Chunked(chunks);
            return Ok(());
        }
        self.append(bytes)
    }

    fn append(&mut self, bytes: &[u8]) -> Result<(), HttpError> {
        let mut count = 0;
        while count < bytes.len() && !self.ended {
            self.parentheses.read(bytes[count]);
            count += 1;
            self.ended = self.ends_at(self.bytes.len() + count);
        }
        if self.bytes.len() + count > self.limit {
            return Err(HttpError::TooLarge);
        }
        self.bytes.extend_from_slice(&bytes[..count]);
        Ok(())
    }

    /// Whether the body ends after this many bytes, the last of which was just read.
    fn ends_at(&self, count: usize) -> bool {
        match self.framing {
            Framing::Length(length) => count >= length && self.is_balanced(),
            Framing::Chunked(_) => false,
            Framing::Unknown => self.one_list && self.has_list(),
        }
    }

    /// Whether no list is open.
    fn is_balanced(&self) -> bool {
        self.coding != Coding::Plain || self.parentheses.depth == 0
    }

    /// Whether a whole list has arrived and no other is open.
    fn has_list(&self) -> bool {
        self.coding == Coding::Plain && self.parentheses.closed && self.parentheses.depth == 0
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Whether the end has arrived.
    pub(super) fn is_complete(&self) -> bool {
        self.ended
    }

    /// Whether it counts as complete if nothing more has come for a while.
    ///
    /// A whole list or as many bytes as announced have arrived, or nothing was announced and no
    /// list is open.
    pub(super) fn is_complete_when_quiet(&self) -> bool {
        let enough = match self.framing {
            Framing::Length(length) => self.bytes.len() >= length,
            Framing::Chunked(_) => false,
            Framing::Unknown => self.one_list && self.coding == Coding::Plain && self.is_balanced(),
        };
        self.ended || enough || self.has_list()
    }

    /// Whether it is complete if the connection has ended.
    pub(super) fn is_complete_at_end(&self) -> bool {
        let unknown = matches!(self.framing, Framing::Unknown);
        self.is_complete_when_quiet() || unknown && (!self.one_list || self.is_balanced())
    }

    /// The body as text.
    ///
    /// # Errors
    /// If a packed body is damaged or too large.
    pub(super) fn text(&self) -> Result<String, HttpError> {
        match self.coding {
            Coding::Plain => Ok(text(&self.bytes)),
            packed => Ok(text(&packed.unpack(&self.bytes, self.limit)?)),
        }
    }
}

/// The length that headers announce, if it is a number.
pub(super) fn length(headers: &Headers) -> Option<usize> {
    headers.get("content-length")?.parse().ok()
}

/// Counts the parentheses of a text that arrives in pieces, except those in comments.
#[derive(Debug, Clone, Default)]
struct Parentheses {
    depth: usize,
    /// Whether a list was closed that is in no other.
    closed: bool,
    comment: bool,
}

impl Parentheses {
    fn read(&mut self, byte: u8) {
        match byte {
            b'\n' | b'\r' => self.comment = false,
            _ if self.comment => {}
            b';' => self.comment = true,
            b'(' => self.depth += 1,
            b')' => {
                self.closed |= self.depth == 1;
                self.depth = self.depth.saturating_sub(1);
            }
            _ => {}
        }
    }
}
