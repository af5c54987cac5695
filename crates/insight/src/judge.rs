//! How a number that is read from a state goes with results, and whether that may be chance.
//!
//! States are compared with those of the same age in which the same roles choose, so that what
//! merely tells the time of a game counts for nothing. States of one game have one result:
//! errors are those of clusters (Liang and Zeger, "Longitudinal data analysis using generalized
//! linear models", 1986).

use crate::look::Looks;
use crate::moments::Moments;
use std::collections::BTreeMap;

/// Ages that are told apart.
const AGES: usize = 12;
/// Games in which a number differs from what is usual, at least, for it to be judged.
const GAMES: u32 = 30;
/// What is left of a number beside others, in parts of its variance, at least; less is rounding.
const LEFT: f64 = 1e-3;

/// How a number goes with results.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Effect {
    /// By how many points the result is higher where the number is higher by one.
    pub slope: f64,
    /// The standard error of that.
    pub error: f64,
    /// The probability of an effect of this size or more by chance, if there is none.
    pub chance: f64,
    /// The games in which the number differed from what is usual.
    pub games: u32,
}

/// Judges numbers by the results of some games.
pub struct Judge {
    /// The kind of each moment: its age, and who chooses. Only moments of a kind are compared.
    kind: Vec<u32>,
    kinds: usize,
    game: Vec<u32>,
    games: u32,
    /// Numbers that others are judged beside, free of each other, of length 1.
    beside: Vec<Vec<f64>>,
    /// What is to be explained, beside nothing, and beside those numbers.
    wanted: [Vec<Vec<f64>>; 2],
}

impl Judge {
    /// A judge of numbers by what is to be explained: for each thing a number for each moment.
    /// Numbers may be judged beside those of `beside`.
    pub fn new(moments: &Moments, looks: &Looks, wanted: &[Vec<f64>], beside: &[&[f32]]) -> Judge {
        let ages = ages(moments);
        let mut kinds = BTreeMap::new();
        let kind = (0..moments.moments.len()).map(|at| {
            let next = kinds.len() as u32;
            *kinds.entry((ages[at], looks.choosing(at))).or_insert(next)
        });
        let mut judge = Judge {
            kind: kind.collect(),
            kinds: 0,
            game: moments.moments.iter().map(|moment| moment.game).collect(),
            games: moments.games,
            beside: Vec::new(),
            wanted: [Vec::new(), Vec::new()],
        };
        judge.kinds = kinds.len();
        for number in beside {
            let mut number: Vec<f64> = number.iter().map(|&one| f64::from(one)).collect();
            if judge.free(&mut number, true).is_some() {
                let length = squares(&number).sqrt();
                number.iter_mut().for_each(|one| *one /= length);
                judge.beside.push(number);
            }
        }
        judge.wanted = [false, true].map(|beside| {
            let wanted = wanted.iter().map(|wanted| {
                let mut wanted = wanted.clone();
                let _ = judge.free(&mut wanted, beside);
                wanted
            });
            wanted.collect()
        });
        judge
    }

    /// Judges a number by all that is to be explained; `beside` if only what is beyond the other
    /// numbers counts. `None` if it hardly varies.
    pub fn effects(&self, number: &[f32], beside: bool) -> Option<Vec<Effect>> {
        let mut own: Vec<f64> = number.iter().map(|&one| f64::from(one)).collect();
        self.subtract_means(&mut own);
        let games = self.varying(&own);
        if games < GAMES {
            return None;
        }
        let all = self.free(&mut own, beside)?;
        let wanted = &self.wanted[usize::from(beside)];
        Some(
            wanted
                .iter()
                .map(|wanted| self.effect(&own, all, wanted, games))
                .collect(),
        )
    }

    fn effect(&self, own: &[f64], all: f64, wanted: &[f64], games: u32) -> Effect {
        let slope = product(own, wanted) / all;
        let (mut meat, mut of_game, mut plain) = (0.0, 0.0, 0.0);
        for (at, (&x, &y)) in own.iter().zip(wanted).enumerate() {
            let rest = y - slope * x;
            plain += rest * rest;
            of_game += x * rest;
            if self.game.get(at + 1) != Some(&self.game[at]) {
                meat += of_game * of_game;
                of_game = 0.0;
            }
        }
        let used = self.kinds + self.beside.len() + 2;
        let free = (self.games as usize).saturating_sub(used).max(1) as f64;
        // Where few games differ, clusters may claim more than if all states were independent.
        let plain = plain / self.game.len() as f64 / all;
        let meat = meat / (all * all) * (f64::from(self.games) / free);
        let error = plain.max(meat).sqrt();
        let chance = match error > 0.0 {
            true => chance(slope / error, f64::from(games - 1)),
            // Nothing is left to explain.
            false if slope != 0.0 => 0.0,
            false => 1.0,
        };
        Effect {
            slope,
            error,
            chance,
            games,
        }
    }

    /// Frees a number of what kinds, and the other numbers if `beside`, tell of it. Returns its
    /// square, or `None` if hardly anything is left.
    fn free(&self, number: &mut [f64], beside: bool) -> Option<f64> {
        self.subtract_means(number);
        let whole = squares(number);
        if beside {
            for other in &self.beside {
                let part = product(number, other);
                let pairs = number.iter_mut().zip(other);
                pairs.for_each(|(one, other)| *one -= part * other);
            }
        }
        let left = squares(number);
        (left > LEFT * whole && left > 1e-9).then_some(left)
    }

    /// Subtracts from each moment's number the mean of its kind.
    pub fn subtract_means(&self, number: &mut [f64]) {
        let mut sums = vec![(0.0, 0u32); self.kinds];
        for (&kind, &one) in self.kind.iter().zip(&*number) {
            let (sum, count) = &mut sums[kind as usize];
            (*sum, *count) = (*sum + one, *count + 1);
        }
        for (&kind, one) in self.kind.iter().zip(number) {
            let (sum, count) = sums[kind as usize];
            *one -= sum / f64::from(count);
        }
    }

    /// The games in which a number differs from the most common one of its kind, nearly.
    fn varying(&self, number: &[f64]) -> u32 {
        let deviation = (squares(number) / number.len().max(1) as f64).sqrt();
        let (mut games, mut last) = (0, None);
        for (&game, &one) in self.game.iter().zip(number) {
            if one.abs() > 0.5 * deviation && one != 0.0 && last != Some(game) {
                games += 1;
                last = Some(game);
            }
        }
        games
    }
}

/// The probability of a t of this size or more, on either side, in Student's distribution
/// (Wallace, "Bounds on normal approximations to Student's and the chi-square distributions",
/// 1959).
fn chance(t: f64, freedom: f64) -> f64 {
    let normal = (freedom * (t * t / freedom).ln_1p()).sqrt();
    let normal = normal * (8.0 * freedom + 1.0) / (8.0 * freedom + 3.0);
    libm::erfc(normal / std::f64::consts::SQRT_2)
}

/// The age of each moment: moments are divided by ply into groups of about the same size.
fn ages(moments: &Moments) -> Vec<u32> {
    let mut plies: Vec<u32> = moments.moments.iter().map(|moment| moment.ply).collect();
    plies.sort_unstable();
    let bounds: Vec<u32> = (1..AGES)
        .filter_map(|part| plies.get(part * plies.len() / AGES).copied())
        .collect();
    let age = |ply: u32| bounds.iter().filter(|&&bound| bound <= ply).count() as u32;
    moments
        .moments
        .iter()
        .map(|moment| age(moment.ply))
        .collect()
}

pub fn product(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(a, b)| a * b).sum()
}

fn squares(number: &[f64]) -> f64 {
    product(number, number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::moments::Moment;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// Games of four moments each, with results 0 or 100 by the toss of a coin.
    fn games(count: u32, seed: u64) -> (Moments, Looks, Xoshiro256PlusPlus) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut moments = Moments::default();
        for game in 0..count {
            let result = if rng.random_bool(0.5) { 100.0 } else { 0.0 };
            moments.moments.extend((0..4).map(|ply| Moment {
                state: Vec::new(),
                ply,
                game,
                results: vec![result],
            }));
        }
        moments.games = count;
        let looks = Looks {
            choices: vec![vec![2; moments.moments.len()]],
            goals: Vec::new(),
        };
        (moments, looks, rng)
    }

    fn results(moments: &Moments) -> Vec<Vec<f64>> {
        let results = moments.moments.iter();
        vec![results.map(|one| f64::from(one.results[0])).collect()]
    }

    #[test]
    fn students_tails_are_those_of_tables() {
        for (t, freedom, expected) in [
            (2.045, 29.0, 0.05),
            (2.756, 29.0, 0.01),
            (1.984, 100.0, 0.05),
            (0.0, 29.0, 1.0),
        ] {
            let found = chance(t, freedom);
            assert!(
                (found - expected).abs() < 0.01 * expected,
                "{t} {freedom}: {found}"
            );
        }
    }

    #[test]
    fn what_means_nothing_is_chance_as_often_as_it_says() {
        // A number that stays the same in a game: states are anything but independent.
        let (mut below, mut all) = (0, 0);
        for seed in 0..400 {
            let (moments, looks, mut rng) = games(120, seed);
            let judge = Judge::new(&moments, &looks, &results(&moments), &[]);
            let of_game: Vec<f32> = (0..120).map(|_| rng.random_range(0..5) as f32).collect();
            let number = moments.moments.iter();
            let number: Vec<f32> = number.map(|one| of_game[one.game as usize]).collect();
            let effect = judge.effects(&number, false).expect("it varies")[0];
            all += 1;
            below += u32::from(effect.chance < 0.05);
        }
        // 20 are expected.
        assert!((6..=38).contains(&below), "{below} of {all} below 0.05");
    }

    #[test]
    fn what_decides_games_is_found_with_its_size() {
        let (mut moments, looks, mut rng) = games(500, 1);
        let mut number = Vec::new();
        for game in moments.moments.chunks_mut(4) {
            let more = rng.random_range(0..4) as f32;
            for moment in game {
                moment.results[0] = 0.5 * moment.results[0] + 10.0 * more;
                number.push(more);
            }
        }
        let judge = Judge::new(&moments, &looks, &results(&moments), &[]);
        let effect = judge.effects(&number, false).expect("it varies")[0];
        assert!(
            (effect.slope - 10.0).abs() < 3.0 * effect.error,
            "{effect:?}"
        );
        assert!(effect.chance < 1e-9, "{effect:?}");
        // Beside itself, nothing is left of it.
        let judge = Judge::new(&moments, &looks, &results(&moments), &[&number]);
        assert_eq!(judge.effects(&number, true), None);
    }

    #[test]
    fn the_age_of_a_game_explains_nothing() {
        // Results are higher in longer games, and so is what only counts plies.
        let (mut moments, looks, _) = games(300, 1);
        let mut at = 0;
        for game in moments.moments.chunks_mut(4) {
            let long = u32::from(game[0].game % 2 == 0);
            for moment in game {
                moment.ply = at % 4 + 40 * long;
                moment.results[0] = 100.0 * long as f32;
                at += 1;
            }
        }
        let judge = Judge::new(&moments, &looks, &results(&moments), &[]);
        let plies: Vec<f32> = moments.moments.iter().map(|one| one.ply as f32).collect();
        let effects = judge.effects(&plies, false);
        assert!(
            effects.is_none_or(|effects| effects[0].chance > 0.01),
            "the age counts"
        );
    }
}
