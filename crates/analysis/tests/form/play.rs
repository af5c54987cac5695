//! Plays two encodings of a game in parallel, as their numbers of facts and moves say.

use analysis::form::Form;
use netlist::{GameLogic, Gate, Lit, Source};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

const PLIES: usize = 20;

/// All signals of a state: facts and moves, each a bit in the order of the logic.
struct Signals<'a> {
    logic: &'a GameLogic,
    values: Vec<bool>,
}

impl<'a> Signals<'a> {
    fn new(logic: &'a GameLogic, facts: &[bool], moves: &[usize]) -> Signals<'a> {
        let mut values = vec![false; logic.net.gates().len()];
        let mut fixes = vec![false; logic.fixes.len()];
        // The least fixpoint of cycles, from below.
        loop {
            for (at, &gate) in logic.net.gates().iter().enumerate() {
                let of = |lit: Lit| values[lit.node()] != lit.is_negated();
                let value = match gate {
                    Gate::False => false,
                    Gate::And(a, b) => of(a) && of(b),
                    Gate::Xor(a, b) => of(a) != of(b),
                    Gate::Input(number) => match logic.sources[number as usize] {
                        Source::Fact(fact) => facts[fact as usize],
                        Source::Does { role, mv } => {
                            moves.get(role as usize) == Some(&(mv as usize))
                        }
                        Source::Fix(fix) => fixes[fix as usize],
                    },
                };
                values[at] = value;
            }
            let of = |lit: Lit| values[lit.node()] != lit.is_negated();
            let next: Vec<bool> = logic.fixes.iter().map(|fix| of(fix.value)).collect();
            if next == fixes {
                return Signals { logic, values };
            }
            fixes = next;
        }
    }

    fn of(&self, lit: Lit) -> bool {
        self.values[lit.node()] != lit.is_negated()
    }

    fn legal(&self, role: usize) -> Vec<usize> {
        let legal = self.logic.legal[role].iter().enumerate();
        legal
            .filter(|(_, lit)| self.of(**lit))
            .map(|(mv, _)| mv)
            .collect()
    }

    fn goals(&self, role: usize) -> Vec<u8> {
        let goals = self.logic.goals[role]
            .iter()
            .filter(|(_, lit)| self.of(*lit));
        let mut goals: Vec<u8> = goals.map(|(value, _)| *value).collect();
        goals.sort_unstable();
        goals
    }
}

/// For each number of the first game what has it in the second.
fn there(here: &[u32], other: &[u32]) -> Vec<usize> {
    let mut with = vec![0; other.len()];
    for (at, &number) in other.iter().enumerate() {
        with[number as usize] = at;
    }
    here.iter().map(|&number| with[number as usize]).collect()
}

/// Plays at random, and compares everything in every state.
///
/// # Panics
/// If the two differ anywhere.
pub fn check(name: &str, logics: [&GameLogic; 2], forms: [&Form; 2], seed: u64) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let facts_there = there(&forms[0].facts, &forms[1].facts);
    let roles = logics[0].legal.len();
    let moves_there: Vec<Vec<usize>> = (0..roles)
        .map(|role| there(&forms[0].moves[role], &forms[1].moves[role]))
        .collect();
    let initial = |logic: &GameLogic| {
        let mut facts = vec![false; logic.facts.len()];
        for &fact in &logic.words.initial {
            facts[fact as usize] = true;
        }
        facts
    };
    let mut states = logics.map(initial);
    for _ in 0..PLIES {
        for (here, &there) in facts_there.iter().enumerate() {
            assert_eq!(states[0][here], states[1][there], "{name}");
        }
        let now: Vec<Signals<'_>> = (0..2)
            .map(|at| Signals::new(logics[at], &states[at], &[]))
            .collect();
        let over = [&now[0], &now[1]].map(|signals| signals.of(signals.logic.terminal));
        assert_eq!(over[0], over[1], "{name}");
        let mut joint = Vec::new();
        for (role, there) in moves_there.iter().enumerate() {
            assert_eq!(now[0].goals(role), now[1].goals(role), "{name}");
            let legal = now[0].legal(role);
            let mut moved: Vec<usize> = legal.iter().map(|&mv| there[mv]).collect();
            moved.sort_unstable();
            assert_eq!(moved, now[1].legal(role), "{name}");
            joint.push(match legal.is_empty() {
                true => usize::MAX,
                false => legal[random.random_range(0..legal.len())],
            });
        }
        if over[0] || joint.contains(&usize::MAX) {
            return;
        }
        let moved = (0..roles)
            .map(|role| moves_there[role][joint[role]])
            .collect();
        let joints = [joint, moved];
        for at in 0..2 {
            let signals = Signals::new(logics[at], &states[at], &joints[at]);
            states[at] = logics[at].next.iter().map(|&lit| signals.of(lit)).collect();
        }
    }
}
