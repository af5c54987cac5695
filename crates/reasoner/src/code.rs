//! Rules compiled for one mode: one choice of bound arguments.

use datalog::{Dynamics, TermId};
use gdl_parse::Symbol;

/// The place of a term during the evaluation of a clause: the variables of its rule, by number.
pub(crate) type Register = u16;

/// A relation called with certain arguments bound.
pub(crate) type ModeId = u32;

/// A kind of look-up of facts of the state.
pub(crate) type PathId = u32;

/// How to build a term whose variables are all bound.
#[derive(Debug, Clone)]
pub(crate) enum Build {
    Term(TermId),
    Register(Register),
    Compound(Symbol, Box<[Build]>),
}

/// How to compare a given term, and which variables to bind from it.
#[derive(Debug, Clone)]
pub(crate) enum Match {
    Term(TermId),
    /// The first occurrence of a variable.
    Bind(Register),
    /// A later occurrence of a variable.
    Check(Register),
    Compound(Symbol, Box<[Match]>),
}

/// One step of a clause.
#[derive(Debug, Clone)]
pub(crate) enum Op {
    /// The fact holds in the state.
    Holds(Build),
    /// Facts of the state along a path: `keys` are given, `outs` are results.
    Facts {
        path: PathId,
        keys: Box<[Build]>,
        outs: Box<[Register]>,
    },
    /// A role plays a move.
    Does { role: Match, mv: Match },
    /// Tuples of a relation: `keys` are its bound arguments, `outs` the others.
    Call {
        mode: ModeId,
        keys: Box<[Build]>,
        outs: Box<[Match]>,
    },
    /// The step has no solution.
    Not(Box<Op>),
    /// The terms differ.
    Distinct(Build, Build),
}

/// A rule compiled for a mode.
#[derive(Debug, Clone)]
pub(crate) struct Clause {
    /// Matches the bound arguments of the head with the key of the call.
    pub(crate) head: Box<[Match]>,
    pub(crate) ops: Box<[Op]>,
    /// For each step whether one solution of it is enough, since nothing reads what it binds.
    /// Otherwise rules with many such steps would take time exponential in their number.
    pub(crate) once: Box<[bool]>,
    /// The free arguments of the head.
    pub(crate) outs: Box<[Build]>,
    pub(crate) registers: usize,
}

/// How the calls of a mode are answered.
#[derive(Debug, Clone)]
pub(crate) enum Source {
    /// From ground facts alone: tuples of keys followed by outs, inserted into the table once.
    Tuples(Vec<Box<[TermId]>>),
    /// By evaluating clauses.
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

/// How a path decomposes a fact.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Shape {
    Term(TermId),
    /// The key with this number. The same key may occur several times.
    Key(u16),
    /// The out with this number. A repeated one must be the same term.
    Out(u16),
    Compound(Symbol, Box<[Shape]>),
}

#[derive(Debug, Clone)]
pub(crate) struct PathCode {
    pub(crate) shape: Shape,
    pub(crate) keys: usize,
    pub(crate) outs: usize,
}

/// The modes of all queries that the engine makes.
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
