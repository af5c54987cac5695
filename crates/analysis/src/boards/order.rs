//! The order of the values along an axis, from the ties between them.
//!
//! Neighbouring values are tied more strongly than others. So once the values are in order, the
//! matrix of ties decreases away from its diagonal, and the second eigenvector of its Laplacian
//! is monotone in that order (Atkins, Boman and Hendrickson, "A spectral algorithm for seriation
//! and the consecutive ones problem", 1998).

/// Iterations towards the eigenvector.
const ROUNDS: usize = 400;
/// Maximum length of an axis.
pub(super) const LONGEST: usize = 64;

/// The quality of an order: shares of all triples of values.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub(super) struct Fit {
    /// The share that contradict it: the outer two are tied more strongly than two that are
    /// closer.
    pub against: f64,
    /// The share that support it: the outer two are tied less than one of the pairs that are
    /// closer.
    pub support: f64,
}

/// Orders the values 0..n by the strengths of their ties, `weights[a][b]`; `None` if the ties do
/// not connect them all.
pub(super) fn seriate(weights: &[Vec<f64>]) -> Option<Vec<usize>> {
    let n = weights.len();
    if !(2..=LONGEST).contains(&n) || !connected(weights) {
        return None;
    }
    let degree: Vec<f64> = weights.iter().map(|row| row.iter().sum()).collect();
    // Twice the largest degree bounds the eigenvalues. Shifting by it turns the smallest
    // eigenvalues into the largest, which power iteration finds.
    let shift = 2.0 * degree.iter().copied().fold(0.0, f64::max);
    // Any start that is not an eigenvector works.
    let mut vector: Vec<f64> = (0..n)
        .map(|i| ((i * 7 + 3) % 11) as f64 + i as f64 * 0.1)
        .collect();
    for _ in 0..ROUNDS.max(4 * n * n).min(20_000) {
        let mean = vector.iter().sum::<f64>() / n as f64;
        vector.iter_mut().for_each(|x| *x -= mean);
        let norm = vector.iter().map(|x| x * x).sum::<f64>().sqrt();
        if norm < 1e-12 {
            return None;
        }
        vector.iter_mut().for_each(|x| *x /= norm);
        let next = (0..n).map(|i| {
            let pulled: f64 = weights[i].iter().zip(&vector).map(|(w, x)| w * x).sum();
            (shift - degree[i]) * vector[i] + pulled
        });
        vector = next.collect();
    }
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&a, &b| vector[a].total_cmp(&vector[b]));
    Some(order)
}

fn connected(weights: &[Vec<f64>]) -> bool {
    let mut seen = vec![false; weights.len()];
    let mut open = vec![0];
    while let Some(at) = open.pop() {
        if !std::mem::replace(&mut seen[at], true) {
            let tied = weights[at].iter().enumerate().filter(|(_, w)| **w > 0.0);
            open.extend(tied.map(|(other, _)| other));
        }
    }
    seen.iter().all(|seen| *seen)
}

/// The quality of an order.
pub(super) fn fit(weights: &[Vec<f64>], order: &[usize]) -> Fit {
    let (mut against, mut support, mut all) = (0u32, 0u32, 0u32);
    let largest = weights.iter().flatten().copied().fold(0.0, f64::max);
    for (i, &a) in order.iter().enumerate() {
        for (j, &b) in order.iter().enumerate().skip(i + 1) {
            for &c in &order[j + 1..] {
                let (outer, left, right) = (weights[a][c], weights[a][b], weights[b][c]);
                // Samples are noisy, and a tie that is weak compared with all others means
                // little.
                let slack = 1e-9 + 0.15 * outer + 0.05 * largest;
                all += 1;
                against += u32::from(outer > left.min(right) + slack);
                support += u32::from(outer + slack < left.max(right));
            }
        }
    }
    let part = |count: u32| f64::from(count) / f64::from(all.max(1));
    Fit {
        against: part(against),
        support: part(support),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values at points of a line, tied more strongly the closer they are.
    fn line(places: &[i32], tie: impl Fn(i32) -> f64) -> Vec<Vec<f64>> {
        let row = |a: i32| -> Vec<f64> {
            let others = places.iter().map(|b| (a - b).abs());
            others.map(|d| if d == 0 { 0.0 } else { tie(d) }).collect()
        };
        places.iter().map(|&a| row(a)).collect()
    }

    #[test]
    fn seriation_does_not_depend_on_the_input_order() {
        let places = [4, 0, 6, 2, 7, 1, 3, 5];
        for tie in [
            (|d| f64::from(d == 1)) as fn(i32) -> f64,
            |d| f64::from((8 - d).max(0)),
            |d| if d < 4 { f64::from(4 - d) } else { 0.0 },
        ] {
            let weights = line(&places, tie);
            let order = seriate(&weights).unwrap();
            let mut found: Vec<i32> = order.iter().map(|&i| places[i]).collect();
            if found[0] > 0 {
                found.reverse();
            }
            assert_eq!(found, [0, 1, 2, 3, 4, 5, 6, 7]);
            assert_eq!(fit(&weights, &order).against, 0.0);
        }
    }

    #[test]
    fn equal_ties_give_no_order() {
        let weights = line(&[0, 1, 2, 3], |_| 1.0);
        let fit = fit(&weights, &[0, 1, 2, 3]);
        assert_eq!((fit.against, fit.support), (0.0, 0.0));
        assert_eq!(seriate(&line(&[0, 1, 2], |_| 0.0)), None);
    }
}
