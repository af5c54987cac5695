//! Predicting another role's move from its earlier moves in the same stage.
//!
//! In games that repeat a stage, players with habits can be beaten: they always play the same
//! move, or give the same answer to the last move. Three predictors are weighted by how well
//! each has predicted the match so far (Bayes' rule): one with uniform probabilities, one that
//! counts moves, and one that counts moves after the same joint move. The weight of the first
//! is the doubt that there are habits at all. The search plays safe to that extent, so that
//! faked habits win little: each round in which a prediction fails reduces its weight.

use game::{MoveId, RoleId};
use mcts::Forecast;

/// The prior weight of each predictor that looks for habits.
const PRIOR: f64 = 0.1;
/// The pseudo-count of all moves together before any was played.
const EVEN: f64 = 1.0;
/// The weight of a round, relative to the next one.
const FADING: f64 = 0.9;
/// The most trust in a forecast.
const MOST_TRUST: f64 = 0.8;
/// The number of rounds that are remembered.
const LONGEST: usize = 200;

/// A simultaneous choice of two roles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stage {
    /// The role's own moves, in the order of the engine.
    pub own: Vec<MoveId>,
    /// The moves of the other role.
    pub other: Vec<MoveId>,
}

/// A round of a stage: the move of the own and of the other role.
type Round = (Stage, [MoveId; 2]);

/// The earlier moves of one other role.
#[derive(Debug, Default)]
pub(crate) struct Habits {
    rounds: Vec<Round>,
}

impl Habits {
    /// Records the moves of a round.
    pub fn note(&mut self, stage: Stage, made: [MoveId; 2]) {
        if self.rounds.len() == LONGEST {
            self.rounds.remove(0);
        }
        self.rounds.push((stage, made));
    }

    /// The predicted move of `role` in a stage; `None` if the stage has not occurred before.
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

/// The probabilities of the other role's moves by how often each was played.
///
/// With `after`, only rounds after the same joint move as the last one count. Later rounds
/// count more.
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
    fn an_unseen_stage_has_no_forecast() {
        assert!(after(&[]).is_none());
        let mut habits = Habits::default();
        let mut other = stage();
        other.own.pop();
        habits.note(other, [MoveId(0); 2]);
        assert!(habits.forecast(RoleId(1), &stage()).is_none());
    }

    #[test]
    fn a_repeated_move_is_predicted() {
        let forecast = after(&[[0, 2], [1, 2], [2, 2], [0, 2], [1, 2]]).expect("a forecast");
        assert!(forecast.trust > 0.6, "{forecast:?}");
        assert!(forecast.moves[2].1 > 0.7, "{forecast:?}");
    }

    #[test]
    fn an_answer_to_the_last_move_is_predicted() {
        // It repeats the last move of its opponent.
        let own = [0, 1, 2, 1, 0, 2, 2, 0, 1, 0, 2, 1, 1, 2, 0, 0, 1, 2, 0];
        let mut other = vec![0];
        other.extend(&own[..own.len() - 1]);
        let made: Vec<[u32; 2]> = own.into_iter().zip(other).map(|(a, b)| [a, b]).collect();
        let forecast = after(&made).expect("a forecast");
        let most = forecast.moves.iter().max_by(|a, b| a.1.total_cmp(&b.1));
        assert_eq!(most.map(|most| most.0), Some(MoveId(0)), "{forecast:?}");
    }

    #[test]
    fn without_habits_there_is_little_trust() {
        let made = [0, 1, 2, 2, 1, 0, 0, 2, 1, 1, 0, 2, 1, 2, 0].map(|other| [0, other]);
        let forecast = after(&made).expect("a forecast");
        assert!(forecast.trust < 0.2, "{forecast:?}");
    }
}
