//! Conditions on counts as small circuits.
//!
//! Numbers are added by reducing three bits of a column at a time until one bit is left in each
//! (after Wallace, "A suggestion for a fast multiplier", 1964, and Dadda's later scheme). The
//! condition is then decided by the digits of all counts, from the highest digit down. Each
//! sub-table is written once.

use super::formula::{Case, Count, Formula, Term};
use netlist::{GameLogic, Lit, Netlist};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// Writes formulas into a netlist that contains all signals of a game.
pub(super) struct Writer<'l> {
    pub net: Netlist,
    facts: &'l [Lit],
    numbers: Vec<(Count, Vec<Lit>)>,
}

/// Maximum number of entries of a table that becomes a circuit, with all counts rounded up to
/// whole digits.
const MOST: usize = 1 << 16;

impl<'l> Writer<'l> {
    /// Starts from the netlist of a game.
    pub fn new(logic: &'l GameLogic) -> Writer<'l> {
        Writer {
            net: logic.net.clone(),
            facts: &logic.facts,
            numbers: Vec::new(),
        }
    }

    /// A signal that is true exactly if the formula is; `None` if it would be too large.
    pub fn formula(&mut self, formula: &Formula) -> Option<Lit> {
        let digits: Vec<usize> = formula.counts.iter().map(|c| digits(c.size())).collect();
        if 1usize.checked_shl(digits.iter().sum::<usize>() as u32)? > MOST {
            return None;
        }
        let numbers: Vec<Vec<Lit>> = formula.counts.iter().map(|c| self.number(c)).collect();
        // The digits of all counts, in the order of decision: high digits first, so that counts
        // are compared digit by digit.
        let mut order: Vec<(usize, usize)> = Vec::new();
        for digit in (0..digits.iter().copied().max().unwrap_or(0)).rev() {
            for (count, &digits) in digits.iter().enumerate() {
                if digit < digits {
                    order.push((count, digit));
                }
            }
        }
        let table = (0..1usize << order.len()).map(|at| {
            let mut values = vec![0usize; formula.counts.len()];
            for (place, &(count, digit)) in order.iter().rev().enumerate() {
                values[count] |= (at >> place & 1) << digit;
            }
            let mut index = 0;
            for (value, count) in values.into_iter().zip(&formula.counts) {
                if value >= count.size() {
                    return None;
                }
                index = index * count.size() + value;
            }
            formula.holds.get(index).copied().flatten()
        });
        let bits: Vec<Lit> = (order.iter())
            .map(|&(count, digit)| numbers[count].get(digit).copied().unwrap_or(Lit::FALSE))
            .collect();
        let table: Vec<Option<bool>> = table.collect();
        let mut known = FxHashMap::default();
        Some(decide(&mut self.net, &bits, table, &mut known))
    }

    /// The binary digits of a count minus its least value, lowest digit first.
    fn number(&mut self, count: &Count) -> Vec<Lit> {
        if let Some((_, number)) = self.numbers.iter().find(|(other, _)| other == count) {
            return number.clone();
        }
        let mut columns: Vec<VecDeque<Lit>> = Vec::new();
        for term in &count.terms {
            self.term(term, &mut columns);
        }
        let mut number = Vec::new();
        let mut place = 0;
        while place < columns.len() {
            while columns[place].len() > 1 {
                let mut take = || columns[place].pop_front().unwrap_or(Lit::FALSE);
                let (a, b, c) = (take(), take(), take());
                let (sum, carry) = add(&mut self.net, a, b, c);
                columns[place].push_back(sum);
                if place + 1 == columns.len() {
                    columns.push(VecDeque::new());
                }
                if carry != Lit::FALSE {
                    columns[place + 1].push_back(carry);
                }
            }
            number.push(columns[place].pop_front().unwrap_or(Lit::FALSE));
            place += 1;
        }
        self.numbers.push((count.clone(), number.clone()));
        number
    }

    /// Adds the digits of a term, minus its least value, to the columns of their places.
    fn term(&mut self, term: &Term, columns: &mut Vec<VecDeque<Lit>>) {
        let least = term.cases.iter().map(|&(_, weight)| weight).min();
        let least = least.unwrap_or(0);
        let largest = term.cases.iter().map(|&(_, weight)| weight - least).max();
        let places = digits(largest.unwrap_or(0) as usize + 1);
        if columns.len() < places {
            columns.resize_with(places, VecDeque::new);
        }
        for (place, column) in columns.iter_mut().enumerate().take(places) {
            let has = |&&(_, weight): &&(Case, i32)| (weight - least) >> place & 1 == 1;
            let (yes, no): (Vec<_>, Vec<_>) = term.cases.iter().partition(|case| has(case));
            // Exactly one of the cases holds, so either part defines the digit. Use the part
            // without the `Otherwise` case.
            let rest = |cases: &[(Case, i32)]| cases.iter().any(|c| c.0 == Case::Otherwise);
            let either = match rest(&yes) || !rest(&no) && no.len() < yes.len() {
                true => !self.any(&no),
                false => self.any(&yes),
            };
            if either != Lit::FALSE {
                column.push_back(either);
            }
        }
    }

    fn any(&mut self, cases: &[(Case, i32)]) -> Lit {
        let lits = cases.iter().filter_map(|&(case, _)| match case {
            Case::Fact(fact) => Some(self.facts[fact as usize]),
            Case::Signal(signal) => Some(signal),
            Case::Otherwise => None,
        });
        let lits: Vec<Lit> = lits.collect();
        self.net.or_all(lits)
    }
}

/// The number of binary digits that distinguish `values` values.
fn digits(values: usize) -> usize {
    (usize::BITS - values.saturating_sub(1).leading_zeros()) as usize
}

/// The sum and the carry of three bits.
fn add(net: &mut Netlist, a: Lit, b: Lit, c: Lit) -> (Lit, Lit) {
    let differ = net.xor(a, b);
    let sum = net.xor(differ, c);
    let both = net.and(a, b);
    let through = net.and(differ, c);
    (sum, net.or(both, through))
}

/// The signal that a table defines over binary digits.
fn decide(
    net: &mut Netlist,
    bits: &[Lit],
    table: Vec<Option<bool>>,
    known: &mut FxHashMap<Vec<Option<bool>>, Lit>,
) -> Lit {
    let mut values = table.iter().flatten();
    let Some(&first) = values.next() else {
        return Lit::FALSE;
    };
    let (Some((&bit, rest)), false) = (bits.split_first(), values.all(|&value| value == first))
    else {
        return Lit::constant(first);
    };
    if let Some(&lit) = known.get(&table) {
        return lit;
    }
    let (no, yes) = table.split_at(table.len() / 2);
    let alike = no
        .iter()
        .zip(yes)
        .all(|(a, b)| a.is_none() || b.is_none() || a == b);
    let lit = if alike {
        let either = no.iter().zip(yes).map(|(a, b)| a.or(*b));
        decide(net, rest, either.collect(), known)
    } else {
        let no = decide(net, rest, no.to_vec(), known);
        let yes = decide(net, rest, yes.to_vec(), known);
        net.mux(bit, yes, no)
    };
    known.insert(table, lit);
    lit
}
