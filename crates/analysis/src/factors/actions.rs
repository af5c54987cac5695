//! The actions of a role in each factor.

use super::choices::{Side, all_sides};
use super::moves::Move;
use super::parts::Parts;
use super::relieved::Relieved;
use super::{Action, Sharing};
use budget::{Budget, Exhausted};
use rustc_hash::FxHashMap;

/// The actions of all roles.
pub(super) struct Actions {
    /// For each factor and role, the actions.
    pub of_factors: Vec<Vec<Vec<Action>>>,
    /// For each role and move, its action in each factor.
    pub of_moves: Vec<Vec<Vec<u32>>>,
    /// For each role, the distribution of its choices over the factors.
    pub choices: Vec<Sharing>,
}

/// The actions of all roles, given the moves of each.
pub(super) fn of_roles(
    game: &Relieved,
    parts: &mut Parts,
    moves: &[Vec<Move>],
    factor_of: &FxHashMap<u32, usize>,
    budget: &Budget,
) -> Result<Actions, Exhausted> {
    let mut actions = Actions {
        of_factors: vec![Vec::new(); factor_of.len()],
        of_moves: Vec::new(),
        choices: Vec::new(),
    };
    for moves in moves {
        let sides = all_sides(game, parts, moves, budget)?;
        let (of_role, of_moves) = sorted(&sides, factor_of);
        for (all, of_role) in actions.of_factors.iter_mut().zip(of_role) {
            all.push(of_role);
        }
        actions.of_moves.push(of_moves);
        actions.choices.push(spread(moves, &sides, factor_of));
    }
    Ok(actions)
}

/// For a role: its actions in each factor, and for each move its action in each factor.
type Sorted = (Vec<Vec<Action>>, Vec<Vec<u32>>);

/// Groups the moves of a role into actions, by their effects and preconditions in each factor.
fn sorted(sides: &[Vec<(u32, Side)>], factor_of: &FxHashMap<u32, usize>) -> Sorted {
    let mut actions: Vec<Vec<Action>> = vec![Vec::new(); factor_of.len()];
    let mut known: Vec<FxHashMap<Side, u32>> = vec![FxHashMap::default(); factor_of.len()];
    let mut of_moves = Vec::new();
    for (mv, sides) in (0..).zip(sides) {
        let mut here = vec![Side::default(); factor_of.len()];
        for (part, side) in sides {
            here[factor_of[part]] = *side;
        }
        let mut of_move = Vec::new();
        for ((side, actions), known) in here.into_iter().zip(&mut actions).zip(&mut known) {
            let action = *known.entry(side).or_insert(actions.len() as u32);
            match actions.get_mut(action as usize) {
                Some(action) => action.moves.push(mv),
                None => actions.push(Action {
                    moves: vec![mv],
                    idle: side.effect == 0,
                }),
            }
            of_move.push(action);
        }
        of_moves.push(of_move);
    }
    (actions, of_moves)
}

/// The distribution of a role's choices over the factors.
fn spread(
    moves: &[Move],
    sides: &[Vec<(u32, Side)>],
    factor_of: &FxHashMap<u32, usize>,
) -> Sharing {
    // The control states in which there may be a choice at all.
    let words = moves.first().map_or(0, |mv| mv.when.len());
    let (mut some, mut several) = (vec![0; words], vec![0; words]);
    for mv in moves {
        for ((some, several), word) in some.iter_mut().zip(&mut several).zip(&mv.when) {
            *several |= *some & word;
            *some |= word;
        }
    }
    let mut when: Vec<Vec<u64>> = vec![vec![0; words]; factor_of.len()];
    for (mv, sides) in moves.iter().zip(sides) {
        let chosen: Vec<u64> = mv.when.iter().zip(&several).map(|(a, b)| a & b).collect();
        let touched = sides.iter().filter(|(_, side)| side.effect != 0);
        let touched: Vec<usize> = touched.map(|(part, _)| factor_of[part]).collect();
        if touched.len() > 1 && chosen.iter().any(|&word| word != 0) {
            return Sharing::Each;
        }
        for factor in touched {
            for (all, word) in when[factor].iter_mut().zip(&chosen) {
                *all |= word;
            }
        }
    }
    let overlap = |at: usize| {
        let mut before = 0;
        when.iter().map(|when| when[at]).any(|word| {
            let twice = before & word != 0;
            before |= word;
            twice
        })
    };
    match (0..words).any(overlap) {
        true => Sharing::Several,
        false => Sharing::One,
    }
}
