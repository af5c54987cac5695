//! Signals as functions of counts, computed from the facts upwards.

use super::forms::{Forms, Limits, Meaning};
use super::table::Table;
use budget::Budget;
use netlist::{GameLogic, Gate, Lit, Source};
use std::rc::Rc;

/// Work between two checks of the budget, in table entries.
const STRIDE: u64 = 1 << 18;
/// Maximum work, in table entries; then some more is done with small tables. If goals are
/// counts, tables become small early and need a fraction of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Effort(u64);

impl Effort {
    /// For the most important signals.
    pub const LARGE: Effort = Effort(3 << 24);
    /// For other signals.
    pub const SMALL: Effort = Effort(1 << 24);
    /// Additional work with small tables.
    const MORE: u64 = 1 << 23;
}

/// Evaluates the signals that `roots` depend on. Signals in `fixed` have the given value.
/// Returns `None` for a root that was not reached within the time and effort.
pub(super) fn evaluate(
    logic: &GameLogic,
    forms: &mut Forms,
    roots: &[Lit],
    fixed: &[(usize, bool)],
    effort: Effort,
    budget: &Budget,
) -> Vec<Option<Table>> {
    let mut known: Vec<Option<bool>> = vec![None; logic.net.len()];
    for &(node, value) in fixed {
        known[node] = Some(value);
    }
    let cone = logic.net.cone(roots.iter().copied());
    let mut readers = vec![0u32; logic.net.len()];
    for root in roots {
        readers[root.node()] += 1;
    }
    for (node, gate) in logic.net.gates().iter().enumerate() {
        if cone[node] {
            for read in gate.reads() {
                readers[read.node()] += 1;
            }
        }
    }
    let mut tables: Vec<Option<Rc<Table>>> = vec![None; logic.net.len()];
    let mut next_look = 0;
    for node in 0..logic.net.len() {
        if !cone[node] {
            continue;
        }
        if forms.work >= next_look {
            next_look = forms.work + STRIDE;
            if forms.work >= effort.0 {
                forms.limits = Limits::NARROW;
                forms.bounded = true;
            }
            if forms.work >= effort.0 + Effort::MORE || budget.check().is_err() {
                break;
            }
        }
        let table = match (known[node], logic.net.gate(node)) {
            (Some(value), _) => Table::constant(value),
            (None, Gate::False) => Table::constant(false),
            (None, Gate::Input(number)) => match logic.sources[number as usize] {
                Source::Fact(fact) => of_fact(forms, forms.facts[fact as usize]),
                Source::Does { .. } | Source::Fix(_) => of_signal(forms, node),
            },
            (None, Gate::And(a, b)) => {
                let both = both(&tables, forms, a, b, |a, b| a & b);
                both.unwrap_or_else(|| of_signal(forms, node))
            }
            (None, Gate::Xor(a, b)) => {
                let both = both(&tables, forms, a, b, |a, b| a ^ b);
                both.unwrap_or_else(|| of_signal(forms, node))
            }
        };
        tables[node] = Some(Rc::new(table));
        for read in logic.net.gate(node).reads() {
            let left = &mut readers[read.node()];
            *left -= 1;
            if *left == 0 {
                tables[read.node()] = None;
            }
        }
    }
    let of = |root: &Lit| {
        let table = tables[root.node()].as_deref()?;
        Some(match root.is_negated() {
            true => table.negated(),
            false => table.clone(),
        })
    };
    roots.iter().map(of).collect()
}

fn both(
    tables: &[Option<Rc<Table>>],
    forms: &mut Forms,
    a: Lit,
    b: Lit,
    join: impl Fn(u8, u8) -> u8,
) -> Option<Table> {
    let (one, two) = (tables[a.node()].as_ref()?, tables[b.node()].as_ref()?);
    let (m, n) = (u8::from(a.is_negated()), u8::from(b.is_negated()));
    one.join(two, forms, |x, y| join(x ^ m, y ^ n))
}

fn of_fact(forms: &mut Forms, meaning: Meaning) -> Table {
    match meaning {
        Meaning::Constant(value) => Table::constant(value),
        Meaning::Value {
            variable,
            value,
            opposite,
        } => {
            let values = forms.variables[variable as usize].values();
            let holds = (0..values as u32).map(|v| (v == value) != opposite);
            let holds: Vec<bool> = holds.collect();
            Table::of_values(forms, variable, &holds)
        }
    }
}

/// A signal that is not written as a function of counts becomes a variable of its own.
fn of_signal(forms: &mut Forms, node: usize) -> Table {
    let variable = forms.signal(node);
    Table::of_values(forms, variable, &[false, true])
}

/// The nodes whose value follows directly if this signal is true.
pub(super) fn implied(logic: &GameLogic, signal: Lit) -> Vec<(usize, bool)> {
    let mut seen = vec![false; logic.net.len()];
    let (mut implied, mut stack) = (Vec::new(), vec![signal]);
    while let Some(lit) = stack.pop() {
        if lit.node() == 0 || std::mem::replace(&mut seen[lit.node()], true) {
            continue;
        }
        implied.push((lit.node(), !lit.is_negated()));
        if let (Gate::And(a, b), false) = (logic.net.gate(lit.node()), lit.is_negated()) {
            stack.extend([a, b]);
        }
    }
    implied
}
