//! Rules as they were read.

use crate::Report;
use datalog::Program;
use gdl_parse::{Diagnostic, Level, LineColumn, ParseOptions, Rulesheet};

/// A rulesheet that has been read, and its normal form.
pub struct Rules {
    /// The syntax tree.
    pub sheet: Rulesheet,
    /// What the parser found wrong with the text, though it can be played.
    pub diagnostics: Vec<Diagnostic>,
    /// The rules as conjunctions over terms.
    pub program: Program,
}

/// The error that the text holds no rule that could be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the text holds no rules{0}")]
pub struct NoRules(String);

impl Rules {
    /// Reads the text of a rulesheet. `fold_case` puts all names in lower case.
    ///
    /// # Errors
    /// If there is no rule in it. The message names the first error and its place.
    pub fn read(text: &str, fold_case: bool, report: &mut Report) -> Result<Rules, NoRules> {
        let options = ParseOptions {
            fold_case,
            ..ParseOptions::default()
        };
        let parsed = gdl_parse::parse(text, &options);
        report.stage("parse", format!("{} rules", parsed.sheet.rules.len()));
        if parsed.sheet.rules.is_empty() {
            let first = parsed.diagnostics.iter().find(|d| d.level == Level::Error);
            let place = first.map(|d| {
                let at = LineColumn::of(text, d.span.start);
                format!(": line {} column {}: {}", at.line, at.column, d.message)
            });
            return Err(NoRules(place.unwrap_or_default()));
        }
        let program = Program::from_sheet(&parsed.sheet);
        report.stage("lower", format!("{} rules", program.rules.len()));
        Ok(Rules {
            sheet: parsed.sheet,
            diagnostics: parsed.diagnostics,
            program,
        })
    }
}
