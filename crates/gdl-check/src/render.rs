//! Renders findings for people: message, place, excerpt and advice.

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use gdl_parse::diagnostic::count;
use gdl_parse::{Diagnostic, LineColumn, Span};
use std::borrow::Cow;

/// Whether the text contains terminal colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Plain text.
    Plain,
    /// With ANSI escapes.
    Colored,
}

/// The maximum length of an excerpt in bytes. A START message is a rulesheet in one line.
const LONGEST_EXCERPT: usize = 20_000;

/// A finding that spans more lines than this is shown at its first line.
const MOST_LINES: usize = 5;

/// Renders all findings about `source`, a file named `file`, one below the other. Empty if
/// there are none.
pub fn render(findings: &[Diagnostic], file: &str, source: &str, style: Style) -> String {
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Colored => Renderer::styled(),
    };
    let mut out = String::new();
    for finding in findings {
        out.push_str(&renderer.render(&[group(finding, file, source)]));
        out.push_str("\n\n");
    }
    out
}

/// The number of findings in words: `2 errors and 1 warning`.
pub fn summary(findings: &[Diagnostic]) -> String {
    let errors = findings
        .iter()
        .filter(|finding| finding.level == gdl_parse::Level::Error)
        .count();
    match (errors, findings.len() - errors) {
        (0, 0) => "nothing found".to_owned(),
        (0, warnings) => count(warnings, "warning"),
        (errors, 0) => count(errors, "error"),
        (errors, warnings) => {
            format!(
                "{} and {}",
                count(errors, "error"),
                count(warnings, "warning")
            )
        }
    }
}

fn group<'a>(finding: &'a Diagnostic, file: &'a str, source: &'a str) -> Group<'a> {
    let level = match finding.level {
        gdl_parse::Level::Error => Level::ERROR,
        gdl_parse::Level::Warning => Level::WARNING,
    };
    let title = level.primary_title(&finding.message).id(finding.code);
    let group = match Excerpt::of(finding.span, source) {
        Some(excerpt) => {
            let mut mark = AnnotationKind::Primary.span(excerpt.mark);
            if !finding.label.is_empty() {
                mark = mark.label(&finding.label);
            }
            title.element(
                Snippet::source(excerpt.text)
                    .line_start(excerpt.line)
                    .path(file)
                    .annotation(mark),
            )
        }
        None if finding.span == Span::default() => title.element(Origin::path(file)),
        None => {
            let at = LineColumn::of(source, finding.span.start);
            let origin = Origin::path(file).line(at.line).char_column(at.column);
            title.element(origin)
        }
    };
    match finding.help.is_empty() {
        true => group,
        false => group.element(Level::HELP.message(&finding.help)),
    }
}

/// The lines that a finding refers to.
struct Excerpt<'a> {
    text: Cow<'a, str>,
    /// The number of the first line.
    line: usize,
    /// The marked range, in bytes of `text`.
    mark: std::ops::Range<usize>,
}

impl<'a> Excerpt<'a> {
    /// `None` for findings about the whole text, and for lines that are too long to show.
    fn of(span: Span, source: &'a str) -> Option<Self> {
        let start = floor(source, span.start as usize);
        let end = floor(source, (span.end as usize).max(start));
        if span == Span::default() {
            return None;
        }
        let first = source[..start].rfind('\n').map_or(0, |i| i + 1);
        let line_end = |from: usize| source[from..].find('\n').map_or(source.len(), |i| from + i);
        let lines = source[start..end].bytes().filter(|&b| b == b'\n').count();
        let last = match lines < MOST_LINES {
            true => line_end(end),
            false => line_end(start),
        };
        let text = &source[first..last];
        // Carriage returns at line ends would disturb the output.
        let printable = match text.contains('\r') {
            true => Cow::Owned(text.replace('\r', " ")),
            false => Cow::Borrowed(text),
        };
        (text.len() <= LONGEST_EXCERPT).then(|| Excerpt {
            text: printable,
            line: LineColumn::of(source, span.start).line,
            mark: start - first..end.min(last) - first,
        })
    }
}

/// The largest character boundary up to `at`.
fn floor(source: &str, at: usize) -> usize {
    let mut at = at.min(source.len());
    while !source.is_char_boundary(at) {
        at -= 1;
    }
    at
}
