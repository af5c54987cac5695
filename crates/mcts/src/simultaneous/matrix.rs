//! What to make of a table of payoffs.

use crate::Simultaneous;

/// How often each of two roles should make each of its moves, when nobody sees what the other
/// chooses. `payoffs` has for each move of the first a row, with what both get for each move of the
/// second.
///
/// Both play by their regrets against each other and are weighted by the round ("regret
/// matching+": Tammelin, Burch, Johanson and Bowling, "Solving Heads-up Limit Texas Hold'em", 2015). Where one gets what the other loses, that
/// comes near an equilibrium; elsewhere it is a way of play that neither of them much regrets.
pub(crate) fn solve(payoffs: &[Vec<[f64; 2]>], config: &Simultaneous) -> [Vec<f64>; 2] {
    let sizes = [payoffs.len(), payoffs.first().map_or(0, Vec::len)];
    let mut regrets = sizes.map(|size| vec![0.0f64; size]);
    let mut sums = regrets.clone();
    let rounds = config.max_payoffs / (sizes[0] * sizes[1]).max(1);
    let rounds = rounds.clamp(config.min_rounds, config.max_rounds);
    for round in 1..=rounds {
        // One after the other, so that each answers what the other does now.
        for own in 0..2 {
            let now = [normalise(&regrets[0]), normalise(&regrets[1])];
            let mut worth = vec![0.0; sizes[own]];
            for (a, row) in payoffs.iter().enumerate() {
                for (b, cell) in row.iter().enumerate() {
                    let (mine, other) = if own == 0 { (a, b) } else { (b, a) };
                    worth[mine] += now[1 - own][other] * cell[own];
                }
            }
            let mean: f64 = now[own].iter().zip(&worth).map(|(p, w)| p * w).sum();
            for (regret, worth) in regrets[own].iter_mut().zip(&worth) {
                *regret = (*regret + worth - mean).max(0.0);
            }
            let weight = round as f64;
            for (sum, chance) in sums[own].iter_mut().zip(normalise(&regrets[own])) {
                *sum += weight * chance;
            }
        }
    }
    sums.map(|sums| normalise(&sums))
}

/// Shares of a sum; equal ones if it is nothing.
fn normalise(parts: &[f64]) -> Vec<f64> {
    let sum: f64 = parts.iter().sum();
    let even = 1.0 / parts.len().max(1) as f64;
    let share = |part: &f64| if sum > 0.0 { part / sum } else { even };
    parts.iter().map(share).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zero_sum(rows: &[&[f64]]) -> [Vec<f64>; 2] {
        let cell = |&value: &f64| [value, 1.0 - value];
        let rows: Vec<Vec<[f64; 2]>> = rows
            .iter()
            .map(|row| row.iter().map(cell).collect())
            .collect();
        solve(&rows, &Simultaneous::default())
    }

    fn near(found: &[f64], expected: &[f64]) {
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 0.005, "{found} for {expected}");
        }
    }

    #[test]
    fn equilibria_are_found() {
        let third = [1.0 / 3.0; 3];
        let [a, b] = zero_sum(&[&[0.5, 0.0, 1.0], &[1.0, 0.5, 0.0], &[0.0, 1.0, 0.5]]);
        near(&a, &third);
        near(&b, &third);
        // By hand: p · 3 + (1 - p) · 1 = p · 0 + (1 - p) · 2 gives p = 1/4, and likewise q = 1/2.
        let [a, b] = zero_sum(&[&[0.6, 0.0], &[0.2, 0.4]]);
        near(&a, &[0.25, 0.75]);
        near(&b, &[0.5, 0.5]);
        // A saddle.
        let [a, b] = zero_sum(&[&[0.4, 0.5], &[0.1, 0.9]]);
        near(&a, &[1.0, 0.0]);
        near(&b, &[1.0, 0.0]);
    }

    #[test]
    fn dominated_moves_are_not_played() {
        let rows = vec![vec![[0.6, 0.6], [0.0, 1.0]], vec![[1.0, 0.0], [0.2, 0.2]]];
        let [a, b] = solve(&rows, &Simultaneous::default());
        near(&a, &[0.0, 1.0]);
        near(&b, &[0.0, 1.0]);
    }
}
