//! The actions of a role in each factor.

use super::choices::Side;
use super::moves::Move;
use super::{Action, Sharing};
use rustc_hash::FxHashMap;

/// For a role: its actions in each factor, and for each move its action in each factor.
pub(super) type Sorted = (Vec<Vec<Action>>, Vec<Vec<u32>>);

/// Groups the moves of a role into actions, by their effects and preconditions in each factor.
pub(super) fn sorted(sides: &[Vec<(u32, Side)>], factor_of: &FxHashMap<u32, usize>) -> Sorted {
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
pub(super) fn spread(
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
