//! Circuits as clauses of a SAT solver, with signals that are constant where they can be.

use batsat::{Callbacks, ClauseKind, Lit, Solver, SolverInterface, lbool};
use budget::Budget;
use rustc_hash::FxHashMap;
use std::cell::Cell;

/// The solver asks this often for each reading of the clock.
const ASKS: u32 = 64;
/// Bytes of a clause and of a variable, with what the solver keeps beside them.
const CLAUSE: usize = 72;
const VARIABLE: usize = 120;

/// When the solver has to stop.
#[derive(Default)]
struct Limits {
    budget: Option<Budget>,
    asked: Cell<u32>,
    ended: Cell<bool>,
    conflicts: u64,
    most: u64,
    /// Literals of clauses that were learnt and kept.
    learnt: usize,
    most_learnt: usize,
}

impl Callbacks for Limits {
    fn on_new_clause(&mut self, clause: &[Lit], kind: ClauseKind) {
        if kind == ClauseKind::Learnt {
            self.conflicts += 1;
            self.learnt += clause.len();
        }
    }

    fn on_delete_clause(&mut self, clause: &[Lit]) {
        self.learnt = self.learnt.saturating_sub(clause.len());
    }

    fn stop(&self) -> bool {
        self.asked.set(self.asked.get().wrapping_add(1));
        let ask = self.asked.get().is_multiple_of(ASKS);
        if ask
            && self
                .budget
                .as_ref()
                .is_some_and(|budget| budget.check().is_err())
        {
            self.ended.set(true);
        }
        self.ended.get() || self.conflicts >= self.most || self.learnt > self.most_learnt
    }
}

/// What the solver says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    /// There is a model.
    Yes,
    /// There is none.
    No,
    /// It was stopped before it knew.
    Unknown,
}

/// A growing circuit in a SAT solver.
pub(crate) struct Circuit {
    solver: Solver<Limits>,
    yes: Lit,
    gates: FxHashMap<(bool, Lit, Lit), Lit>,
    clauses: usize,
    bytes: usize,
    clause: Vec<Lit>,
    /// All clauses, for another solver that checks what this one excludes.
    #[cfg(test)]
    pub written: Vec<Vec<Lit>>,
}

impl Circuit {
    /// A circuit without gates. Clauses and what is learnt from them take about `bytes` at most.
    pub fn new(bytes: usize) -> Circuit {
        let limits = Limits {
            // A literal has four bytes; a learnt clause is also watched.
            most_learnt: bytes / 2 / 8,
            ..Limits::default()
        };
        let mut solver = Solver::new(batsat::SolverOpts::default(), limits);
        let yes = Lit::new(solver.new_var_default(), true);
        solver.add_clause_reuse(&mut vec![yes]);
        Circuit {
            solver,
            yes,
            gates: FxHashMap::default(),
            clauses: 1,
            bytes,
            clause: Vec::new(),
            #[cfg(test)]
            written: vec![vec![yes]],
        }
    }

    /// The constant signal.
    pub fn constant(&self, value: bool) -> Lit {
        if value { self.yes } else { !self.yes }
    }

    /// The value of a constant signal.
    pub fn value(&self, lit: Lit) -> Option<bool> {
        match lit {
            lit if lit == self.yes => Some(true),
            lit if lit == !self.yes => Some(false),
            _ => None,
        }
    }

    /// Finds out which signals the demands leave no choice; see [`Circuit::fixed`].
    pub fn settle(&mut self) {
        self.solver.simplify();
    }

    /// The value of a signal that had no choice when demands were settled.
    pub fn fixed(&self, lit: Lit) -> Option<bool> {
        match self.solver.value_lvl_0(lit) {
            value if value == lbool::TRUE => Some(true),
            value if value == lbool::FALSE => Some(false),
            _ => None,
        }
    }

    /// A signal of its own.
    pub fn fresh(&mut self) -> Lit {
        Lit::new(self.solver.new_var_default(), true)
    }

    /// Demands that one of the signals is true.
    pub fn demand(&mut self, lits: &[Lit]) {
        if lits.contains(&self.yes) {
            return;
        }
        self.clause.clear();
        let no = !self.yes;
        self.clause.extend(lits.iter().filter(|lit| **lit != no));
        #[cfg(test)]
        self.written.push(self.clause.clone());
        self.solver.add_clause_reuse(&mut self.clause);
        self.clauses += 1;
    }

    /// Both signals.
    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        match (self.value(a), self.value(b)) {
            (Some(false), _) | (_, Some(false)) => return !self.yes,
            (Some(true), _) => return b,
            (_, Some(true)) => return a,
            _ if a == b => return a,
            _ if a == !b => return !self.yes,
            _ => {}
        }
        let (a, b) = (a.min(b), a.max(b));
        if let Some(&gate) = self.gates.get(&(false, a, b)) {
            return gate;
        }
        let gate = self.fresh();
        self.demand(&[!gate, a]);
        self.demand(&[!gate, b]);
        self.demand(&[gate, !a, !b]);
        self.gates.insert((false, a, b), gate);
        gate
    }

    /// One of two signals.
    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// One of two signals, but not both.
    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        match (self.value(a), self.value(b)) {
            (Some(a), _) => return if a { !b } else { b },
            (_, Some(b)) => return if b { !a } else { a },
            _ if a == b => return !self.yes,
            _ if a == !b => return self.yes,
            _ => {}
        }
        let negated = a.sign() != b.sign();
        let (a, b) = (Lit::new(a.var(), true), Lit::new(b.var(), true));
        let (a, b) = (a.min(b), a.max(b));
        let known = self.gates.get(&(true, a, b)).copied();
        let gate = known.unwrap_or_else(|| {
            let gate = self.fresh();
            self.demand(&[!gate, a, b]);
            self.demand(&[!gate, !a, !b]);
            self.demand(&[gate, !a, b]);
            self.demand(&[gate, a, !b]);
            self.gates.insert((true, a, b), gate);
            gate
        });
        if negated { !gate } else { gate }
    }

    /// `then` where `choice` is true, else `otherwise`.
    pub fn mux(&mut self, choice: Lit, then: Lit, otherwise: Lit) -> Lit {
        if then == otherwise {
            return then;
        }
        let (a, b) = (self.and(choice, then), self.and(!choice, otherwise));
        self.or(a, b)
    }

    /// Demands that at most one of the signals is true, by a counter that runs along them.
    pub fn at_most_one(&mut self, lits: &[Lit]) {
        const PAIRS: usize = 6;
        let no = !self.yes;
        let lits: Vec<Lit> = lits.iter().copied().filter(|lit| *lit != no).collect();
        if lits.len() <= PAIRS {
            for (at, &a) in lits.iter().enumerate() {
                for &b in &lits[at + 1..] {
                    self.demand(&[!a, !b]);
                }
            }
            return;
        }
        let mut before = no;
        for &lit in &lits {
            self.demand(&[!lit, !before]);
            let now = self.fresh();
            self.demand(&[!lit, now]);
            self.demand(&[!before, now]);
            before = now;
        }
    }

    /// Whether what it holds takes more memory than it may.
    pub fn is_full(&self) -> bool {
        let variables = self.solver.num_vars() as usize;
        self.clauses * CLAUSE + variables * VARIABLE > self.bytes / 2
    }

    /// Whether all demands can be met where the assumed signals are true, by at most this many
    /// conflicts.
    pub fn ask(&mut self, assumed: &[Lit], conflicts: u64, budget: &Budget) -> Answer {
        let limits = self.solver.cb_mut();
        limits.most = limits.conflicts.saturating_add(conflicts);
        limits.ended.set(false);
        limits.budget = Some(budget.clone());
        let answer = self.solver.solve_limited(assumed);
        if answer == lbool::TRUE {
            Answer::Yes
        } else if answer == lbool::FALSE {
            Answer::No
        } else {
            Answer::Unknown
        }
    }

    /// Whether a signal is true in the last model.
    pub fn is_true(&self, lit: Lit) -> bool {
        self.value(lit)
            .unwrap_or_else(|| self.solver.value_lit(lit) == lbool::TRUE)
    }

    /// Conflicts so far.
    pub fn conflicts(&self) -> u64 {
        self.solver.cb().conflicts
    }
}
