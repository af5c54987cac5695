//! Rules compiled for one way of calling them.

use datalog::{Dynamics, TermId};
use gdl_parse::Symbol;

/// A place for a term while a clause is tried; the variables of its rule, by number.
pub(crate) type Register = u16;

/// A relation called with certain arguments bound.
pub(crate) type ModeId = u32;

/// A way of looking up facts of the state.
pub(crate) type PathId = u32;

/// How to make a term whose variables are all bound.
#[derive(Debug, Clone)]
pub(crate) enum Build {
    Term(TermId),
    Register(Register),
    Compound(Symbol, Box<[Build]>),
}

/// What to compare a given term with, and what to learn from it.
#[derive(Debug, Clone)]
pub(crate) enum Match {
    Term(TermId),
    /// The first occurrence of a variable.
    Bind(Register),
    /// A later one.
    Check(Register),
    Compound(Symbol, Box<[Match]>),
}

/// One step of a clause.
#[derive(Debug, Clone)]
pub(crate) enum Op {
    /// The fact holds in the state.
    Holds(Build),
    /// Facts of the state along a path: `keys` are given, `outs` are learnt.
    Facts {
        path: PathId,
        keys: Box<[Build]>,
        outs: Box<[Register]>,
    },
    /// What some role does.
    Does { role: Match, mv: Match },
    /// Tuples of a relation: `keys` are its bound arguments, `outs` the others.
    Call {
        mode: ModeId,
        keys: Box<[Build]>,
        outs: Box<[Match]>,
    },
    /// The step cannot be made.
    Not(Box<Op>),
    /// The terms differ.
    Distinct(Build, Build),
}

/// A rule in a mode.
#[derive(Debug, Clone)]
pub(crate) struct Clause {
    /// Bound arguments of the head against the key of the call.
    pub(crate) head: Box<[Match]>,
    pub(crate) ops: Box<[Op]>,
    /// Free arguments of the head.
    pub(crate) outs: Box<[Build]>,
    pub(crate) registers: usize,
}

/// How a mode is answered.
#[derive(Debug, Clone)]
pub(crate) enum Source {
    /// From ground facts alone: tuples of keys followed by outs, put into the table once.
    Tuples(Vec<Box<[TermId]>>),
    /// By clauses.
    Clauses(Vec<Clause>),
}

#[derive(Debug, Clone)]
pub(crate) struct Mode {
    pub(crate) keys: usize,
    pub(crate) outs: usize,
    pub(crate) dynamics: Dynamics,
    pub(crate) recursive: bool,
    pub(crate) source: Source,
}

/// What a path looks for in a fact.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Shape {
    Term(TermId),
    /// The key with this number; the same key may occur again.
    Key(u16),
    /// The out with this number; a repeated one must be the same term.
    Out(u16),
    Compound(Symbol, Box<[Shape]>),
}

#[derive(Debug, Clone)]
pub(crate) struct PathCode {
    pub(crate) shape: Shape,
    pub(crate) keys: usize,
    pub(crate) outs: usize,
}

/// Everything that the engine asks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Questions {
    pub(crate) terminal: ModeId,
    pub(crate) legal: ModeId,
    pub(crate) next: ModeId,
    pub(crate) goal: ModeId,
    pub(crate) init: ModeId,
    pub(crate) role: ModeId,
}

#[derive(Debug, Clone)]
pub(crate) struct Code {
    pub(crate) modes: Vec<Mode>,
    pub(crate) paths: Vec<PathCode>,
    pub(crate) questions: Questions,
}
