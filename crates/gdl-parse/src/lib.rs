//! GDL text to a syntax tree with spans, and back.
//!
//! Parsing never fails outright: [`parse`] returns the rules it understood together with
//! [`Diagnostic`]s for everything it did not, because rulesheets in the wild are full of slips that
//! play can survive. A slip whose meaning is plain (needless parentheses, a rule without a body) is
//! understood with a warning; a rule whose meaning is not is dropped with an error.
//!
//! The crate is apart from everything else because everything else needs it: it knows nothing of
//! games being played, only what text means as rules. Reading is in three steps, each in a module:
//! tokens (nom), nested lists (a loop with explicit limits instead of recursive combinators, so that
//! hostile nesting cannot overflow the stack), rules. Since depth is limited there, whatever walks
//! the tree later may recurse.
//!
//! ```
//! let parsed = gdl_parse::parse("(role robot) (<= terminal (true done))", &Default::default());
//! assert!(parsed.diagnostics.is_empty());
//! assert_eq!(parsed.sheet.to_string(), "(role robot)\n(<= terminal (true done))\n");
//!
//! let parsed = gdl_parse::parse("(role robot) (<= (terminal) (not))", &Default::default());
//! let codes: Vec<_> = parsed.diagnostics.iter().map(|d| d.code).collect();
//! assert_eq!(codes, ["needless-parentheses", "not-arity"]);
//! ```
//!
//! What the tree guarantees to those who work with it, whatever the text was:
//! - no atom has a connective (`not`, `or`, `and`, `distinct`, `<=`) as its relation;
//! - an atom of a keyword has as many arguments as [`Keyword::arity`] says, except that `base` and
//!   `input`, which older games use as names of their own, may have any;
//! - compound terms have at least one argument; nesting is at most [`Limits::depth`] deep.

pub mod ast;
mod case;
pub mod diagnostic;
mod ground;
mod lower;
mod parse;
mod pretty;
mod printer;
mod sexpr;
pub mod span;
pub mod symbol;
mod token;

pub use ast::{Atom, Literal, Rule, Rulesheet, Term};
pub use diagnostic::{Diagnostic, Findings, Level};
pub use ground::{GroundTerm, TermError};
pub use parse::{ParseOptions, Parsed, parse, parse_bytes};
pub use sexpr::{Limits, Sexpr, read_all};
pub use span::{LineColumn, Span};
pub use symbol::{Keyword, Symbol, Symbols};
