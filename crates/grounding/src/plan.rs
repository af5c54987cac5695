//! Chooses the order in which the literals of a rule are joined.
//!
//! A rule has a separate plan for each literal at which a batch of new atoms enters. A plan is
//! made again when the relations have changed much in size. Estimates use the actual sizes of
//! the views.

use crate::view::{Leaf, Views};
use datalog::{Pattern, RelationId};

/// A body literal prepared for planning. Negations of dynamic atoms take no part in a join.
#[derive(Debug)]
pub(crate) enum Condition {
    /// Some row of the view must match.
    Match {
        relation: RelationId,
        view: usize,
        leaves: Vec<Leaf>,
        /// Whether the atom appears in the ground rules.
        recorded: bool,
    },
    /// No row of the view may match. The view is complete.
    Absent { view: usize, leaves: Vec<Leaf> },
    /// The terms must differ.
    Distinct(Pattern, Pattern),
}

/// The rows that a literal may match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Range {
    /// All rows.
    All,
    /// The rows settled before the current batch.
    Old,
    /// The rows of the current batch.
    Batch,
}

/// A step of a join plan.
#[derive(Debug)]
pub(crate) enum Step {
    /// Continue for each row that matches.
    Match {
        view: usize,
        /// The index to find rows with, over the columns of `key`. `None` means all rows.
        index: Option<usize>,
        key: Box<[Leaf]>,
        /// Columns that bind variables.
        bind: Box<[(u16, u16)]>,
        /// Columns that must equal variables bound by the same row.
        check: Box<[(u16, u16)]>,
        range: Range,
        recorded: bool,
    },
    /// Continue if no row matches.
    Absent {
        view: usize,
        index: usize,
        key: Box<[Leaf]>,
    },
    /// Continue if the terms differ.
    Distinct(Pattern, Pattern),
    /// Fail: a required variable has no value.
    Unsafe,
}

/// A join order, with everything needed to execute it.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) steps: Vec<Step>,
    /// From this step on, one solution is enough: the remaining steps only test for existence.
    pub(crate) cut: usize,
    /// The row counts of the views when the plan was made.
    sizes: Vec<(usize, u32, u32)>,
}

impl Plan {
    /// Whether the views have changed so much in size that another order may be better.
    pub(crate) fn is_stale(&self, views: &Views) -> bool {
        self.sizes.iter().any(|&(view, rows, batch)| {
            let view = views.get(view);
            let now = view.rows() - view.old_rows();
            view.rows() / 4 > rows + 4 || now / 4 > batch + 4 || batch / 4 > now + 4
        })
    }
}

/// The input of planning.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Goal<'a> {
    /// The conditions to join.
    pub(crate) conditions: &'a [Condition],
    /// For each variable, whether the result needs its value.
    pub(crate) live: &'a [bool],
    /// The condition at which the current batch enters, if any.
    pub(crate) batch: Option<usize>,
}

impl Goal<'_> {
    /// The rows that the literal at `position` may match. Each instance is found once: earlier
    /// literals of the batch's relation match only the rows from before the batch.
    fn range(&self, position: usize) -> Range {
        let relation = |position: usize| match &self.conditions[position] {
            Condition::Match { relation, .. } => Some(*relation),
            _ => None,
        };
        match self.batch {
            Some(batch) if batch == position => Range::Batch,
            Some(batch) if position < batch && relation(batch) == relation(position) => Range::Old,
            _ => Range::All,
        }
    }

    /// Makes a plan. `None` if some view has no rows that could match.
    pub(crate) fn plan(&self, views: &mut Views) -> Option<Plan> {
        let estimates = self.estimates(views)?;
        let matches: Vec<usize> = (0..self.conditions.len())
            .filter(|&i| matches!(self.conditions[i], Condition::Match { .. }))
            .collect();
        let mut best = self.order(None, &estimates);
        if matches.len() <= 12 {
            for &first in &matches {
                let other = self.order(Some(first), &estimates);
                if other.1 < best.1 {
                    best = other;
                }
            }
        }
        Some(self.compile(&best.0, views))
    }

    /// For each condition, the number of rows and the number of distinct values of each column.
    fn estimates(&self, views: &mut Views) -> Option<Vec<(f64, Vec<f64>)>> {
        let mut estimates = Vec::with_capacity(self.conditions.len());
        for (position, condition) in self.conditions.iter().enumerate() {
            estimates.push(match condition {
                Condition::Match { view, leaves, .. } => {
                    let range = self.range(position);
                    let view = views.get_mut(*view);
                    let rows = match range {
                        Range::All => view.rows(),
                        Range::Old => view.old_rows(),
                        Range::Batch => view.rows() - view.old_rows(),
                    };
                    if rows == 0 {
                        return None;
                    }
                    let columns = 0..leaves.len() as u16;
                    let distinct = columns.map(|column| view.distinct(column)).collect();
                    (f64::from(rows), distinct)
                }
                _ => (1.0, Vec::new()),
            });
        }
        Some(estimates)
    }

    fn order(&self, first: Option<usize>, estimates: &[(f64, Vec<f64>)]) -> (Vec<usize>, f64) {
        let mut bound = vec![false; self.live.len()];
        let mut left: Vec<usize> = (0..self.conditions.len()).collect();
        let mut order = Vec::with_capacity(left.len());
        let (mut rows, mut cost) = (1.0f64, 0.0f64);
        while !left.is_empty() {
            let test = left
                .iter()
                .position(|&i| match &self.conditions[i] {
                    Condition::Match { leaves, .. } | Condition::Absent { leaves, .. } => {
                        leaves.iter().all(|&leaf| is_bound(leaf, &bound))
                    }
                    Condition::Distinct(a, b) => {
                        a.all_vars(|v| bound[v as usize]) && b.all_vars(|v| bound[v as usize])
                    }
                })
                // If the caller demands a first literal, it precedes even tests without
                // variables.
                .filter(|_| first.is_none() || !order.is_empty());
            let next = test.or_else(|| match first {
                Some(first) if order.is_empty() => left.iter().position(|&i| i == first),
                _ => self.cheapest(&left, &bound, estimates),
            });
            let i = left.remove(next.unwrap_or(0));
            rows *= self.expected(i, &bound, estimates);
            cost += rows;
            if let Condition::Match { leaves, .. } = &self.conditions[i] {
                for leaf in leaves {
                    if let Leaf::Var(var) = leaf {
                        bound[*var as usize] = true;
                    }
                }
            }
            order.push(i);
        }
        (order, cost)
    }

    fn cheapest(
        &self,
        left: &[usize],
        bound: &[bool],
        estimates: &[(f64, Vec<f64>)],
    ) -> Option<usize> {
        let mut best: Option<(f64, usize)> = None;
        for (position, &i) in left.iter().enumerate() {
            if matches!(self.conditions[i], Condition::Match { .. }) {
                let expected = self.expected(i, bound, estimates);
                if best.is_none_or(|(least, _)| expected < least) {
                    best = Some((expected, position));
                }
            }
        }
        best.map(|(_, position)| position)
    }

    /// The expected number of matching rows, given the bound variables.
    fn expected(&self, i: usize, bound: &[bool], estimates: &[(f64, Vec<f64>)]) -> f64 {
        match &self.conditions[i] {
            Condition::Match { leaves, .. } => {
                let (rows, distinct) = &estimates[i];
                let mut expected = *rows;
                let mut seen: Vec<u16> = Vec::new();
                for (column, &leaf) in leaves.iter().enumerate() {
                    let repeated = matches!(leaf, Leaf::Var(var) if seen.contains(&var));
                    if repeated || is_bound(leaf, bound) {
                        expected /= distinct[column];
                    }
                    if let Leaf::Var(var) = leaf {
                        seen.push(var);
                    }
                }
                expected
            }
            Condition::Absent { .. } | Condition::Distinct(..) => 0.9,
        }
    }

    fn compile(&self, order: &[usize], views: &mut Views) -> Plan {
        let mut bound = vec![false; self.live.len()];
        let mut recorded_left = self
            .conditions
            .iter()
            .filter(|c| matches!(c, Condition::Match { recorded: true, .. }))
            .count();
        let mut cut = None;
        let mut steps = Vec::with_capacity(order.len());
        let mut sizes = Vec::new();
        for &i in order {
            let settled = recorded_left == 0 && covers(&bound, self.live);
            if settled && cut.is_none() {
                cut = Some(steps.len());
            }
            match &self.conditions[i] {
                Condition::Match {
                    view,
                    leaves,
                    recorded,
                    ..
                } => {
                    recorded_left -= usize::from(*recorded);
                    let v = views.get(*view);
                    sizes.push((*view, v.rows(), v.rows() - v.old_rows()));
                    let range = self.range(i);
                    let step = match_step(*view, leaves, range, *recorded, &mut bound, views);
                    steps.push(step);
                }
                Condition::Absent { view, leaves } => {
                    if leaves.iter().all(|&leaf| is_bound(leaf, &bound)) {
                        let columns: Vec<u16> = (0..leaves.len() as u16).collect();
                        steps.push(Step::Absent {
                            view: *view,
                            index: views.get_mut(*view).index(&columns),
                            key: leaves.as_slice().into(),
                        });
                    } else {
                        steps.push(Step::Unsafe);
                    }
                }
                Condition::Distinct(a, b) => {
                    let safe =
                        a.all_vars(|v| bound[v as usize]) && b.all_vars(|v| bound[v as usize]);
                    steps.push(if safe {
                        Step::Distinct(a.clone(), b.clone())
                    } else {
                        Step::Unsafe
                    });
                }
            }
        }
        if !covers(&bound, self.live) {
            steps.push(Step::Unsafe);
        }
        Plan {
            cut: cut.unwrap_or(steps.len()),
            steps,
            sizes,
        }
    }
}

fn is_bound(leaf: Leaf, bound: &[bool]) -> bool {
    match leaf {
        Leaf::Term(_) => true,
        Leaf::Var(var) => bound[var as usize],
    }
}

fn covers(bound: &[bool], live: &[bool]) -> bool {
    live.iter().zip(bound).all(|(&live, &bound)| bound || !live)
}

fn match_step(
    view: usize,
    leaves: &[Leaf],
    range: Range,
    recorded: bool,
    bound: &mut [bool],
    views: &mut Views,
) -> Step {
    let (mut columns, mut key) = (Vec::new(), Vec::new());
    let mut bind: Vec<(u16, u16)> = Vec::new();
    let mut check: Vec<(u16, u16)> = Vec::new();
    for (column, &leaf) in leaves.iter().enumerate() {
        let column = column as u16;
        match leaf {
            Leaf::Var(var) if !bound[var as usize] => {
                if bind.iter().any(|&(_, other)| other == var) {
                    check.push((column, var));
                } else {
                    bind.push((column, var));
                }
            }
            bound => {
                columns.push(column);
                key.push(bound);
            }
        }
    }
    for &(_, var) in &bind {
        bound[var as usize] = true;
    }
    Step::Match {
        view,
        index: (!columns.is_empty()).then(|| views.get_mut(view).index(&columns)),
        key: key.into(),
        bind: bind.into(),
        check: check.into(),
        range,
        recorded,
    }
}
