//! What signals imply about the state, group by group.
//!
//! Every group of facts is a variable. Its value is the fact that holds, or none. A signal that
//! is true leaves a variable some of its values, its *domain*. An and-gate intersects the
//! domains of its inputs, an or-gate unites them. So "a king or a rook may move from here"
//! implies that there is a king or a rook. Two signals that leave a variable no common value are
//! never true together.
//!
//! This is constant propagation over multi-valued variables, in one sweep over the gates. It
//! loses relations between variables. The result holds in every reachable state.

use crate::groups::Groups;
use budget::{Budget, Exhausted};
use netlist::{GameLogic, Gate, Lit, Source};
use std::cmp::Ordering;

/// Values in one mask.
const WIDTH: usize = 64;
/// Maximum number of variables that are kept for a signal; those with the fewest values are
/// kept.
const MOST: usize = 32;
/// Nodes between two checks of the budget.
const STRIDE: usize = 1024;

/// A variable and its possible values, one per bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Entry {
    /// The number of the variable.
    pub variable: u32,
    /// Its possible values.
    pub mask: u64,
}

/// What a signal implies if it is true.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Implied<'d> {
    /// The signal is never true.
    Never,
    /// These variables have these values, all others any value. Ordered by variable.
    Values(&'d [Entry]),
}

/// The variables of a game, and what its signals imply about them.
pub struct Domains {
    /// For each variable, the mask of all its values.
    full: Vec<u64>,
    /// For each signal (a node, negated or not), where its entries are.
    places: Vec<Place>,
    entries: Vec<Entry>,
}

#[derive(Debug, Clone, Copy)]
struct Place {
    start: u32,
    len: u32,
}

/// Not computed.
const NOTHING: Place = Place { start: 0, len: 0 };
const NEVER: Place = Place {
    start: 0,
    len: u32::MAX,
};

impl Domains {
    /// Computes what `roots` and all signals that they read imply. These must not depend on
    /// moves.
    ///
    /// # Errors
    /// If the budget runs out.
    pub fn new(
        logic: &GameLogic,
        groups: &Groups,
        roots: &[Lit],
        budget: &Budget,
    ) -> Result<Domains, Exhausted> {
        let variables = Variables::new(logic, groups);
        let mut domains = Domains {
            full: variables.full.clone(),
            places: vec![NOTHING; 2 * logic.net.len()],
            entries: Vec::new(),
        };
        domains.places[Lit::FALSE.code() as usize] = NEVER;
        let needed = needed(logic, roots);
        let (mut scratch, mut halves) = (Vec::new(), [Vec::new(), Vec::new()]);
        for node in 1..logic.net.len() {
            if node % STRIDE == 0 {
                budget.check()?;
                budget.check_memory(domains.bytes())?;
            }
            for negated in [false, true] {
                let lit = Lit::new(node, negated);
                if !needed[lit.code() as usize] {
                    continue;
                }
                scratch.clear();
                let possible = match logic.net.gate(node) {
                    Gate::False => negated,
                    Gate::And(a, b) if negated => {
                        domains.either(domains.of(!a), domains.of(!b), &mut scratch)
                    }
                    Gate::And(a, b) => domains.both(a, b, &mut scratch),
                    Gate::Xor(a, b) => {
                        let [first, second] = &mut halves;
                        let first = match domains.both(a, !(b ^ negated), first) {
                            true => Implied::Values(first),
                            false => Implied::Never,
                        };
                        let second = match domains.both(!a, b ^ negated, second) {
                            true => Implied::Values(second),
                            false => Implied::Never,
                        };
                        domains.either(first, second, &mut scratch)
                    }
                    Gate::Input(number) => match logic.sources[number as usize] {
                        Source::Fact(fact) => variables.fact(fact, !negated, &mut scratch),
                        Source::Does { .. } | Source::Fix(_) => true,
                    },
                };
                domains.places[lit.code() as usize] = if possible {
                    domains.store(&mut scratch)
                } else {
                    NEVER
                };
            }
        }
        Ok(domains)
    }

    /// What the signal implies.
    pub fn of(&self, lit: Lit) -> Implied<'_> {
        let place = self.places[lit.code() as usize];
        if place.len == NEVER.len {
            return Implied::Never;
        }
        let start = place.start as usize;
        Implied::Values(&self.entries[start..start + place.len as usize])
    }

    /// The number of variables.
    pub fn variables(&self) -> usize {
        self.full.len()
    }

    fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>() + self.places.len() * size_of::<Place>()
    }

    /// Appends the entries to the arena.
    fn store(&mut self, entries: &mut Vec<Entry>) -> Place {
        if entries.len() > MOST {
            entries.sort_by_key(|entry| entry.mask.count_ones());
            entries.truncate(MOST);
            entries.sort_unstable();
        }
        let start = self.entries.len() as u32;
        self.entries.extend_from_slice(entries);
        Place {
            start,
            len: entries.len() as u32,
        }
    }

    /// Writes to `out` what holds if both signals are true. False if they never are.
    fn both(&self, a: Lit, b: Lit, out: &mut Vec<Entry>) -> bool {
        out.clear();
        let (Implied::Values(mut a), Implied::Values(mut b)) = (self.of(a), self.of(b)) else {
            return false;
        };
        while let ([x, more_a @ ..], [y, more_b @ ..]) = (a, b) {
            match x.variable.cmp(&y.variable) {
                Ordering::Less => {
                    out.push(*x);
                    a = more_a;
                }
                Ordering::Greater => {
                    out.push(*y);
                    b = more_b;
                }
                Ordering::Equal => {
                    let mask = x.mask & y.mask;
                    if mask == 0 {
                        return false;
                    }
                    out.push(Entry { mask, ..*x });
                    (a, b) = (more_a, more_b);
                }
            }
        }
        out.extend_from_slice(a);
        out.extend_from_slice(b);
        true
    }

    /// Writes to `out` what holds if one of two signals is true that imply this. False if neither
    /// ever is.
    fn either(&self, a: Implied<'_>, b: Implied<'_>, out: &mut Vec<Entry>) -> bool {
        out.clear();
        let (mut a, mut b) = match (a, b) {
            (Implied::Never, Implied::Never) => return false,
            (Implied::Values(one), Implied::Never) | (Implied::Never, Implied::Values(one)) => {
                out.extend_from_slice(one);
                return true;
            }
            (Implied::Values(a), Implied::Values(b)) => (a, b),
        };
        while let ([x, more_a @ ..], [y, more_b @ ..]) = (a, b) {
            match x.variable.cmp(&y.variable) {
                Ordering::Less => a = more_a,
                Ordering::Greater => b = more_b,
                Ordering::Equal => {
                    let mask = x.mask | y.mask;
                    if mask != self.full[x.variable as usize] {
                        out.push(Entry { mask, ..*x });
                    }
                    (a, b) = (more_a, more_b);
                }
            }
        }
        true
    }
}

/// The signals that the roots depend on, with their signs.
fn needed(logic: &GameLogic, roots: &[Lit]) -> Vec<bool> {
    let mut needed = vec![false; 2 * logic.net.len()];
    for root in roots {
        needed[root.code() as usize] = true;
    }
    for node in (1..logic.net.len()).rev() {
        let lit = Lit::new(node, false);
        for lit in [lit, !lit] {
            if !needed[lit.code() as usize] {
                continue;
            }
            match logic.net.gate(node) {
                Gate::And(a, b) => {
                    needed[(a ^ lit.is_negated()).code() as usize] = true;
                    needed[(b ^ lit.is_negated()).code() as usize] = true;
                }
                Gate::Xor(a, b) => {
                    for lit in [a, !a, b, !b] {
                        needed[lit.code() as usize] = true;
                    }
                }
                Gate::False | Gate::Input(_) => {}
            }
        }
    }
    needed
}

/// The variables of the facts. A group with many members becomes several variables: the digits
/// of the number of the member that holds.
struct Variables {
    full: Vec<u64>,
    /// For each fact, its groups: first variable, number of digits, and the number of the fact.
    places: Vec<Vec<(u32, u32, usize)>>,
    constants: Vec<Option<bool>>,
}

impl Variables {
    fn new(logic: &GameLogic, groups: &Groups) -> Self {
        let facts = logic.facts.len();
        let mut variables = Variables {
            full: Vec::new(),
            places: vec![Vec::new(); facts],
            constants: vec![None; facts],
        };
        for &(fact, value) in &groups.constants {
            variables.constants[fact as usize] = Some(value);
        }
        for group in &groups.groups {
            let values = group.facts.len() + usize::from(!group.exactly);
            variables.add(&group.facts, values);
        }
        for fact in 0..facts as u32 {
            if variables.places[fact as usize].is_empty() {
                variables.add(&[fact], 2);
            }
        }
        variables
    }

    /// Adds a group with `values` values; the members come first.
    fn add(&mut self, facts: &[u32], values: usize) {
        let first = self.full.len() as u32;
        let mut left = values;
        while left > 1 {
            let width = left.min(WIDTH);
            self.full.push(u64::MAX >> (WIDTH - width));
            left = left.div_ceil(WIDTH);
        }
        let digits = self.full.len() as u32 - first;
        for (number, &fact) in facts.iter().enumerate() {
            self.places[fact as usize].push((first, digits, number));
        }
    }

    /// Adds to `out` what a fact or its complement implies. False if it never holds.
    fn fact(&self, fact: u32, holds: bool, out: &mut Vec<Entry>) -> bool {
        if let Some(value) = self.constants[fact as usize] {
            return value == holds;
        }
        for &(first, digits, number) in &self.places[fact as usize] {
            if holds {
                let mut left = number;
                for digit in 0..digits {
                    out.push(Entry {
                        variable: first + digit,
                        mask: 1 << (left % WIDTH),
                    });
                    left /= WIDTH;
                }
            } else if digits == 1 {
                // With several digits, excluding one number excludes no value of any single
                // digit.
                out.push(Entry {
                    variable: first,
                    mask: self.full[first as usize] & !(1 << number),
                });
            }
        }
        out.sort_unstable_by_key(|entry| entry.variable);
        true
    }
}
