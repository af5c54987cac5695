//! Answers calls.

use crate::code::{Build, Clause, Code, Match, Mode, ModeId, Op, PathId, Source};
use crate::facts::{Facts, Found, NONE, learn_from};
use crate::shared::SharedTerms;
use crate::table::{Call, Progress, Table};
use budget::{Budget, Exhausted};
use datalog::{Dynamics, TermId};

/// Waits for nothing.
const NOTHING: u32 = u32::MAX;
/// The stamp of answers that never change.
const FOREVER: u64 = 1;
/// Steps between two looks at the budget.
const CHECK_EVERY: u64 = 1 << 14;
/// A stack segment for deep recursion, and how much of one must be left to go on in it.
const STACK_SEGMENT: usize = 1 << 20;
const STACK_RESERVE: usize = 64 << 10;
/// Stack that a nested call takes, roughly.
const STACK_PER_CALL: usize = 2 << 10;

/// A call, by mode and number in the mode's table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CallId {
    mode: ModeId,
    number: u32,
}

/// No such call: nothing is derivable for its key.
const NO_CALL: u32 = u32::MAX;

/// Tables, the current state and moves, and scratch space.
#[derive(Debug, Clone)]
pub(crate) struct Machine {
    pub(crate) terms: SharedTerms,
    pub(crate) facts: Facts,
    tables: Vec<Table>,
    does: Vec<(TermId, TermId)>,
    stamp: u64,
    state_stamp: u64,
    moves_stamp: u64,
    /// Registers of all active clauses, innermost last.
    registers: Vec<TermId>,
    /// Keys of all active calls and look-ups, innermost last.
    keys: Vec<TermId>,
    outs: Vec<TermId>,
    /// Recursive calls that are not complete, outermost first.
    pending: Vec<CallId>,
    /// The lowest pending call that the clause at hand has used an incomplete answer of.
    waits_for: u32,
    /// Tuples of recursive calls so far; tells whether an iteration found anything new.
    derived: u64,
    bytes: usize,
    budget: Budget,
    steps: u64,
    /// Where to look at the budget next, and where to give up.
    next_check: u64,
    step_limit: u64,
    failure: Option<Exhausted>,
}

/// How far an iteration over facts has come.
struct FactCursor {
    found: Found,
    position: usize,
}

impl Machine {
    pub(crate) fn new(code: &Code, terms: SharedTerms, budget: Budget) -> Self {
        Machine {
            terms,
            facts: Facts::new(&code.paths),
            tables: code
                .modes
                .iter()
                .map(|mode| Table::new(mode.keys))
                .collect(),
            does: Vec::new(),
            stamp: FOREVER,
            state_stamp: FOREVER,
            moves_stamp: FOREVER,
            registers: Vec::new(),
            keys: Vec::new(),
            outs: Vec::new(),
            pending: Vec::new(),
            waits_for: NOTHING,
            derived: 0,
            bytes: 0,
            budget,
            steps: 0,
            next_check: CHECK_EVERY,
            step_limit: u64::MAX,
            failure: None,
        }
    }

    pub(crate) fn set_budget(&mut self, budget: Budget) {
        self.budget = budget;
    }

    pub(crate) fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Makes these the facts of the state; answers that depend on the state are out of date.
    pub(crate) fn set_state(&mut self, code: &Code, facts: impl Iterator<Item = TermId> + Clone) {
        // Within a question nothing can be dropped: half of the bound is left for it.
        if self.bytes + self.facts.bytes() > self.budget.max_bytes() / 2 {
            self.forget(code);
        }
        if facts
            .clone()
            .any(|fact| fact.index() >= self.terms.local().len())
        {
            self.terms.catch_up();
        }
        self.facts.set(facts, self.terms.local());
        self.stamp += 1;
        self.state_stamp = self.stamp;
        self.set_moves(&[]);
    }

    /// Makes these the moves; answers that depend on them are out of date.
    pub(crate) fn set_moves(&mut self, does: &[(TermId, TermId)]) {
        if does
            .iter()
            .any(|(_, mv)| mv.index() >= self.terms.local().len())
        {
            self.terms.catch_up();
        }
        self.does.clear();
        self.does.extend_from_slice(does);
        self.stamp += 1;
        self.moves_stamp = self.stamp;
    }

    /// Drops all tables and indices. What they held is derived again when needed.
    fn forget(&mut self, code: &Code) {
        self.tables = code
            .modes
            .iter()
            .map(|mode| Table::new(mode.keys))
            .collect();
        self.facts = Facts::new(&code.paths);
        self.pending.clear();
        self.bytes = 0;
    }

    /// The tuples of `mode` for `key`, one after the other, each with the mode's number of outs;
    /// for a mode without outs, whether it holds.
    pub(crate) fn ask(
        &mut self,
        code: &Code,
        mode: ModeId,
        key: &[TermId],
    ) -> Result<(usize, &[TermId]), Exhausted> {
        // Whatever a failed question left behind.
        self.registers.clear();
        self.keys.clear();
        self.waits_for = NOTHING;
        self.budget.check()?;
        self.keys.extend_from_slice(key);
        let call = self.call(code, mode, 0);
        if let Some(failure) = self.failure.take() {
            self.forget(code);
            // The facts of the state were forgotten with the indices.
            self.stamp += 1;
            self.state_stamp = self.stamp;
            return Err(failure);
        }
        if call.number == NO_CALL {
            return Ok((0, &[]));
        }
        let call = &self.tables[mode as usize].calls[call.number as usize];
        Ok((call.len, &call.tuples))
    }

    fn answer(&self, call: CallId) -> &Call {
        &self.tables[call.mode as usize].calls[call.number as usize]
    }

    fn answer_mut(&mut self, call: CallId) -> &mut Call {
        &mut self.tables[call.mode as usize].calls[call.number as usize]
    }

    /// Answers the call whose key is what stands from `key` on the stack of keys.
    fn call(&mut self, code: &Code, id: ModeId, key: usize) -> CallId {
        let mode = &code.modes[id as usize];
        let table = &mut self.tables[id as usize];
        let number = if table.closed {
            match table.index.find(&self.keys[key..]) {
                Some(number) => return CallId { mode: id, number },
                None => {
                    return CallId {
                        mode: id,
                        number: NO_CALL,
                    };
                }
            }
        } else {
            table.index.find_or_insert(&self.keys[key..])
        };
        if number as usize == table.calls.len() {
            table.calls.push(Call::default());
            self.bytes += size_of::<Call>() + 8 * mode.keys + 16;
        }
        let call = CallId { mode: id, number };
        if let Source::Tuples(tuples) = &mode.source {
            self.load(id, mode, tuples);
            return call;
        }
        let stamp = match mode.dynamics {
            Dynamics::Static => FOREVER,
            Dynamics::State => self.state_stamp,
            Dynamics::Moves => self.moves_stamp,
        };
        let answer = self.answer_mut(call);
        if answer.stamp != stamp {
            answer.reset(stamp);
        }
        match answer.progress {
            Progress::Complete => {}
            Progress::Active | Progress::Pending => {
                let waits_for = answer.waits_for;
                self.waits_for = self.waits_for.min(waits_for);
            }
            Progress::Fresh => {
                // Calls that nest without end use up the stack's memory first.
                self.bytes += STACK_PER_CALL;
                stacker::maybe_grow(STACK_RESERVE, STACK_SEGMENT, || {
                    if mode.recursive {
                        self.derive_recursive(code, mode, call, key);
                    } else {
                        self.answer_mut(call).progress = Progress::Active;
                        self.derive(code, mode, call, key);
                        self.answer_mut(call).progress = Progress::Complete;
                    }
                });
                self.bytes -= STACK_PER_CALL;
            }
        }
        call
    }

    /// Puts all facts of a relation into its table.
    #[cold]
    fn load(&mut self, id: ModeId, mode: &Mode, tuples: &[Box<[TermId]>]) {
        let table = &mut self.tables[id as usize];
        for tuple in tuples {
            let (key, outs) = tuple.split_at(mode.keys);
            let number = table.index.find_or_insert(key) as usize;
            if number == table.calls.len() {
                table.calls.push(Call::default());
            }
            table.calls[number].add(outs);
        }
        for call in &mut table.calls {
            call.stamp = FOREVER;
            call.progress = Progress::Complete;
        }
        table.closed = true;
        self.bytes += tuples.len() * (8 * mode.keys + 4 * mode.outs + 16)
            + table.calls.len() * size_of::<Call>();
    }

    /// Tries all clauses of a call once.
    fn derive(&mut self, code: &Code, mode: &Mode, call: CallId, key: usize) {
        let Source::Clauses(clauses) = &mode.source else {
            return;
        };
        let key_end = self.keys.len();
        for clause in clauses {
            let base = self.registers.len();
            self.registers.resize(base + clause.registers, NONE);
            let matches = clause
                .head
                .iter()
                .zip(key..key_end)
                .all(|(pattern, k)| self.matches(pattern, self.keys[k], base));
            let go_on = !matches || self.solve(code, clause, 0, base, call);
            self.registers.truncate(base);
            self.keys.truncate(key_end);
            if !go_on {
                break;
            }
        }
    }

    /// Iterates a recursive call, and those that depend on it, to the least fixpoint.
    ///
    /// A call that used an incomplete answer of one further down the stack stays pending and leaves
    /// the iteration to that one; the lowest of such a group repeats until nothing new is found.
    fn derive_recursive(&mut self, code: &Code, mode: &Mode, call: CallId, key: usize) {
        let depth = self.pending.len() as u32;
        self.pending.push(call);
        let outer = std::mem::replace(&mut self.waits_for, NOTHING);
        loop {
            let answer = self.answer_mut(call);
            answer.progress = Progress::Active;
            answer.waits_for = depth;
            let before = self.derived;
            self.waits_for = NOTHING;
            self.derive(code, mode, call, key);
            let low = self.waits_for;
            if self.failure.is_some() {
                return;
            }
            let settled = mode.outs == 0 && self.answer(call).len > 0;
            if settled {
                // What holds holds whatever else is found; calls above may be asked again.
                self.reset_pending(depth + 1);
                self.complete_pending(depth);
                break;
            }
            if low < depth {
                let answer = self.answer_mut(call);
                answer.progress = Progress::Pending;
                answer.waits_for = low;
                self.waits_for = outer.min(low);
                return;
            }
            if low == NOTHING || self.derived == before {
                self.complete_pending(depth);
                break;
            }
            self.reset_pending(depth + 1);
        }
        self.waits_for = outer;
    }

    fn complete_pending(&mut self, from: u32) {
        while self.pending.len() > from as usize {
            if let Some(call) = self.pending.pop() {
                self.answer_mut(call).progress = Progress::Complete;
            }
        }
    }

    /// The tuples found so far are kept: they hold.
    fn reset_pending(&mut self, from: u32) {
        while self.pending.len() > from as usize {
            if let Some(call) = self.pending.pop() {
                self.answer_mut(call).progress = Progress::Fresh;
            }
        }
    }

    /// Tries the steps of a clause from `step` on and derives a tuple for every way through.
    /// False if the call needs no more, or on failure.
    fn solve(
        &mut self,
        code: &Code,
        clause: &Clause,
        step: usize,
        base: usize,
        target: CallId,
    ) -> bool {
        if self.failure.is_some() || !self.may_go_on() {
            return false;
        }
        let Some(op) = clause.ops.get(step) else {
            return self.derived_tuple(clause, base, target);
        };
        match op {
            Op::Holds(term) => {
                !self.holds(term, base) || self.solve(code, clause, step + 1, base, target)
            }
            Op::Facts { path, keys, outs } => {
                let key = self.push_keys(keys, base);
                let mut cursor = self.find_facts(code, *path, key);
                let mut go_on = true;
                while go_on && self.next_fact(code, *path, &mut cursor, key, outs, base) {
                    go_on = self.solve(code, clause, step + 1, base, target);
                }
                self.keys.truncate(key);
                go_on
            }
            Op::Does { role, mv } => {
                for i in 0..self.does.len() {
                    let (r, m) = self.does[i];
                    if self.matches(role, r, base)
                        && self.matches(mv, m, base)
                        && !self.solve(code, clause, step + 1, base, target)
                    {
                        return false;
                    }
                }
                true
            }
            Op::Call { mode, keys, outs } => {
                let key = self.push_keys(keys, base);
                let call = self.call(code, *mode, key);
                self.keys.truncate(key);
                let mut position = 0;
                while self.next_tuple(call, &mut position, outs, base) {
                    if !self.solve(code, clause, step + 1, base, target) {
                        return false;
                    }
                }
                self.failure.is_none()
            }
            Op::Not(inner) => {
                self.exists(code, inner, base) || self.solve(code, clause, step + 1, base, target)
            }
            Op::Distinct(a, b) => {
                self.build(a, base) == self.build(b, base)
                    || self.solve(code, clause, step + 1, base, target)
            }
        }
    }

    /// Whether the step can be made at all.
    fn exists(&mut self, code: &Code, op: &Op, base: usize) -> bool {
        match op {
            Op::Holds(term) => self.holds(term, base),
            Op::Facts { path, keys, outs } => {
                let key = self.push_keys(keys, base);
                let mut cursor = self.find_facts(code, *path, key);
                let found = self.next_fact(code, *path, &mut cursor, key, outs, base);
                self.keys.truncate(key);
                found
            }
            Op::Does { role, mv } => (0..self.does.len()).any(|i| {
                let (r, m) = self.does[i];
                self.matches(role, r, base) && self.matches(mv, m, base)
            }),
            Op::Call { mode, keys, outs } => {
                let key = self.push_keys(keys, base);
                let call = self.call(code, *mode, key);
                self.keys.truncate(key);
                self.next_tuple(call, &mut 0, outs, base)
            }
            Op::Not(inner) => !self.exists(code, inner, base),
            Op::Distinct(a, b) => self.build(a, base) != self.build(b, base),
        }
    }

    fn derived_tuple(&mut self, clause: &Clause, base: usize, target: CallId) -> bool {
        if clause.outs.is_empty() {
            self.derived += u64::from(self.answer_mut(target).add(&[]));
            return false;
        }
        self.outs.clear();
        let mut outs = std::mem::take(&mut self.outs);
        outs.extend(clause.outs.iter().map(|out| self.build(out, base)));
        let answer = self.answer_mut(target);
        let capacity = answer.tuples.capacity();
        let new = answer.add(&outs);
        let grown = answer.tuples.capacity() - capacity;
        self.derived += u64::from(new);
        // Each tuple's terms, and its share of the hash table.
        self.bytes += 6 * grown;
        self.outs = outs;
        true
    }

    /// Counts a step, and looks at the budget from time to time.
    #[inline]
    fn may_go_on(&mut self) -> bool {
        self.steps += 1;
        if self.steps >= self.next_check {
            self.look_at_budget();
        }
        self.failure.is_none()
    }

    #[cold]
    fn look_at_budget(&mut self) {
        // Terms are held twice, here and in common, and never dropped.
        let bytes = self.bytes + 2 * self.terms.local().bytes();
        let check = self
            .budget
            .check()
            .and_then(|()| self.budget.check_memory(bytes));
        self.failure = check.err();
        if self.steps >= self.step_limit {
            self.failure = Some(Exhausted::Deadline);
        }
        self.next_check = self
            .step_limit
            .min(self.steps + CHECK_EVERY)
            .max(self.steps + 1);
    }

    /// Lets every question fail once `steps` more steps have been made, until the limit is set
    /// anew; `u64::MAX` lifts it.
    pub(crate) fn limit_steps(&mut self, steps: u64) {
        self.steps = 0;
        self.step_limit = steps;
        self.next_check = CHECK_EVERY.min(steps);
    }

    /// Steps made since the limit was set.
    pub(crate) fn steps_since_limit(&self) -> u64 {
        self.steps
    }

    fn push_keys(&mut self, keys: &[Build], base: usize) -> usize {
        let start = self.keys.len();
        for key in keys {
            let term = self.build(key, base);
            self.keys.push(term);
        }
        start
    }

    fn find_facts(&mut self, code: &Code, path: PathId, key: usize) -> FactCursor {
        let path_code = &code.paths[path as usize];
        let found = self
            .facts
            .find(path, path_code, &self.keys[key..], self.terms.local());
        FactCursor { found, position: 0 }
    }

    /// Moves on to the next fact and puts its outs into registers.
    fn next_fact(
        &mut self,
        code: &Code,
        path: PathId,
        cursor: &mut FactCursor,
        key: usize,
        outs: &[u16],
        base: usize,
    ) -> bool {
        match cursor.found {
            Found::Nothing => false,
            Found::Entries(list) => loop {
                let entry = self.facts.entry(path, list, cursor.position, outs.len());
                let Some((holds, values)) = entry else {
                    return false;
                };
                cursor.position += 1;
                if holds {
                    for (&register, &value) in outs.iter().zip(values) {
                        self.registers[base + register as usize] = value;
                    }
                    return true;
                }
            },
            Found::Kind(kind) => loop {
                let Some(fact) = self.facts.of_kind(kind, cursor.position) else {
                    return false;
                };
                cursor.position += 1;
                self.outs.clear();
                self.outs.resize(outs.len(), NONE);
                let shape = &code.paths[path as usize].shape;
                let key_end = key + code.paths[path as usize].keys;
                let keys = &mut self.keys[key..key_end];
                if learn_from(shape, fact, keys, &mut self.outs, self.terms.local()) {
                    for (&register, &value) in outs.iter().zip(&self.outs) {
                        self.registers[base + register as usize] = value;
                    }
                    return true;
                }
            },
        }
    }

    /// Moves on to the next tuple that fits `outs`. Tuples found meanwhile are seen too.
    #[inline]
    fn next_tuple(
        &mut self,
        call: CallId,
        position: &mut usize,
        outs: &[Match],
        base: usize,
    ) -> bool {
        if call.number == NO_CALL {
            return false;
        }
        while *position < self.answer(call).len {
            let start = *position * outs.len();
            *position += 1;
            let fits = outs.iter().enumerate().all(|(i, pattern)| {
                let value = self.answer(call).tuples[start + i];
                self.matches(pattern, value, base)
            });
            if fits {
                return true;
            }
        }
        false
    }

    #[inline]
    fn matches(&mut self, pattern: &Match, term: TermId, base: usize) -> bool {
        match pattern {
            Match::Term(expected) => *expected == term,
            Match::Bind(register) => {
                self.registers[base + *register as usize] = term;
                true
            }
            Match::Check(register) => self.registers[base + *register as usize] == term,
            Match::Compound(functor, args) => {
                let terms = self.terms.local();
                if terms.functor(term) != *functor || terms.args(term).len() != args.len() {
                    return false;
                }
                (0..args.len()).all(|i| {
                    let arg = self.terms.local().args(term)[i];
                    self.matches(&args[i], arg, base)
                })
            }
        }
    }

    #[inline]
    fn build(&mut self, build: &Build, base: usize) -> TermId {
        match build {
            Build::Term(term) => *term,
            Build::Register(register) => self.registers[base + *register as usize],
            Build::Compound(functor, args) => {
                let start = self.keys.len();
                for arg in args {
                    let term = self.build(arg, base);
                    self.keys.push(term);
                }
                let term = self.terms.compound(*functor, &self.keys[start..]);
                self.keys.truncate(start);
                term
            }
        }
    }

    /// Whether the fact holds; a term that was never interned does not.
    fn holds(&mut self, build: &Build, base: usize) -> bool {
        let fact = match build {
            Build::Compound(functor, args) => {
                let start = self.keys.len();
                for arg in args {
                    let term = self.build(arg, base);
                    self.keys.push(term);
                }
                let fact = self.terms.local().find(*functor, &self.keys[start..]);
                self.keys.truncate(start);
                fact
            }
            simple => Some(self.build(simple, base)),
        };
        fact.is_some_and(|fact| self.facts.holds(fact))
    }
}
