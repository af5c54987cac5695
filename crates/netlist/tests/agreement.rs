//! The netlist says what the engine says, in states of random play.

use budget::Budget;
use datalog::Program;
use game::{Engine, MoveId, RoleId, State};
use gdl_parse::{ParseOptions, parse};
use netlist::{GameLogic, Lit, Source, lower, word};
use propnet::PropnetEngine;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The values of all nodes in one state (in bit 0), with recursive signals repeated until stable.
fn values(logic: &GameLogic, facts: &[bool], joint: &[MoveId]) -> Vec<u64> {
    let mut fixed = vec![0u64; logic.fixes.len()];
    loop {
        let inputs: Vec<u64> = logic
            .sources
            .iter()
            .map(|source| match *source {
                Source::Fact(fact) => facts[fact as usize].into(),
                Source::Does { role, mv } => {
                    (joint.get(usize::from(role)) == Some(&MoveId(mv))).into()
                }
                Source::Fix(fix) => fixed[fix as usize],
            })
            .collect();
        let values = logic.net.evaluate(&inputs);
        let now: Vec<u64> = logic
            .fixes
            .iter()
            .map(|fix| word(&values, fix.value) & 1)
            .collect();
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

#[test]
fn the_netlist_agrees_with_the_network_on_all_fixtures() {
    for path in testkit::fixtures() {
        let source = std::fs::read_to_string(&path).unwrap();
        let program = Program::from_sheet(&parse(&source, &ParseOptions::default()).sheet);
        let budget = Budget::system();
        let network = prepare::build_network(&program, &budget).unwrap().network;
        let logic = lower(&network, &budget).unwrap();
        let mut engine = PropnetEngine::new(&network, &budget).unwrap();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
        for _ in 0..2 {
            let mut state = engine.initial();
            for _ in 0..20 {
                let holds = bits(&state, logic.facts.len());
                let at = values(&logic, &holds, &[]);
                let is = |values: &[u64], lit: Lit| word(values, lit) & 1 == 1;
                assert_eq!(
                    is(&at, logic.terminal),
                    engine.terminal(&state).unwrap(),
                    "{path:?}"
                );
                let mut joint = Vec::new();
                for role in 0..logic.roles() {
                    let mut moves = Vec::new();
                    engine.legal(&state, RoleId(role), &mut moves).unwrap();
                    let ours: Vec<MoveId> = (0..logic.legal[role].len())
                        .filter(|&mv| is(&at, logic.legal[role][mv]))
                        .map(|mv| MoveId(mv as u32))
                        .collect();
                    moves.sort();
                    assert_eq!(ours, moves, "{path:?}");
                    let goals: Vec<u8> = logic.goals[role]
                        .iter()
                        .filter(|&&(_, lit)| is(&at, lit))
                        .map(|&(value, _)| value)
                        .collect();
                    let only = (goals.len() == 1).then(|| goals[0]);
                    assert_eq!(only, engine.goal(&state, RoleId(role)).unwrap(), "{path:?}");
                    if !moves.is_empty() {
                        joint.push(moves[rng.random_range(0..moves.len())]);
                    }
                }
                if joint.len() < logic.roles() || engine.terminal(&state).unwrap() {
                    break;
                }
                let mut next = State::default();
                engine.next(&state, &joint, &mut next).unwrap();
                let at = values(&logic, &holds, &joint);
                let ours: Vec<bool> = logic.next.iter().map(|&lit| is(&at, lit)).collect();
                assert_eq!(ours, bits(&next, logic.facts.len()), "{path:?}");
                state = next;
            }
        }
    }
}
