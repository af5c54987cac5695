//! Conditions that concern one part in one control state and another part in the next.
//!
//! Take a pass that is legal if no pawn can move on the dark squares or on the light ones,
//! depending on the turn. It seems to tie the pawns of both colours, since it is a disjunction
//! of two conditions. But if exactly one of the two cases applies, its condition holds exactly
//! if each condition holds whenever its case applies. Those are conditions on one colour each.

use super::control::Control;
use super::relieved::{Relieved, conjuncts, disjuncts};
use super::samples::evaluate;
use budget::{Budget, Exhausted};
use netlist::{GameLogic, Lit, Netlist};
use rustc_hash::FxHashMap;

/// One case: its condition on control facts, and its condition on other facts.
struct Case {
    guard: Lit,
    asks: Lit,
}

/// Splits the conjuncts of legality into cases, wherever the control states make them exclusive.
/// In every reachable control state, legality is the same as before.
pub(super) fn apart(game: &mut Relieved, budget: &Budget) -> Result<(), Exhausted> {
    let Some(control) = Control::new(game, budget)?.filter(|control| control.complete) else {
        return Ok(());
    };
    let written = all_cases(game, budget)?;
    let mut known: FxHashMap<Lit, Vec<Case>> = FxHashMap::default();
    let net = &mut game.logic.net;
    for (leaf, cases) in written {
        budget.check()?;
        let made = cases.into_iter().map(|(guard, asks)| Case {
            guard: net.and_all(guard),
            asks: net.and_all(asks),
        });
        known.insert(leaf, made.collect());
    }
    if known.is_empty() {
        return Ok(());
    }
    keep_exclusive(&mut known, &game.logic.net, &control, budget)?;
    let logic = &mut game.logic;
    for row in 0..logic.legal.len() {
        for mv in 0..logic.legal[row].len() {
            budget.check()?;
            let legal = logic.legal[row][mv];
            if let Some(split) = split(logic, legal, &known) {
                logic.legal[row][mv] = split;
            }
        }
    }
    game.look_again();
    Ok(())
}

/// The conjuncts of legality that have cases, in a fixed order, in which the gates are written.
fn all_cases(game: &Relieved, budget: &Budget) -> Result<Vec<(Lit, Vec<Written>)>, Exhausted> {
    let mut written: FxHashMap<Lit, Vec<Written>> = FxHashMap::default();
    for &legal in game.logic.legal.iter().flatten() {
        budget.check()?;
        for leaf in conjuncts(&game.logic, legal) {
            if game.is_live(leaf) && !written.contains_key(&leaf) {
                written.insert(leaf, cases(game, leaf));
            }
        }
    }
    let mut written: Vec<(Lit, Vec<Written>)> = written.into_iter().collect();
    written.retain(|(_, cases)| !cases.is_empty());
    written.sort_unstable_by_key(|&(leaf, _)| leaf);
    Ok(written)
}

/// Drops conjuncts of which two cases apply in the same control state.
fn keep_exclusive(
    known: &mut FxHashMap<Lit, Vec<Case>>,
    net: &Netlist,
    control: &Control,
    budget: &Budget,
) -> Result<(), Exhausted> {
    let mut guards: Vec<Lit> = Vec::new();
    guards.extend(known.values().flatten().map(|case| case.guard));
    let cone = net.cone(guards);
    let mut values = Vec::new();
    for words in &control.words {
        budget.check()?;
        values.push(evaluate(net, words, &cone));
    }
    let exclusive = |cases: &[Case]| {
        values.iter().enumerate().all(|(number, values)| {
            let left = control.states - 64 * number;
            let mask = if left < 64 { (1 << left) - 1 } else { u64::MAX };
            let mut before = 0;
            cases.iter().all(|case| {
                let word = netlist::word(values, case.guard) & mask;
                let free = before & word == 0;
                before |= word;
                free
            })
        })
    };
    known.retain(|_, cases| exclusive(cases));
    Ok(())
}

/// Legality with its conjuncts split into cases; `None` if none of them has any.
fn split(logic: &mut GameLogic, legal: Lit, known: &FxHashMap<Lit, Vec<Case>>) -> Option<Lit> {
    let leaves = conjuncts(logic, legal);
    if !leaves.iter().any(|leaf| known.contains_key(leaf)) {
        return None;
    }
    let mut all = Vec::new();
    for leaf in leaves {
        let Some(cases) = known.get(&leaf) else {
            all.push(leaf);
            continue;
        };
        let guards = cases.iter().map(|case| case.guard);
        all.push(logic.net.or_all(guards.collect::<Vec<_>>()));
        for case in cases {
            all.push(!logic.net.and(case.guard, !case.asks));
        }
    }
    Some(logic.net.and_all(all))
}

/// The conjuncts of one case: those on control facts, and the others.
type Written = (Vec<Lit>, Vec<Lit>);

/// The cases of a disjunction, if each has a condition on control facts; otherwise none.
fn cases(game: &Relieved, leaf: Lit) -> Vec<Written> {
    let ways = disjuncts(&game.logic, leaf);
    if ways.len() < 2 {
        return Vec::new();
    }
    let mut cases = Vec::new();
    for way in ways {
        let asked = conjuncts(&game.logic, way).into_iter();
        let (asks, guard): Written = asked.partition(|&lit| game.is_live(lit));
        if guard.is_empty() {
            return Vec::new();
        }
        cases.push((guard, asks));
    }
    cases
}
