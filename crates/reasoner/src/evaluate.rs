//! Evaluates calls.

use crate::code::{Build, Clause, Code, Match, Mode, ModeId, Op, PathId, Source};
use crate::facts::{Facts, Found, NONE, learn_from};
use crate::shared::SharedTerms;
use crate::table::{Call, Progress, Table};
use budget::{Budget, Exhausted};
use datalog::{Dynamics, TermId};

/// A call that waits for no other call.
const NOTHING: u32 = u32::MAX;
/// The stamp of no answer.
const NEVER: u64 = 0;
/// The stamp of answers that never change.
const FOREVER: u64 = 1;
/// Number of steps between two checks of the budget.
const CHECK_EVERY: u64 = 1 << 14;
/// The size of a stack segment for deep recursion, and the part that must be free to continue
/// in it. In bytes.
const STACK_SEGMENT: usize = 1 << 20;
const STACK_RESERVE: usize = 64 << 10;
/// Approximate number of stack bytes used by a nested call.
const STACK_PER_CALL: usize = 2 << 10;

/// A call: its mode and its number in the mode's table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CallId {
    mode: ModeId,
    number: u32,
}

/// The number of a call that does not exist because nothing is derivable for its key.
const NO_CALL: u32 = u32::MAX;

/// The tables, the current state and moves, and scratch space.
#[derive(Debug, Clone)]
pub(crate) struct Machine {
    pub(crate) terms: SharedTerms,
    pub(crate) facts: Facts,
    tables: Vec<Table>,
    does: Vec<(TermId, TermId)>,
    stamp: u64,
    state_stamp: u64,
    moves_stamp: u64,
    /// The registers of all active clauses, innermost last.
    registers: Vec<TermId>,
    /// The keys of all active calls and look-ups, innermost last.
    keys: Vec<TermId>,
    outs: Vec<TermId>,
    /// The recursive calls that are not complete, outermost first.
    pending: Vec<CallId>,
    /// The lowest pending call whose incomplete answer the current clause has used.
    waits_for: u32,
    /// Number of tuples derived by recursive calls so far. It shows whether an iteration found
    /// new ones.
    derived: u64,
    bytes: usize,
    budget: Budget,
    steps: u64,
    /// The step counts at which to check the budget next, and at which to give up.
    next_check: u64,
    step_limit: u64,
    /// Why the query ends before all its answers are known.
    failure: Option<Failure>,
    /// The call of which one tuple is enough.
    wanted: Option<CallId>,
}

/// Why a query ends before all its answers are known.
#[derive(Debug, Clone, Copy)]
enum Failure {
    Exhausted(Exhausted),
    /// One tuple was wanted, and this is its first term.
    Found(TermId),
}

/// The position of an iteration over facts.
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
            wanted: None,
        }
    }

    pub(crate) fn set_budget(&mut self, budget: Budget) {
        self.budget = budget;
    }

    pub(crate) fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Sets the facts of the state. Answers that depend on the state become outdated.
    pub(crate) fn set_state(&mut self, code: &Code, facts: impl Iterator<Item = TermId> + Clone) {
        // Tables cannot be dropped during a query. Half of the bound is therefore reserved for
        // it.
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

    /// Sets the moves. Answers that depend on them become outdated.
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

    /// Drops all tables and indices. Their contents are derived again when needed.
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

    /// Evaluates `mode` for `key`. Returns the tuples one after the other, each with the mode's
    /// number of outs. For a mode without outs, the count is positive if it holds.
    pub(crate) fn ask(
        &mut self,
        code: &Code,
        mode: ModeId,
        key: &[TermId],
    ) -> Result<(usize, &[TermId]), Exhausted> {
        self.begin(key)?;
        let call = self.call(code, mode, 0);
        match self.recover(code) {
            None => {}
            Some(Failure::Exhausted(why)) => return Err(why),
            Some(Failure::Found(_)) => return Err(Exhausted::Stopped),
        }
        if call.number == NO_CALL {
            return Ok((0, &[]));
        }
        let call = self.answer(call);
        Ok((call.len, &call.tuples))
    }

    /// Evaluates `mode` for `key` until it has one tuple. Returns the first term of it.
    pub(crate) fn first(
        &mut self,
        code: &Code,
        mode: ModeId,
        key: &[TermId],
    ) -> Result<Option<TermId>, Exhausted> {
        self.begin(key)?;
        let table = &mut self.tables[mode as usize];
        if !table.closed {
            let number = table.index.find_or_insert(key);
            if number as usize == table.calls.len() {
                table.calls.push(Call::default());
            }
            self.wanted = Some(CallId { mode, number });
        }
        let call = self.call(code, mode, 0);
        self.wanted = None;
        match self.recover(code) {
            None => {}
            Some(Failure::Exhausted(why)) => return Err(why),
            Some(Failure::Found(term)) => return Ok(Some(term)),
        }
        let known = call.number != NO_CALL;
        Ok(known
            .then(|| self.answer(call).tuples.first().copied())
            .flatten())
    }

    /// Clears what a failed query may have left behind.
    fn begin(&mut self, key: &[TermId]) -> Result<(), Exhausted> {
        self.registers.clear();
        self.keys.clear();
        self.waits_for = NOTHING;
        self.budget.check()?;
        self.keys.extend_from_slice(key);
        Ok(())
    }

    /// Returns the failure of the query, if it ended early. Then it drops the answers that are
    /// incomplete; all tables, if there was no memory. The state must be set again after that.
    fn recover(&mut self, code: &Code) -> Option<Failure> {
        let failure = self.failure.take()?;
        if matches!(failure, Failure::Exhausted(Exhausted::Memory)) {
            self.forget(code);
            self.stamp += 1;
            self.state_stamp = self.stamp;
            return Some(failure);
        }
        self.pending.clear();
        let calls = self.tables.iter_mut().flat_map(|table| &mut table.calls);
        for call in calls.filter(|call| call.progress != Progress::Complete) {
            call.reset(NEVER);
        }
        Some(failure)
    }

    fn answer(&self, call: CallId) -> &Call {
        &self.tables[call.mode as usize].calls[call.number as usize]
    }

    fn answer_mut(&mut self, call: CallId) -> &mut Call {
        &mut self.tables[call.mode as usize].calls[call.number as usize]
    }

    /// Evaluates a call. Its key is the part of the key stack from `key` on.
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
                // Endlessly nested calls consume stack memory first.
                self.bytes += STACK_PER_CALL;
                stacker::maybe_grow(STACK_RESERVE, STACK_SEGMENT, || {
                    if mode.recursive {
                        self.derive_recursive(code, mode, call, key);
                    } else {
                        self.answer_mut(call).progress = Progress::Active;
                        self.derive(code, mode, call, key);
                        // If the query ends early, the answer is not complete.
                        if self.failure.is_none() {
                            self.answer_mut(call).progress = Progress::Complete;
                        }
                    }
                });
                self.bytes -= STACK_PER_CALL;
            }
        }
        call
    }

    /// Loads all facts of a relation into its table.
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
        // Clauses whose head does not match are no steps, but a relation may have thousands.
        self.next_check = self.next_check.saturating_sub(clauses.len() as u64);
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
    /// A call that used an incomplete answer of a call further down the stack stays pending and
    /// leaves the iteration to that call. The lowest call of such a group repeats until nothing
    /// new is found.
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
                // The call holds whatever else is found. The calls above may be evaluated
                // again.
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

    /// Resets pending calls so that they are evaluated again. Their tuples are kept, since they
    /// hold.
    fn reset_pending(&mut self, from: u32) {
        while self.pending.len() > from as usize {
            if let Some(call) = self.pending.pop() {
                self.answer_mut(call).progress = Progress::Fresh;
            }
        }
    }

    /// Evaluates the steps of a clause from `step` on and derives a tuple for every solution.
    /// Returns false if the call needs no more solutions, or on failure.
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
        let once = clause.once[step];
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
                    if once {
                        break;
                    }
                }
                self.keys.truncate(key);
                go_on
            }
            Op::Does { role, mv } => {
                for i in 0..self.does.len() {
                    let (r, m) = self.does[i];
                    if self.matches(role, r, base) && self.matches(mv, m, base) {
                        let go_on = self.solve(code, clause, step + 1, base, target);
                        if once || !go_on {
                            return go_on;
                        }
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
                    let go_on = self.solve(code, clause, step + 1, base, target);
                    if once || !go_on {
                        return go_on;
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

    /// Whether a step has any solution.
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
        if self.wanted.is_some_and(|wanted| wanted == target) {
            self.failure = outs.first().map(|&term| Failure::Found(term));
        }
        // Counts each tuple's terms, and its share of the hash table.
        self.bytes += 6 * grown;
        self.outs = outs;
        self.failure.is_none()
    }

    /// Counts a step and checks the budget at intervals. Returns false on failure.
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
        // Terms are stored twice, here and in the common store, and never dropped.
        let bytes = self.bytes + 2 * self.terms.local().bytes();
        let check = self
            .budget
            .check()
            .and_then(|()| self.budget.check_memory(bytes));
        self.failure = check.err().map(Failure::Exhausted);
        if self.steps >= self.step_limit {
            self.failure = Some(Failure::Exhausted(Exhausted::Deadline));
        }
        self.next_check = self
            .step_limit
            .min(self.steps + CHECK_EVERY)
            .max(self.steps + 1);
    }

    /// Makes every query fail after `steps` more steps, until the limit is set again.
    /// `u64::MAX` removes the limit.
    pub(crate) fn limit_steps(&mut self, steps: u64) {
        self.steps = 0;
        self.step_limit = steps;
        self.next_check = CHECK_EVERY.min(steps);
    }

    /// Number of steps since the limit was set.
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

    /// Advances to the next fact and writes its outs to registers.
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

    /// Advances to the next tuple that matches `outs`. Tuples found in the meantime are
    /// included.
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

    /// Whether the fact holds. A term that was never interned does not hold.
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
