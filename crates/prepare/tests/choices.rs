//! All engines play the same game.

use budget::Budget;
use game::{Engine, GroundTerm, RoleId, State};
use prepare::{EngineChoice, Options, prepare};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

/// The number of joint moves that are compared.
const STEPS: usize = 12;

fn engine(rules: &str, choice: EngineChoice) -> Box<dyn Engine> {
    let options = Options {
        engine: choice,
        ..Options::default()
    };
    prepare(rules, &options, &Budget::system())
        .expect("fixtures can be prepared")
        .playable
        .engine
}

/// The legal moves of a role as terms, sorted.
fn legal(engine: &mut dyn Engine, state: &State, role: RoleId) -> Vec<GroundTerm> {
    let mut moves = Vec::new();
    engine.legal(state, role, &mut moves).expect("legal moves");
    let mut terms: Vec<_> = moves.iter().map(|&mv| engine.move_term(role, mv)).collect();
    terms.sort();
    terms
}

#[test]
fn the_quick_reasoner_agrees_with_the_others() {
    testkit::on_all_cores(testkit::fixtures(), |path| {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let name = path.display();
        let rules = std::fs::read_to_string(&path).expect("a readable fixture");
        let mut engines = [
            engine(&rules, EngineChoice::QuickReasoner),
            engine(&rules, EngineChoice::Reasoner),
            engine(&rules, EngineChoice::Auto),
        ];
        let roles = engines[0].roles().to_vec();
        let mut states: Vec<State> = engines.iter().map(|engine| engine.initial()).collect();
        for step in 0..STEPS {
            let facts = engines[0].facts(&states[0]);
            let over = engines[0].terminal(&states[0]).expect("an answer");
            let mut joint = Vec::new();
            for role in 0..roles.len() {
                let moves = legal(&mut *engines[0], &states[0], RoleId(role));
                for (engine, state) in engines.iter_mut().zip(&states) {
                    assert_eq!(engine.roles(), roles, "{name}");
                    assert_eq!(engine.facts(state), facts, "{name} step {step}");
                    assert_eq!(engine.terminal(state), Ok(over), "{name} step {step}");
                    let same = legal(&mut **engine, state, RoleId(role));
                    assert_eq!(same, moves, "{name} step {step} role {role}");
                }
                if !moves.is_empty() {
                    joint.push(moves[rng.random_range(0..moves.len())].clone());
                }
            }
            if over || joint.len() < roles.len() {
                break;
            }
            for (engine, state) in engines.iter_mut().zip(&mut states) {
                let ids: Vec<_> = joint
                    .iter()
                    .enumerate()
                    .map(|(role, term)| engine.find_move(RoleId(role), term))
                    .map(|id| id.expect("a legal move is known"))
                    .collect();
                let mut next = State::default();
                engine.next(state, &ids, &mut next).expect("a next state");
                *state = next;
            }
        }
    });
}
