//! On all fixtures, the network as built and as optimised plays as the reasoner does.

use budget::Budget;
use game::{Engine, EngineError, GroundTerm, MoveId, RoleId, State};
use grounding::GroundError;
use propnet::{Network, PropnetEngine, passes};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use reasoner::Reasoner;

/// All answers about a state, as terms.
#[derive(Debug, PartialEq, Eq)]
struct Answers {
    facts: Vec<GroundTerm>,
    terminal: bool,
    goals: Vec<Option<u8>>,
    legal: Vec<Vec<GroundTerm>>,
}

fn answers(engine: &mut dyn Engine, state: &State) -> Result<Answers, EngineError> {
    let roles = engine.roles().len();
    let terminal = engine.terminal(state)?;
    let mut legal = Vec::new();
    // Legality in terminal states is undefined, so it is not compared.
    for role in (0..roles).filter(|_| !terminal).map(RoleId) {
        let mut moves = Vec::new();
        engine.legal(state, role, &mut moves)?;
        let mut terms: Vec<_> = moves.iter().map(|&mv| engine.move_term(role, mv)).collect();
        terms.sort();
        legal.push(terms);
    }
    Ok(Answers {
        facts: engine.facts(state),
        terminal,
        goals: (0..roles)
            .map(|role| engine.goal(state, RoleId(role)))
            .collect::<Result<_, _>>()?,
        legal,
    })
}

/// Plays one random playout on both engines.
fn walk(
    oracle: &mut dyn Engine,
    engine: &mut dyn Engine,
    rng: &mut Xoshiro256PlusPlus,
    steps: usize,
) -> Result<(), EngineError> {
    let (mut there, mut here) = (oracle.initial(), engine.initial());
    for _ in 0..steps {
        let expected = answers(oracle, &there)?;
        assert_eq!(answers(engine, &here)?, expected);
        assert_eq!(engine.state_of(&expected.facts)?, here);
        let chosen: Option<Vec<&GroundTerm>> = expected
            .legal
            .iter()
            .map(|moves| (!moves.is_empty()).then(|| &moves[rng.random_range(0..moves.len())]))
            .collect();
        let Some(terms) = chosen.filter(|_| !expected.terminal) else {
            break;
        };
        there = after(oracle, &there, &terms)?;
        here = after(engine, &here, &terms)?;
    }
    Ok(())
}

fn after(
    engine: &mut dyn Engine,
    state: &State,
    moves: &[&GroundTerm],
) -> Result<State, EngineError> {
    let moves = moves.iter().enumerate();
    let joint: Vec<MoveId> = moves
        .map(|(role, term)| engine.find_move(RoleId(role), term).expect("legal"))
        .collect();
    let mut next = State::default();
    engine.next(state, &joint, &mut next)?;
    Ok(next)
}

#[test]
fn the_network_agrees_with_the_reasoner_on_fixtures() {
    let mut built = 0;
    let paths = testkit::fixtures();
    for path in &paths {
        let name = path.display();
        let source = std::fs::read_to_string(path).expect("a fixture");
        let sheet = gdl_parse::parse(&source, &Default::default()).sheet;
        let program = datalog::Program::from_sheet(&sheet);
        let budget = Budget::system().with_memory(128 << 20);
        let game = match grounding::ground(&program, &budget) {
            Ok(grounding) => grounding.game,
            // Some rules have too many instances to be grounded. Such games have no network.
            Err(GroundError::Budget { .. }) => continue,
            Err(error) => panic!("{name}: {error}"),
        };
        let mut network = Network::build(game, &budget).unwrap_or_else(|e| panic!("{name}: {e}"));
        let mut oracle = Reasoner::from_program(&program, &budget).expect("a reasoner");
        for optimised in [false, true] {
            if optimised {
                passes::optimise(&mut network, &budget);
            }
            let mut engine = PropnetEngine::new(&network, &budget).expect("an engine");
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
            for steps in [1000, 30, 30] {
                walk(&mut oracle, &mut engine, &mut rng, steps)
                    .unwrap_or_else(|e| panic!("{name}: {e}"));
            }
        }
        built += 1;
    }
    assert!(
        built > 0 && built + 2 >= paths.len(),
        "{built} of {} have a network",
        paths.len()
    );
}
