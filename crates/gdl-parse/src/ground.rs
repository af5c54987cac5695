//! Terms without variables that own their names: the form of facts and moves outside an engine.

use crate::sexpr::{Limits, Sexpr, read_all};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// A term without variables, such as `(cell 1 1 b)` or `noop`. Prints with single spaces.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum GroundTerm {
    /// An object constant.
    Constant(Arc<str>),
    /// A function applied to at least one term.
    Compound(Arc<str>, Vec<GroundTerm>),
}

/// The reason why a text is not a ground term.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TermError(String);

impl fmt::Display for TermError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TermError {}

impl GroundTerm {
    /// Creates the constant `name`.
    pub fn constant(name: &str) -> Self {
        GroundTerm::Constant(name.into())
    }

    /// Converts an expression to a term. `(f)` is read as the constant `f`.
    ///
    /// # Errors
    /// If a list is empty or does not begin with a word.
    pub fn from_sexpr(expr: &Sexpr<'_>) -> Result<Self, TermError> {
        match expr {
            Sexpr::Word(word, _) => Ok(GroundTerm::Constant((*word).into())),
            Sexpr::List(items, _) => match items.split_first() {
                Some((Sexpr::Word(name, _), [])) => Ok(GroundTerm::Constant((*name).into())),
                Some((Sexpr::Word(name, _), args)) => Ok(GroundTerm::Compound(
                    (*name).into(),
                    args.iter()
                        .map(GroundTerm::from_sexpr)
                        .collect::<Result<_, _>>()?,
                )),
                Some((Sexpr::List(..), _)) => Err(TermError(
                    "a term must begin with a name, not with a list".into(),
                )),
                None => Err(TermError("an empty list is not a term".into())),
            },
        }
    }

    /// Whether both terms are equal when case is ignored.
    pub fn eq_ignore_case(&self, other: &GroundTerm) -> bool {
        match (self, other) {
            (GroundTerm::Constant(a), GroundTerm::Constant(b)) => a.eq_ignore_ascii_case(b),
            (GroundTerm::Compound(a, xs), GroundTerm::Compound(b, ys)) => {
                a.eq_ignore_ascii_case(b)
                    && xs.len() == ys.len()
                    && xs.iter().zip(ys).all(|(x, y)| x.eq_ignore_case(y))
            }
            _ => false,
        }
    }
}

impl fmt::Display for GroundTerm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GroundTerm::Constant(name) => f.write_str(name),
            GroundTerm::Compound(name, args) => {
                write!(f, "({name}")?;
                for arg in args {
                    write!(f, " {arg}")?;
                }
                f.write_str(")")
            }
        }
    }
}

impl FromStr for GroundTerm {
    type Err = TermError;

    fn from_str(text: &str) -> Result<Self, TermError> {
        let (exprs, diagnostics) = read_all(text, &Limits::default());
        match (exprs.as_slice(), diagnostics.first()) {
            (_, Some(problem)) => Err(TermError(problem.message.clone())),
            ([expr], None) => GroundTerm::from_sexpr(expr),
            (other, None) => Err(TermError(format!(
                "expected one term, found {}",
                other.len()
            ))),
        }
    }
}
