//! What another role is going to do, judged by what it has done in the same stage before.
//!
//! Games that repeat a stage can be won against whoever has habits: always the same move, or the same
//! answer to what was made last. Three forecasters are weighed by how well each has foretold the match
//! so far (Bayes' rule): one for which all moves are alike, one that counts what was made, and one that
//! counts what was made after the same joint move. What the first of them has in weight is the doubt
//! that there are habits at all; the search plays safe to that part, so that pretended habits win
//! little: each round in which a forecast fails makes it weigh less.

use game::{MoveId, RoleId};
use mcts::Forecast;

/// What one forecaster that looks for habits weighs before anything was seen.
const PRIOR: f64 = 0.1;
/// What all moves together count before any was made.
const EVEN: f64 = 1.0;
/// What one round counts, seen from the next.
const FADING: f64 = 0.9;
/// The most that is made of a forecast.
const MOST_TRUST: f64 = 0.8;
/// Rounds that are remembered.
const LONGEST: usize = 200;

/// A choice of two roles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stage {
    /// The moves of one's own, in the order of the engine.
    pub own: Vec<MoveId>,
    /// Those of the other role.
    pub other: Vec<MoveId>,
}

/// What happened in a stage: the moves of one's own and of the other role.
type Round = (Stage, [MoveId; 2]);

/// What one other role did.
#[derive(Debug, Default)]
pub(crate) struct Habits {
    rounds: Vec<Round>,
}

impl Habits {
    /// Notes what was made in a stage.
    pub fn note(&mut self, stage: Stage, made: [MoveId; 2]) {
        if self.rounds.len() == LONGEST {
            self.rounds.remove(0);
        }
        self.rounds.push((stage, made));
    }

    /// What `role` will do in a stage; `None` if it was never there before.
    pub fn forecast(&self, role: RoleId, stage: &Stage) -> Option<Forecast> {
        let same = self.rounds.iter().filter(|round| round.0 == *stage);
        let made: Vec<[MoveId; 2]> = same.map(|round| round.1).collect();
        if made.is_empty() {
            return None;
        }
        let count = stage.other.len();
        let mut weights = [1.0 - 2.0 * PRIOR, PRIOR, PRIOR];
        for (round, [_, other]) in made.iter().enumerate() {
            let at = stage.other.iter().position(|mv| mv == other)?;
            let foretold = [
                1.0 / count as f64,
                counted(stage, &made[..round], false)[at],
                counted(stage, &made[..round], true)[at],
            ];
            for (weight, chance) in weights.iter_mut().zip(foretold) {
                *weight *= chance;
            }
            let sum: f64 = weights.iter().sum();
            weights.iter_mut().for_each(|weight| *weight /= sum);
        }
        let [_, plain, answer] = weights;
        let chances = [false, true].map(|after| counted(stage, &made, after));
        let moves = stage.other.iter().enumerate().map(|(at, &mv)| {
            let chance = plain * chances[0][at] + answer * chances[1][at];
            (mv, chance / (plain + answer))
        });
        Some(Forecast {
            role,
            moves: moves.collect(),
            trust: (plain + answer).min(MOST_TRUST),
        })
    }
}

/// The chances of the other role's moves by how often each was made, or how often `after` the same
/// joint move as the last one; late rounds count for more.
fn counted(stage: &Stage, made: &[[MoveId; 2]], after: bool) -> Vec<f64> {
    let count = stage.other.len();
    let mut counts = vec![EVEN / count as f64; count];
    let mut weight = 1.0;
    for round in (0..made.len()).rev() {
        let fits = !after || round > 0 && made[round - 1] == made[made.len() - 1];
        let at = stage.other.iter().position(|&mv| mv == made[round][1]);
        if let Some(at) = at.filter(|_| fits) {
            counts[at] += weight;
        }
        weight *= FADING;
    }
    let sum: f64 = counts.iter().sum();
    counts.iter().map(|count| count / sum).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stage() -> Stage {
        let moves: Vec<MoveId> = (0..3).map(MoveId).collect();
        Stage {
            own: moves.clone(),
            other: moves,
        }
    }

    fn after(made: &[[u32; 2]]) -> Option<Forecast> {
        let mut habits = Habits::default();
        for round in made {
            habits.note(stage(), round.map(MoveId));
        }
        habits.forecast(RoleId(1), &stage())
    }

    #[test]
    fn nothing_is_foretold_of_what_was_never_seen() {
        assert!(after(&[]).is_none());
        let mut habits = Habits::default();
        let mut other = stage();
        other.own.pop();
        habits.note(other, [MoveId(0); 2]);
        assert!(habits.forecast(RoleId(1), &stage()).is_none());
    }

    #[test]
    fn one_move_again_and_again_is_foretold() {
        let forecast = after(&[[0, 2], [1, 2], [2, 2], [0, 2], [1, 2]]).expect("a forecast");
        assert!(forecast.trust > 0.6, "{forecast:?}");
        assert!(forecast.moves[2].1 > 0.7, "{forecast:?}");
    }

    #[test]
    fn an_answer_is_foretold() {
        // It makes what the other one made last.
        let own = [0, 1, 2, 1, 0, 2, 2, 0, 1, 0, 2, 1, 1, 2, 0, 0, 1, 2, 0];
        let mut other = vec![0];
        other.extend(&own[..own.len() - 1]);
        let made: Vec<[u32; 2]> = own.into_iter().zip(other).map(|(a, b)| [a, b]).collect();
        let forecast = after(&made).expect("a forecast");
        let most = forecast.moves.iter().max_by(|a, b| a.1.total_cmp(&b.1));
        assert_eq!(most.map(|most| most.0), Some(MoveId(0)), "{forecast:?}");
    }

    #[test]
    fn where_there_are_no_habits_little_is_trusted() {
        let made = [0, 1, 2, 2, 1, 0, 0, 2, 1, 1, 0, 2, 1, 2, 0].map(|other| [0, other]);
        let forecast = after(&made).expect("a forecast");
        assert!(forecast.trust < 0.2, "{forecast:?}");
    }
}
