//! Whether the end of play and results go with a symmetry, by looking at states.

use super::Symmetry;
use budget::Budget;
use invariants::Play;
use netlist::{GameLogic, Gate, Lit, Source};

/// Steps of 64 games, at most.
const STEPS: usize = 120;

/// For each symmetry in how many sampled states the end of play and the results of all roles were
/// those of the image; 0 if once they were not, or if too little was seen of them: the end of play,
/// and half of the results of each role, must have been there and not.
pub(super) fn agreeing(
    logic: &GameLogic,
    symmetries: &[Symmetry],
    seed: u64,
    budget: &Budget,
) -> Vec<u64> {
    let mut samples = vec![Some(0); symmetries.len()];
    let roots: Vec<Lit> = logic.goal_roots().chain([logic.terminal]).collect();
    let mut seen = vec![[false; 2]; roots.len()];
    let mut play = Play::new(logic, seed);
    for _ in 0..STEPS {
        if budget.check().is_err() {
            break;
        }
        let facts: Vec<u64> = logic.facts.iter().map(|&lit| play.word(lit)).collect();
        let here = values(logic, &facts);
        for (seen, &root) in seen.iter_mut().zip(&roots) {
            let word = netlist::word(&here, root);
            *seen = [seen[0] | (word != u64::MAX), seen[1] | (word != 0)];
        }
        for (symmetry, samples) in symmetries.iter().zip(&mut samples) {
            let Some(count) = samples else { continue };
            if budget.check().is_err() {
                break;
            }
            let mut image = vec![0; facts.len()];
            for (fact, &to) in symmetry.facts.iter().enumerate() {
                image[to as usize] = facts[fact];
            }
            let there = values(logic, &image);
            let same = (0..logic.roles()).all(|role| {
                let other = usize::from(symmetry.roles[role]);
                let of = |values: &[u64], role: usize, value: u8| {
                    let goals = logic.goals[role].iter().filter(|goal| goal.0 == value);
                    goals.fold(0, |any, goal| any | netlist::word(values, goal.1))
                };
                (0..=100).all(|value| of(&here, role, value) == of(&there, other, value))
            });
            let ended = |values: &[u64]| netlist::word(values, logic.terminal);
            match same && ended(&here) == ended(&there) {
                true => *count += 64,
                false => *samples = None,
            }
        }
        play.step();
    }
    if !enough(logic, &seen) {
        samples.fill(None);
    }
    samples
        .into_iter()
        .map(|count| count.unwrap_or(0))
        .collect()
}

/// Whether enough was seen of results, role by role, and of the end to tell whether they agree:
/// which of them were not there and were. A puzzle that random play never solves could have any
/// symmetry.
fn enough(logic: &GameLogic, seen: &[[bool; 2]]) -> bool {
    let both = |seen: &&[bool; 2]| seen[0] && seen[1];
    let mut start = 0;
    let results = logic.goals.iter().all(|goals| {
        let mine = &seen[start..start + goals.len()];
        start += goals.len();
        let open = goals
            .iter()
            .filter(|goal| goal.1.as_constant().is_none())
            .count();
        2 * mine.iter().filter(both).count() >= open
    });
    results && seen.last().is_some_and(|end| end[0] && end[1])
}

/// The values of all nodes in 64 states, no move being made.
fn values(logic: &GameLogic, facts: &[u64]) -> Vec<u64> {
    let net = &logic.net;
    let mut values = vec![0u64; net.len()];
    let mut fixes = vec![0u64; logic.fixes.len()];
    let run = |fixes: &[u64], values: &mut Vec<u64>| {
        for node in 1..net.len() {
            let value = |lit: Lit| netlist::word(values, lit);
            values[node] = match net.gate(node) {
                Gate::False => 0,
                Gate::Input(number) => match logic.sources[number as usize] {
                    Source::Fact(fact) => facts[fact as usize],
                    Source::Does { .. } => 0,
                    Source::Fix(fix) => fixes[fix as usize],
                },
                Gate::And(a, b) => value(a) & value(b),
                Gate::Xor(a, b) => value(a) ^ value(b),
            };
        }
    };
    // Cycle by cycle, each from false upwards: later ones may read earlier ones negated.
    let mut start = 0;
    for cycle in logic.fixes.chunk_by(|a, b| a.cycle == b.cycle) {
        loop {
            run(&fixes, &mut values);
            let mut changed = false;
            for (fix, old) in cycle.iter().zip(&mut fixes[start..]) {
                let new = netlist::word(&values, fix.value);
                changed |= new != *old;
                *old = new;
            }
            if !changed {
                break;
            }
        }
        start += cycle.len();
    }
    run(&fixes, &mut values);
    values
}
