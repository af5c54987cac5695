//! Facts that are always equal: the first of them is read in place of the others.
//!
//! Gates that differed in nothing else become one, and what the other facts will be is no longer
//! computed apart.

use crate::{Equal, GameLogic, Gate, Known, Lit, Source, copied};
use budget::{Budget, Exhausted};

/// Lets equal facts be read as one, and be made as one.
///
/// # Errors
/// If the budget has run out.
pub fn run(logic: &GameLogic, known: &Known, budget: &Budget) -> Result<GameLogic, Exhausted> {
    budget.check()?;
    let mut made = merged(logic, &known.equal);
    for equal in &known.equal {
        made.next[equal.fact as usize] = made.next[equal.like as usize] ^ equal.opposite;
    }
    Ok(made)
}

/// The same logic where the first of equal facts is read in place of the others. What facts will
/// be is left as it was.
pub fn merged(logic: &GameLogic, equal: &[Equal]) -> GameLogic {
    let mut like: Vec<Option<&Equal>> = vec![None; logic.facts.len()];
    for equal in equal {
        like[equal.fact as usize] = Some(equal);
    }
    // Inputs are in the order of facts, so that what is like a fact was made anew before it.
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
