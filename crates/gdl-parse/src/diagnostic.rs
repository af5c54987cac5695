//! Findings about a text, as data. Rendering is not part of this crate.

use crate::span::Span;
use std::borrow::Cow;

/// The severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// The game can still be played.
    Warning,
    /// The game cannot be played as written.
    Error,
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The severity.
    pub level: Level,
    /// A stable short name for the kind of finding, such as `unbalanced-parenthesis`.
    pub code: &'static str,
    /// The problem, in one sentence.
    pub message: String,
    /// The place in the text.
    pub span: Span,
    /// The text to show next to the marker at this place. May be empty.
    pub label: String,
    /// Advice on how to fix it.
    pub help: String,
}

impl Diagnostic {
    /// Creates an error at `span`.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Diagnostic {
            level: Level::Error,
            code,
            message: message.into(),
            span,
            label: String::new(),
            help: String::new(),
        }
    }

    /// Creates a warning at `span`.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Diagnostic {
            level: Level::Warning,
            ..Diagnostic::error(code, span, message)
        }
    }

    /// Sets the text next to the marker.
    pub fn with_label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Sets the advice.
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = help.into();
        self
    }
}

/// Collects a bounded number of findings. A hostile text can have millions of errors.
#[derive(Debug, Clone)]
pub struct Findings {
    most: usize,
    kept: Vec<Diagnostic>,
    dropped: usize,
    dropped_errors: usize,
    last: Span,
}

impl Default for Findings {
    fn default() -> Self {
        Findings::up_to(Findings::MOST)
    }
}

impl Findings {
    /// The default number of findings that are kept. Further ones are only counted.
    pub const MOST: usize = 100;

    /// Creates a collection that keeps up to `most` findings.
    pub fn up_to(most: usize) -> Self {
        Findings {
            most,
            kept: Vec::new(),
            dropped: 0,
            dropped_errors: 0,
            last: Span::default(),
        }
    }

    /// Adds a finding.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if !self.is_full() {
            self.kept.push(diagnostic);
        } else {
            self.dropped += 1;
            self.dropped_errors += usize::from(diagnostic.level == Level::Error);
            self.last = self.last.max(diagnostic.span);
        }
    }

    /// Whether further findings will only be counted, so that the caller can skip their
    /// details.
    pub fn is_full(&self) -> bool {
        self.kept.len() >= self.most
    }

    /// The findings in order of the text. If some were only counted, a last finding has their
    /// number.
    pub fn into_sorted(mut self) -> Vec<Diagnostic> {
        self.kept.sort_by_key(|d| d.span);
        if self.dropped > 0 {
            let level = match self.dropped_errors {
                0 => Level::Warning,
                _ => Level::Error,
            };
            self.kept.push(Diagnostic {
                level,
                ..Diagnostic::error(
                    "too-many-findings",
                    self.last,
                    format!(
                        "and {} more, {} of them errors",
                        self.dropped, self.dropped_errors
                    ),
                )
                .with_help("repair what is listed and check again")
            });
        }
        self.kept
    }
}

/// `n` things in words: `no things`, `1 thing`, `2 things`.
pub fn count(n: usize, thing: &str) -> String {
    match n {
        0 => format!("no {thing}s"),
        1 => format!("1 {thing}"),
        _ => format!("{n} {thing}s"),
    }
}

/// Shortens `text` if it is too long to read.
pub fn cut(text: &str) -> Cow<'_, str> {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        None => Cow::Borrowed(text),
        Some((end, _)) => Cow::Owned(format!("{}...", &text[..end])),
    }
}

/// `text` in backquotes, shortened if it is too long to read.
pub fn quote(text: &str) -> String {
    format!("`{}`", cut(text))
}
