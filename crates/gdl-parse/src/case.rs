//! Detects names that differ only in case: usually one name in two spellings.

use crate::diagnostic::{Diagnostic, Findings, quote};
use crate::span::Span;
use crate::symbol::{Symbol, Symbols};
use rustc_hash::FxHashMap;

/// The first occurrence of each name. Variables are compared within a rule, all others
/// everywhere.
#[derive(Default)]
pub(crate) struct Names {
    constants: Seen,
    variables: Seen,
}

#[derive(Default)]
struct Seen {
    known: FxHashMap<Symbol, ()>,
    order: Vec<(Symbol, Span)>,
}

impl Seen {
    fn add(&mut self, symbol: Symbol, span: Span) {
        if self.known.insert(symbol, ()).is_none() {
            self.order.push((symbol, span));
        }
    }

    fn report(&self, symbols: &Symbols, mark: &str, findings: &mut Findings) {
        let mut by_folded: FxHashMap<String, Symbol> = FxHashMap::default();
        for &(symbol, span) in &self.order {
            let name = symbols.name(symbol);
            let first = *by_folded.entry(name.to_ascii_lowercase()).or_insert(symbol);
            if first != symbol {
                let (this, other) = (
                    quote(&format!("{mark}{name}")),
                    quote(&format!("{mark}{}", symbols.name(first))),
                );
                findings.push(
                    Diagnostic::warning(
                        "case-clash",
                        span,
                        format!("{this} and {other} differ only in case"),
                    )
                    .with_label("taken for another name")
                    .with_help(format!(
                        "write {other} if the same is meant; servers that fold case would confuse them"
                    )),
                );
            }
        }
    }
}

impl Names {
    pub(crate) fn constant(&mut self, symbol: Symbol, span: Span) {
        self.constants.add(symbol, span);
    }

    pub(crate) fn variable(&mut self, symbol: Symbol, span: Span) {
        self.variables.add(symbol, span);
    }

    /// Compares the variables seen since the last call.
    pub(crate) fn end_rule(&mut self, symbols: &Symbols, findings: &mut Findings) {
        std::mem::take(&mut self.variables).report(symbols, "?", findings);
    }

    /// Compares all other names.
    pub(crate) fn end(self, symbols: &Symbols, findings: &mut Findings) {
        self.constants.report(symbols, "", findings);
    }
}
