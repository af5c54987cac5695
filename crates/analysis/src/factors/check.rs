//! Compares the whole game with its factors in random play.

use super::combine::{Combination, Input};
use super::{Factor, Factors};
use budget::Budget;
use invariants::Play;
use netlist::{GameLogic, Source};
use std::time::Duration;

/// Maximum time.
const TIME: Duration = Duration::from_millis(60);
/// Steps of 64 games: the minimum, if the budget allows, and the maximum.
const STEPS: std::ops::Range<usize> = 16..512;

/// The values of all nodes of a factor, given those of facts and moves of the whole game.
fn values(factor: &Factor, facts: &[u64], does: &[Vec<u64>]) -> Vec<u64> {
    let value = |source: &Source| match *source {
        Source::Fact(fact) => facts[factor.context[fact as usize] as usize],
        Source::Does { role, mv } => {
            let role = usize::from(role);
            let moves = factor.actions[role][mv as usize].moves.iter();
            moves.fold(0, |any, &mv| {
                any | does[role].get(mv as usize).copied().unwrap_or(0)
            })
        }
        Source::Fix(_) => 0,
    };
    let inputs: Vec<u64> = factor.logic.sources.iter().map(value).collect();
    factor.logic.net.evaluate(&inputs)
}

/// The lanes in which any pair differs.
fn differ(pairs: impl Iterator<Item = (u64, u64)>) -> u64 {
    pairs.fold(0, |all, (a, b)| all | a ^ b)
}

/// The lanes in which terminality or goals of the whole game differ from those that the factors
/// give.
fn conditions(
    logic: &GameLogic,
    facts: &[u64],
    combination: &Combination,
    combined: &[u64],
) -> u64 {
    let value = |source: &Source| match *source {
        Source::Fact(fact) => facts[fact as usize],
        Source::Does { .. } | Source::Fix(_) => 0,
    };
    let inputs: Vec<u64> = logic.sources.iter().map(value).collect();
    let whole = logic.net.evaluate(&inputs);
    let goals = logic.goal_roots().chain([logic.terminal]);
    let parts = combination.goals.iter().flatten().map(|&(_, lit)| lit);
    let both = goals.zip(parts.chain([combination.terminal]));
    differ(both.map(|(lit, part)| (netlist::word(&whole, lit), netlist::word(combined, part))))
}

/// Whether every move belongs to its action in each factor, and to no other action.
fn consistent(logic: &GameLogic, factors: &Factors) -> bool {
    let mut rows = logic.legal.iter().enumerate();
    rows.all(|(role, row)| {
        factors.actions[role].len() == row.len()
            && (0..).zip(&factors.factors).all(|(at, factor): (usize, _)| {
                let actions = (0u32..).zip(&factor.actions[role]);
                let mut listed: Vec<(u32, u32)> = actions
                    .flat_map(|(action, what)| what.moves.iter().map(move |&mv| (mv, action)))
                    .collect();
                listed.sort_unstable();
                let own = (0u32..).zip(&factors.actions[role]);
                own.map(|(mv, actions)| (mv, actions[at])).eq(listed)
            })
    })
}

/// Plays the whole game at random and compares legality, terminality, goals and the next state
/// with those that the factors give. Returns the number of states and transitions that agree;
/// `None` if one does not.
pub(super) fn check(
    logic: &GameLogic,
    factors: &Factors,
    seed: u64,
    budget: &Budget,
) -> Option<u64> {
    if !consistent(logic, factors) {
        return None;
    }
    let combination = &factors.combination;
    let mut play = Play::new(logic, seed);
    let short = budget.clone().with_timeout(TIME);
    let mut samples = 0;
    let nothing: Vec<Vec<u64>> = logic.does.iter().map(|_| Vec::new()).collect();
    for step in 0..STEPS.end {
        if budget.check().is_err() || step >= STEPS.start && short.check().is_err() {
            break;
        }
        let facts: Vec<u64> = logic.facts.iter().map(|&lit| play.word(lit)).collect();
        let all = factors.factors.iter();
        let seen: Vec<Vec<u64>> = all.map(|factor| values(factor, &facts, &nothing)).collect();
        let combined = combination.evaluate(|input| match input {
            Input::Control(fact) => facts[fact as usize],
            Input::Output { factor, output } => {
                netlist::word(&seen[factor], factors.factors[factor].outputs[output])
            }
        });
        if conditions(logic, &facts, combination, &combined) != 0 {
            return None;
        }
        let mut going = !play.word(logic.terminal);
        let mut illegal = 0;
        for (role, row) in logic.legal.iter().enumerate() {
            let mut able = 0;
            for (mv, &legal) in row.iter().enumerate() {
                let mut word = netlist::word(&combined, combination.permits[role][mv]);
                let actions = factors.actions[role][mv].iter();
                for (at, (factor, &action)) in factors.factors.iter().zip(actions).enumerate() {
                    let legal = factor.logic.legal[role][action as usize];
                    word &= netlist::word(&seen[at], legal);
                }
                illegal |= word ^ play.word(legal);
                able |= play.word(legal);
            }
            going &= able;
        }
        if illegal & !play.word(logic.terminal) != 0 {
            return None;
        }
        play.step();
        let does: Vec<Vec<u64>> = (logic.does.iter())
            .map(|row| row.iter().map(|&lit| play.word(lit)).collect())
            .collect();
        for factor in &factors.factors {
            let values = values(factor, &facts, &does);
            let next = factor.context.iter().zip(&factor.logic.next);
            let next = next.map(|(&fact, &lit)| {
                let reached = play.word(logic.facts[fact as usize]);
                (reached, netlist::word(&values, lit))
            });
            if differ(next) & going != 0 {
                return None;
            }
        }
        samples += u64::from(going.count_ones());
    }
    Some(samples)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    /// A fixture that decomposes, with its factors.
    fn found(name: &str) -> (GameLogic, Factors) {
        let path = format!("../../fixtures/games/{name}.gdl");
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        let rules = std::fs::read_to_string(path).unwrap();
        let sheet = gdl_parse::parse(&rules, &gdl_parse::ParseOptions::default()).sheet;
        let program = datalog::Program::from_sheet(&sheet);
        let budget = Budget::system();
        let network = compile::build_network(&program, &budget).unwrap().network;
        let logic = netlist::lower(&network, &budget).unwrap();
        let groups = invariants::Groups::find(&logic, 1, &budget);
        let factors = Factors::find(&logic, &groups, 1, &budget);
        assert!(factors.factors.len() > 1);
        (logic, factors)
    }

    fn passes(logic: &GameLogic, factors: &Factors) -> bool {
        check(logic, factors, 1, &Budget::system()).is_some()
    }

    #[test]
    fn wrong_factors_are_refuted() {
        for name in ["joint_buttons_and_lights", "nim"] {
            let (logic, factors) = found(name);
            assert!(passes(&logic, &factors), "{name}");

            let mut wrong = factors.clone();
            let (here, there) = (wrong.factors[0].facts[0], wrong.factors[1].facts[0]);
            let context = &mut wrong.factors[0].context;
            let at = context.iter().position(|&fact| fact == here).unwrap();
            context[at] = there;
            assert!(!passes(&logic, &wrong), "{name}: a fact of another factor");

            let mut wrong = factors.clone();
            let idle = |idle: bool| {
                let mut actions = factors.factors[0].actions[0].iter();
                actions.position(|action| action.idle == idle).unwrap()
            };
            let actions = &mut wrong.factors[0].actions[0];
            let mv = actions[idle(false)].moves.pop().unwrap();
            actions[idle(true)].moves.push(mv);
            let to = actions.iter().position(|action| action.idle).unwrap() as u32;
            assert!(!passes(&logic, &wrong), "{name}: a move of no action");
            wrong.actions[0][mv as usize][0] = to;
            wrong.factors[0].actions[0][to as usize]
                .moves
                .sort_unstable();
            assert!(!passes(&logic, &wrong), "{name}: a move taken to be idle");

            let mut wrong = factors.clone();
            let terminal = &mut wrong.combination.terminal;
            *terminal = !*terminal;
            assert!(!passes(&logic, &wrong), "{name}: another end");

            let mut wrong = factors.clone();
            wrong.combination.permits[0][0] = netlist::Lit::FALSE;
            assert!(!passes(&logic, &wrong), "{name}: a move never permitted");
        }
    }
}
