//! Executes a join plan: finds the instances of one rule and stores them.

use crate::engine::Compiled;
use crate::error::GroundError;
use crate::instances::{Instances, LiteralCode, negative, positive};
use crate::meter::Meter;
use crate::plan::{Plan, Range, Step};
use crate::store::{AtomNo, AtomStore};
use crate::view::{Leaf, View, Views};
use budget::Exhausted;
use datalog::{Atom, Pattern, Program, RelationId, TermId, TermStore};
use gdl_parse::{Keyword, Symbol};
use rustc_hash::FxHashSet;

/// The destination of derived atoms and rule instances.
pub(crate) struct Sink {
    pub(crate) atoms: AtomStore,
    pub(crate) terms: TermStore,
    pub(crate) instances: Instances,
    pub(crate) roles: FxHashSet<TermId>,
    body: Vec<LiteralCode>,
}

impl Sink {
    pub(crate) fn new(atoms: AtomStore, terms: TermStore) -> Self {
        Sink {
            atoms,
            terms,
            instances: Instances::default(),
            roles: FxHashSet::default(),
            body: Vec::new(),
        }
    }

    /// Approximate number of bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.atoms.bytes() + self.terms.bytes() + self.instances.bytes()
    }

    /// Checks whether the budget is exhausted.
    #[cold]
    pub(crate) fn look(&self, views: &Views, meter: &mut Meter<'_>) -> Result<(), GroundError> {
        meter.report.derived = self.atoms.derived;
        meter.report.instances = self.instances.len();
        match self.instances.is_full() {
            true => Err(meter.exhausted(Exhausted::Memory)),
            false => meter.look(self.bytes() + views.bytes()),
        }
    }

    /// Derives an atom that holds unconditionally.
    pub(crate) fn fact(&mut self, relation: RelationId, args: &[TermId], record: bool) {
        self.body.clear();
        self.emit(relation, args, record);
    }

    /// Derives an atom under the conditions in `body`. The conditions are used only if `record`
    /// is set.
    fn emit(&mut self, relation: RelationId, args: &[TermId], record: bool) {
        let legal = relation == Program::keyword(Keyword::Legal);
        // Only roles have moves and goal values.
        if (legal || relation == Program::keyword(Keyword::Goal)) && !self.roles.contains(&args[0])
        {
            return;
        }
        let head = self.atoms.intern(relation, args);
        if record {
            self.instances.push(head, &mut self.body);
        }
        if !self.atoms.derive(head) {
            return;
        }
        // A legal move can be played, and a fact of the next state can hold.
        let outcome = if legal {
            Keyword::Does
        } else if relation == Program::keyword(Keyword::Next) {
            Keyword::True
        } else {
            return;
        };
        let atom = self.atoms.intern(Program::keyword(outcome), args);
        self.atoms.derive(atom);
    }
}

/// The state of joining one rule.
pub(crate) struct Join<'a, 'b> {
    views: &'a Views,
    sink: &'a mut Sink,
    meter: &'a mut Meter<'b>,
    rule: &'a Compiled,
    values: Vec<TermId>,
    key: Vec<TermId>,
    recorded: Vec<AtomNo>,
    args: Vec<TermId>,
}

/// The reasons for ending a join early.
enum End {
    Unsafe,
    Error(GroundError),
}

impl<'a, 'b> Join<'a, 'b> {
    pub(crate) fn new(
        views: &'a Views,
        sink: &'a mut Sink,
        meter: &'a mut Meter<'b>,
        rule: &'a Compiled,
    ) -> Self {
        Join {
            views,
            sink,
            meter,
            rule,
            values: vec![TermId(u32::MAX); rule.vars()],
            key: Vec::new(),
            recorded: Vec::new(),
            args: Vec::new(),
        }
    }

    /// Executes the plan. Returns false if some instance leaves a variable without a value.
    pub(crate) fn run(mut self, plan: &Plan) -> Result<bool, GroundError> {
        match self.step(plan, 0) {
            Ok(_) => Ok(true),
            Err(End::Unsafe) => Ok(false),
            Err(End::Error(error)) => Err(error),
        }
    }

    /// Executes the plan from step `at`. Returns whether there was any solution.
    fn step(&mut self, plan: &Plan, at: usize) -> Result<bool, End> {
        let Some(step) = plan.steps.get(at) else {
            self.emit();
            return Ok(true);
        };
        match step {
            Step::Match { .. } => self.matches(plan, at),
            Step::Absent { view, index, key } => {
                let view = self.views.get(*view);
                if self.newest(view, *index, key).is_some() {
                    return Ok(false);
                }
                self.step(plan, at + 1)
            }
            Step::Distinct(a, b) => {
                if self.equal(a, b) {
                    return Ok(false);
                }
                self.step(plan, at + 1)
            }
            Step::Unsafe => Err(End::Unsafe),
        }
    }

    fn matches(&mut self, plan: &Plan, at: usize) -> Result<bool, End> {
        let Step::Match {
            view,
            index,
            key,
            bind,
            check,
            range,
            recorded,
        } = &plan.steps[at]
        else {
            return Ok(false);
        };
        let view = self.views.get(*view);
        let (from, to) = match range {
            Range::All => (0, view.rows()),
            Range::Old => (0, view.old_rows()),
            Range::Batch => (view.old_rows(), view.rows()),
        };
        let mut next = match index {
            Some(index) => self.newest(view, *index, key),
            None => to.checked_sub(1),
        };
        let mut any = false;
        while let Some(row) = next {
            if row < from {
                break;
            }
            next = match index {
                Some(index) => view.older(*index, row),
                None => row.checked_sub(1),
            };
            if row >= to {
                continue;
            }
            if self.meter.step() {
                let look = self.sink.look(self.views, self.meter);
                look.map_err(End::Error)?;
            }
            let cells = view.row(row);
            for &(column, var) in bind {
                self.values[var as usize] = cells[column as usize];
            }
            if check
                .iter()
                .any(|&(column, var)| self.values[var as usize] != cells[column as usize])
            {
                continue;
            }
            if *recorded {
                self.recorded.push(view.atom(row));
            }
            let found = self.step(plan, at + 1)?;
            if *recorded {
                self.recorded.pop();
            }
            any |= found;
            if found && at >= plan.cut {
                break;
            }
        }
        Ok(any)
    }

    #[inline]
    fn newest(&mut self, view: &View, index: usize, key: &[Leaf]) -> Option<u32> {
        self.key.clear();
        for leaf in key {
            self.key.push(match *leaf {
                Leaf::Term(term) => term,
                Leaf::Var(var) => self.values[var as usize],
            });
        }
        view.newest(index, &self.key)
    }

    fn emit(&mut self) {
        let rule = self.rule;
        if rule.dynamic {
            self.sink.body.clear();
            self.sink
                .body
                .extend(self.recorded.iter().map(|&atom| positive(atom)));
            for negation in &rule.negations {
                self.build_args(negation);
                let atom = self.sink.atoms.intern(negation.relation, &self.args);
                self.sink.body.push(negative(atom));
            }
        }
        self.build_args(&rule.head);
        self.sink.emit(rule.head.relation, &self.args, rule.dynamic);
    }

    /// Writes the arguments of an instance of `atom` to `self.args`.
    fn build_args(&mut self, atom: &Atom) {
        self.args.clear();
        for arg in &atom.args {
            let term = self.build(arg);
            self.args.push(term);
        }
    }

    fn build(&mut self, pattern: &Pattern) -> TermId {
        match pattern {
            Pattern::Term(term) => *term,
            Pattern::Var(var) => self.values[*var as usize],
            Pattern::Compound(functor, args) => {
                let start = self.args.len();
                for arg in args {
                    let term = self.build(arg);
                    self.args.push(term);
                }
                let term = self.sink.terms.compound(*functor, &self.args[start..]);
                self.args.truncate(start);
                term
            }
        }
    }

    fn equal(&self, a: &Pattern, b: &Pattern) -> bool {
        match (a, b) {
            (Pattern::Compound(f, xs), Pattern::Compound(g, ys)) => {
                f == g && xs.len() == ys.len() && xs.iter().zip(ys).all(|(x, y)| self.equal(x, y))
            }
            (Pattern::Compound(f, xs), simple) | (simple, Pattern::Compound(f, xs)) => {
                self.equals(*f, xs, self.value(simple))
            }
            _ => self.value(a) == self.value(b),
        }
    }

    /// Whether a compound pattern equals a term.
    fn equals(&self, functor: Symbol, args: &[Pattern], term: TermId) -> bool {
        let terms = &self.sink.terms;
        let inner = terms.args(term);
        terms.functor(term) == functor
            && inner.len() == args.len()
            && args
                .iter()
                .zip(inner)
                .all(|(pattern, &term)| match pattern {
                    Pattern::Compound(f, xs) => self.equals(*f, xs, term),
                    simple => self.value(simple) == term,
                })
    }

    /// The value of a pattern that is not compound.
    fn value(&self, pattern: &Pattern) -> TermId {
        match pattern {
            Pattern::Term(term) => *term,
            Pattern::Var(var) => self.values[*var as usize],
            Pattern::Compound(..) => TermId(u32::MAX),
        }
    }
}
