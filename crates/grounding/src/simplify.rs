//! Finds conditions that always or never hold, and rules that nothing asks for.
//!
//! Reachability assumes that negations hold. Once all instances are known, an atom that holds
//! unconditionally rules out the instances that negate it. Other atoms may then lose all
//! instances, and so on. [`settle`] propagates in both directions until nothing changes.

use crate::engine::Fixpoint;
use crate::error::GroundError;
use crate::instances::LiteralCode;
use crate::meter::Meter;
use crate::store::AtomNo;
use datalog::{Program, RelationId};
use gdl_parse::Keyword;

/// What is known about each atom.
pub(crate) struct Settled {
    /// Whether the atom can hold.
    pub(crate) possible: Vec<bool>,
    /// Whether the atom holds in every reachable state, for every joint move.
    pub(crate) always: Vec<bool>,
    /// Whether play asks for the atom, directly or through rules.
    pub(crate) needed: Vec<bool>,
}

impl Settled {
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
    fn value(&self, code: LiteralCode) -> Option<bool> {
        let atom = (code >> 1) as usize;
        let holds = if self.always[atom] {
            true
        } else if !self.possible[atom] {
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

fn positive_atoms(body: &[LiteralCode]) -> impl Iterator<Item = usize> {
    let positive = body.iter().filter(|&&code| code & 1 == 0);
    positive.map(|&code| (code >> 1) as usize)
}

/// For each atom the positions of the literals that mention it, as ranges of one array.
struct Mentions {
    start: Vec<u32>,
    instances: Vec<u32>,
}

impl Mentions {
    /// Instances by the atoms of their positive literals.
    fn positive(fixpoint: &Fixpoint, meter: &mut Meter<'_>) -> Result<Self, GroundError> {
        let held = fixpoint.bytes() + fixpoint.atoms.len() * 4;
        let mut start = vec![0u32; fixpoint.atoms.len() + 1];
        for instance in fixpoint.instances.iter() {
            meter.watch(held)?;
            for atom in positive_atoms(instance.body) {
                start[atom] += 1;
            }
        }
        let mut sum = 0;
        for count in &mut start {
            sum += *count;
            *count = sum;
        }
        let mut instances = vec![0u32; sum as usize];
        for (number, instance) in fixpoint.instances.iter().enumerate() {
            meter.watch(held + instances.len() * 4)?;
            for atom in positive_atoms(instance.body) {
                start[atom] -= 1;
                instances[start[atom] as usize] = number as u32;
            }
        }
        Ok(Mentions { start, instances })
    }

    fn of(&self, atom: AtomNo) -> &[u32] {
        let range = self.start[atom as usize]..self.start[atom as usize + 1];
        &self.instances[range.start as usize..range.end as usize]
    }

    fn bytes(&self) -> usize {
        (self.start.capacity() + self.instances.capacity()) * 4
    }
}

/// Settles all atoms.
pub(crate) fn settle(fixpoint: &Fixpoint, meter: &mut Meter<'_>) -> Result<Settled, GroundError> {
    let mentions = Mentions::positive(fixpoint, meter)?;
    let count = fixpoint.atoms.len();
    let held = fixpoint.bytes() + mentions.bytes() + fixpoint.instances.len() * 8 + count * 3;
    let initial = initial(fixpoint);
    let mut settled = Settled {
        possible: (0..count as AtomNo)
            .map(|atom| fixpoint.atoms.holds(atom))
            .collect(),
        always: vec![false; count],
        needed: vec![false; count],
    };
    // Each follows from the other: `always` from the impossible atoms, `possible` from those
    // that always hold.
    let mut watch = || meter.watch(held);
    always(fixpoint, &mentions, &initial, &mut settled, &mut watch)?;
    while possible(fixpoint, &mentions, &initial, &mut settled, &mut watch)?
        && always(fixpoint, &mentions, &initial, &mut settled, &mut watch)?
    {}
    meter.look(held)?;
    needed(fixpoint, &mut settled);
    meter.look(held)?;
    Ok(settled)
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

/// Called at every step. An error ends the work.
type Watch<'a> = &'a mut dyn FnMut() -> Result<(), GroundError>;

/// Propagates from instances whose positive literals are all reached. `blocked` reports the
/// instances that do not count. `reach` marks a head and returns the other atom that is thereby
/// reached.
fn propagate(
    fixpoint: &Fixpoint,
    mentions: &Mentions,
    blocked: impl Fn(&[LiteralCode]) -> bool,
    seeds: Vec<AtomNo>,
    mut reach: impl FnMut(AtomNo, &mut Vec<AtomNo>),
    watch: Watch<'_>,
) -> Result<(), GroundError> {
    const BLOCKED: u32 = u32::MAX;
    let mut heads = Vec::with_capacity(fixpoint.instances.len());
    let mut missing = Vec::with_capacity(fixpoint.instances.len());
    let mut stack = seeds;
    for instance in fixpoint.instances.iter() {
        watch()?;
        heads.push(instance.head);
        missing.push(if blocked(instance.body) {
            BLOCKED
        } else {
            let positive = instance.body.iter().filter(|&&code| code & 1 == 0).count();
            if positive == 0 {
                reach(instance.head, &mut stack);
            }
            positive as u32
        });
    }
    while let Some(atom) = stack.pop() {
        watch()?;
        for &instance in mentions.of(atom) {
            let left = &mut missing[instance as usize];
            if *left != BLOCKED {
                *left -= 1;
                if *left == 0 {
                    reach(heads[instance as usize], &mut stack);
                }
            }
        }
    }
    Ok(())
}

/// Finds the atoms that hold unconditionally. Returns whether new ones were found.
fn always(
    fixpoint: &Fixpoint,
    mentions: &Mentions,
    initial: &[AtomNo],
    settled: &mut Settled,
    watch: Watch<'_>,
) -> Result<bool, GroundError> {
    let outcomes = outcomes();
    let mut always = vec![false; fixpoint.atoms.len()];
    let possible = &settled.possible;
    propagate(
        fixpoint,
        mentions,
        |body| {
            body.iter()
                .any(|&code| code & 1 == 1 && possible[(code >> 1) as usize])
        },
        Vec::new(),
        |head, stack| {
            if std::mem::replace(&mut always[head as usize], true) {
                return;
            }
            stack.push(head);
            // A fact that holds initially and in every next state always holds.
            if fixpoint.atoms.relation(head) == outcomes.next
                && let Some(fact) = outcomes.of(fixpoint, head)
                && initial.binary_search(&fact).is_ok()
                && !std::mem::replace(&mut always[fact as usize], true)
            {
                stack.push(fact);
            }
        },
        watch,
    )?;
    let grown = always != settled.always;
    settled.always = always;
    Ok(grown)
}

/// Finds the atoms that can hold. Returns whether some were ruled out.
fn possible(
    fixpoint: &Fixpoint,
    mentions: &Mentions,
    initial: &[AtomNo],
    settled: &mut Settled,
    watch: Watch<'_>,
) -> Result<bool, GroundError> {
    let outcomes = outcomes();
    let mut possible = vec![false; fixpoint.atoms.len()];
    for &fact in initial {
        possible[fact as usize] = true;
    }
    let always = &settled.always;
    propagate(
        fixpoint,
        mentions,
        |body| {
            body.iter()
                .any(|&code| code & 1 == 1 && always[(code >> 1) as usize])
        },
        initial.to_vec(),
        |head, stack| {
            if std::mem::replace(&mut possible[head as usize], true) {
                return;
            }
            stack.push(head);
            if let Some(outcome) = outcomes.of(fixpoint, head)
                && !std::mem::replace(&mut possible[outcome as usize], true)
            {
                stack.push(outcome);
            }
        },
        watch,
    )?;
    let shrunk = possible != settled.possible;
    settled.possible = possible;
    Ok(shrunk)
}

fn outcomes() -> Outcomes {
    Outcomes {
        next: Program::keyword(Keyword::Next),
        legal: Program::keyword(Keyword::Legal),
    }
}

/// Finds the atoms that play asks for.
fn needed(fixpoint: &Fixpoint, settled: &mut Settled) {
    let roots = [
        Keyword::Next,
        Keyword::Legal,
        Keyword::Goal,
        Keyword::Terminal,
    ]
    .map(Program::keyword);
    // The search follows heads to bodies, so group the instances by head.
    let count = fixpoint.atoms.len();
    let mut start = vec![0u32; count + 1];
    for instance in fixpoint.instances.iter() {
        start[instance.head as usize + 1] += 1;
    }
    for atom in 0..count {
        start[atom + 1] += start[atom];
    }
    let mut bodies: Vec<&[LiteralCode]> = vec![&[]; fixpoint.instances.len()];
    let mut at = start.clone();
    for instance in fixpoint.instances.iter() {
        let slot = &mut at[instance.head as usize];
        bodies[*slot as usize] = instance.body;
        *slot += 1;
    }
    let mut stack: Vec<AtomNo> = Vec::new();
    for atom in 0..count as AtomNo {
        if roots.contains(&fixpoint.atoms.relation(atom)) && settled.possible[atom as usize] {
            settled.needed[atom as usize] = true;
            stack.push(atom);
        }
    }
    while let Some(head) = stack.pop() {
        if settled.always[head as usize] {
            continue;
        }
        let range = start[head as usize] as usize..start[head as usize + 1] as usize;
        for body in &bodies[range] {
            if settled.open(body).is_none() {
                continue;
            }
            for &code in *body {
                let atom = code >> 1;
                if settled.value(code).is_none()
                    && !std::mem::replace(&mut settled.needed[atom as usize], true)
                {
                    stack.push(atom);
                }
            }
        }
    }
}
