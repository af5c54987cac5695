//! Regret matching, where more than two roles choose at once at the root.
//!
//! Each role keeps for each move the regret of not having always played it, against what the
//! others played, and plays moves in proportion to their positive regrets (Hart and Mas-Colell,
//! "A simple adaptive procedure leading to correlated equilibrium", 2000). The move is drawn from
//! the average of these strategies. Below the root, the same explores too much.

use super::arm::{Arm, draw, guaranteed};
use super::joint_stats::JointStats;
use crate::Config;
use rand::Rng;

/// For each move of each role, what is added to its regret and to its weight.
pub(crate) type RegretUpdate = Vec<Vec<(f32, f32)>>;

impl JointStats {
    /// Whether moves are selected by regret matching, at the root. It compares joint moves by their
    /// numbers.
    pub fn selects_by_regret(&self, config: &Config) -> bool {
        let deciders = self.roles().filter(|arms| arms.len() > 1);
        config.simultaneous.regret && deciders.count() > 2 && self.joint_moves().is_some()
    }

    /// The mixed strategy of a role by its regrets, with a part of `mixing` that is uniform.
    fn regret_strategy(arms: &[Arm], mixing: f64, chances: &mut Vec<f64>) {
        let guaranteed = guaranteed(arms);
        let all = || arms.iter().map(|arm| (arm, arm.is_undominated(guaranteed)));
        let regret = |arm: &Arm| f64::from(arm.regret.max(0.0));
        let even = 1.0 / all().filter(|arm| arm.1).count().max(1) as f64;
        let sum: f64 = all().filter(|arm| arm.1).map(|arm| regret(arm.0)).sum();
        chances.clear();
        chances.extend(all().map(|(arm, open)| {
            let own = match sum > 0.0 {
                true => regret(arm) / sum,
                false => even,
            };
            let chance = (1.0 - mixing) * own + mixing * even;
            if open { chance } else { 0.0 }
        }));
    }

    /// Selects a move for every role by regret matching.
    pub fn select_by_regret(
        &mut self,
        config: &Config,
        rng: &mut impl Rng,
        choices: &mut Vec<u32>,
    ) {
        let mut chances = Vec::new();
        for arms in self.roles_mut() {
            JointStats::regret_strategy(arms, config.simultaneous.mixing, &mut chances);
            let choice = draw(&chances, rng);
            arms[choice].begin_visit();
            choices.push(choice as u32);
        }
    }

    /// The regrets of all roles after a joint move was played. `value` is the mean of a joint
    /// move for a role, if it has one.
    ///
    /// Later rounds count for more, and negative regret is dropped, so that the noise of the
    /// beginning fades ("regret matching+", as in `matrix`).
    pub fn regrets(
        &self,
        choices: &[u32],
        round: u32,
        value: impl Fn(u64, usize) -> Option<f64>,
    ) -> RegretUpdate {
        let none = self.roles().map(|arms| vec![(0.0, 0.0); arms.len()]);
        let mut update: RegretUpdate = none.collect();
        let Some(made) = self.number(choices) else {
            return update;
        };
        let mut chances = Vec::new();
        // The difference in the number of the joint move between neighbouring moves of the role.
        let mut unit = 1u64;
        let roles: Vec<&[Arm]> = self.roles().collect();
        for (role, arms) in roles.into_iter().enumerate().rev() {
            let count = arms.len();
            if count > 1 {
                JointStats::regret_strategy(arms, 0.0, &mut chances);
                let own = u64::from(choices[role]);
                if let Some(got) = value(made, role) {
                    for (at, (regret, _)) in update[role].iter_mut().enumerate() {
                        let other = made - own * unit + at as u64 * unit;
                        // A move that was never tried has no regret.
                        let instead = value(other, role).unwrap_or(got);
                        *regret = (instead - got) as f32;
                    }
                }
                for ((_, weight), chance) in update[role].iter_mut().zip(&chances) {
                    *weight = round as f32 * *chance as f32;
                }
            }
            unit = unit.wrapping_mul(count as u64);
        }
        update
    }

    /// Adds regrets and weights.
    pub fn add_regrets(&mut self, update: RegretUpdate) {
        let arms = self.all_arms_mut().iter_mut();
        for (arm, (regret, weight)) in arms.zip(update.into_iter().flatten()) {
            arm.regret = (arm.regret + regret).max(0.0);
            arm.weight += weight;
        }
    }

    /// The average strategy of a role by regret matching. Moves whose means are significantly
    /// below that of another one are left out, because in a mixed equilibrium all moves have the
    /// same value. `None` if there was no round.
    pub fn average_strategy(&self, role: usize, config: &Config) -> Option<Vec<f64>> {
        let arms = self.arms(role);
        let doubt = config.simultaneous.errors as f32;
        let error = |arm: &Arm| {
            let variance = (arm.square - arm.mean * arm.mean).max(0.0);
            doubt * (variance / arm.samples().max(1) as f32).sqrt()
        };
        let sure = |arm: &Arm| arm.mean - error(arm);
        let best = arms.iter().filter(|arm| arm.samples() > 0).map(sure);
        let best = best.fold(f32::NEG_INFINITY, f32::max);
        let weight = |arm: &Arm| match arm.mean + error(arm) < best {
            true => 0.0,
            false => f64::from(arm.weight),
        };
        let sum: f64 = arms.iter().map(weight).sum();
        (sum > 0.0).then(|| arms.iter().map(|arm| weight(arm) / sum).collect())
    }
}
