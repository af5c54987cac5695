//! The entry points: convert bytes or text to a rulesheet with findings.

use crate::ast::Rulesheet;
use crate::diagnostic::{Diagnostic, Findings, Level};
use crate::lower::Lower;
use crate::notation;
use crate::sexpr::{Limits, read_rules, too_large};
use crate::span::Span;

/// Options for reading a text.
#[derive(Debug, Clone, Default)]
pub struct ParseOptions {
    /// Fold all names to lower case, for servers that upper-case everything. [default: false]
    pub fold_case: bool,
    /// Limits on the text.
    pub limits: Limits,
}

/// Rules, and the findings about their text.
#[derive(Debug, Clone)]
pub struct Parsed {
    /// The rules that could be understood.
    pub sheet: Rulesheet,
    /// Findings in order of the text: at most [`Findings::MOST`], one that counts the rest, and
    /// one if the text is not UTF-8.
    pub diagnostics: Vec<Diagnostic>,
}

impl Parsed {
    /// No rules, and why.
    fn nothing(finding: Diagnostic) -> Parsed {
        Parsed {
            sheet: Rulesheet::default(),
            diagnostics: vec![finding],
        }
    }

    /// Whether any finding is an error.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|d| d.level == Level::Error)
    }
}

/// Reads a rulesheet from bytes that may not be text.
///
/// Invalid UTF-8 is replaced as by [`String::from_utf8_lossy`], and spans refer to the
/// resulting text. In comments this is a warning, because many old files are Latin-1. Elsewhere
/// it is an error.
pub fn parse_bytes(bytes: &[u8], options: &ParseOptions) -> Parsed {
    if let Some(finding) = notation::of_bytes(bytes) {
        return Parsed::nothing(finding);
    }
    let valid = match std::str::from_utf8(bytes) {
        Ok(source) => return parse(source, options),
        Err(error) => error.valid_up_to(),
    };
    if let Some(finding) = too_large(bytes.len(), &options.limits) {
        // The limit is checked first, so that a text that is too large is not copied.
        return Parsed::nothing(finding);
    }
    let mut parsed = parse(&String::from_utf8_lossy(bytes), options);
    let in_names = parsed
        .sheet
        .symbols
        .iter()
        .any(|(_, name)| name.contains('\u{fffd}'));
    let make = match in_names || parsed.sheet.rules.is_empty() {
        true => Diagnostic::error,
        false => Diagnostic::warning,
    };
    let span = Span::new(valid, valid + '\u{fffd}'.len_utf8());
    parsed.diagnostics.push(
        make(
            "invalid-utf8",
            span,
            "the text is not UTF-8; the first bad byte is here".to_owned(),
        )
        .with_help("save the file as UTF-8"),
    );
    parsed.diagnostics.sort_by_key(|d| d.span);
    parsed
}

/// Reads a rulesheet, with or without parentheses around the whole. A text in another notation,
/// such as infix or XML, gets one error that names it.
pub fn parse(source: &str, options: &ParseOptions) -> Parsed {
    if let Some(finding) = notation::of_text(source) {
        return Parsed::nothing(finding);
    }
    let mut findings = Findings::default();
    if let Some(at) = source.find(|c: char| c.is_control() && !c.is_whitespace()) {
        let width = source[at..].chars().next().map_or(0, char::len_utf8);
        findings.push(
            Diagnostic::error(
                "control-character",
                Span::new(at, at + width),
                "the text holds control characters; the first is here",
            )
            .with_help("this may not be a rulesheet at all; remove them if it is"),
        );
    }
    let exprs = read_rules(source, &options.limits, &mut findings);
    let mut lower = Lower::new(options.fold_case, findings);
    let mut rules = Vec::new();
    for expr in &exprs {
        lower.rules(expr, &mut rules);
    }
    let (symbols, findings) = lower.finish();
    Parsed {
        sheet: Rulesheet { symbols, rules },
        diagnostics: findings.into_sorted(),
    }
}
