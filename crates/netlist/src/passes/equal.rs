//! Merges facts that are always equal: the first of them is read in place of the others.
//!
//! Gates that differed only in these facts become one, and the next values of the other facts
//! are no longer computed separately.

use crate::{Equal, GameLogic, Gate, Known, Lit, Source, copied};
use budget::{Budget, Exhausted};

/// Replaces equal facts by the first of them, both in the current and in the next state.
///
/// # Errors
/// If the budget is exhausted.
pub fn run(logic: &GameLogic, known: &Known, budget: &Budget) -> Result<GameLogic, Exhausted> {
    budget.check()?;
    let mut made = merged(logic, &known.equal);
    for equal in &known.equal {
        made.next[equal.fact as usize] = made.next[equal.like as usize] ^ equal.opposite;
    }
    Ok(made)
}

/// Reads the first of equal facts in place of the others. The signals of the next state are
/// unchanged.
pub fn merged(logic: &GameLogic, equal: &[Equal]) -> GameLogic {
    let mut like: Vec<Option<&Equal>> = vec![None; logic.facts.len()];
    for equal in equal {
        like[equal.fact as usize] = Some(equal);
    }
    // Inputs are in the order of facts, so the fact to be read was converted earlier.
    let mut inputs: Vec<Lit> = vec![Lit::FALSE; logic.facts.len()];
    logic.rebuilt(|net, node, gate, now| {
        if let Gate::Input(number) = gate
            && let Source::Fact(fact) = logic.sources[number as usize]
        {
            let input = match like[fact as usize] {
                Some(equal) => inputs[equal.like as usize] ^ equal.opposite,
                None => now[node],
            };
            inputs[fact as usize] = input;
            return input;
        }
        copied(net, node, gate, now)
    })
}
