//! Moves that are the only legal one of their role whenever they are legal.

use crate::exclusion::Move;
use crate::groups::Groups;
use crate::invariant::{Assumed, Invariant};
use crate::play::Play;
use crate::refute::Refuter;
use budget::Budget;
use netlist::GameLogic;

/// Steps of 64 games in random play, to find candidates.
const SAMPLES: usize = 64;
/// Node visits for the proof about one pair of moves.
const STEPS: u64 = 20_000;
/// Nested case splits in such a proof.
const DEPTH: u32 = 3;

/// Proves that moves are forced, as far as the budget allows.
///
/// Tries the moves that random play suggests, without those that are `known` to be forced.
pub fn forced(
    logic: &GameLogic,
    groups: &Groups,
    known: &dyn Fn(&Move) -> bool,
    budget: &Budget,
) -> Vec<Move> {
    let candidates = candidates(logic, budget);
    let mut assumed = Assumed::new(logic.facts.len());
    for group in &groups.groups {
        assumed.add(Invariant::Group(group.clone()));
    }
    for &(fact, value) in &groups.constants {
        assumed.add(Invariant::Constant(fact, value));
    }
    let mut refuter = Refuter::new(logic, assumed);
    let mut proved = Vec::new();
    for (role, mv) in candidates.into_iter().filter(|mv| !known(mv)) {
        if budget.check().is_err() {
            break;
        }
        if alone(&mut refuter, logic, usize::from(role), mv as usize) {
            proved.push((role, mv));
        }
    }
    proved
}

/// Moves that were legal in random play, and never together with another move of their role.
fn candidates(logic: &GameLogic, budget: &Budget) -> Vec<Move> {
    let mut seen: Vec<Vec<bool>> = logic
        .legal
        .iter()
        .map(|legal| vec![false; legal.len()])
        .collect();
    let mut beside = seen.clone();
    let mut play = Play::new(logic, 0);
    for _ in 0..SAMPLES {
        for (role, legal) in logic.legal.iter().enumerate() {
            let (mut one, mut two) = (0u64, 0u64);
            for &lit in legal {
                let word = play.word(lit);
                two |= one & word;
                one |= word;
            }
            for (mv, &lit) in legal.iter().enumerate() {
                let word = play.word(lit);
                seen[role][mv] |= word != 0;
                beside[role][mv] |= word & two != 0;
            }
        }
        if budget.check().is_err() {
            break;
        }
        play.step();
    }
    let mut candidates = Vec::new();
    for (role, (seen, beside)) in seen.iter().zip(&beside).enumerate() {
        for (mv, (&seen, &beside)) in seen.iter().zip(beside).enumerate() {
            if seen && !beside {
                candidates.push((role as u16, mv as u32));
            }
        }
    }
    candidates
}

/// Whether no other move of the role is legal when this one is.
fn alone(refuter: &mut Refuter<'_>, logic: &GameLogic, role: usize, mv: usize) -> bool {
    let legal = &logic.legal[role];
    refuter.allow(STEPS);
    refuter.enter();
    let mut alone = true;
    if refuter.assume(legal[mv]) && refuter.deduce() {
        for (other, &lit) in legal.iter().enumerate() {
            if other == mv {
                continue;
            }
            refuter.allow(STEPS);
            if refuter.known(lit) == Some(false) {
                continue;
            }
            refuter.enter();
            alone = !refuter.assume(lit) || !refuter.deduce() || refuter.refute(DEPTH);
            refuter.leave();
            if !alone {
                break;
            }
        }
    }
    refuter.leave();
    alone
}
