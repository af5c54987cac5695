//! Expansion in bulk gives the same answers for every child as the engines.

mod common;

use bitcode::{Code, Evaluator, Interpreter};
use budget::{Budget, Exhausted};
use common::Game;
use game::{Engine, EngineError, GroundTerm, MoveId, RoleId, State};
use lanes::{Ask, AskGoals, Children, Expander, Pair};

const W: usize = 2;

fn expander(game: &Game) -> Expander<W> {
    Expander::new(
        &netlist::Phased::new(&game.logic),
        |code: &Code| -> Box<dyn Evaluator<W>> { Box::new(Interpreter::new(code)) },
    )
}

fn everything() -> Ask {
    Ask {
        legal: true,
        goals: AskGoals::All,
    }
}

/// An engine's answers for a state. Legal moves of terminal states are not asked for.
fn look(engine: &mut dyn Engine, state: &State) -> (bool, Vec<Option<u8>>, Vec<Vec<GroundTerm>>) {
    let roles = engine.roles().len();
    let terminal = engine.terminal(state).expect("a sound game");
    let goals = (0..roles).map(|role| engine.goal(state, RoleId(role)).expect("a sound game"));
    let goals = goals.collect();
    let legal = (0..roles).map(|role| {
        let mut moves = Vec::new();
        if !terminal {
            engine
                .legal(state, RoleId(role), &mut moves)
                .expect("a sound game");
        }
        let terms = moves.iter().map(|&mv| engine.move_term(RoleId(role), mv));
        let mut terms: Vec<_> = terms.collect();
        terms.sort();
        terms
    });
    let legal = legal.collect();
    (terminal, goals, legal)
}

/// The expander's answers for a child, in the same form.
fn found(
    engine: &mut dyn Engine,
    children: &Children,
    child: usize,
) -> (bool, Vec<Option<u8>>, Vec<Vec<GroundTerm>>) {
    let legal = (0..engine.roles().len()).map(|role| {
        let moves = children.legal(child, role);
        assert!(moves.is_sorted());
        let terms = moves.iter().map(|&mv| engine.move_term(RoleId(role), mv));
        let mut terms: Vec<_> = terms.collect();
        terms.sort();
        terms
    });
    let legal = legal.collect();
    (
        children.terminal(child),
        children.goals(child).to_vec(),
        legal,
    )
}

/// Compares the children of states of random play with the network's engine, and some of them
/// with the oracle. Returns the number of children.
fn check(game: &mut Game, states: usize, every: usize) -> usize {
    let name = game.name.clone();
    let mut expander = expander(game);
    let (mut joints, mut children) = (Vec::new(), Children::default());
    let budget = Budget::system();
    let mut count = 0;
    for state in game.states(11, 60).iter().rev().step_by(60 / states) {
        expander
            .children(state, everything(), &mut joints, &mut children, &budget)
            .expect("no deadline");
        let mut expected = game.joints(state);
        expected.sort();
        let ours: Vec<Vec<MoveId>> = joints.chunks(game.roles()).map(Vec::from).collect();
        assert_eq!(ours, expected, "{name}");
        assert_eq!(children.len(), ours.len());
        for (child, joint) in ours.iter().enumerate() {
            let next = game.next(state, joint);
            assert_eq!(children.state(child), next.words(), "{name}");
            let ours = found(&mut game.engine, &children, child);
            assert_eq!(ours, look(&mut game.engine, &next), "{name}");
            if count % every == 0 {
                let terms: Vec<GroundTerm> = (joint.iter().enumerate())
                    .map(|(role, &mv)| game.engine.move_term(RoleId(role), mv))
                    .collect();
                let there = game.there(state);
                let joint: Vec<MoveId> = (terms.iter().enumerate())
                    .map(|(role, term)| game.oracle.find_move(RoleId(role), term).expect("legal"))
                    .collect();
                let mut next_there = State::default();
                game.oracle.next(&there, &joint, &mut next_there).unwrap();
                let facts = game.engine.facts(&next);
                assert_eq!(facts, game.oracle.facts(&next_there), "{name}");
                assert_eq!(ours, look(&mut game.oracle, &next_there), "{name}");
            }
            count += 1;
        }
    }
    count
}

#[test]
fn children_of_fixtures_match_the_reasoner() {
    for mut game in Game::fixtures() {
        let slow = game.logic.net.len() > 20_000;
        let (states, every) = if slow { (2, 20) } else { (4, 7) };
        assert!(check(&mut game, states, every) > 0, "{}", game.name);
    }
}

#[test]
fn children_in_random_games_match_the_reasoner() {
    let children: usize = (100..200)
        .map(|seed| {
            let source = testkit::games::random_game(seed);
            let mut game = Game::new(&format!("random game {seed}"), &source);
            check(&mut game, 6, 3)
        })
        .sum();
    assert!(children > 500, "{children}");
}

#[test]
fn pairs_of_all_phases_expand_in_any_order() {
    for name in ["tic_tac_toe", "connect_four_simultaneous", "pentago", "nim"] {
        let mut game = Game::fixture(name);
        let mut expander = expander(&game);
        let states = game.states(5, 40);
        let all: Vec<(&State, Vec<MoveId>)> = states
            .iter()
            .flat_map(|state| game.joints(state).into_iter().map(move |j| (state, j)))
            .collect();
        // More pairs than fit into one pass, the moves of each state far apart.
        let pairs: Vec<Pair<'_>> = (0..all.len().min(900))
            .map(|i| &all[i * 7919 % all.len()])
            .map(|(state, joint)| Pair { state, joint })
            .collect();
        let mut children = Children::default();
        let asks = [
            (AskGoals::Never, true),
            (AskGoals::Terminal, false),
            (AskGoals::All, true),
        ];
        for (goals, legal) in asks {
            let ask = Ask { legal, goals };
            expander
                .expand(&pairs, ask, &mut children, &Budget::system())
                .expect("no deadline");
            assert_eq!(children.len(), pairs.len());
            for (child, pair) in pairs.iter().enumerate() {
                let next = game.next(pair.state, pair.joint);
                assert_eq!(children.state(child), next.words(), "{name}");
                let mut expected = look(&mut game.engine, &next);
                let shown = match goals {
                    AskGoals::Never => false,
                    AskGoals::Terminal => expected.0,
                    AskGoals::All => true,
                };
                if !shown {
                    expected.1.fill(None);
                }
                if !legal {
                    expected.2.fill(Vec::new());
                }
                assert_eq!(
                    found(&mut game.engine, &children, child),
                    expected,
                    "{name}"
                );
            }
        }
    }
}

#[test]
fn invalid_pairs_are_errors() {
    let mut game = Game::fixture("tic_tac_toe");
    let mut expander = expander(&game);
    let state = game.engine.initial();
    let joint = game.joints(&state).remove(0);
    let mut children = Children::default();
    let strange = [
        (State::default(), joint.clone()),
        (
            State::from_words(vec![0; state.words().len()]),
            joint.clone(),
        ),
        (state.clone(), vec![]),
        (state.clone(), vec![MoveId(u32::MAX), joint[1]]),
        // A joint move of the wrong role's turn.
        (state.clone(), joint.iter().rev().copied().collect()),
    ];
    for (state, joint) in &strange {
        let result = expander.expand(
            &[Pair { state, joint }],
            Ask::default(),
            &mut children,
            &Budget::system(),
        );
        assert!(matches!(result, Err(EngineError::Rules(_))), "{joint:?}");
    }
    let mut joints = Vec::new();
    let small = Budget::system().with_memory(100);
    let result = expander.children(&state, Ask::default(), &mut joints, &mut children, &small);
    assert_eq!(result, Err(EngineError::Exhausted(Exhausted::Memory)));
    // Errors leave the expander usable.
    expander
        .children(
            &state,
            Ask::default(),
            &mut joints,
            &mut children,
            &Budget::system(),
        )
        .expect("no deadline");
    assert_eq!((children.len(), joints.len()), (9, 18));
}
