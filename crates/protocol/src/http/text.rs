//! From the bytes of a body to its text: content codings and character sets.

use super::HttpError;
use super::head::Headers;
use flate2::read::{MultiGzDecoder, ZlibDecoder};
use std::io::Read;

/// How a body is packed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Coding {
    #[default]
    Plain,
    Gzip,
    Deflate,
}

impl Coding {
    /// The coding that headers announce.
    ///
    /// # Errors
    /// [`HttpError::Coding`] names one that is not known, or several.
    pub(super) fn of(headers: &Headers) -> Result<Coding, HttpError> {
        let mut names = headers.list("content-encoding");
        // Transfer codings other than chunks pack a body in the same way.
        names.extend(headers.list("transfer-encoding"));
        names.extend(headers.list("content-transfer-encoding"));
        let plain = ["identity", "chunked", "7bit", "8bit", "binary"];
        names.retain(|name| !plain.contains(&name.as_str()));
        match names.as_slice() {
            [] => Ok(Coding::Plain),
            [name] => match name.as_str() {
                "gzip" | "x-gzip" => Ok(Coding::Gzip),
                "deflate" => Ok(Coding::Deflate),
                other => Err(HttpError::Coding(other.chars().take(40).collect())),
            },
            several => {
                let names = several.join(", ");
                Err(HttpError::Coding(names.chars().take(40).collect()))
            }
        }
    }

    /// The unpacked bytes, at most `limit`.
    ///
    /// # Errors
    /// If there would be more, or the bytes are damaged.
    pub(super) fn unpack(self, bytes: &[u8], limit: usize) -> Result<Vec<u8>, HttpError> {
        let mut unpacked = Vec::new();
        // One more than allowed shows that there are too many.
        let most = limit as u64 + 1;
        let read = match self {
            Coding::Plain => return Ok(bytes.to_vec()),
            Coding::Gzip => MultiGzDecoder::new(bytes)
                .take(most)
                .read_to_end(&mut unpacked),
            Coding::Deflate => ZlibDecoder::new(bytes)
                .take(most)
                .read_to_end(&mut unpacked),
        };
        match read {
            Ok(_) if unpacked.len() > limit => Err(HttpError::TooLarge),
            Ok(_) => Ok(unpacked),
            Err(_) => Err(HttpError::Damaged),
        }
    }
}

/// The text of a body.
///
/// It is UTF-8, UTF-16 if it says so, or else comes from a server with another character set.
/// Latin-1 is the only other one that match servers are known to run in.
pub(super) fn text(bytes: &[u8]) -> String {
    let wide = |bytes: &[u8], from: fn([u8; 2]) -> u16| {
        let pairs = bytes.chunks_exact(2).map(|pair| from([pair[0], pair[1]]));
        let decoded = char::decode_utf16(pairs);
        decoded
            .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
            .collect()
    };
    match bytes {
        [0xff, 0xfe, rest @ ..] => wide(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => wide(rest, u16::from_be_bytes),
        [b'(', 0, ..] => wide(bytes, u16::from_le_bytes),
        [0, b'(', ..] => wide(bytes, u16::from_be_bytes),
        _ => match std::str::from_utf8(bytes) {
            Ok(text) => text.to_string(),
            Err(_) => bytes.iter().map(|&b| char::from(b)).collect(),
        },
    }
}

/// The message of an address or a form, if `text` is one: `%20` and `+` decoded, line ends as
/// spaces.
pub(super) fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
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

/// Whether a body is percent-encoded, as browsers send forms: it has no parenthesis of its own.
pub(super) fn is_percent_encoded(text: &str) -> bool {
    text.contains("%28") && !text.contains('(')
}
