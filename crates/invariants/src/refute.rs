//! A refuter: proves by case analysis over the gates that signals cannot have given values
//! together.
//!
//! Assumed values are propagated downwards (both inputs of an and-gate that is true are true,
//! and a move that is played is legal). All other signals are evaluated on demand only, in three
//! values. Then the refuter splits: one case for every way in which an or-gate can be true. This
//! is the justification-driven search of circuit test generation, without learning. It is fast
//! here because nearly all queries are decided near the root, while forward propagation of every
//! value would visit the thousands of readers of each fact and move.
//!
//! Every inference holds in all states that satisfy the assumed invariants, for all joint moves
//! in which each role plays exactly one of its moves, and a legal one.

use crate::invariant::{Assumed, Invariant};
use netlist::{GameLogic, Gate, Lit, Source};

/// A value in three-valued logic: unknown, false, true.
type Value = u8;
const UNKNOWN: Value = 0;
const FALSE: Value = 1;
const TRUE: Value = 2;

/// Or-gates with more cases than this are not split.
const MAX_CASES: usize = 512;
/// Groups with more members are not candidates for the phases of the game.
const MAX_PHASES: usize = 6;
/// Maximum number of groups examined for phases.
const MAX_TRIED: usize = 64;

/// The known value of a node in the lowest bits, and above them the time when it was last found
/// unknown.
///
/// It is still unknown if that time is not before [`Refuter::since`].
#[derive(Clone, Copy, Default)]
struct Node(u64);

impl Node {
    fn value(self) -> Value {
        (self.0 & 3) as Value
    }

    fn with(self, value: Value) -> Node {
        Node(self.0 & !3 | u64::from(value))
    }

    fn unknown_at(now: u64) -> Node {
        Node(now << 2 | u64::from(UNKNOWN))
    }

    fn is_unknown(self, since: u64) -> bool {
        self.0 >> 2 >= since
    }
}

/// A change to undo when an assumption is left.
#[derive(Clone, Copy)]
enum Undo {
    Value(u32),
    Chosen(u32),
    Made(u16),
    Narrowed(u16),
}

/// The sizes to return to when a case ends.
struct Mark {
    trail: usize,
    pending: usize,
    since: u64,
}

/// The state of one search.
pub struct Refuter<'l> {
    logic: &'l GameLogic,
    pub assumed: Assumed,
    nodes: Vec<Node>,
    now: u64,
    since: u64,
    trail: Vec<Undo>,
    queue: Vec<Lit>,
    /// Gates whose value is assumed while the values of their inputs are open.
    pending: Vec<u32>,
    marks: Vec<Mark>,
    /// For each group, the member known to hold.
    chosen: Vec<Option<u32>>,
    /// For each role, the move known to be played, and whether some move is known not to be
    /// played.
    made: Vec<Option<u32>>,
    narrowed: Vec<bool>,
    /// For each role, two moves that were possible at the last check.
    witnesses: Vec<[u32; 2]>,
    /// Invariants that inferences needed since the last [`Refuter::take_used`].
    used: Vec<bool>,
    used_list: Vec<u32>,
    /// Work done, in node visits, and the count at which the present query gives up.
    pub steps: u64,
    limit: u64,
    /// The count at which even an evaluation in progress gives up.
    stop: u64,
    stack: Vec<u32>,
    seen: Vec<u32>,
    seen_now: u32,
    /// Where a refutation first got stuck since the last [`Refuter::take_stuck`].
    stuck: Option<Stuck>,
}

/// The place where a refutation got stuck: the facts and moves that were assumed or inferred.
#[derive(Debug, Default)]
pub struct Stuck {
    /// Facts, and whether they hold.
    pub facts: Vec<(u32, bool)>,
    /// Roles, and the moves they play.
    pub made: Vec<(u16, u32)>,
}

impl<'l> Refuter<'l> {
    /// Starts with no assumptions but the invariants.
    pub fn new(logic: &'l GameLogic, assumed: Assumed) -> Self {
        let nodes = logic.net.len();
        let invariants = assumed.len();
        let mut refuter = Refuter {
            logic,
            assumed,
            nodes: vec![Node::default(); nodes],
            now: 1,
            since: 1,
            trail: Vec::new(),
            queue: Vec::new(),
            pending: Vec::new(),
            marks: Vec::new(),
            chosen: vec![None; invariants],
            made: vec![None; logic.roles()],
            narrowed: vec![false; logic.roles()],
            witnesses: vec![[0, 0]; logic.roles()],
            used: vec![false; invariants],
            used_list: Vec::new(),
            steps: 0,
            limit: u64::MAX,
            stop: u64::MAX,
            stack: Vec::new(),
            seen: vec![0; 2 * nodes],
            seen_now: 0,
            stuck: None,
        };
        refuter.write(0, FALSE);
        refuter.trail.clear();
        refuter
    }

    /// Assumes that a signal is true, and propagates only what is then known at once. False on a
    /// contradiction.
    ///
    /// Gates that leave a choice are not examined again. Meant for assumptions that reach far
    /// and rarely matter, such as that play has not ended.
    pub fn assume_lightly(&mut self, lit: Lit) -> bool {
        let pending = self.pending.len();
        let consistent = self.assume(lit);
        self.pending.truncate(pending);
        consistent
    }

    /// The number of legal signals known to be false, as the minimum over the facts of a group.
    fn legal_excluded(&mut self, facts: &[u32]) -> usize {
        let logic = self.logic;
        let mut least = usize::MAX;
        for &fact in facts {
            self.enter();
            self.limit = u64::MAX;
            if self.assume(logic.facts[fact as usize]) {
                let legal = logic.legal.iter().flatten();
                let excluded = legal.filter(|&&lit| self.known(lit) == Some(false)).count();
                least = least.min(excluded);
            }
            self.leave();
        }
        least
    }

    /// The group that gives the phase of the game, such as whose turn it is.
    ///
    /// Of the small `exactly` groups, it is the one whose value decides most about what is
    /// legal.
    pub fn phases(&mut self) -> Option<u32> {
        let mut groups: Vec<(u32, Vec<u32>)> = Vec::new();
        for id in 0..self.assumed.len() as u32 {
            match self.assumed.get(id) {
                Invariant::Group(group) if group.exactly && group.facts.len() <= MAX_PHASES => {
                    groups.push((id, group.facts.clone()));
                }
                _ => {}
            }
        }
        groups.sort_by_key(|(_, facts)| facts.len());
        groups.truncate(MAX_TRIED);
        let rated = groups.into_iter().map(|(id, facts)| {
            let excluded = self.legal_excluded(&facts);
            (excluded, std::cmp::Reverse(id))
        });
        let rated: Vec<_> = rated.collect();
        self.take_used();
        let (excluded, id) = rated.into_iter().max()?;
        (excluded > 0).then_some(id.0)
    }

    /// Must be called after an invariant was added to [`Refuter::assumed`].
    pub fn grown(&mut self) {
        self.chosen.resize(self.assumed.len(), None);
        self.used.resize(self.assumed.len(), false);
    }

    /// Starts a case; [`Refuter::leave`] undoes all that was assumed in it.
    pub fn enter(&mut self) {
        self.marks.push(Mark {
            trail: self.trail.len(),
            pending: self.pending.len(),
            since: self.since,
        });
    }

    /// Ends a case.
    pub fn leave(&mut self) {
        let Some(mark) = self.marks.pop() else { return };
        for undo in self.trail.drain(mark.trail..) {
            match undo {
                Undo::Value(node) => {
                    let node = &mut self.nodes[node as usize];
                    *node = node.with(UNKNOWN);
                }
                Undo::Chosen(group) => self.chosen[group as usize] = None,
                Undo::Made(role) => self.made[usize::from(role)] = None,
                Undo::Narrowed(role) => self.narrowed[usize::from(role)] = false,
            }
        }
        self.pending.truncate(mark.pending);
        // What was unknown under more assumptions is unknown under fewer.
        self.since = mark.since;
        self.queue.clear();
    }

    /// Assumes that a signal is true. False if that contradicts the present assumptions at once.
    ///
    /// Inference through gates that leave a choice is left to [`Refuter::deduce`].
    pub fn assume(&mut self, lit: Lit) -> bool {
        self.queue.push(lit);
        self.drain()
    }

    /// The value of the signal under the assumptions, if it follows at once.
    pub fn known(&mut self, lit: Lit) -> Option<bool> {
        match self.evaluate(lit) {
            UNKNOWN => None,
            value => Some(value == TRUE),
        }
    }

    /// Sets the work that the following queries may do in total, in node visits.
    pub fn allow(&mut self, steps: u64) {
        self.limit = self.steps + steps;
    }

    /// Sets the total step count, over all queries, after which every value is unknown at once;
    /// `u64::MAX` for never.
    pub fn stop_at(&mut self, steps: u64) {
        self.stop = steps;
    }

    /// Whether the allowed work is used up; from then on every value is unknown.
    pub fn is_exhausted(&self) -> bool {
        self.steps >= self.limit
    }

    /// The invariants that inferences needed since the last call.
    pub fn take_used(&mut self) -> Vec<u32> {
        for &id in &self.used_list {
            self.used[id as usize] = false;
        }
        std::mem::take(&mut self.used_list)
    }

    /// The place where a refutation first got stuck since the last call.
    pub fn take_stuck(&mut self) -> Option<Stuck> {
        self.stuck.take()
    }

    fn note_stuck(&mut self) {
        if self.stuck.is_some() {
            return;
        }
        let mut stuck = Stuck::default();
        for undo in &self.trail {
            let Undo::Value(node) = undo else { continue };
            let Gate::Input(number) = self.logic.net.gate(*node as usize) else {
                continue;
            };
            let holds = self.nodes[*node as usize].value() == TRUE;
            match self.logic.sources[number as usize] {
                Source::Fact(fact) => stuck.facts.push((fact, holds)),
                Source::Does { role, mv } if holds => stuck.made.push((role, mv)),
                _ => {}
            }
        }
        self.stuck = Some(stuck);
    }

    /// Whether at most `depth` nested splits refute the assumptions.
    pub fn refute(&mut self, depth: u32) -> bool {
        if depth == 0 || self.is_exhausted() {
            self.note_stuck();
            return false;
        }
        let Some(cases) = self.split() else {
            self.note_stuck();
            return false;
        };
        for case in cases {
            self.enter();
            let refuted = !self.assume(case) || !self.deduce() || self.refute(depth - 1);
            self.leave();
            if !refuted {
                return false;
            }
        }
        true
    }

    /// The cases in which a signal can be true: the inputs of the or-gate that computes it. If
    /// the signal is true, at least one of them is.
    pub fn cases(&mut self, lit: Lit) -> Vec<Lit> {
        self.cases_below(lit, usize::MAX).unwrap_or_default()
    }

    /// The cases that are not known to be false; `None` if there are more than `most`.
    fn cases_below(&mut self, lit: Lit, most: usize) -> Option<Vec<Lit>> {
        self.seen_now += 1;
        let mut cases = Vec::new();
        let mut stack = vec![lit];
        while let Some(lit) = stack.pop() {
            // By signal, not by node: a signal and its complement are two cases.
            if self.seen[lit.code() as usize] == self.seen_now {
                continue;
            }
            self.seen[lit.code() as usize] = self.seen_now;
            self.steps += 1;
            match self.logic.net.gate(lit.node()) {
                Gate::And(a, b) if lit.is_negated() => stack.extend([!b, !a]),
                _ => {
                    if most == usize::MAX || self.evaluate(lit) != FALSE {
                        cases.push(lit);
                    }
                    if cases.len() > most {
                        return None;
                    }
                }
            }
        }
        Some(cases)
    }

    /// The cases of the open gate with the fewest; of the first such gate.
    fn split(&mut self) -> Option<Vec<Lit>> {
        let mut best: Option<Vec<Lit>> = None;
        for at in 0..self.pending.len() {
            let node = self.pending[at] as usize;
            let most = best.as_ref().map_or(MAX_CASES, |best| best.len() - 1);
            if most < 2 {
                break;
            }
            let cases = match self.logic.net.gate(node) {
                Gate::And(a, b) => {
                    if self.evaluate(a) == FALSE || self.evaluate(b) == FALSE {
                        continue;
                    }
                    self.cases_below(Lit::new(node, true), most)
                }
                Gate::Xor(a, _) if self.evaluate(a) == UNKNOWN => Some(vec![a, !a]),
                _ => None,
            };
            best = cases.or(best);
        }
        best
    }

    /// Sets the queued signals and their direct consequences. False on a contradiction.
    fn drain(&mut self) -> bool {
        while let Some(lit) = self.queue.pop() {
            if !self.set(lit) {
                self.queue.clear();
                return false;
            }
        }
        true
    }

    /// Propagates the assumptions until only choices remain. False on a contradiction.
    pub fn deduce(&mut self) -> bool {
        loop {
            let before = self.now;
            for at in 0..self.pending.len() {
                if !self.examine(self.pending[at] as usize) || !self.drain() {
                    self.queue.clear();
                    return false;
                }
            }
            for role in 0..self.made.len() {
                let open = self.narrowed[role] && self.made[role].is_none();
                if open && (!self.examine_role(role) || !self.drain()) {
                    return false;
                }
            }
            if self.now == before || self.is_exhausted() {
                return true;
            }
        }
    }

    /// Checks whether a gate with an assumed value leaves its inputs a choice. False on a
    /// contradiction.
    fn examine(&mut self, node: usize) -> bool {
        match self.logic.net.gate(node) {
            Gate::And(a, b) => {
                // A known input makes it unnecessary to evaluate the other, which may be
                // expensive.
                match (self.glance(a), self.glance(b)) {
                    (FALSE, _) | (_, FALSE) => {}
                    (TRUE, TRUE) => return false,
                    (TRUE, _) => self.queue.push(!b),
                    (_, TRUE) => self.queue.push(!a),
                    _ => match self.evaluate(a) {
                        FALSE => {}
                        TRUE => self.queue.push(!b),
                        _ if self.evaluate(b) == TRUE => self.queue.push(!a),
                        _ => {}
                    },
                }
            }
            Gate::Xor(a, b) => {
                let differ = self.nodes[node].value() == TRUE;
                let (first, second) = (self.evaluate(a), self.evaluate(b));
                match (first, second) {
                    (UNKNOWN, UNKNOWN) => {}
                    (first, UNKNOWN) => self.queue.push(b ^ ((first == TRUE) == differ)),
                    (UNKNOWN, second) => self.queue.push(a ^ ((second == TRUE) == differ)),
                    (first, second) => return (first != second) == differ,
                }
            }
            Gate::False | Gate::Input(_) => {}
        }
        true
    }

    /// Makes a signal true and queues its consequences. False on a contradiction.
    fn set(&mut self, lit: Lit) -> bool {
        let node = lit.node();
        match self.value(lit) {
            TRUE => return true,
            FALSE => return false,
            _ => {}
        }
        self.steps += 1;
        self.write(node, truth(!lit.is_negated()));
        self.now += 1;
        self.since = self.now;
        match self.logic.net.gate(node) {
            Gate::And(a, b) if !lit.is_negated() => self.queue.extend([a, b]),
            Gate::And(..) | Gate::Xor(..) => self.pending.push(node as u32),
            Gate::False => return lit.is_negated(),
            Gate::Input(number) => match self.logic.sources[number as usize] {
                Source::Fact(fact) => return self.set_fact(fact, !lit.is_negated()),
                Source::Does { role, mv } => return self.set_does(role, mv, !lit.is_negated()),
                Source::Fix(fix) => {
                    let fix = self.logic.fixes[fix as usize];
                    self.queue.push(fix.value ^ lit.is_negated());
                }
            },
        }
        true
    }

    fn set_fact(&mut self, fact: u32, holds: bool) -> bool {
        if let Some((id, value)) = self.assumed.constant(fact)
            && value != holds
        {
            self.mark_used(id);
            return false;
        }
        for at in 0..self.assumed.of(fact).len() {
            let id = self.assumed.of(fact)[at];
            let group = id as usize;
            if holds {
                match self.chosen[group] {
                    Some(other) if other != fact => {
                        self.mark_used(id);
                        return false;
                    }
                    Some(_) => {}
                    None => {
                        self.chosen[group] = Some(fact);
                        self.trail.push(Undo::Chosen(id));
                    }
                }
                continue;
            }
            let Invariant::Group(of) = self.assumed.get(id) else {
                continue;
            };
            if of.exactly {
                let (logic, members) = (self.logic, of.facts.clone());
                let left = members
                    .into_iter()
                    .filter(|&other| self.fact(other) != FALSE);
                let left: Vec<Lit> = left
                    .take(2)
                    .map(|other| logic.facts[other as usize])
                    .collect();
                match left[..] {
                    [] => {
                        self.mark_used(id);
                        return false;
                    }
                    [one] => {
                        self.mark_used(id);
                        self.queue.push(one);
                    }
                    _ => {}
                }
            }
        }
        true
    }

    fn set_does(&mut self, role: u16, mv: u32, made: bool) -> bool {
        let index = usize::from(role);
        if made {
            if let Some(other) = self.made[index] {
                return other == mv;
            }
            self.made[index] = Some(mv);
            self.trail.push(Undo::Made(role));
            self.queue.push(self.logic.legal[index][mv as usize]);
            return true;
        }
        if !self.narrowed[index] {
            self.narrowed[index] = true;
            self.trail.push(Undo::Narrowed(role));
        }
        true
    }

    /// Checks whether a role, some of whose moves are known not to be played, has a move left.
    /// False if it has none.
    fn examine_role(&mut self, role: usize) -> bool {
        let does = &self.logic.does[role];
        let [first, second] = self.witnesses[role];
        let mut possible = None;
        let order = [first as usize, second as usize]
            .into_iter()
            .chain(0..does.len());
        for mv in order {
            if mv >= does.len() || possible == Some(mv) || self.evaluate(does[mv]) == FALSE {
                continue;
            }
            if let Some(other) = possible {
                self.witnesses[role] = [other as u32, mv as u32];
                return true;
            }
            possible = Some(mv);
        }
        match possible {
            Some(mv) => {
                self.queue.push(does[mv]);
                true
            }
            None => false,
        }
    }

    /// Records that an inference needed an invariant.
    pub fn mark_used(&mut self, id: u32) {
        if !std::mem::replace(&mut self.used[id as usize], true) {
            self.used_list.push(id);
        }
    }

    fn write(&mut self, node: usize, value: Value) {
        self.set_value(node, value);
        self.trail.push(Undo::Value(node as u32));
    }

    fn set_value(&mut self, node: usize, value: Value) {
        self.nodes[node] = self.nodes[node].with(value);
    }

    fn value(&self, lit: Lit) -> Value {
        signed(self.nodes[lit.node()].value(), lit)
    }

    /// The value of the signal as far as it is known without evaluating gates.
    fn glance(&mut self, lit: Lit) -> Value {
        let Gate::Input(number) = self.logic.net.gate(lit.node()) else {
            return self.value(lit);
        };
        match self.logic.sources[number as usize] {
            Source::Fact(_) => self.evaluate(lit),
            Source::Does { role, .. } if self.made[usize::from(role)].is_some() => {
                self.evaluate(lit)
            }
            _ => self.value(lit),
        }
    }

    fn is_unknown(&self, node: usize) -> bool {
        self.nodes[node].is_unknown(self.since)
    }

    /// The value of the signal as far as it is known. Evaluates the signals that it reads,
    /// recursively, until the value is known.
    fn evaluate(&mut self, lit: Lit) -> Value {
        let root = lit.node();
        if self.nodes[root].value() != UNKNOWN || self.is_unknown(root) || self.is_exhausted() {
            return self.value(lit);
        }
        let base = self.stack.len();
        self.stack.push(root as u32);
        while self.stack.len() > base {
            let node = self.stack[self.stack.len() - 1] as usize;
            if self.nodes[node].value() != UNKNOWN || self.is_unknown(node) {
                self.stack.pop();
                continue;
            }
            self.steps += 1;
            if self.steps > self.stop {
                self.stack.truncate(base);
                break;
            }
            match self.attempt(node) {
                // A node that must be evaluated first.
                Attempt::Needs(first) => self.stack.push(first as u32),
                Attempt::Is(value) => {
                    if value == UNKNOWN {
                        self.nodes[node] = Node::unknown_at(self.now);
                    } else {
                        self.write(node, value);
                    }
                    self.stack.pop();
                }
            }
        }
        self.value(lit)
    }

    fn attempt(&mut self, node: usize) -> Attempt {
        match self.logic.net.gate(node) {
            Gate::False => Attempt::Is(FALSE),
            Gate::And(a, b) => {
                let nodes = [self.nodes[a.node()], self.nodes[b.node()]];
                let first = signed(nodes[0].value(), a);
                let second = signed(nodes[1].value(), b);
                if first == FALSE || second == FALSE {
                    return Attempt::Is(FALSE);
                }
                if first == UNKNOWN && !nodes[0].is_unknown(self.since) {
                    return Attempt::Needs(a.node());
                }
                if second == UNKNOWN && !nodes[1].is_unknown(self.since) {
                    return Attempt::Needs(b.node());
                }
                Attempt::Is(if (first, second) == (TRUE, TRUE) {
                    TRUE
                } else {
                    UNKNOWN
                })
            }
            Gate::Xor(a, b) => {
                for lit in [a, b] {
                    if self.value(lit) == UNKNOWN {
                        return if self.is_unknown(lit.node()) {
                            Attempt::Is(UNKNOWN)
                        } else {
                            Attempt::Needs(lit.node())
                        };
                    }
                }
                Attempt::Is(truth(self.value(a) != self.value(b)))
            }
            Gate::Input(number) => match self.logic.sources[number as usize] {
                Source::Fact(fact) => Attempt::Is(self.fact(fact)),
                Source::Does { role, mv } => {
                    if self.made[usize::from(role)].is_some() {
                        return Attempt::Is(FALSE);
                    }
                    let legal = self.logic.legal[usize::from(role)][mv as usize];
                    match self.value(legal) {
                        FALSE => Attempt::Is(FALSE),
                        UNKNOWN if !self.is_unknown(legal.node()) => Attempt::Needs(legal.node()),
                        _ => Attempt::Is(UNKNOWN),
                    }
                }
                Source::Fix(fix) => {
                    let value = self.logic.fixes[fix as usize].value;
                    if self.value(value) == UNKNOWN && !self.is_unknown(value.node()) {
                        // Cut the recursion round a cycle here.
                        self.nodes[node] = Node::unknown_at(self.now);
                        return Attempt::Needs(value.node());
                    }
                    Attempt::Is(self.value(value))
                }
            },
        }
    }

    fn fact(&mut self, fact: u32) -> Value {
        if let Some((id, value)) = self.assumed.constant(fact) {
            self.mark_used(id);
            return truth(value);
        }
        let lit = self.logic.facts[fact as usize];
        if self.nodes[lit.node()].value() != UNKNOWN {
            return self.nodes[lit.node()].value();
        }
        for at in 0..self.assumed.of(fact).len() {
            let id = self.assumed.of(fact)[at];
            if self.chosen[id as usize].is_some_and(|other| other != fact) {
                self.mark_used(id);
                return FALSE;
            }
        }
        UNKNOWN
    }
}

enum Attempt {
    Needs(usize),
    Is(Value),
}

fn truth(value: bool) -> Value {
    if value { TRUE } else { FALSE }
}

fn signed(value: Value, lit: Lit) -> Value {
    match value {
        UNKNOWN => UNKNOWN,
        value if lit.is_negated() => 3 - value,
        value => value,
    }
}
