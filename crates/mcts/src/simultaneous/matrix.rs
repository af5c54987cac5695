//! An equilibrium of a payoff matrix.

use crate::Simultaneous;

/// The mixed strategies of two roles that do not see what the other chooses. `payoffs` has for
/// each move of the first role a row, with the payoffs of both for each move of the second.
///
/// Both play regret matching against each other, and later rounds count for more ("regret
/// matching+": Tammelin, Burch, Johanson and Bowling, "Solving Heads-up Limit Texas Hold'em",
/// 2015). In zero-sum games that converges to an equilibrium; in others it is a pair of
/// strategies with little regret.
pub(crate) fn solve(payoffs: &[Vec<[f64; 2]>], config: &Simultaneous) -> [Vec<f64>; 2] {
    let sizes = [payoffs.len(), payoffs.first().map_or(0, Vec::len)];
    let mut regrets = sizes.map(|size| vec![0.0f64; size]);
    let mut sums = regrets.clone();
    let rounds = config.max_payoffs / (sizes[0] * sizes[1]).max(1);
    let rounds = rounds.clamp(config.min_rounds, config.max_rounds);
    for round in 1..=rounds {
        // The roles alternate, so that each answers the present strategy of the other.
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

/// Divides by the sum; uniform if that is 0.
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
        // A saddle point.
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
