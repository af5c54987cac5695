//! Recorded counts as text.

use std::fmt;
use std::str::FromStr;

/// The counts of one depth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Level {
    /// Number of sequences of this many joint moves from the initial state.
    pub paths: u128,
    /// Number of distinct states that they lead to.
    pub states: u64,
}

/// Recorded counts of a game.
///
/// Reading and then printing a record keeps its comments, but moves them all to the top.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Record {
    /// The comment lines, without the `#`.
    pub comments: Vec<String>,
    /// The levels from depth 0 on.
    pub levels: Vec<Level>,
}

/// A line that is not part of a record.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: expected `depth {depth} paths P states S`, found `{text}`")]
pub struct RecordError {
    /// The line number, from 1.
    pub line: usize,
    /// The expected depth.
    pub depth: usize,
    /// The text of the line.
    pub text: String,
}

impl Record {
    /// The first level, up to the shorter of the two, at which `levels` differs from the
    /// record.
    ///
    /// A record that was counted completely (its last level is empty) is also contradicted by
    /// more levels than it has.
    pub fn contradiction(&self, levels: &[Level]) -> Option<usize> {
        let differs = self.levels.iter().zip(levels).position(|(a, b)| a != b);
        let ended = self.levels.last().is_some_and(|level| level.states == 0);
        differs.or_else(|| (ended && levels.len() > self.levels.len()).then_some(self.levels.len()))
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for comment in &self.comments {
            writeln!(f, "#{comment}")?;
        }
        for (depth, level) in self.levels.iter().enumerate() {
            writeln!(
                f,
                "depth {depth} paths {} states {}",
                level.paths, level.states
            )?;
        }
        Ok(())
    }
}

impl FromStr for Record {
    type Err = RecordError;

    fn from_str(text: &str) -> Result<Self, RecordError> {
        let mut record = Record::default();
        for (number, line) in text.lines().enumerate() {
            if let Some(comment) = line.strip_prefix('#') {
                record.comments.push(comment.to_owned());
            } else if !line.trim().is_empty() {
                let depth = record.levels.len();
                let level = level(line, depth).ok_or_else(|| RecordError {
                    line: number + 1,
                    depth,
                    text: line.to_owned(),
                })?;
                record.levels.push(level);
            }
        }
        Ok(record)
    }
}

/// Reads the line for a depth.
fn level(line: &str, depth: usize) -> Option<Level> {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[..] {
        ["depth", d, "paths", paths, "states", states] if d.parse() == Ok(depth) => Some(Level {
            paths: paths.parse().ok()?,
            states: states.parse().ok()?,
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# one\n#two\ndepth 0 paths 1 states 1\ndepth 1 paths 3 states 2\n";

    #[test]
    fn printing_reproduces_the_text() {
        let record: Record = TEXT.parse().unwrap();
        assert_eq!(record.levels.len(), 2);
        assert_eq!(record.to_string(), TEXT);
    }

    #[test]
    fn gaps_and_malformed_lines_are_rejected() {
        for (text, line) in [
            ("depth 1 paths 1 states 1", 1),
            ("depth 0 paths 1 states 1\n\ndepth 2 paths 1 states 1", 3),
            ("depth 0 paths one states 1", 1),
            ("depth 0 paths 1 states 1 more", 1),
            ("hello", 1),
        ] {
            assert_eq!(text.parse::<Record>().unwrap_err().line, line, "{text}");
        }
    }

    #[test]
    fn contradictions_are_found() {
        let record: Record = TEXT.parse().unwrap();
        let (one, three) = (
            Level {
                paths: 1,
                states: 1,
            },
            Level {
                paths: 3,
                states: 2,
            },
        );
        let none = Level {
            paths: 0,
            states: 0,
        };
        assert_eq!(record.contradiction(&[one]), None);
        assert_eq!(record.contradiction(&[one, three, none]), None);
        assert_eq!(record.contradiction(&[one, one]), Some(1));
        let ended = Record {
            levels: vec![one, none],
            ..Record::default()
        };
        assert_eq!(ended.contradiction(&[one, none]), None);
        assert_eq!(ended.contradiction(&[one, three]), Some(1));
        assert_eq!(ended.contradiction(&[one, none, three]), Some(2));
    }
}
