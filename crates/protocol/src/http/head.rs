//! Finding the end of a head.

use super::HttpError;

/// The head of a message as it arrives: the first line and the headers, up to the empty line.
#[derive(Debug, Clone, Default)]
pub(super) struct Head {
    bytes: Vec<u8>,
    /// Where to continue the search for the empty line.
    scanned: usize,
}

impl Head {
    /// Appends bytes, at most `limit` in all. Returns those after the head once it is complete.
    pub(super) fn push<'a>(
        &mut self,
        mut bytes: &'a [u8],
        limit: usize,
    ) -> Result<Option<&'a [u8]>, HttpError> {
        if self.bytes.is_empty() {
            // Empty lines before the first line are ignored.
            let start = bytes.iter().position(|b| !b"\r\n".contains(b));
            bytes = &bytes[start.unwrap_or(bytes.len())..];
        }
        let room = limit.saturating_sub(self.bytes.len());
        let before = self.bytes.len();
        let now = &bytes[..bytes.len().min(room)];
        self.bytes.extend_from_slice(now);
        match self.find_end() {
            Some(end) => {
                self.bytes.truncate(end);
                Ok(Some(&bytes[end - before..]))
            }
            None if now.len() == bytes.len() => Ok(None),
            None => Err(HttpError::TooLarge),
        }
    }

    /// The end of the first empty line: LF, perhaps CR, LF.
    fn find_end(&mut self) -> Option<usize> {
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

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// Headers with their names in lower case.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Headers(pub(super) Vec<(String, String)>);

impl Headers {
    pub(super) fn of(headers: &[httparse::Header<'_>]) -> Self {
        let lower = |header: &httparse::Header<'_>| {
            let value = String::from_utf8_lossy(header.value).trim().to_string();
            (header.name.to_ascii_lowercase(), value)
        };
        Headers(headers.iter().map(lower).collect())
    }

    /// The value of the first header of this name, in lower case.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The elements of all comma-separated lists of this name, in lower case.
    pub(super) fn list(&self, name: &str) -> Vec<String> {
        let all = self.0.iter().filter(|(key, _)| key == name);
        all.flat_map(|(_, value)| value.split(','))
            .map(|word| word.trim().to_ascii_lowercase())
            .filter(|word| !word.is_empty())
            .collect()
    }
}
