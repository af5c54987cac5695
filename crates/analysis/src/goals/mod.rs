//! Results as functions of a state: counts, comparisons, sums.
//!
//! Rules count by logic: chains of partial sums, ladders of comparisons, thousands of gates for
//! a single number. Here every signal that the goals depend on is evaluated as a *function of
//! sums*, from the facts upwards: a table over a few numbers, each of which is a weighted sum of
//! facts. At a gate, the tables of its two inputs are rewritten over common sums and joined. If
//! the joined table is a function of `a + b` or `a - b`, these become one sum. So counts are
//! found and proved in one pass. The resulting formula equals the rules in every state in which
//! the proved groups of [`invariants`] hold. A signal whose table would be too large remains a
//! variable of its own.
//!
//! [`Goals::emulated`] writes the same goals as adders and comparisons.

mod changes;
mod circuit;
mod evaluate;
mod form;
mod forms;
mod formula;
mod pieces;
mod reach;
mod table;

use budget::{Budget, Exhausted};
use changes::Changes;
use circuit::Writer;
use evaluate::Effort;
use forms::Forms;
use invariants::Groups;
use netlist::{GameLogic, Lit, copied};
use std::time::Duration;
use table::Table;

pub use form::Form;
pub use formula::{Case, Count, Formula, Term};
pub use reach::Reach;

/// The states in which a formula equals the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scope {
    /// Every reachable state.
    Everywhere,
    /// Terminal states.
    Terminal,
}

/// A formula for a signal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    /// The formula.
    pub formula: Formula,
    /// The states in which it is valid.
    pub scope: Scope,
}

impl Condition {
    /// The only count that it depends on, and its truth values, if it depends on just one count
    /// of facts.
    fn single(&self) -> Option<(&Count, &[Option<bool>])> {
        match &self.formula.counts[..] {
            [count] if self.formula.is_of_facts() => Some((count, &self.formula.holds)),
            _ => None,
        }
    }
}

/// Statistics of the search.
#[derive(Debug, Clone, Copy, Default)]
pub struct Report {
    /// The time that it took.
    pub time: Duration,
    /// Approximate work done, in table entries.
    pub work: u64,
    /// Whether the work reached its bound, which does not depend on time. Then goals that are
    /// not counts of facts directly were given up.
    pub bounded: bool,
    /// The part of the budget that ran out, if any; then there may be more formulas.
    pub exhausted: Option<Exhausted>,
}

/// The results of a game as functions of counts. All conditions are proved.
#[derive(Debug, Clone)]
pub struct Goals {
    /// For each role, its results in the order of the logic, and the condition of each; `None`
    /// if it was not found in time.
    pub goals: Vec<Vec<(u8, Option<Condition>)>>,
    /// The condition of terminality.
    pub terminal: Option<Condition>,
    /// For each role, the form of its results.
    pub forms: Vec<Form>,
    /// Statistics of the search.
    pub report: Report,
}

/// A game with rewritten goals.
#[derive(Debug, Clone)]
pub struct Emulated {
    /// The same game.
    pub logic: GameLogic,
    /// The states in which the goals equal those of the game.
    pub scope: Scope,
    /// Gates that only the goals need, before.
    pub before: usize,
    /// Gates that only the goals need, after.
    pub after: usize,
}

impl Goals {
    /// Finds the conditions of goals, then that of terminality, within the budget.
    pub fn find(logic: &GameLogic, groups: &Groups, budget: &Budget) -> Goals {
        let begun = budget.clock().now();
        let mut goals = Goals::of_results(logic, groups, budget);
        let mut forms = Forms::new(logic, groups);
        let tables = evaluate::evaluate(
            logic,
            &mut forms,
            &[logic.terminal],
            &[],
            Effort::SMALL,
            budget,
        );
        let found = read(tables, &mut forms, Scope::Everywhere, budget);
        goals.terminal = found.into_iter().next().flatten();
        goals.report.work += forms.work;
        goals.report.bounded |= forms.bounded;
        goals.report.time = budget.clock().now() - begun;
        goals.report.exhausted = budget.check().err();
        goals
    }

    /// Does the same without terminality.
    pub fn of_results(logic: &GameLogic, groups: &Groups, budget: &Budget) -> Goals {
        let begun = budget.clock().now();
        let roots: Vec<Lit> = logic.goal_roots().collect();
        let mut forms = Forms::new(logic, groups);
        let most = match budget.remaining() {
            Some(left) => budget.clone().with_timeout(left * 2 / 3),
            None => budget.clone(),
        };
        let tables = evaluate::evaluate(logic, &mut forms, &roots, &[], Effort::LARGE, &most);
        let mut found = read(tables, &mut forms, Scope::Everywhere, budget);
        let (mut work, mut bounded) = (forms.work, forms.bounded);
        let clear = |one: &Option<Condition>| one.as_ref().is_some_and(|c| c.formula.is_of_facts());
        if !found.iter().all(clear) {
            let fixed = evaluate::implied(logic, logic.terminal);
            let mut forms = Forms::new(logic, groups);
            let tables =
                evaluate::evaluate(logic, &mut forms, &roots, &fixed, Effort::SMALL, budget);
            let better = read(tables, &mut forms, Scope::Terminal, budget);
            work += forms.work;
            bounded |= forms.bounded;
            for (one, better) in found.iter_mut().zip(better) {
                if !clear(one) && (clear(&better) || one.is_none()) {
                    *one = better;
                }
            }
        }
        let mut found = found.into_iter();
        let goals = logic.goals.iter().map(|goals| {
            let goals = goals.iter().map(|&(value, _)| value);
            goals.zip(found.by_ref()).collect()
        });
        let goals: Vec<Vec<(u8, Option<Condition>)>> = goals.collect();
        Goals {
            forms: goals.iter().map(|goals| Form::of(goals)).collect(),
            goals,
            terminal: None,
            report: Report {
                time: budget.clock().now() - begun,
                work,
                bounded,
                exhausted: budget.check().err(),
            },
        }
    }

    /// The result of a role in a reachable state, which must be terminal if a condition's scope
    /// is; `None` if the rules give none, or if it depends on more than facts. Fact `f` is bit
    /// `f % 64` of word `f / 64`.
    pub fn goal(&self, state: &[u64], role: usize) -> Option<u8> {
        let goals = self.goals.get(role)?;
        let mut result = None;
        for (value, condition) in goals {
            if condition.as_ref()?.formula.of(state)? {
                result = match result {
                    None => Some(*value),
                    Some(_) => return None,
                };
            }
        }
        result
    }

    /// The game with the circuits of its goals replaced by adders and comparisons, if that makes
    /// them smaller. `logic` must be the one that the goals were found for.
    pub fn emulated(&self, logic: &GameLogic) -> Option<Emulated> {
        let mut writer = Writer::new(logic);
        let mut goals = logic.goals.clone();
        let mut scope = Scope::Everywhere;
        for (row, conditions) in goals.iter_mut().zip(&self.goals) {
            for ((_, lit), (_, condition)) in row.iter_mut().zip(conditions) {
                let Some(condition) = condition else { continue };
                if let Some(written) = writer.formula(&condition.formula) {
                    scope = scope.max(condition.scope);
                    *lit = written;
                }
            }
        }
        let emulated = GameLogic {
            net: writer.net,
            goals,
            ..logic.clone()
        };
        let emulated = emulated.rebuilt(copied);
        let only = |logic: &GameLogic| {
            let sizes = logic.sizes();
            sizes.all - sizes.step
        };
        let (before, after) = (only(logic), only(&emulated));
        (after < before).then_some(Emulated {
            logic: emulated,
            scope,
            before,
            after,
        })
    }
}

/// Converts tables to conditions.
fn read(
    tables: Vec<Option<Table>>,
    forms: &mut Forms,
    scope: Scope,
    budget: &Budget,
) -> Vec<Option<Condition>> {
    let condition = |table: Option<Table>| {
        let table = match budget.check() {
            Ok(()) => table?.polished(forms),
            Err(_) => table?,
        };
        Some(Condition {
            formula: Formula::new(&table, forms),
            scope,
        })
    };
    tables.into_iter().map(condition).collect()
}
