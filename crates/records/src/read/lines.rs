//! The text of a file, line by line or as a whole.

use super::MOST_BYTES;
use encoding_rs_io::DecodeReaderBytesBuilder;
use flate2::bufread::MultiGzDecoder;
use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Cursor, Read};

/// What a gzip archive begins with.
const GZIP: [u8; 2] = [0x1f, 0x8b];
/// How much of a file decides what it is.
const LOOK: usize = 512;
/// How many lines, nearly all of them empty, are looked at.
const AHEAD: usize = 10_000;

/// A part of a file that can be read on its own.
pub(super) struct Chunk {
    /// The line on which it begins, from 1.
    pub(super) line: usize,
    pub(super) text: String,
}

/// The parts of a file: its lines if each is a JSON object, otherwise the whole file.
pub(super) struct Chunks<'r> {
    input: Box<dyn BufRead + 'r>,
    /// The number of lines handed out or skipped.
    line: usize,
    /// Lines that were read ahead.
    ahead: VecDeque<String>,
    lines: bool,
    done: bool,
}

impl<'r> Chunks<'r> {
    pub(super) fn new(input: impl Read + 'r) -> io::Result<Self> {
        let mut chunks = Chunks {
            input: decoded(unpacked(Box::new(BufReader::new(input)))?)?,
            line: 0,
            ahead: VecDeque::new(),
            lines: false,
            done: false,
        };
        let mut full = Vec::new();
        while full.len() < 2
            && chunks.ahead.len() < AHEAD
            && let Some(line) = chunks.read_line()?
        {
            match (line.trim().is_empty(), full.is_empty()) {
                (true, true) => chunks.line += 1,
                (true, false) => chunks.ahead.push_back(line),
                (false, _) => {
                    full.push(line.trim().to_string());
                    chunks.ahead.push_back(line);
                }
            }
        }
        // After `{` comes a key in JSON, so that a line that begins with `{` begins a value,
        // unless the line before it expects one.
        let begins = full.len() == 2 && full.iter().all(|line| line.starts_with('{'));
        chunks.lines = begins && !full[0].ends_with([':', '[', ',']);
        Ok(chunks)
    }

    /// Whether the file is read line by line.
    pub(super) fn are_lines(&self) -> bool {
        self.lines
    }

    fn read_line(&mut self) -> io::Result<Option<String>> {
        let mut line = Vec::new();
        let most = MOST_BYTES as u64 + 1;
        let count = (&mut self.input).take(most).read_until(b'\n', &mut line)?;
        // The decoder has replaced what is no UTF-8, unless the limit cut a character.
        Ok((count > 0).then(|| String::from_utf8_lossy(&line).into_owned()))
    }

    fn line(&mut self) -> io::Result<Option<Chunk>> {
        loop {
            let ahead = self.ahead.pop_front();
            let Some(text) = ahead.map_or_else(|| self.read_line(), |line| Ok(Some(line)))? else {
                return Ok(None);
            };
            self.line += 1;
            if !text.trim().is_empty() {
                let line = self.line;
                return within(text).map(|text| Some(Chunk { line, text }));
            }
        }
    }

    fn whole(&mut self) -> io::Result<Option<Chunk>> {
        if std::mem::replace(&mut self.done, true) {
            return Ok(None);
        }
        let line = self.line + 1;
        let mut text: String = self.ahead.drain(..).collect();
        let most = MOST_BYTES as u64 + 1;
        let mut rest = Vec::new();
        (&mut self.input).take(most).read_to_end(&mut rest)?;
        text += &String::from_utf8_lossy(&rest);
        within(text).map(|text| Some(Chunk { line, text }))
    }
}

impl Iterator for Chunks<'_> {
    type Item = io::Result<Chunk>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let chunk = match self.lines {
            true => self.line(),
            false => self.whole(),
        };
        self.done |= chunk.is_err();
        chunk.transpose()
    }
}

fn within(text: String) -> io::Result<String> {
    match text.len() <= MOST_BYTES {
        true => Ok(text),
        false => Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!(
                "more than {} MiB in one piece; write one record a line",
                MOST_BYTES >> 20
            ),
        )),
    }
}

/// The input without its compression.
fn unpacked<'r>(mut input: Box<dyn BufRead + 'r>) -> io::Result<Box<dyn BufRead + 'r>> {
    let (begin, input) = begin(&mut input, GZIP.len()).map(|begin| (begin, input))?;
    let input = Cursor::new(begin.clone()).chain(input);
    Ok(match begin == GZIP {
        true => Box::new(BufReader::new(MultiGzDecoder::new(input))),
        false => Box::new(input),
    })
}

/// The input in UTF-8, without a byte order mark.
fn decoded<'r>(mut input: Box<dyn BufRead + 'r>) -> io::Result<Box<dyn BufRead + 'r>> {
    let (begin, input) = begin(&mut input, LOOK).map(|begin| (begin, input))?;
    let encoding = utf_16(&begin);
    let decoder = DecodeReaderBytesBuilder::new()
        .encoding(encoding)
        .bom_override(true)
        .strip_bom(true)
        .build(Cursor::new(begin).chain(input));
    Ok(Box::new(BufReader::new(decoder)))
}

/// Up to `count` bytes of the input.
fn begin(input: &mut dyn Read, count: usize) -> io::Result<Vec<u8>> {
    let mut begin = Vec::new();
    input.take(count as u64).read_to_end(&mut begin)?;
    Ok(begin)
}

/// UTF-16 without a byte order mark: every second byte of Latin letters is zero.
fn utf_16(begin: &[u8]) -> Option<&'static encoding_rs::Encoding> {
    let zeros = |from: usize| {
        begin
            .iter()
            .skip(from)
            .step_by(2)
            .filter(|&&byte| byte == 0)
            .count()
    };
    let half = begin.len() / 2;
    let most = |count: usize| half > 4 && 2 * count > half;
    match (most(zeros(0)), most(zeros(1))) {
        (true, false) => Some(encoding_rs::UTF_16BE),
        (false, true) => Some(encoding_rs::UTF_16LE),
        _ => None,
    }
}
