//! Parses GDL text to a syntax tree with spans, and prints it again.
//!
//! Parsing never fails as a whole: [`parse`] returns the rules it understood, together with
//! [`Diagnostic`]s for everything else, because real rulesheets are full of slips that do not
//! prevent play. A slip with an obvious meaning (needless parentheses, a rule without a body)
//! is accepted with a warning. A rule without a clear meaning is dropped with an error.
//!
//! Everything else depends on this crate, so it is separate: it knows only how text is read as
//! rules, not how games are played. Reading has three steps, each in a module: tokens (nom),
//! nested lists (a loop with explicit limits instead of recursive combinators, so that hostile
//! nesting cannot overflow the stack), and rules. The depth is limited there, so code that
//! walks the tree later may recurse.
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
//! The tree has these guarantees for every text:
//! - no atom has a connective (`not`, `or`, `and`, `distinct`, `<=`) as its relation;
//! - an atom of a keyword has the number of arguments given by [`Keyword::arity`], except that
//!   `base` and `input`, which older games use as names of their own, may have any;
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
