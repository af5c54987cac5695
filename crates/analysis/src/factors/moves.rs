//! The effects of each move, its preconditions, and the control states in which it may be legal.

use super::bounds::Bounds;
use super::control::Control;
use super::effects::{Words, effects};
use super::relieved::{Relieved, conjuncts};
use super::samples::{Snapshot, evaluate};
use budget::{Budget, Exhausted};
use netlist::{Lit, Netlist, Source};

/// A move, as far as it concerns facts that moves change.
#[derive(Debug, Clone, Default)]
pub(super) struct Move {
    /// The facts that it affects differently from most moves of the role, ascending, each with a
    /// number for the effect. Moves with the same observed effect have the same number.
    pub effects: Vec<(u32, u64)>,
    /// The conjuncts of its legality that depend on such facts.
    pub asks: Vec<Lit>,
    /// The control states in which it may be legal, one per bit.
    pub when: Vec<u64>,
}

/// All moves of all roles.
pub(super) fn moves(
    game: &Relieved,
    snapshots: &[Snapshot],
    control: Option<&Control>,
    budget: &Budget,
) -> Result<Vec<Vec<Move>>, Exhausted> {
    let logic = &game.logic;
    let mut net = Netlist::new();
    let inputs: Vec<Lit> = (0..logic.net.inputs()).map(|_| net.input()).collect();
    let mut bounds = Bounds::new(logic, |number| match logic.sources[number as usize] {
        Source::Fact(fact) if !game.moved[fact as usize] => Some(inputs[number as usize]),
        _ => None,
    });
    let mut may: Vec<Lit> = Vec::new();
    for &legal in logic.legal.iter().flatten() {
        budget.check()?;
        may.push(bounds.may_be(&mut net, legal, budget)?);
    }
    let cone = net.cone(may.iter().copied());
    let mut tried = vec![Words::default(); may.len()];
    for (number, snapshot) in snapshots.iter().enumerate() {
        budget.check()?;
        let values = evaluate(&net, snapshot, &cone);
        for (words, &may) in tried.iter_mut().zip(&may) {
            words.0[number] = netlist::word(&values, may);
        }
    }
    let mut all: Vec<Vec<Move>> = Vec::new();
    let mut at = 0;
    for (role, row) in logic.legal.iter().enumerate() {
        let tried = &tried[at..at + row.len()];
        at += row.len();
        let effects = effects(game, role, snapshots, tried, budget)?;
        let mut moves = Vec::new();
        for (&legal, effects) in row.iter().zip(effects) {
            budget.check()?;
            let mut asks = conjuncts(logic, legal);
            asks.retain(|&leaf| game.is_live(leaf));
            moves.push(Move {
                effects,
                asks,
                when: Vec::new(),
            });
        }
        all.push(moves);
    }
    // If the control states are unknown, all moves may be legal at the same time.
    let always = vec![Snapshot::new()];
    for (number, inputs) in control.map_or(&always, |c| &c.words).iter().enumerate() {
        budget.check()?;
        let values = control.map(|_| evaluate(&net, inputs, &cone));
        let left = control.map_or(1, |c| c.states - 64 * number);
        let mask = if left < 64 { (1 << left) - 1 } else { u64::MAX };
        for (mv, &may) in all.iter_mut().flatten().zip(&may) {
            let word = values.as_ref().map_or(1, |v| netlist::word(v, may));
            mv.when.push(word & mask);
        }
    }
    Ok(all)
}
