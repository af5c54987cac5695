//! The relation between the results of the roles, proved by case analysis of the last step of
//! play.
//!
//! Combinations of results that violate the relation are refuted in two ways. In one state, the
//! rules of the results may exclude each other. Otherwise the proof considers the step that
//! leads there from a state in which play has not ended. For example, two lines are never
//! complete at the same time only because one of them would have ended play before.

use crate::Evidence;
use crate::observe::{Observed, observe};
use crate::reads::{Cone, fact};
use budget::Budget;
use invariants::{Groups, Prover};
use netlist::{GameLogic, Gate, Lit, copied, moved};
use std::collections::BTreeMap;

/// Maximum number of combinations of results in a proof.
const COMBINATIONS: usize = 2000;
/// Maximum number of conjuncts of a condition that are split into cases.
const PARTS: usize = 16;
/// Maximum number of cases of a conjunct that are examined one by one.
const WAYS: usize = 8;
/// Maximum number of groups whose facts are tested as preconditions of a result, the smallest
/// first, and of members of such a group.
const GROUPS: usize = 4;
const MEMBERS: usize = 6;
/// Divisor of the time left that gives the share for these tests.
const OF_NEEDS: u32 = 2;
/// Divisor of the time left that gives the share for random play, which suggests what to prove.
const OF_PLAY: u32 = 2;

/// The relation between the results of the roles in terminal states where each role has a
/// result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sum {
    /// There is one role.
    Alone,
    /// The results always have this sum: what one role gains the others lose. With two roles
    /// this is zero-sum.
    Constant(u32),
    /// All roles always get the same result: they are partners.
    Same,
    /// None of these.
    Various,
    /// Random play reached no terminal state.
    Unknown,
}

/// The constant sum of the results of all roles, if it is proved within the budget and random
/// play saw no terminal state without a result. `seed` is the seed of random play.
///
/// This is for callers that need nothing else of the structure.
pub fn proved_sum(logic: &GameLogic, groups: &Groups, seed: u64, budget: &Budget) -> Option<u32> {
    let (observed, _) = observe(logic, seed, &budget.share(OF_PLAY));
    let results = || observed.results.keys().flatten();
    if results().any(Option::is_none) {
        return None;
    }
    match together(logic, groups, &observed, budget) {
        (Sum::Constant(sum), Evidence::Proved) => Some(sum),
        _ => None,
    }
}

/// The goals that are not constantly false.
pub fn possible(row: &[(u8, Lit)]) -> impl Iterator<Item = (u8, Lit)> + '_ {
    row.iter().copied().filter(|goal| goal.1 != Lit::FALSE)
}

/// The relation between the results at the ends of random play, with a proof if one is found
/// within the budget.
pub fn together(
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

/// Whether every combination of results that violates the relation is refuted: in every single
/// state, or in every state that a step reaches from a state in which play has not ended.
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
        // The present state alone settles most cases, and quickly.
        let (given, last) = (&lits[..lits.len() - 1], lits[lits.len() - 1]);
        if now.under(given, false, |prover| prover.never(last)) == Some(false) {
            open.push(lits);
        }
    }
    if open.is_empty() {
        return Some(true);
    }
    let (then, initial) = after(logic)?;
    let mut step = Step {
        logic: &then,
        going: !logic.terminal,
        end: moved(&initial.1, logic.terminal),
        prover: Prover::new(&then, groups),
        candidates: candidates(&then, groups),
        needs: BTreeMap::new(),
    };
    for lits in open {
        budget.check().ok()?;
        let begins = lits
            .iter()
            .all(|&lit| initial.0[lit.node()] != lit.is_negated());
        // The same signals, one state later.
        let later = lits[1..].iter().map(|&lit| moved(&initial.1, lit));
        let later: Vec<Lit> = later.collect();
        if begins || !step.excludes(&later, budget) {
            return Some(false);
        }
    }
    Some(true)
}

/// Facts of small groups of which one always holds, such as whose turn it is.
fn candidates(logic: &GameLogic, groups: &Groups) -> Vec<Lit> {
    let small = groups.groups.iter();
    let small = small.filter(|group| group.exactly && group.facts.len() <= MEMBERS);
    let mut small: Vec<&Vec<u32>> = small.map(|group| &group.facts).collect();
    small.sort_by_key(|facts| facts.len());
    let facts = small.into_iter().take(GROUPS).flatten();
    facts.map(|&fact| logic.facts[fact as usize]).collect()
}

/// The last step of play.
struct Step<'l> {
    /// The logic, extended by terminality and goals of the next state.
    logic: &'l GameLogic,
    /// True if play has not ended before the step, and true if it ends with the step.
    going: Lit,
    end: Lit,
    prover: Prover<'l>,
    candidates: Vec<Lit>,
    /// For each result, by its code, the candidates that hold before every last step to it.
    needs: BTreeMap<u32, Vec<Lit>>,
}

impl Step<'_> {
    /// Whether it is proved within the budget that no last step leads to all these results.
    fn excludes(&mut self, results: &[Lit], budget: &Budget) -> bool {
        let [first, others @ .., last] = results else {
            return false;
        };
        let mut given = vec![self.going];
        let short = budget.share(OF_NEEDS);
        for &result in results {
            given.extend(self.needs(result, &short));
        }
        given.extend(others);
        // Case by case for the first result.
        self.every_way(*first, &given, *last, budget)
    }

    /// The candidates that hold before every last step that leads to the result.
    ///
    /// They are found for each result alone. Two results with many cases each are then excluded
    /// without examining all pairs of cases. This is the dilemma rule of Stålmarck's method
    /// (Sheeran and Stålmarck, "A tutorial on Stålmarck's proof procedure", 2000), applied to
    /// few facts.
    fn needs(&mut self, result: Lit, budget: &Budget) -> Vec<Lit> {
        if let Some(needs) = self.needs.get(&result.code()) {
            return needs.clone();
        }
        let (mut needs, going) = (self.candidates.clone(), self.going);
        needs.retain(|&fact| self.every_way(result, &[going], !fact, budget));
        self.needs.insert(result.code(), needs.clone());
        needs
    }

    /// Whether `last` is proved to be false in every case of `result`, under the assumptions
    /// `given`.
    fn every_way(&mut self, result: Lit, given: &[Lit], last: Lit, budget: &Budget) -> bool {
        self.prover.cases(result).into_iter().all(|way| {
            let mut given = given.to_vec();
            given.push(way);
            let parts = conjuncts(self.logic, way);
            if refuted(&mut self.prover, &given, &parts, last, budget) {
                return true;
            }
            // Only results that also hold in nonterminal states need the assumption that play
            // ends. It adds many cases, which would crowd out the others.
            given.push(self.end);
            refuted(&mut self.prover, &given, &[], last, budget)
        })
    }
}

/// The conjuncts of a signal.
fn conjuncts(logic: &GameLogic, lit: Lit) -> Vec<Lit> {
    let (mut open, mut parts) = (vec![lit], Vec::new());
    while let Some(lit) = open.pop() {
        match logic.net.gate(lit.node()) {
            Gate::And(a, b) if !lit.is_negated() => open.extend([b, a]),
            _ => parts.push(lit),
        }
    }
    // More than that takes too long, one case at a time.
    parts.truncate(PARTS);
    parts
}

/// Whether `last` is proved to be false under `given`, by cases of each of `parts`: a line that
/// is complete now was complete before, or its last piece has just been placed.
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

/// The values of all nodes in the initial state, and the signals one step later for the nodes
/// that terminality and goals depend on.
type Initial = (Vec<bool>, Vec<Lit>);

/// Extends the logic by terminality and goals of the next state. `None` if these are recursive.
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
