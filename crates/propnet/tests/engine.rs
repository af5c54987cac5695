//! The engine gives the answers of the rules, whatever it was asked before.

mod common;

use budget::Budget;
use common::{FACTS, MOVES, ROLES, by_rules, games};
use game::{Engine, EngineError, GroundTerm, MoveId, RoleId, State};
use grounding::GroundGame;
use propnet::{Network, Node, PropnetEngine, passes};
use proptest::prelude::*;
use proptest::strategy::ValueTree;

fn engine(game: &GroundGame, optimised: bool) -> PropnetEngine {
    let budget = Budget::system();
    let mut network = Network::build(game.clone(), &budget).expect("random games are stratified");
    if optimised {
        passes::optimise(&mut network, &budget);
    }
    PropnetEngine::new(&network, &budget).expect("random games are sound")
}

/// A query to an engine.
#[derive(Debug, Clone)]
enum Question {
    Terminal,
    Legal(u32),
    Goal(u32),
    Next([u32; 2]),
}

/// Queries about arbitrary states in arbitrary order.
fn questions() -> impl Strategy<Value = Vec<(u64, Question)>> {
    let question = prop_oneof![
        Just(Question::Terminal),
        (0..ROLES).prop_map(Question::Legal),
        (0..ROLES).prop_map(Question::Goal),
        [0..MOVES, 0..MOVES].prop_map(Question::Next),
    ];
    // Few different states, so that some queries repeat the state of the query before.
    let state = prop_oneof![0u64..1 << FACTS, 0u64..2];
    prop::collection::vec((state, question), 1..24)
}

fn ask(
    engine: &mut dyn Engine,
    game: &GroundGame,
    facts: u64,
    question: &Question,
) -> Result<(), TestCaseError> {
    let held = (0..FACTS).filter(|fact| facts >> fact & 1 == 1);
    let terms: Vec<GroundTerm> = held.map(|fact| game.facts[fact as usize].clone()).collect();
    let state = engine.state_of(&terms).expect("known facts");
    prop_assert_eq!(&engine.facts(&state), &terms);
    let still = by_rules(game, facts, &[]);
    let is = |node: Node| still.get(&node) == Some(&true);
    match question {
        Question::Terminal => {
            prop_assert_eq!(engine.terminal(&state), Ok(is(Node::Terminal)));
        }
        &Question::Legal(role) => {
            let mut legal = vec![MoveId(99)];
            engine
                .legal(&state, RoleId(role as usize), &mut legal)
                .expect("known role");
            let role = role as u16;
            let expected: Vec<MoveId> = (0..MOVES)
                .filter(|&mv| is(Node::Legal { role, mv }))
                .map(MoveId)
                .collect();
            prop_assert_eq!(legal, expected);
        }
        &Question::Goal(role) => {
            let goal = engine.goal(&state, RoleId(role as usize));
            let role = role as u16;
            let reached: Vec<u8> = (0..=100)
                .filter(|&value| is(Node::Goal { role, value }))
                .collect();
            prop_assert_eq!(
                goal,
                Ok(<[u8; 1]>::try_from(reached).ok().map(|[value]| value))
            );
        }
        Question::Next(joint) => {
            let mut next = State::default();
            let moves = joint.map(MoveId);
            engine.next(&state, &moves, &mut next).expect("known moves");
            let after = by_rules(game, facts, joint);
            let expected: Vec<GroundTerm> = (0..FACTS)
                .filter(|&fact| after.get(&Node::Transition { fact }) == Some(&true))
                .map(|fact| game.facts[fact as usize].clone())
                .collect();
            prop_assert_eq!(engine.facts(&next), expected);
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn the_engine_agrees_with_the_rules(
        game in games(),
        questions in questions(),
        optimised in any::<bool>(),
    ) {
        let mut engine = engine(&game, optimised);
        for (facts, question) in &questions {
            ask(&mut engine, &game, *facts, question)?;
        }
    }

    #[test]
    fn a_fork_agrees_with_the_rules(game in games(), questions in questions()) {
        let mut engine = engine(&game, true);
        let (before, after) = questions.split_at(questions.len() / 2);
        for (facts, question) in before {
            ask(&mut engine, &game, *facts, question)?;
        }
        let mut fork = engine.fork();
        for (facts, question) in after {
            ask(&mut *fork, &game, *facts, question)?;
            ask(&mut engine, &game, *facts, question)?;
        }
    }

    #[test]
    fn the_initial_state_has_the_initial_facts(game in games()) {
        let mut engine = engine(&game, true);
        let state = engine.initial();
        let expected: Vec<GroundTerm> =
            game.initial.iter().map(|&fact| game.facts[fact as usize].clone()).collect();
        prop_assert_eq!(engine.facts(&state), expected);
    }

    #[test]
    fn moves_are_found_by_their_terms(game in games()) {
        let mut engine = engine(&game, true);
        for role in 0..ROLES as usize {
            for (i, term) in game.moves[role].iter().enumerate() {
                let found = engine.find_move(RoleId(role), term);
                prop_assert_eq!(found, Some(MoveId(i as u32)));
                prop_assert_eq!(&engine.move_term(RoleId(role), MoveId(i as u32)), term);
            }
            prop_assert_eq!(engine.find_move(RoleId(role), &GroundTerm::constant("other")), None);
        }
    }
}

#[test]
fn foreign_moves_roles_and_states_are_rejected() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let game = games().new_tree(&mut runner).expect("a game").current();
    let mut engine = engine(&game, true);
    let (start, mut next) = (engine.initial(), State::default());
    let refused = |answer: Result<(), EngineError>| matches!(answer, Err(EngineError::Rules(_)));
    assert!(refused(engine.next(&start, &[MoveId(0)], &mut next)));
    assert!(refused(engine.next(
        &start,
        &[MoveId(0), MoveId(MOVES)],
        &mut next
    )));
    assert!(refused(engine.legal(&start, RoleId(2), &mut Vec::new())));
    assert!(refused(engine.terminal(&State::default()).map(drop)));
    assert!(refused(
        engine
            .terminal(&State::from_words(vec![1 << FACTS]))
            .map(drop)
    ));
    let unknown = GroundTerm::constant("unknown");
    let answer = engine.state_of(std::slice::from_ref(&unknown));
    assert_eq!(answer, Err(EngineError::UnknownFact(unknown)));
}
