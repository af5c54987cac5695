//! Whether terminality and results agree with a symmetry, tested on sampled states.

use super::Symmetry;
use budget::Budget;
use invariants::Play;
use netlist::{GameLogic, Gate, Lit, Source};

/// Maximum number of samples of 64 states, and steps of play between them.
const STATES: usize = 40;
const STEPS: usize = 3;
/// Bound on the gates evaluated in all samples of large games, and the minimum number of
/// samples.
const EFFORT: usize = 12_000_000;
const FEWEST: usize = 12;

/// Sampled states with their terminality and results.
pub(super) struct Results {
    /// The signals: results of all roles, and terminality.
    roots: Vec<Lit>,
    /// The gates that they depend on, in order.
    gates: Vec<u32>,
    /// Words of facts, and of the signals.
    states: Vec<(Vec<u64>, Vec<u64>)>,
}

impl Results {
    /// Plays at random. Keeps no states if results and terminality varied too little to test
    /// agreement.
    pub fn new(logic: &GameLogic, seed: u64, budget: &Budget) -> Results {
        let roots: Vec<Lit> = logic.goal_roots().chain([logic.terminal]).collect();
        let (reach, _) = logic.reach(roots.iter().copied());
        let gates = (1..logic.net.len()).filter(|&node| reach[node]);
        let mut results = Results {
            gates: gates.map(|node| node as u32).collect(),
            roots,
            states: Vec::new(),
        };
        let mut seen = vec![[false; 2]; results.roots.len()];
        let mut play = Play::new(logic, seed);
        let most = (EFFORT / logic.net.len().max(1)).clamp(FEWEST, STATES);
        while results.states.len() < most && budget.check().is_ok() {
            let facts: Vec<u64> = logic.facts.iter().map(|&lit| play.word(lit)).collect();
            let said = results.said(logic, &facts);
            for (seen, &word) in seen.iter_mut().zip(&said) {
                *seen = [seen[0] | (word != u64::MAX), seen[1] | (word != 0)];
            }
            results.states.push((facts, said));
            (0..STEPS).for_each(|_| play.step());
        }
        if !enough(logic, &seen) {
            results.states.clear();
        }
        results
    }

    /// The number of states in which terminality and the results of all roles equal those of the
    /// image; 0 if they differ in one.
    pub fn agreeing(&self, logic: &GameLogic, symmetry: &Symmetry) -> u64 {
        let all = self.states.iter().all(|(facts, here)| {
            let mut image = vec![0; facts.len()];
            for (fact, &to) in symmetry.facts.iter().enumerate() {
                image[to as usize] = facts[fact];
            }
            let there = self.said(logic, &image);
            let mut start = Vec::new();
            let mut next = 0;
            for goals in &logic.goals {
                start.push(next);
                next += goals.len();
            }
            let of = |said: &[u64], role: usize, value: u8| {
                let goals = logic.goals[role].iter().zip(&said[start[role]..]);
                let goals = goals.filter(|(goal, _)| goal.0 == value);
                goals.fold(0, |any, (_, word)| any | word)
            };
            let same = (0..logic.roles()).all(|role| {
                let other = usize::from(symmetry.roles[role]);
                (0..=100).all(|value| of(here, role, value) == of(&there, other, value))
            });
            same && here.last() == there.last()
        });
        if all {
            64 * self.states.len() as u64
        } else {
            0
        }
    }

    /// The signals in 64 states.
    fn said(&self, logic: &GameLogic, facts: &[u64]) -> Vec<u64> {
        let values = self.values(logic, facts);
        let said = self.roots.iter().map(|&root| netlist::word(&values, root));
        said.collect()
    }

    /// The values of the gates in 64 states, without any move.
    fn values(&self, logic: &GameLogic, facts: &[u64]) -> Vec<u64> {
        let net = &logic.net;
        let mut values = vec![0u64; net.len()];
        let mut fixes = vec![0u64; logic.fixes.len()];
        let run = |fixes: &[u64], values: &mut Vec<u64>| {
            for &node in &self.gates {
                let value = |lit: Lit| netlist::word(values, lit);
                values[node as usize] = match net.gate(node as usize) {
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
        // Cycle by cycle, each starting from false: later ones may read earlier ones negated.
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
}

/// Whether results, role by role, and terminality varied enough to test agreement: terminality
/// and half of the results must have been both true and false. A puzzle that random play never
/// solves could appear to have any symmetry.
fn enough(logic: &GameLogic, seen: &[[bool; 2]]) -> bool {
    let both = |seen: &&[bool; 2]| seen[0] && seen[1];
    let mut start = 0;
    let results = logic.goals.iter().all(|goals| {
        let mine = &seen[start..start + goals.len()];
        start += goals.len();
        let open = goals.iter().filter(|goal| goal.1.as_constant().is_none());
        2 * mine.iter().filter(both).count() >= open.count()
    });
    results && seen.last().is_some_and(|end| end[0] && end[1])
}
