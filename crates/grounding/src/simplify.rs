//! Finds conditions that always or never hold, and rules that nothing asks for.
//!
//! Reachability assumes that negations hold. Once all instances are known, an atom that holds
//! unconditionally rules out the instances that negate it. Other atoms may then lose all
//! instances, and so on. [`settle`] propagates in both directions until nothing changes.

use crate::engine::Fixpoint;
use crate::error::GroundError;
use crate::heads::{ByHead, Place};
use crate::instances::{Instance, LiteralCode};
use crate::meter::Meter;
use crate::store::AtomNo;
use datalog::{Program, RelationId};
use gdl_parse::Keyword;

/// What is known about each atom, a byte each.
pub(crate) struct Settled(Vec<u8>);

/// The atom can hold.
const POSSIBLE: u8 = 1;
/// The atom holds in every reachable state, for every joint move.
const ALWAYS: u8 = 2;
/// Play asks for the atom, directly or through rules.
const NEEDED: u8 = 4;

impl Settled {
    /// Whether the atom can hold.
    pub(crate) fn possible(&self, atom: AtomNo) -> bool {
        self.has(atom, POSSIBLE)
    }

    /// Whether the atom holds in every reachable state, for every joint move.
    pub(crate) fn always(&self, atom: AtomNo) -> bool {
        self.has(atom, ALWAYS)
    }

    /// Whether play asks for the atom, and its value is not settled.
    pub(crate) fn is_open(&self, atom: AtomNo) -> bool {
        self.0[atom as usize] == NEEDED | POSSIBLE
    }

    #[inline]
    fn has(&self, atom: AtomNo, what: u8) -> bool {
        self.0[atom as usize] & what != 0
    }

    /// Adds to what is known. Returns whether it is new.
    #[inline]
    fn mark(&mut self, atom: AtomNo, what: u8) -> bool {
        let known = &mut self.0[atom as usize];
        let new = *known & what == 0;
        *known |= what;
        new
    }

    /// The unsettled literals of an instance. `None` if they cannot all hold.
    pub(crate) fn open<'a>(
        &'a self,
        body: &'a [LiteralCode],
    ) -> Option<impl Iterator<Item = LiteralCode> + 'a> {
        let impossible = |&code: &LiteralCode| self.value(code) == Some(false);
        if body.iter().any(impossible) {
            return None;
        }
        Some(
            body.iter()
                .copied()
                .filter(|&code| self.value(code).is_none()),
        )
    }

    /// The value of a literal, if it is settled.
    #[inline]
    fn value(&self, code: LiteralCode) -> Option<bool> {
        let known = self.0[(code >> 1) as usize];
        let holds = if known & ALWAYS != 0 {
            true
        } else if known & POSSIBLE == 0 {
            false
        } else {
            return None;
        };
        Some(holds != (code & 1 == 1))
    }
}

/// Maps heads to their outcome: a fact of the next state to `true`, a legal move to `does`.
struct Outcomes {
    next: RelationId,
    legal: RelationId,
}

impl Outcomes {
    fn of(&self, fixpoint: &Fixpoint, head: AtomNo) -> Option<AtomNo> {
        let relation = fixpoint.atoms.relation(head);
        let outcome = if relation == self.next {
            Keyword::True
        } else if relation == self.legal {
            Keyword::Does
        } else {
            return None;
        };
        fixpoint
            .atoms
            .find(Program::keyword(outcome), fixpoint.atoms.args(head))
    }
}

fn positive_atoms(body: &[LiteralCode]) -> impl Iterator<Item = AtomNo> {
    let positive = body.iter().filter(|&&code| code & 1 == 0);
    positive.map(|&code| code >> 1)
}

/// For each atom the numbers of the instances with a positive literal of it, as ranges of one
/// array.
struct Mentions {
    start: Vec<u32>,
    instances: Vec<u32>,
    /// The head of each instance, and where its body lies.
    heads: Vec<(AtomNo, Place)>,
}

impl Mentions {
    /// `held` bytes are held beside them.
    fn new(by_head: &ByHead, held: usize, meter: &mut Meter<'_>) -> Result<Self, GroundError> {
        let held = held + by_head.atoms() * 4 + by_head.len() * size_of::<(AtomNo, Place)>();
        let mut start = vec![0u32; by_head.atoms() + 1];
        let mut heads = Vec::with_capacity(by_head.len());
        for (place, instance) in by_head.iter() {
            meter.watch(held)?;
            heads.push((instance.head, place));
            for atom in positive_atoms(instance.body) {
                start[atom as usize] += 1;
            }
        }
        let mut sum = 0;
        for count in &mut start {
            sum += *count;
            *count = sum;
        }
        let mut instances = vec![0u32; sum as usize];
        for (number, (_, instance)) in by_head.iter().enumerate() {
            meter.watch(held + instances.len() * 4)?;
            for atom in positive_atoms(instance.body) {
                start[atom as usize] -= 1;
                instances[start[atom as usize] as usize] = number as u32;
            }
        }
        Ok(Mentions {
            start,
            instances,
            heads,
        })
    }

    fn of(&self, atom: AtomNo) -> &[u32] {
        let range = self.start[atom as usize]..self.start[atom as usize + 1];
        &self.instances[range.start as usize..range.end as usize]
    }

    fn bytes(&self) -> usize {
        size_of_val(&*self.start) + size_of_val(&*self.instances) + size_of_val(&*self.heads)
    }
}

/// Settles all atoms.
pub(crate) fn settle(
    fixpoint: &Fixpoint,
    by_head: &ByHead,
    meter: &mut Meter<'_>,
) -> Result<Settled, GroundError> {
    let count = fixpoint.atoms.len();
    let possible = (0..count as AtomNo).map(|atom| match fixpoint.atoms.holds(atom) {
        true => POSSIBLE,
        false => 0,
    });
    let mut settler = Settler {
        fixpoint,
        by_head,
        settled: Settled(possible.collect()),
        initial: initial(fixpoint),
        mentions: None,
        held: fixpoint.bytes() + by_head.bytes() + count,
        meter,
    };
    // Each follows from the other: what always holds from the impossible atoms, what is possible
    // from those that always hold.
    settler.always()?;
    while settler.possible()? && settler.always()? {}
    settler.needed()?;
    Ok(settler.settled)
}

/// The atoms `(true f)` where `f` holds initially.
pub(crate) fn initial(fixpoint: &Fixpoint) -> Vec<AtomNo> {
    let init = fixpoint.atoms.tuples(Program::keyword(Keyword::Init));
    let mut initial: Vec<AtomNo> = init
        .derived
        .iter()
        .filter_map(|&tuple| {
            let holds = Program::keyword(Keyword::True);
            fixpoint.atoms.find(holds, init.args(tuple))
        })
        .collect();
    initial.sort_unstable();
    initial
}

struct Settler<'a, 'b, 'c> {
    fixpoint: &'a Fixpoint,
    by_head: &'a ByHead,
    settled: Settled,
    /// The facts of the initial state, in order.
    initial: Vec<AtomNo>,
    /// Made when something always holds: often nothing does.
    mentions: Option<Mentions>,
    /// Bytes held beside the mentions.
    held: usize,
    meter: &'c mut Meter<'b>,
}

impl Settler<'_, '_, '_> {
    /// Takes the mentions, which are put back after the work.
    fn mentions(&mut self) -> Result<Mentions, GroundError> {
        match self.mentions.take() {
            Some(mentions) => Ok(mentions),
            None => Mentions::new(self.by_head, self.held, self.meter),
        }
    }

    /// Finds the atoms that hold unconditionally. Returns whether new ones were found.
    fn always(&mut self) -> Result<bool, GroundError> {
        let mut stack = Vec::new();
        for (_, Instance { head, body }) in self.by_head.iter() {
            self.meter.watch(self.held)?;
            self.follow(head, body, &mut stack);
        }
        if stack.is_empty() {
            return Ok(false);
        }
        let mentions = self.mentions()?;
        let held = self.held + mentions.bytes();
        while let Some(atom) = stack.pop() {
            for &instance in mentions.of(atom) {
                self.meter.watch(held)?;
                let (head, place) = mentions.heads[instance as usize];
                self.follow(head, self.by_head.body(place), &mut stack);
            }
        }
        self.mentions = Some(mentions);
        Ok(true)
    }

    /// Marks the head of an instance whose conditions always hold.
    #[inline]
    fn follow(&mut self, head: AtomNo, body: &[LiteralCode], stack: &mut Vec<AtomNo>) {
        let settled = &mut self.settled;
        let mut values = body.iter().map(|&code| settled.value(code));
        if !values.all(|value| value == Some(true)) || !settled.mark(head, ALWAYS) {
            return;
        }
        stack.push(head);
        // A fact that holds initially and in every next state always holds.
        let outcomes = outcomes();
        if self.fixpoint.atoms.relation(head) == outcomes.next
            && let Some(fact) = outcomes.of(self.fixpoint, head)
            && self.initial.binary_search(&fact).is_ok()
            && settled.mark(fact, ALWAYS)
        {
            stack.push(fact);
        }
    }

    /// Finds the atoms that can hold, now that more of them always hold. Returns whether some
    /// were ruled out.
    fn possible(&mut self) -> Result<bool, GroundError> {
        const BLOCKED: u32 = u32::MAX;
        let by_head = self.by_head;
        let blocked = |settled: &Settled, body: &[LiteralCode]| {
            let mut negated = body.iter().filter(|&&code| code & 1 == 1);
            negated.any(|&code| settled.always(code >> 1))
        };
        let mut any = false;
        for (_, instance) in by_head.iter() {
            self.meter.watch(self.held)?;
            any |= blocked(&self.settled, instance.body);
        }
        if !any {
            // All atoms were derived without what is ruled out.
            return Ok(false);
        }
        let mentions = self.mentions()?;
        let held = self.held + mentions.bytes() + by_head.len() * 4;
        let before = self.count(POSSIBLE);
        let known = self.settled.0.iter_mut();
        known.for_each(|known| *known &= !POSSIBLE);
        let mut missing = Vec::with_capacity(by_head.len());
        let mut stack = self.initial.clone();
        for &fact in &self.initial {
            self.settled.mark(fact, POSSIBLE);
        }
        let outcomes = outcomes();
        let reach = |settled: &mut Settled, head: AtomNo, stack: &mut Vec<AtomNo>| {
            if !settled.mark(head, POSSIBLE) {
                return;
            }
            stack.push(head);
            if let Some(outcome) = outcomes.of(self.fixpoint, head)
                && settled.mark(outcome, POSSIBLE)
            {
                stack.push(outcome);
            }
        };
        for (_, instance) in by_head.iter() {
            self.meter.watch(held)?;
            let positive = positive_atoms(instance.body).count() as u32;
            let is_blocked = blocked(&self.settled, instance.body);
            missing.push(if is_blocked { BLOCKED } else { positive });
            if positive == 0 && !is_blocked {
                reach(&mut self.settled, instance.head, &mut stack);
            }
        }
        while let Some(atom) = stack.pop() {
            self.meter.watch(held)?;
            for &instance in mentions.of(atom) {
                let left = &mut missing[instance as usize];
                if *left != BLOCKED {
                    *left -= 1;
                    if *left == 0 {
                        let (head, _) = mentions.heads[instance as usize];
                        reach(&mut self.settled, head, &mut stack);
                    }
                }
            }
        }
        self.mentions = Some(mentions);
        Ok(self.count(POSSIBLE) < before)
    }

    fn count(&self, what: u8) -> usize {
        let known = self.settled.0.iter();
        known.filter(|&&known| known & what != 0).count()
    }

    /// Finds the atoms that play asks for.
    fn needed(&mut self) -> Result<(), GroundError> {
        let roots = [
            Keyword::Next,
            Keyword::Legal,
            Keyword::Goal,
            Keyword::Terminal,
        ]
        .map(Program::keyword);
        let settled = &mut self.settled;
        let mut stack: Vec<AtomNo> = Vec::new();
        for atom in 0..self.by_head.atoms() as AtomNo {
            if roots.contains(&self.fixpoint.atoms.relation(atom)) && settled.possible(atom) {
                settled.mark(atom, NEEDED);
                stack.push(atom);
            }
        }
        while let Some(head) = stack.pop() {
            self.meter.watch(self.held)?;
            if settled.always(head) {
                continue;
            }
            for body in self.by_head.bodies(head) {
                let Some(open) = settled.open(body) else {
                    continue;
                };
                let new = |&code: &LiteralCode| !settled.has(code >> 1, NEEDED);
                let from = stack.len();
                stack.extend(open.filter(new).map(|code| code >> 1));
                for &atom in &stack[from..] {
                    settled.mark(atom, NEEDED);
                }
            }
        }
        Ok(())
    }
}

fn outcomes() -> Outcomes {
    Outcomes {
        next: Program::keyword(Keyword::Next),
        legal: Program::keyword(Keyword::Legal),
    }
}
