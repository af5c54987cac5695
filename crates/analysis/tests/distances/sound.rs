//! A change further than n transitions away does not matter within n transitions, in random play
//! of the reasoner.

use crate::common::{fixture, network};
use analysis::distances::{Condition, Distances, Met, NEVER, Origin};
use budget::Budget;
use game::{Engine, GroundTerm, MoveId, RoleId, State};
use prepare::{EngineChoice, Options, prepare};
use propnet::Network;
use proptest::prelude::*;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::BTreeSet;

/// The properties of a state: results, whether play has ended, legal moves, facts.
#[derive(Debug, PartialEq)]
struct Answers {
    goals: Vec<Option<u8>>,
    terminal: bool,
    legal: Vec<BTreeSet<GroundTerm>>,
    facts: BTreeSet<GroundTerm>,
}

fn answers(engine: &mut dyn Engine, state: &State) -> Answers {
    let roles = engine.roles().len();
    let mut moves = Vec::new();
    let mut legal = |engine: &mut dyn Engine, role| {
        engine.legal(state, role, &mut moves).unwrap();
        moves.iter().map(|&mv| engine.move_term(role, mv)).collect()
    };
    Answers {
        goals: (0..roles)
            .map(|role| engine.goal(state, RoleId(role)).unwrap())
            .collect(),
        terminal: engine.terminal(state).unwrap(),
        legal: (0..roles).map(|role| legal(engine, RoleId(role))).collect(),
        facts: engine.facts(state).into_iter().collect(),
    }
}

/// Compares two states that were reached `turns` transitions after the game differed in `column`
/// alone. Returns the number of values that must not differ.
fn compare(
    network: &Network,
    distances: &Distances,
    column: usize,
    turns: u8,
    (one, other): (&Answers, &Answers),
) -> usize {
    let words = network.vocabulary();
    let mut row = Vec::new();
    let mut apart = |origin| {
        distances.row(origin, &mut row).unwrap();
        row[column] == NEVER || row[column] > turns
    };
    let mut compared = 0;
    for role in 0..words.roles.len() {
        let goals = distances.conditions().filter(
            |condition| matches!(condition, Condition::Goal { role: whose, .. } if whose.0 == role),
        );
        if goals.map(Origin::Condition).all(&mut apart) {
            assert_eq!(one.goals[role], other.goals[role]);
            compared += 1;
        }
        for (mv, term) in words.moves[role].iter().enumerate() {
            // The distance of a move to itself does not concern its legality.
            let own = distances
                .columns()
                .column(Met::Move(RoleId(role), MoveId(mv as u32)));
            // Legality after the end of play does not matter.
            let over = one.terminal || other.terminal;
            if !over && own != Some(column) && apart(Origin::Move(RoleId(role), MoveId(mv as u32)))
            {
                let legal = |answers: &Answers| answers.legal[role].contains(term);
                assert_eq!(legal(one), legal(other), "{term}");
                compared += 1;
            }
        }
    }
    let terminal = Origin::Condition(Condition::Terminal);
    if distances.reads(terminal).is_some() && apart(terminal) {
        assert_eq!(one.terminal, other.terminal);
        compared += 1;
    }
    for (fact, term) in words.facts.iter().enumerate() {
        if apart(Origin::Fact(fact as u32)) {
            let holds = |answers: &Answers| answers.facts.contains(term);
            assert_eq!(holds(one), holds(other), "{term}");
            compared += 1;
        }
    }
    compared
}

/// Plays, changes one fact or one move, continues with the same moves on both sides, and
/// compares.
fn check(rules: &str, seed: u64, games: usize) -> usize {
    let network = network(rules);
    let distances = Distances::of(&network, &Budget::system()).unwrap();
    let options = Options {
        engine: EngineChoice::Reasoner,
        ..Options::default()
    };
    let mut engine = prepare(rules, &options, &Budget::system())
        .unwrap()
        .playable
        .engine;
    let engine = &mut *engine;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let (mut moves, mut compared) = (Vec::new(), 0);
    let roles = engine.roles().len();
    for _ in 0..games {
        let (mut one, mut scratch) = (engine.initial(), State::default());
        let before = rng.random_range(0..6);
        let changed = rng.random_range(0..distances.columns().len());
        let mut other = None;
        for turn in 0..before + 4 {
            let mut joint = Vec::new();
            for role in (0..roles).map(RoleId) {
                engine.legal(&one, role, &mut moves).unwrap();
                joint.extend(moves.choose(&mut rng).copied());
            }
            if joint.len() < roles || engine.terminal(&one).unwrap() {
                break;
            }
            let mut joint_other = joint.clone();
            if turn == before {
                match distances.columns().met(changed).unwrap() {
                    Met::Fact(fact) => {
                        let term = &network.vocabulary().facts[fact as usize];
                        let mut facts: BTreeSet<_> = engine.facts(&one).into_iter().collect();
                        if !facts.remove(term) {
                            facts.insert(term.clone());
                        }
                        let facts: Vec<_> = facts.into_iter().collect();
                        other = Some(engine.state_of(&facts).unwrap());
                    }
                    // Any move of the role could be replaced by the changed move. Only what the
                    // replaced move touches must not be compared, so that must be nothing.
                    Met::Move(role, mv) => {
                        let term = &network.vocabulary().moves[role.0][mv.0 as usize];
                        let idle = idle(&distances, &network, role);
                        let mv = engine.find_move(role, term);
                        if let (Some(mv), Some(idle)) = (mv, idle)
                            && let Some(idle) = engine.find_move(role, &idle)
                        {
                            joint[role.0] = idle;
                            joint_other[role.0] = mv;
                            other = Some(one.clone());
                        }
                    }
                }
            }
            if let Some(other) = &mut other {
                let turns = (turn - before) as u8;
                let (a, b) = (answers(engine, &one), answers(engine, other));
                compared += compare(&network, &distances, changed, turns, (&a, &b));
                engine.next(other, &joint_other, &mut scratch).unwrap();
                std::mem::swap(other, &mut scratch);
            }
            engine.next(&one, &joint, &mut scratch).unwrap();
            std::mem::swap(&mut one, &mut scratch);
        }
    }
    compared
}

/// A move that nothing reads.
fn idle(distances: &Distances, network: &Network, role: RoleId) -> Option<GroundTerm> {
    let moves = &network.vocabulary().moves[role.0];
    let columns = distances.columns();
    let idle = (0..moves.len()).find(|&mv| {
        let column = columns.column(Met::Move(role, MoveId(mv as u32))).unwrap();
        (0..columns.facts()).all(|fact| {
            let met = columns.met(column).unwrap();
            let distance = distances.distance(Origin::Fact(fact as u32), met);
            distance == Some(analysis::distances::Distance::Never)
        })
    });
    idle.map(|mv| moves[mv].clone())
}

#[test]
fn changes_do_not_matter_before_their_distance_in_fixtures() {
    for (seed, game) in ["breakthrough_small", "tic_tac_toe", "nim", "blocker"]
        .iter()
        .enumerate()
    {
        let compared = check(&fixture(game), seed as u64, 60);
        assert!(
            compared > 1000,
            "{game}: only {compared} answers were compared"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..testkit::rules::config() })]

    #[test]
    fn changes_do_not_matter_before_their_distance_in_random_games(seed in any::<u64>()) {
        check(&testkit::games::random_game(seed), seed, 10);
    }
}
