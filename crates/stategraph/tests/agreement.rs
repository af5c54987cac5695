//! The table agrees with the engine.

use budget::Budget;
use game::{Engine, MoveId, Playouts, RoleId, ScalarPlayouts, Start, State};
use prepare::{Options, prepare};
use stategraph::{GraphError, Limits, StateGraph, TableEngine, TablePlayouts};
use std::sync::Arc;

/// The fixtures that have a table, with their engines.
fn tables() -> Vec<(String, Box<dyn Engine>, Arc<StateGraph>)> {
    let limits = Limits {
        states: 2000,
        edges: 10_000,
    };
    let mut tables = Vec::new();
    for path in testkit::fixtures() {
        let source = std::fs::read_to_string(&path).unwrap();
        let budget = Budget::system();
        let mut engine = prepare(&source, &Options::default(), &budget)
            .unwrap()
            .playable
            .engine;
        match StateGraph::explore(&mut *engine, &limits, &budget) {
            Ok(graph) => tables.push((path.display().to_string(), engine, graph)),
            Err(GraphError::TooLarge { .. }) => {}
            Err(error) => panic!("{}: {error}", path.display()),
        }
    }
    assert!(
        tables.len() >= 5,
        "small games among the fixtures: {}",
        tables.len()
    );
    tables
}

#[test]
fn tables_agree_with_their_engines_in_every_state() {
    for (name, mut engine, graph) in tables() {
        let mut table = TableEngine::new(graph.clone(), engine.fork());
        let roles = engine.roles().len();
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for number in 0..graph.len() as u64 {
            let here = State::from_words(vec![number]);
            let facts = table.facts(&here);
            let there = engine.state_of(&facts).unwrap();
            assert_eq!(table.state_of(&facts).unwrap(), here, "{name}");
            let terminal = engine.terminal(&there).unwrap();
            assert_eq!(table.terminal(&here).unwrap(), terminal, "{name}");
            let mut joint: Vec<MoveId> = Vec::new();
            for role in (0..roles).map(RoleId) {
                let goal = engine.goal(&there, role).unwrap();
                assert_eq!(table.goal(&here, role).unwrap(), goal, "{name}");
                if !terminal {
                    table.legal(&here, role, &mut ours).unwrap();
                    engine.legal(&there, role, &mut theirs).unwrap();
                    assert_eq!(ours, theirs, "{name}");
                    joint.extend(ours.get(number as usize % ours.len().max(1)));
                }
            }
            if joint.len() == roles {
                let (mut one, mut other) = (State::default(), State::default());
                table.next(&here, &joint, &mut one).unwrap();
                engine.next(&there, &joint, &mut other).unwrap();
                assert_eq!(table.facts(&one), engine.facts(&other), "{name}");
            }
        }
    }
}

#[test]
fn foreign_moves_roles_and_states_are_errors() {
    // Two roles count to three in joint moves.
    let rules = "(role a) (role b) (init (at 0)) (succ 0 1) (succ 1 2) (succ 2 3)
        (legal a go) (legal a stay) (legal b go)
        (<= (next (at ?m)) (true (at ?n)) (succ ?n ?m) (does a go))
        (<= (next (at ?n)) (true (at ?n)) (does a stay))
        (<= terminal (true (at 3))) (goal a 100) (goal b 0)";
    let budget = Budget::system();
    let mut engine = prepare(rules, &Options::default(), &budget)
        .unwrap()
        .playable
        .engine;
    let graph = StateGraph::explore(&mut *engine, &Limits::default(), &budget).unwrap();
    assert_eq!(graph.len(), 4);
    let mut table = TableEngine::new(graph, engine);
    let (mut moves, mut joint, mut next) = (Vec::new(), Vec::new(), State::default());
    for role in [RoleId(0), RoleId(1)] {
        table.legal(&table.initial(), role, &mut moves).unwrap();
        joint.extend(moves.first());
    }
    // The last state is the last entry of the table.
    for number in 0..4 {
        let here = State::from_words(vec![number]);
        for role in [RoleId(2), RoleId(usize::MAX)] {
            assert!(table.legal(&here, role, &mut moves).is_err());
            assert!(table.goal(&here, role).is_err());
        }
        let wrong = [
            &joint[..0],
            &joint[..1],
            &[joint[0], MoveId(u32::MAX)],
            &[joint[0], joint[1], joint[1]],
        ];
        for joint in wrong {
            assert!(table.next(&here, joint, &mut next).is_err(), "{joint:?}");
        }
        let going = table.next(&here, &joint, &mut next);
        assert_eq!(going.is_ok(), number < 3, "not from the end");
    }
    let nowhere = State::from_words(vec![4]);
    assert!(table.legal(&nowhere, RoleId(0), &mut moves).is_err());
    assert!(table.next(&nowhere, &joint, &mut next).is_err());
    assert!(table.goal(&nowhere, RoleId(0)).is_err());
}

#[test]
fn table_playouts_have_the_same_mean_results_as_other_playouts() {
    let budget = Budget::system();
    for (name, engine, graph) in tables() {
        let (playouts, mut ours, mut theirs) = (3000, Vec::new(), Vec::new());
        let state = engine.initial();
        let start = Start {
            state: &state,
            playouts,
        };
        ScalarPlayouts::new(engine.fork(), 3, 200)
            .run(&[start], &mut theirs, &budget)
            .unwrap();
        let state = State::from_words(vec![0]);
        let start = Start {
            state: &state,
            playouts,
        };
        let mut table = TablePlayouts::new(graph, 5, 200);
        table.run(&[start], &mut ours, &budget).unwrap();
        let (ours, theirs) = (&ours[0], &theirs[0]);
        assert_eq!(ours.finished + ours.cut, playouts, "{name}");
        for role in 0..engine.roles().len() {
            let (Some(one), Some(other)) = (ours.mean(role), theirs.mean(role)) else {
                continue;
            };
            let variance = theirs.squares[role] as f64 / theirs.finished as f64 - other * other;
            // Five standard deviations of the difference, and a little more for constant
            // results.
            let bound = 5.0 * (2.0 * variance.max(0.0) / ours.finished as f64).sqrt() + 1e-9;
            assert!(
                (one - other).abs() <= bound,
                "{name}: {one} and {other}, at most {bound}"
            );
        }
        let mut again = Vec::new();
        table.reseed(5);
        table.run(&[start], &mut again, &budget).unwrap();
        assert_eq!(&again[0], ours, "{name}");
    }
}

#[test]
fn exploration_stops_at_the_limits() {
    let path = testkit::fixtures()
        .into_iter()
        .find(|path| path.ends_with("breakthrough.gdl"));
    let source = std::fs::read_to_string(path.unwrap()).unwrap();
    let mut engine = prepare(&source, &Options::default(), &Budget::system())
        .unwrap()
        .playable
        .engine;
    let graph = StateGraph::explore(&mut *engine, &Limits::default(), &Budget::system());
    assert!(matches!(graph, Err(GraphError::TooLarge { states }) if states > 1000));
}
