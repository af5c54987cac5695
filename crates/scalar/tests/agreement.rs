//! The engine agrees with the rules.

use budget::Budget;
use compile::Compiled;
use datalog::Program;
use game::{Engine, EngineError, GroundTerm, MoveId, RoleId, State};
use gdl_parse::{ParseOptions, parse};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use reasoner::Reasoner;
use scalar::ScalarEngine;

/// An engine's answers about a state, as terms.
#[derive(Debug, PartialEq)]
struct Answers {
    facts: Vec<GroundTerm>,
    terminal: bool,
    goals: Vec<Option<u8>>,
    legal: Vec<Vec<GroundTerm>>,
}

fn answers(engine: &mut dyn Engine, state: &State, rng: &mut Xoshiro256PlusPlus) -> Answers {
    let roles = engine.roles().len();
    // In any order, because earlier queries must not matter.
    let goals_first = rng.random_bool(0.5);
    let goals = |engine: &mut dyn Engine| -> Vec<Option<u8>> {
        let roles = (0..roles).map(RoleId);
        roles
            .map(|role| engine.goal(state, role).unwrap())
            .collect()
    };
    let early = goals_first.then(|| goals(engine));
    let mut legal = Vec::new();
    for role in (0..roles).map(RoleId) {
        let mut moves = Vec::new();
        engine.legal(state, role, &mut moves).unwrap();
        let mut terms: Vec<_> = moves.iter().map(|&mv| engine.move_term(role, mv)).collect();
        terms.sort_by_cached_key(ToString::to_string);
        legal.push(terms);
    }
    Answers {
        facts: engine.facts(state),
        terminal: engine.terminal(state).unwrap(),
        goals: early.unwrap_or_else(|| goals(engine)),
        legal,
    }
}

fn after(engine: &mut dyn Engine, state: &State, moves: &[GroundTerm]) -> State {
    let joint: Vec<MoveId> = moves
        .iter()
        .enumerate()
        .map(|(role, term)| engine.find_move(RoleId(role), term).expect("a legal move"))
        .collect();
    let mut next = State::default();
    engine.next(state, &joint, &mut next).unwrap();
    next
}

/// Plays random playouts on both engines, with a fork from the middle on.
fn compare(name: &str, oracle: &mut dyn Engine, engine: &mut dyn Engine, playouts: &[usize]) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    let mut fork = engine.fork();
    // Facts updated from any earlier state must equal those computed from nothing.
    let (mut asked, mut facts, mut whole) = (State::default(), State::default(), State::default());
    for (i, &steps) in playouts.iter().enumerate() {
        let engine: &mut dyn Engine = if i % 2 == 1 { &mut *fork } else { engine };
        let (mut there, mut here) = (oracle.initial(), engine.initial());
        let mut before = here.clone();
        for step in 0..steps {
            let expected = answers(oracle, &there, &mut rng);
            assert_eq!(
                answers(engine, &here, &mut rng),
                expected,
                "{name} step {step}"
            );
            assert_eq!(engine.state_of(&expected.facts).unwrap(), here, "{name}");
            let told = engine.bits_since(&asked, &here, &mut facts);
            assert_eq!(told, engine.bits(&here, &mut whole), "{name}");
            assert_eq!(facts, whole, "{name} step {step}");
            asked.clone_from(&here);
            if rng.random_bool(0.2) {
                // An unrelated query in between.
                engine.terminal(&before).unwrap();
            }
            let chosen: Option<Vec<GroundTerm>> = expected
                .legal
                .iter()
                .map(|moves| moves.choose(&mut rng).cloned())
                .collect();
            let Some(moves) = chosen.filter(|_| !expected.terminal) else {
                break;
            };
            there = after(oracle, &there, &moves);
            let next = after(engine, &here, &moves);
            before = std::mem::replace(&mut here, next);
        }
    }
}

/// Both engines for rules. `None` if the rules have no network.
fn engine(source: &str, budget: &Budget) -> Option<(Reasoner, ScalarEngine)> {
    let program = Program::from_sheet(&parse(source, &ParseOptions::default()).sheet);
    let built = compile::build_network(&program, budget).ok()?;
    let compiled = Compiled::of_network(built.network, budget).ok()?;
    let engine = ScalarEngine::new(&compiled.logic, &compiled.phased, budget).ok()?;
    let oracle = Reasoner::from_program(&program, budget).expect("a reasoner");
    Some((oracle, engine))
}

#[test]
fn the_engine_agrees_with_the_rules_on_fixtures() {
    let paths = testkit::fixtures();
    let mut built = 0;
    for path in &paths {
        let source = std::fs::read_to_string(path).unwrap();
        let budget = Budget::system().with_memory(256 << 20);
        if let Some((mut oracle, mut engine)) = engine(&source, &budget) {
            let name = path.display().to_string();
            compare(&name, &mut oracle, &mut engine, &[120, 20, 20]);
            built += 1;
        }
    }
    assert!(built + 2 >= paths.len(), "{built} of {}", paths.len());
}

#[test]
fn the_engine_agrees_with_the_rules_on_random_games() {
    let mut built = 0;
    for seed in 0..150 {
        let source = testkit::games::random_game(seed);
        if let Some((mut oracle, mut engine)) = engine(&source, &Budget::system()) {
            let name = format!("random game {seed}");
            compare(&name, &mut oracle, &mut engine, &[12, 12, 12, 12]);
            built += 1;
        }
    }
    assert!(built > 100, "{built} have a network");
}

#[test]
fn unreachable_states_are_evaluated_too() {
    let mut compared = 0;
    for path in testkit::fixtures() {
        let source = std::fs::read_to_string(&path).unwrap();
        let budget = Budget::system().with_memory(256 << 20);
        let Some((mut oracle, mut engine)) = engine(&source, &budget) else {
            continue;
        };
        let name = path.display().to_string();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let start = engine.initial();
        let all = engine.facts(&start);
        for _ in 0..5 {
            let some: Vec<GroundTerm> = all
                .iter()
                .filter(|_| rng.random_bool(0.7))
                .cloned()
                .collect();
            let here = engine.state_of(&some).unwrap();
            let there = oracle.state_of(&some).unwrap();
            let expected = answers(&mut oracle, &there, &mut rng);
            assert_eq!(answers(&mut engine, &here, &mut rng), expected, "{name}");
            compared += 1;
        }
    }
    assert!(compared > 20, "{compared} states");
}

#[test]
fn foreign_moves_roles_and_states_are_rejected() {
    let rules = "(role robot) (init (p a)) (thing a) (thing b)
        (<= (legal robot ?x) (thing ?x)) (<= (next (p ?x)) (does robot ?x))
        (<= terminal (true (p b))) (goal robot 100)";
    let (_, mut engine) = engine(rules, &Budget::system()).expect("a network");
    let (start, mut next) = (engine.initial(), State::default());
    let refused = |answer: Result<(), EngineError>| matches!(answer, Err(EngineError::Rules(_)));
    assert!(refused(engine.next(&start, &[], &mut next)));
    assert!(refused(engine.next(&start, &[MoveId(9)], &mut next)));
    assert!(refused(engine.legal(&start, RoleId(1), &mut Vec::new())));
    assert!(refused(engine.goal(&start, RoleId(1)).map(drop)));
    assert!(refused(engine.terminal(&State::default()).map(drop)));
    let stray = State::from_words(vec![1 << 63]);
    assert!(refused(engine.terminal(&stray).map(drop)));
    let unknown = GroundTerm::constant("unknown");
    let answer = engine.state_of(std::slice::from_ref(&unknown));
    assert_eq!(answer, Err(EngineError::UnknownFact(unknown)));
}

#[test]
fn the_engine_agrees_with_the_rules_on_many_cycles_that_read_each_other() {
    // Which nodes of a graph are reached without each of its edges, and from those that are not
    // which others; an edge is opened or closed at every step.
    let edges = [
        (1, 2),
        (2, 3),
        (3, 1),
        (3, 4),
        (4, 5),
        (5, 3),
        (5, 6),
        (6, 1),
    ];
    let edges = edges.map(|(a, b)| format!("(edge {a} {b})")).join(" ");
    let rules = format!(
        "(role r) {edges} (init (open 1 2)) (init (open 4 5)) (init (open 5 3)) (node 1)
         (<= (node ?y) (edge ?x ?y))
         (<= (legal r (turn ?x ?y)) (edge ?x ?y))
         (<= (next (open ?x ?y)) (does r (turn ?x ?y)) (not (true (open ?x ?y))))
         (<= (next (open ?x ?y)) (true (open ?x ?y)) (not (does r (turn ?x ?y))))
         (<= (next (lost ?a ?b ?x)) (edge ?a ?b) (node ?x) (not (late ?a ?b ?x)))
         (<= (reach ?a ?b 1) (edge ?a ?b))
         (<= (reach ?a ?b ?y) (reach ?a ?b ?x) (edge ?x ?y) (true (open ?x ?y))
             (distinct ?x ?a))
         (<= (late ?a ?b ?x) (edge ?a ?b) (node ?x) (not (reach ?a ?b ?x)))
         (<= (late ?a ?b ?y) (late ?a ?b ?x) (edge ?x ?y) (true (open ?x ?y)))
         (<= terminal (edge ?a ?b) (late ?a ?b 1) (late ?a ?b 4) (not (late ?a ?b 2)))
         (<= (goal r 100) (late 6 1 1)) (<= (goal r 0) (not (late 6 1 1)))"
    );
    let made = engine(&rules, &Budget::system());
    let (mut oracle, mut engine) = made.expect("it has a network");
    compare("many cycles", &mut oracle, &mut engine, &[40; 8]);
}
