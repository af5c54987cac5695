//! Facts that do nothing but count time, and when they end play.

use crate::imagine::{OPEN, imagine, known, must};
use budget::Budget;
use netlist::{GameLogic, Gate, Source};

/// The most plies that are followed.
const MOST: usize = 2_000;

/// For each fact, whether its future depends on nothing but such facts, whatever is played.
pub(crate) struct Time {
    pub facts: Vec<bool>,
}

impl Time {
    /// Finds the facts that no move changes.
    pub fn of(logic: &GameLogic) -> Time {
        Time { facts: free(logic) }
    }

    /// The plies from a state after which play is over at the latest, if time alone ends it.
    pub fn horizon(&self, logic: &GameLogic, state: &[u64], budget: &Budget) -> Option<usize> {
        let facts = &self.facts;
        let holds = |fact: usize| state[fact / 64] >> (fact % 64) & 1 == 1;
        let mut now: Vec<bool> = (0..facts.len())
            .map(|fact| facts[fact] && holds(fact))
            .collect();
        for ply in 0..MOST {
            budget.check().ok()?;
            let all = imagine(
                logic,
                |fact| match facts[fact as usize] {
                    true => known(now[fact as usize]),
                    false => OPEN,
                },
                |_| OPEN,
            );
            if must(&all, logic.terminal) & 1 == 1 {
                return Some(ply);
            }
            let next = logic.next.iter().map(|&next| must(&all, next) & 1 == 1);
            let next: Vec<bool> = next.zip(facts).map(|(next, &free)| next && free).collect();
            if next == now {
                return None;
            }
            now = next;
        }
        None
    }
}

/// The facts whose future depends neither on moves nor on facts that depend on them.
fn free(logic: &GameLogic) -> Vec<bool> {
    let mut bound = vec![false; logic.net.len()];
    let mut facts = vec![true; logic.next.len()];
    loop {
        for (node, &gate) in logic.net.gates().iter().enumerate() {
            bound[node] |= match gate {
                Gate::False => false,
                Gate::Input(number) => match logic.sources[number as usize] {
                    Source::Fact(fact) => !facts[fact as usize],
                    Source::Does { .. } | Source::Fix(_) => true,
                },
                Gate::And(a, b) | Gate::Xor(a, b) => bound[a.node()] || bound[b.node()],
            };
        }
        let mut changed = false;
        for (free, next) in facts.iter_mut().zip(&logic.next) {
            if *free && bound[next.node()] {
                (*free, changed) = (false, true);
            }
        }
        if !changed {
            return facts;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_counter_is_time_and_ends_play() {
        let rules = "(role r) (init (step 1)) (init (at 1)) (succ 1 2) (succ 2 3) (succ 3 4)
            (legal r go) (legal r stay)
            (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
            (<= (next (at ?n)) (true (at ?m)) (succ ?m ?n) (does r go))
            (<= (next (at ?m)) (true (at ?m)) (does r stay))
            (<= terminal (true (step 4))) (<= terminal (true (at 3)))
            (<= (goal r 100) (true (at 3))) (<= (goal r 0) (not (true (at 3))))";
        let logic = compile::compile(rules, &Budget::system()).unwrap().logic;
        let time = Time::of(&logic);
        let mut start = vec![0; 1];
        for &fact in &logic.words.initial {
            start[0] |= 1u64 << fact;
        }
        assert_eq!(time.horizon(&logic, &start, &Budget::system()), Some(3));
        for (fact, free) in logic.words.facts.iter().zip(&time.facts) {
            assert_eq!(fact.to_string().starts_with("(step"), *free, "{fact}");
        }
    }
}
