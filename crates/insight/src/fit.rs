//! The linear part of what explains something: one weight for each fact.
//!
//! Ridge regression by conjugate gradients (Hestenes and Stiefel, "Methods of conjugate gradients
//! for solving linear systems", 1952). What facts leave open between them, such as the worth of a
//! square that is never empty, is divided evenly.

use crate::judge::{Judge, product};
use crate::moments::{Moments, facts};
use budget::Budget;

/// Rounds, at most.
const ROUNDS: usize = 60;
/// Each weight is drawn to 0 as if so many moments had shown that it is 0.
const RIDGE: f64 = 5.0;
/// The part of the first error at which it is good enough.
const GOOD: f64 = 1e-6;

/// A weight for each fact.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Fit {
    /// By how much it is more where the fact holds, other facts being equal.
    pub weights: Vec<f64>,
    /// The part of the variance that the weights explain, 0 to 1.
    pub explained: f64,
}

/// Explains `wanted`, a number for each moment, by some of the facts. Only moments of a kind are
/// compared. Where the budget ends early, weights are nearer to 0.
pub fn fit(
    moments: &Moments,
    judge: &Judge,
    wanted: &[f64],
    used: &[bool],
    budget: &Budget,
) -> Fit {
    let rows: Vec<Vec<u32>> = moments
        .moments
        .iter()
        .map(|moment| {
            let held = facts(&moment.state);
            held.filter(|&fact| used.get(fact as usize) == Some(&true))
                .collect()
        })
        .collect();
    let mut wanted = wanted.to_vec();
    judge.subtract_means(&mut wanted);
    let predict = |weights: &[f64]| {
        let rows = rows.iter();
        let sums = rows.map(|row| row.iter().map(|&fact| weights[fact as usize]).sum());
        let mut sums: Vec<f64> = sums.collect();
        judge.subtract_means(&mut sums);
        sums
    };
    // The sums over moments of what is free of means already.
    let collect = |of_moment: &[f64]| {
        let mut sums = vec![0.0; used.len()];
        for (row, one) in rows.iter().zip(of_moment) {
            row.iter().for_each(|&fact| sums[fact as usize] += one);
        }
        sums
    };
    let mut weights = vec![0.0; used.len()];
    let mut rest = collect(&wanted);
    let mut way = rest.clone();
    let mut error = product(&rest, &rest);
    let first = error;
    for _ in 0..ROUNDS {
        if error <= GOOD * first || budget.check().is_err() {
            break;
        }
        let mut image = collect(&predict(&way));
        image
            .iter_mut()
            .zip(&way)
            .for_each(|(one, way)| *one += RIDGE * way);
        let step = error / product(&way, &image);
        for (at, image) in image.iter().enumerate() {
            weights[at] += step * way[at];
            rest[at] -= step * image;
        }
        let before = std::mem::replace(&mut error, product(&rest, &rest));
        let turn = error / before;
        way.iter_mut()
            .zip(&rest)
            .for_each(|(way, rest)| *way = rest + turn * *way);
    }
    let all = product(&wanted, &wanted);
    let left: f64 = predict(&weights)
        .iter()
        .zip(&wanted)
        .map(|(one, wanted)| (wanted - one).powi(2))
        .sum();
    let explained = match all > 0.0 {
        true => (1.0 - left / all).clamp(0.0, 1.0),
        false => 0.0,
    };
    Fit { weights, explained }
}
