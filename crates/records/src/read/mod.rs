//! Reads the files in which archives keep records.
//!
//! A file is text in UTF-8 or UTF-16, perhaps with a byte order mark, perhaps compressed by gzip.
//! It holds JSON or XML: one record, or many of them one after the other, in lists, or each on a
//! line of its own. Records may be wrapped in other objects, as in `{"url": ..., "data": {...}}`.
//! Keys are known in several spellings; see [`Record`] for their meaning.

mod fields;
mod json;
mod lines;
mod terms;
mod xml;

use crate::Record;
use fields::Fields;
use json::Json;
use lines::{Chunk, Chunks};
use std::collections::VecDeque;
use std::io::{self, Read};

/// The most bytes of a record, or of a file that is not one record a line; after decompression.
pub const MOST_BYTES: usize = 256 << 20;
/// How deep a record may be wrapped.
const WRAPS: usize = 6;

/// A record and where it was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The number of the record in its file, from 1.
    pub number: usize,
    /// The line on which it begins, from 1.
    pub line: usize,
    /// The record.
    pub record: Record,
}

/// Why a file, or one of its records, cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The input failed, or is damaged.
    #[error("cannot be read: {0}")]
    Input(io::Error),
    /// A text is no record. There may be others behind it.
    #[error("{}line {line}: {why}", record(.number))]
    Record {
        /// The number of the record in its file, from 1; `None` if the file is no list.
        number: Option<usize>,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        why: String,
    },
}

/// What is wrong, and on which line.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Wrong {
    line: usize,
    why: String,
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        ReadError::Input(error)
    }
}

impl ReadError {
    /// The error for a file with several records where one belongs.
    pub(crate) fn several(line: usize) -> Self {
        ReadError::Record {
            number: None,
            line,
            why: "there are several records, where one belongs".into(),
        }
    }
}

type Found<T> = Result<T, Wrong>;

fn record(number: &Option<usize>) -> String {
    number.map_or_else(String::new, |number| format!("record {number}, "))
}

/// The records of a file, one after the other. One that cannot be read is an error, and the next
/// ones follow.
pub struct Records<'r> {
    chunks: Chunks<'r>,
    found: VecDeque<(usize, Found<Record>)>,
    /// The number of records so far.
    number: usize,
    /// Whether the file may hold more than one record.
    many: bool,
}

impl<'r> Records<'r> {
    /// Reads `input`. Of a file with one record a line, one line at a time is in memory.
    ///
    /// # Errors
    /// Fails if the beginning of the input cannot be read.
    pub fn new(input: impl Read + 'r) -> Result<Self, ReadError> {
        let chunks = Chunks::new(input)?;
        Ok(Records {
            many: chunks.are_lines(),
            chunks,
            found: VecDeque::new(),
            number: 0,
        })
    }

    /// Whether the file is known to hold more than one record.
    pub fn are_many(&self) -> bool {
        self.many
    }
}

impl Iterator for Records<'_> {
    type Item = Result<Entry, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.found.is_empty() {
            match self.chunks.next()? {
                Ok(chunk) => self.found = records(&chunk).into(),
                Err(error) => return Some(Err(error.into())),
            }
            self.many |= self.found.len() > 1;
        }
        let (line, found) = self.found.pop_front()?;
        self.number += 1;
        Some(match found {
            Ok(record) => Ok(Entry {
                number: self.number,
                line,
                record,
            }),
            Err(Wrong { line, why }) => Err(ReadError::Record {
                number: self.many.then_some(self.number),
                line,
                why,
            }),
        })
    }
}

/// The records of a text, with their lines.
fn records(chunk: &Chunk) -> Vec<(usize, Found<Record>)> {
    let wrong = |line, why: String| vec![(line, Err(Wrong { line, why }))];
    let text = chunk.text.trim_start();
    let line = chunk.line + newlines(&chunk.text[..chunk.text.len() - text.len()]);
    let text = text.trim_end();
    match text.as_bytes().first() {
        None => wrong(line, "the file is empty, and no match record".into()),
        Some(b'<') => match xml::records(text) {
            Ok(records) => records
                .into_iter()
                .map(|(at, record)| (line + at - 1, record)),
            Err(Wrong { line: at, why }) => {
                return wrong(line + at - 1, format!("this is no match record: {why}"));
            }
        }
        .collect(),
        Some(b'{' | b'[' | b'"') => {
            let (values, error) = Json::all(text, line);
            let mut records = Vec::new();
            for value in values {
                unwrap(value, WRAPS, &mut records);
            }
            if let Some((line, why)) = error {
                records.extend(wrong(line, format!("the JSON cannot be read: {why}")));
            }
            records
        }
        _ => wrong(line, "this is no match record: neither JSON nor XML".into()),
    }
}

fn newlines(text: &str) -> usize {
    text.bytes().filter(|&byte| byte == b'\n').count()
}

/// Adds the records in a value, or why there is none.
fn unwrap(value: Json<'_>, wraps: usize, records: &mut Vec<(usize, Found<Record>)>) {
    if let Some(items) = value.items().filter(|items| !items.is_empty()) {
        for item in items {
            unwrap(item, wraps, records);
        }
        return;
    }
    let before = records.len();
    inside(value, wraps, records);
    if records.len() == before {
        let why = "this is no match record: it has no matchId, states or moves".to_string();
        let line = value.line();
        records.push((line, Err(Wrong { line, why })));
    }
}

/// Adds the records in an object or in what it wraps.
fn inside(value: Json<'_>, wraps: usize, records: &mut Vec<(usize, Found<Record>)>) {
    if wraps == 0 {
        return;
    }
    // Some archives keep a record as a text within JSON.
    if let Some(text) = value
        .string()
        .filter(|text| text.trim_start().starts_with('{'))
    {
        let (values, _) = Json::all(&text, value.line());
        for value in values {
            inside(value, wraps - 1, records);
        }
        return;
    }
    if let Some(items) = value.items() {
        for item in items {
            inside(item, wraps - 1, records);
        }
        return;
    }
    let Some(entries) = value.entries() else {
        return;
    };
    let fields = Fields::new(entries.clone());
    if fields.is_record() {
        records.push((value.line(), fields.record()));
        return;
    }
    let before = records.len();
    for (_, entry) in entries {
        inside(entry, wraps - 1, records);
    }
    if records.len() == before && fields.is_match() {
        records.push((value.line(), fields.record()));
    }
}
