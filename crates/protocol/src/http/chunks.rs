//! The chunked transfer coding.

use super::HttpError;
use httparse::{Status, parse_chunk_size};

/// The longest line with the size of a chunk, or of a trailer, in bytes.
const LINE: usize = 4 << 10;

/// Removes the framing of chunks from bytes that arrive in any pieces.
///
/// Extensions of chunks and trailers are ignored.
#[derive(Debug, Clone, Default)]
pub(super) struct Chunks {
    state: State,
    /// The line that is being read.
    line: Vec<u8>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum State {
    /// In the line with the size of the first chunk.
    #[default]
    First,
    /// In the line with the size of a later chunk.
    Size,
    /// In a chunk of which this many bytes are missing.
    Data(u64),
    /// In the line break after a chunk.
    Break,
    /// In the lines after the last chunk.
    Trailer,
    Done,
    /// There are no chunks, though they were announced.
    Plain,
}

impl Chunks {
    pub(super) fn is_done(&self) -> bool {
        self.state == State::Done
    }

    /// Reads `bytes` and passes the contents of chunks to `data`.
    ///
    /// # Errors
    /// If these are no chunks, or a line is too long.
    pub(super) fn feed(
        &mut self,
        mut bytes: &[u8],
        mut data: impl FnMut(&[u8]) -> Result<(), HttpError>,
    ) -> Result<(), HttpError> {
        while !bytes.is_empty() {
            match self.state {
                // Some peers announce chunks and send the message itself. It begins with a
                // parenthesis, and a size does not.
                State::First if self.line.is_empty() && bytes[0] == b'(' => {
                    self.state = State::Plain;
                }
                State::Plain => return data(bytes),
                State::Done => return Ok(()),
                State::Data(left) => {
                    let count = bytes.len().min(usize::try_from(left).unwrap_or(usize::MAX));
                    let (now, later) = bytes.split_at(count);
                    data(now)?;
                    bytes = later;
                    self.state = match left - count as u64 {
                        0 => State::Break,
                        left => State::Data(left),
                    };
                }
                State::First | State::Size | State::Break | State::Trailer => {
                    let end = bytes.iter().position(|&b| b == b'\n').map(|at| at + 1);
                    let (now, later) = bytes.split_at(end.unwrap_or(bytes.len()));
                    self.line.extend_from_slice(now);
                    bytes = later;
                    if self.line.len() > LINE {
                        return Err(HttpError::TooLarge);
                    }
                    if end.is_some() {
                        self.state = self.after_line()?;
                        self.line.clear();
                    }
                }
            }
        }
        Ok(())
    }

    /// The state after the line that is now complete.
    fn after_line(&mut self) -> Result<State, HttpError> {
        let empty = self.line.trim_ascii().is_empty();
        match self.state {
            State::Trailer if empty => Ok(State::Done),
            State::Trailer => Ok(State::Trailer),
            State::Break if empty => Ok(State::Size),
            state if empty => Ok(state),
            _ => {
                // A lone line feed ends a line as well.
                if !self.line.ends_with(b"\r\n") {
                    self.line.pop();
                    self.line.extend_from_slice(b"\r\n");
                }
                let digit = self.line.trim_ascii_start()[0].is_ascii_hexdigit();
                match parse_chunk_size(&self.line) {
                    // A line without a number counts as 0 there.
                    _ if !digit => Err(HttpError::Chunks),
                    Ok(Status::Complete((_, 0))) => Ok(State::Trailer),
                    Ok(Status::Complete((_, size))) => Ok(State::Data(size)),
                    _ => Err(HttpError::Chunks),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8], size: usize) -> Result<(String, bool), HttpError> {
        let mut chunks = Chunks::default();
        let mut text = Vec::new();
        for piece in bytes.chunks(size) {
            chunks.feed(piece, |data| {
                text.extend_from_slice(data);
                Ok(())
            })?;
        }
        Ok((
            String::from_utf8_lossy(&text).into_owned(),
            chunks.is_done(),
        ))
    }

    #[test]
    fn chunks_are_joined_however_they_arrive() {
        for bytes in [
            &b"6\r\n(INFO)\r\n0\r\n\r\n"[..],
            b"6;name=value;other\r\n(INFO)\r\n0;last\r\n\r\n",
            b"6  \r\n(INFO)\r\n000\r\nExpires: never\r\nX: y\r\n\r\n",
            b"1\r\n(\r\n4\r\nINFO\r\n01\r\n)\r\n0\r\n\r\n",
            b"6\n(INFO)\n0\n\n",
            b"\r\n6\r\n(INFO)\r\n\r\n0\r\n\r\n",
            b"6\r\n(INFO)\r\n0\r\n\r\nPOST / HTTP/1.1\r\n\r\n",
        ] {
            for size in [1, 2, 5, bytes.len()] {
                let read = read(bytes, size);
                assert_eq!(read, Ok(("(INFO)".into(), true)), "{size}");
            }
        }
    }

    #[test]
    fn what_is_no_chunk_is_an_error_but_for_a_message_itself() {
        assert_eq!(read(b"(INFO)", 1), Ok(("(INFO)".into(), false)));
        for bytes in [
            &b"six\r\n(INFO)\r\n"[..],
            b"-1\r\n",
            b"6\r\n(INFO)(INFO)\r\n",
            b"ffffffffffffffffff\r\n",
            b"\r\n;x\r\n",
        ] {
            assert_eq!(read(bytes, 3), Err(HttpError::Chunks), "{bytes:?}");
        }
        let long = [b"6;", &[b'x'; LINE][..]].concat();
        assert_eq!(read(&long, 100), Err(HttpError::TooLarge));
        assert_eq!(read(b"ffffffff\r\n(play", 2), Ok(("(play".into(), false)));
    }
}
