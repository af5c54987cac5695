//! Propagation: what follows from an assumption without a case analysis.

use super::Refuter;
use super::trail::Undo;
use super::value::{FALSE, TRUE, UNKNOWN, truth};
use crate::invariant::Invariant;
use netlist::{Gate, Lit, Source};

impl Refuter<'_> {
    /// Assumes that a signal is true. False if that contradicts the present assumptions at once.
    ///
    /// Inference through gates that leave a choice is left to [`Refuter::deduce`].
    pub fn assume(&mut self, lit: Lit) -> bool {
        self.queue.push(lit);
        self.drain()
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
}
