//! Plays two forms of a game side by side on two engines.

use budget::Budget;
use game::{Engine, GroundTerm, MoveId, RoleId, State};
use gdl_scramble::Mapping;
use prepare::{EngineChoice, Options, prepare};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

const PLIES: usize = 12;

pub fn engine(text: &str, engine: EngineChoice) -> Box<dyn Engine> {
    let options = Options {
        engine,
        ..Options::default()
    };
    // Enough for every game that can be grounded at all. The others use the reasoner.
    let budget = Budget::system().with_memory(64 << 20);
    prepare(text, &options, &budget).unwrap().playable.engine
}

/// The legal moves of a role and their terms.
fn legal(engine: &mut dyn Engine, state: &State, role: RoleId) -> Vec<(MoveId, GroundTerm)> {
    let mut moves = Vec::new();
    engine.legal(state, role, &mut moves).unwrap();
    let term = |mv: &MoveId| (*mv, engine.move_term(role, *mv));
    moves.iter().map(term).collect()
}

fn sorted(terms: impl IntoIterator<Item = GroundTerm>) -> Vec<GroundTerm> {
    let mut terms: Vec<_> = terms.into_iter().collect();
    terms.sort();
    terms
}

/// Plays at random on `plain` and follows with `other`. Returns the number of states compared.
pub fn follow(
    plain: &mut dyn Engine,
    other: &mut dyn Engine,
    mapping: &Mapping,
    seed: u64,
) -> usize {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let there = |term: &GroundTerm| mapping.scramble(term);
    let roles: Vec<_> = plain.roles().iter().map(there).collect();
    assert_eq!(other.roles(), roles);
    let (mut here, mut across) = (plain.initial(), other.initial());
    for ply in 0..PLIES {
        let facts = sorted(plain.facts(&here).iter().map(there));
        assert_eq!(sorted(other.facts(&across)), facts);
        let terminal = plain.terminal(&here).unwrap();
        assert_eq!(other.terminal(&across).unwrap(), terminal);
        let (mut joint, mut joint_across) = (Vec::new(), Vec::new());
        for role in (0..roles.len()).map(RoleId) {
            assert_eq!(
                other.goal(&across, role).unwrap(),
                plain.goal(&here, role).unwrap()
            );
            let moves = legal(plain, &here, role);
            let moves_across = legal(other, &across, role);
            let terms = sorted(moves.iter().map(|(_, term)| there(term)));
            assert_eq!(
                sorted(moves_across.into_iter().map(|(_, term)| term)),
                terms
            );
            if !moves.is_empty() {
                let (mv, term) = &moves[rng.random_range(0..moves.len())];
                joint.push(*mv);
                joint_across.push(other.find_move(role, &there(term)).unwrap());
            }
        }
        if terminal || joint.len() < roles.len() {
            return ply + 1;
        }
        let (mut next, mut next_across) = (here.clone(), across.clone());
        plain.next(&here, &joint, &mut next).unwrap();
        other
            .next(&across, &joint_across, &mut next_across)
            .unwrap();
        (here, across) = (next, next_across);
    }
    PLIES
}
