//! Which results there are, and how those of the roles go together.

use super::observe::Observed;
use crate::Evidence;
use crate::reads::{Cone, fact};
use budget::Budget;
use invariants::{Groups, Prover};
use netlist::{GameLogic, Gate, Lit, copied, moved};
use std::collections::BTreeSet;
use std::time::Duration;

/// Combinations of results looked at in a proof.
const COMBINATIONS: usize = 2000;
/// Time for the proof at most, among others.
const PROOF: Duration = Duration::from_millis(250);
/// Parts of a condition whose ways are looked at.
const PARTS: usize = 16;
/// Ways in which a part can come about that are looked at one by one.
const WAYS: usize = 8;

/// How the results of the roles go together at the end of play, wherever each has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sum {
    /// There is one role.
    Alone,
    /// They always have this sum, so that what one gets the others lose. With two roles that is
    /// zero-sum.
    Constant(u32),
    /// All roles always get the same: they are partners.
    Same,
    /// Neither.
    Various,
    /// No end of play was seen.
    Unknown,
}

/// The results of one role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoleGoals {
    /// The values that the rules have, ascending, without those that are never reached for a reason
    /// that the network shows.
    pub values: Vec<u8>,
    /// Those of them that were seen at the end of play.
    pub seen: Vec<u8>,
}

/// Which results there are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Goals {
    /// For each role.
    pub roles: Vec<RoleGoals>,
    /// How they go together.
    pub sum: Sum,
    /// How sure that is. [`Sum::Various`] is seen, and so proved.
    pub evidence: Evidence,
}

impl Goals {
    /// What the results of all roles add up to in every end of play, if that is proved within the
    /// budget and no end without a result was seen: alone, for whoever needs nothing else of the
    /// structure. The seed is that of random play.
    pub fn proved_sum(
        logic: &GameLogic,
        groups: &Groups,
        seed: u64,
        budget: &Budget,
    ) -> Option<u32> {
        let (observed, _) = super::observe::observe(logic, seed, &budget.share(super::SHARE));
        let results = || observed.results.keys().flatten();
        if results().any(Option::is_none) {
            return None;
        }
        match together(logic, groups, &observed, budget) {
            (Sum::Constant(sum), Evidence::Proved) => Some(sum),
            _ => None,
        }
    }

    /// Finds out.
    pub(super) fn find(
        logic: &GameLogic,
        groups: &Groups,
        observed: &Observed,
        budget: &Budget,
    ) -> Goals {
        let role = |(role, row): (usize, &Vec<(u8, Lit)>)| {
            let values: BTreeSet<u8> = possible(row).map(|goal| goal.0).collect();
            let seen: BTreeSet<u8> = observed
                .results
                .keys()
                .filter_map(|results| results[role])
                .collect();
            RoleGoals {
                values: values.into_iter().collect(),
                seen: seen.into_iter().collect(),
            }
        };
        let roles = logic.goals.iter().enumerate().map(role).collect();
        let short = budget.clone().with_timeout(PROOF);
        let (sum, evidence) = together(logic, groups, observed, &short);
        Goals {
            roles,
            sum,
            evidence,
        }
    }
}

/// The goals that may be true at all.
fn possible(row: &[(u8, Lit)]) -> impl Iterator<Item = (u8, Lit)> + '_ {
    row.iter().copied().filter(|goal| goal.1 != Lit::FALSE)
}

fn together(
    logic: &GameLogic,
    groups: &Groups,
    observed: &Observed,
    budget: &Budget,
) -> (Sum, Evidence) {
    if logic.roles() < 2 {
        return (Sum::Alone, Evidence::Proved);
    }
    let whole = observed.results.iter().filter_map(|(results, &count)| {
        let results: Option<Vec<u8>> = results.iter().copied().collect();
        Some((results?, count))
    });
    let whole: Vec<(Vec<u8>, u64)> = whole.collect();
    let Some((first, _)) = whole.first() else {
        return (Sum::Unknown, Evidence::Unknown);
    };
    let sum = |results: &[u8]| results.iter().map(|&value| u32::from(value)).sum::<u32>();
    let same = |results: &[u8]| results.iter().all(|&value| value == results[0]);
    let all = |so: &dyn Fn(&[u8]) -> bool| whole.iter().all(|(results, _)| so(results));
    let constant = sum(first);
    let found = if all(&|results| sum(results) == constant) {
        Sum::Constant(constant)
    } else if all(&same) {
        Sum::Same
    } else {
        return (Sum::Various, Evidence::Proved);
    };
    let fits = |results: &[u8]| match found {
        Sum::Constant(constant) => sum(results) == constant,
        _ => same(results),
    };
    let samples = whole.iter().map(|(_, count)| count).sum();
    match proved(logic, groups, &fits, budget) {
        Some(true) => (found, Evidence::Proved),
        _ => (found, Evidence::Observed { samples }),
    }
}

/// Whether no combination of results that does not fit can come about at the end of play: in no
/// state at all, or in none that a step leads to from a state in which play goes on.
fn proved(
    logic: &GameLogic,
    groups: &Groups,
    fits: &dyn Fn(&[u8]) -> bool,
    budget: &Budget,
) -> Option<bool> {
    let rows: Vec<Vec<(u8, Lit)>> = logic
        .goals
        .iter()
        .map(|row| possible(row).collect())
        .collect();
    let combinations = rows
        .iter()
        .try_fold(1usize, |all, row| all.checked_mul(row.len()))?;
    if combinations > COMBINATIONS {
        return None;
    }
    let mut now = Prover::new(logic, groups);
    let mut open = Vec::new();
    for combination in 0..combinations {
        budget.check().ok()?;
        let mut rest = combination;
        let mut pick = |row: &Vec<(u8, Lit)>| {
            let goal = row[rest % row.len()];
            rest /= row.len();
            goal
        };
        let goals: Vec<(u8, Lit)> = rows.iter().map(&mut pick).collect();
        let values: Vec<u8> = goals.iter().map(|goal| goal.0).collect();
        if fits(&values) {
            continue;
        }
        let mut lits = vec![logic.terminal];
        lits.extend(goals.iter().map(|goal| goal.1));
        // A look at the present alone settles most, and soon.
        let (given, last) = (&lits[..lits.len() - 1], lits[lits.len() - 1]);
        if now.under(given, false, |prover| prover.never(last)) == Some(false) {
            open.push(lits);
        }
    }
    if open.is_empty() {
        return Some(true);
    }
    let (then, initial) = after(logic)?;
    let mut next = Prover::new(&then, groups);
    for lits in open {
        budget.check().ok()?;
        // Behind the logic of the present are the same signals of the next state.
        let mut later: Vec<Lit> = lits.iter().map(|&lit| moved(&initial.1, lit)).collect();
        // What a step leads from; that it is an end that it leads to is not needed.
        later[0] = !logic.terminal;
        let begins = lits
            .iter()
            .all(|&lit| initial.0[lit.node()] != lit.is_negated());
        if begins || !impossible(&then, &mut next, &later, budget) {
            return Some(false);
        }
    }
    Some(true)
}

/// Whether it is seen that these are never all true, as far as the budget goes.
fn impossible(logic: &GameLogic, prover: &mut Prover<'_>, lits: &[Lit], budget: &Budget) -> bool {
    let [condition, first, .., last] = lits else {
        return false;
    };
    // The ways in which the first result comes about, one after the other.
    let others = &lits[2..lits.len() - 1];
    prover.cases(*first).into_iter().all(|way| {
        let mut given = vec![*condition, way];
        given.extend(others);
        refuted(prover, &given, &conjuncts(logic, way), *last, budget)
    })
}

/// What a signal is the conjunction of.
fn conjuncts(logic: &GameLogic, lit: Lit) -> Vec<Lit> {
    let (mut open, mut parts) = (vec![lit], Vec::new());
    while let Some(lit) = open.pop() {
        match logic.net.gate(lit.node()) {
            Gate::And(a, b) if !lit.is_negated() => open.extend([b, a]),
            _ => parts.push(lit),
        }
    }
    // More than that takes too long, one way at a time.
    parts.truncate(PARTS);
    parts
}

/// Whether the last is never true under what is given, looking at the ways in which each of `parts`
/// comes about: a line that is complete now was so before, or its last piece has just been set.
fn refuted(
    prover: &mut Prover<'_>,
    given: &[Lit],
    parts: &[Lit],
    last: Lit,
    budget: &Budget,
) -> bool {
    if budget.check().is_err() {
        return false;
    }
    if prover.under(given, false, |prover| prover.never(last)) != Some(false) {
        return true;
    }
    let Some((&part, rest)) = parts.split_first() else {
        return false;
    };
    let ways = prover.cases(part);
    if ways.len() < 2 || ways.len() > WAYS {
        return refuted(prover, given, rest, last, budget);
    }
    ways.into_iter().all(|way| {
        let mut given = given.to_vec();
        given.push(way);
        refuted(prover, &given, rest, last, budget)
    })
}

/// The values of all nodes in the initial state, and what the nodes that terminality and goals
/// depend on become a step later.
type Initial = (Vec<bool>, Vec<Lit>);

/// The logic with terminality and goals of the next state written behind it. `None` if these are
/// recursive.
fn after(logic: &GameLogic) -> Option<(GameLogic, Initial)> {
    let ends = || logic.goal_roots().chain([logic.terminal]);
    let (reach, recursive) = logic.reach(ends());
    if recursive {
        return None;
    }
    let cone = Cone::new(logic, ends());
    let mut values = vec![false; logic.net.len()];
    let initial = &logic.words.initial;
    cone.wholly(
        logic,
        |fact| initial.binary_search(&fact).is_ok(),
        &mut values,
    );
    let mut then = logic.clone();
    let mut later = vec![Lit::FALSE; logic.net.len()];
    for node in (1..logic.net.len()).filter(|&node| reach[node]) {
        later[node] = match logic.net.gate(node) {
            Gate::Input(_) => logic.next[fact(logic, node)? as usize],
            gate => copied(&mut then.net, node, gate, &later),
        };
    }
    Some((then, (values, later)))
}
