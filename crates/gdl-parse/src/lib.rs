//! GDL text to a syntax tree with spans, and back.
//!
//! Parsing never fails outright: [`parse`] returns the rules it understood together with
//! [`Diagnostic`]s for everything it did not, because rulesheets in the wild are full of slips that
//! play can survive. The crate knows nothing of games being played; it only knows what text means
//! as rules.
//!
//! ```
//! let parsed = gdl_parse::parse("(role robot) (<= terminal (true done))", &Default::default());
//! assert!(parsed.diagnostics.is_empty());
//! assert_eq!(parsed.sheet.to_string(), "(role robot)\n(<= terminal (true done))\n");
//! ```

pub mod ast;
pub mod diagnostic;
mod ground;
mod lower;
mod printer;
mod sexpr;
pub mod span;
pub mod symbol;
mod token;

pub use ast::{Atom, Literal, Rule, Rulesheet, Term};
pub use diagnostic::{Diagnostic, Level};
pub use ground::{GroundTerm, TermError};
pub use lower::{ParseOptions, Parsed, parse, parse_bytes};
pub use sexpr::{Limits, Sexpr, read_all};
pub use span::{LineColumn, Span};
pub use symbol::{Keyword, Symbol, Symbols};
