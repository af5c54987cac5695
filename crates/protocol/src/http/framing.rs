//! Finding the ends of heads and bodies.

use super::{HttpError, HttpLimits};

/// Bytes of one message as they arrive, split into head and body.
#[derive(Debug, Clone, Default)]
pub(super) struct Buffer {
    limits: HttpLimits,
    bytes: Vec<u8>,
    /// The length of the head with its empty line, once that has arrived.
    head: Option<usize>,
    /// Where to continue the search for the end of the head.
    scanned: usize,
    parentheses: Parentheses,
}

impl Buffer {
    pub(super) fn new(limits: HttpLimits) -> Self {
        Buffer {
            limits,
            ..Buffer::default()
        }
    }

    /// Appends `bytes`. Returns true if they complete the head.
    pub(super) fn push(&mut self, mut bytes: &[u8]) -> Result<bool, HttpError> {
        let mut completed = false;
        if self.head.is_none() {
            if self.bytes.is_empty() {
                // Empty lines before the request line are ignored.
                let start = bytes.iter().position(|b| !b"\r\n".contains(b));
                bytes = &bytes[start.unwrap_or(bytes.len())..];
            }
            let room = self.limits.head.saturating_sub(self.bytes.len());
            let (now, later) = bytes.split_at(bytes.len().min(room));
            self.bytes.extend_from_slice(now);
            match self.find_head() {
                Some(end) => {
                    self.head = Some(end);
                    completed = true;
                    self.parentheses.read(&self.bytes[end..]);
                    bytes = later;
                }
                None if later.is_empty() => return Ok(false),
                None => return Err(HttpError::TooLarge),
            }
        }
        if self.body().len() + bytes.len() > self.limits.body {
            return Err(HttpError::TooLarge);
        }
        self.parentheses.read(bytes);
        self.bytes.extend_from_slice(bytes);
        Ok(completed)
    }

    /// The end of the first empty line: LF, perhaps CR, LF.
    fn find_head(&mut self) -> Option<usize> {
        let from = self.scanned;
        let mut at = from;
        while let Some(step) = self.bytes[at..].iter().position(|&b| b == b'\n') {
            at += step + 1;
            match &self.bytes[at..] {
                [b'\n', ..] => return Some(at + 1),
                [b'\r', b'\n', ..] => return Some(at + 2),
                _ => {}
            }
        }
        // The last two bytes may be the beginning of the empty line.
        self.scanned = self.bytes.len().saturating_sub(2).max(from);
        None
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub(super) fn has_head(&self) -> bool {
        self.head.is_some()
    }

    /// Takes everything as the body, for peers that send no head.
    pub(super) fn without_head(&mut self) {
        self.head = Some(0);
        self.parentheses = Parentheses::default();
        self.parentheses.read(&self.bytes);
    }

    pub(super) fn head(&self) -> &[u8] {
        &self.bytes[..self.head.unwrap_or(0)]
    }

    pub(super) fn body(&self) -> &[u8] {
        &self.bytes[self.head.unwrap_or(self.bytes.len())..]
    }

    pub(super) fn parentheses(&self) -> &Parentheses {
        &self.parentheses
    }

    /// The length that the headers declare, if it is a number within the limits.
    pub(super) fn believable(&self, length: Option<&str>) -> Option<usize> {
        length
            .and_then(|text| text.trim().parse().ok())
            .filter(|&length| length <= self.limits.body)
    }

    /// The body as text.
    ///
    /// What is not UTF-8 comes from a server with another character set. Latin-1 is the only
    /// other one that match servers are known to run in.
    pub(super) fn text(&self) -> String {
        match std::str::from_utf8(self.body()) {
            Ok(text) => text.to_string(),
            Err(_) => self.body().iter().map(|&b| char::from(b)).collect(),
        }
    }
}

/// Counts the parentheses of a text that arrives in pieces, except those in comments.
#[derive(Debug, Clone, Default)]
pub(super) struct Parentheses {
    depth: usize,
    closed: bool,
    comment: bool,
}

impl Parentheses {
    fn read(&mut self, bytes: &[u8]) {
        for byte in bytes {
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

    /// Whether no list is open.
    pub(super) fn balanced(&self) -> bool {
        self.depth == 0
    }

    /// Whether a whole list has arrived and no other is open.
    pub(super) fn complete(&self) -> bool {
        self.closed && self.depth == 0
    }
}
