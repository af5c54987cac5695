//! Random play on the engine, and checks that a netlist agrees with it.

use budget::Budget;
use datalog::Program;
use game::{Engine, MoveId, RoleId, State};
use gdl_parse::{ParseOptions, parse};
use netlist::{GameLogic, Lit, Phases, Source, word};
use propnet::{Network, PropnetEngine};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The network of a rulesheet. `None` if the rules have none.
pub fn network(source: &str) -> Option<Network> {
    let program = Program::from_sheet(&parse(source, &ParseOptions::default()).sheet);
    let built = compile::build_network(&program, &Budget::system());
    Some(built.ok()?.network)
}

/// The engine's answers about a state and the state after it.
#[derive(Clone)]
struct Step {
    facts: Vec<bool>,
    terminal: bool,
    legal: Vec<Vec<MoveId>>,
    goals: Vec<Option<u8>>,
    /// The moves played and the facts that then hold. `None` if the state is terminal.
    next: Option<(Vec<MoveId>, Vec<bool>)>,
}

/// States of random play, with the engine's answers.
pub struct Record(Vec<Step>);

impl Record {
    /// Plays `games` playouts from the initial state, of at most `most` plies each.
    pub fn play(network: &Network, games: usize, most: usize) -> Record {
        let mut engine = PropnetEngine::new(network, &Budget::system()).unwrap();
        let facts = network.vocabulary().facts.len();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
        let mut steps = Vec::new();
        for _ in 0..games {
            let mut state = engine.initial();
            for _ in 0..most {
                let roles = network.vocabulary().roles.len();
                let mut step = Step {
                    facts: bits(&state, facts),
                    terminal: engine.terminal(&state).unwrap(),
                    legal: Vec::new(),
                    goals: Vec::new(),
                    next: None,
                };
                let mut joint = Vec::new();
                for role in 0..roles {
                    let mut moves = Vec::new();
                    engine.legal(&state, RoleId(role), &mut moves).unwrap();
                    moves.sort();
                    if !moves.is_empty() {
                        joint.push(moves[rng.random_range(0..moves.len())]);
                    }
                    step.legal.push(moves);
                    step.goals.push(engine.goal(&state, RoleId(role)).unwrap());
                }
                let over = step.terminal || joint.len() < roles;
                if !over {
                    let mut next = State::default();
                    engine.next(&state, &joint, &mut next).unwrap();
                    step.next = Some((joint, bits(&next, facts)));
                    state = next;
                }
                steps.push(step);
                if over {
                    break;
                }
            }
        }
        Record(steps)
    }

    /// The states that `chosen` accepts, given a function that returns whether a fact holds.
    pub fn only(&self, chosen: impl Fn(&dyn Fn(u32) -> bool) -> bool) -> Record {
        let steps = self.0.iter();
        let steps = steps.filter(|step| chosen(&|fact| step.facts[fact as usize]));
        Record(steps.cloned().collect())
    }

    /// Panics, naming `what`, unless every state is in a phase and its successor in the next
    /// phase.
    pub fn check_phases(&self, phases: &Phases, what: &str) {
        for step in &self.0 {
            let phase = |facts: &[bool]| phases.of(|fact| facts[fact as usize]);
            let now = phase(&step.facts).unwrap_or_else(|| panic!("{what}: no phase"));
            if let Some((_, next)) = &step.next {
                let then = (now + 1) % phases.period();
                assert_eq!(phase(next), Some(then), "{what}: the next phase");
            }
        }
    }

    /// Panics, naming `what`, unless the netlist agrees with the engine in every state.
    pub fn check(&self, logic: &GameLogic, what: &str) {
        for steps in self.0.chunks(64) {
            let values = values(logic, steps);
            for (bit, step) in steps.iter().enumerate() {
                let is = |lit: Lit| word(&values, lit) >> bit & 1 == 1;
                assert_eq!(is(logic.terminal), step.terminal, "{what}: terminal");
                for role in 0..logic.roles() {
                    let legal: Vec<MoveId> = (0..logic.legal[role].len())
                        .filter(|&mv| is(logic.legal[role][mv]))
                        .map(|mv| MoveId(mv as u32))
                        .collect();
                    assert_eq!(legal, step.legal[role], "{what}: legal moves");
                    let goals: Vec<u8> = logic.goals[role]
                        .iter()
                        .filter(|&&(_, lit)| is(lit))
                        .map(|&(value, _)| value)
                        .collect();
                    let only = (goals.len() == 1).then(|| goals[0]);
                    assert_eq!(only, step.goals[role], "{what}: goal");
                }
                if let Some((_, next)) = &step.next {
                    let ours: Vec<bool> = logic.next.iter().map(|&lit| is(lit)).collect();
                    assert_eq!(&ours, next, "{what}: next state");
                }
            }
        }
    }
}

/// The values of all nodes in up to 64 states. Recursive signals are iterated until they are
/// stable.
fn values(logic: &GameLogic, steps: &[Step]) -> Vec<u64> {
    let mut fixed = vec![0u64; logic.fixes.len()];
    loop {
        let gather = |holds: &dyn Fn(&Step) -> bool| {
            let bits = steps.iter().enumerate();
            bits.fold(0, |word, (bit, step)| word | u64::from(holds(step)) << bit)
        };
        let inputs: Vec<u64> = logic
            .sources
            .iter()
            .map(|source| match *source {
                Source::Fact(fact) => gather(&|step| step.facts[fact as usize]),
                Source::Does { role, mv } => gather(&|step| {
                    let made = step
                        .next
                        .as_ref()
                        .map(|(joint, _)| joint[usize::from(role)]);
                    made == Some(MoveId(mv))
                }),
                Source::Fix(fix) => fixed[fix as usize],
            })
            .collect();
        let values = logic.net.evaluate(&inputs);
        let fixes = logic.fixes.iter();
        let now: Vec<u64> = fixes.map(|fix| word(&values, fix.value)).collect();
        if now == fixed {
            return values;
        }
        fixed = now;
    }
}

fn bits(state: &State, facts: usize) -> Vec<bool> {
    (0..facts)
        .map(|fact| state.words()[fact / 64] >> (fact % 64) & 1 == 1)
        .collect()
}
