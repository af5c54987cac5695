//! Medians, quantiles, geometric means and slopes.

/// The quantile for a share of 0 to 1, by the nearest rank.
pub fn quantile(values: &[f64], share: f64) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().checked_sub(1)?;
    sorted.get((share * last as f64).round() as usize).copied()
}

/// The median; for an even number of values, the mean of the two middle values.
pub fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let half = sorted.len() / 2;
    match sorted.len() {
        0 => None,
        n if n % 2 == 1 => Some(sorted[half]),
        _ => Some((sorted[half - 1] + sorted[half]) / 2.0),
    }
}

/// The geometric mean of positive values.
pub fn geometric_mean(values: &[f64]) -> Option<f64> {
    let logs: f64 = values.iter().map(|value| value.ln()).sum();
    (!values.is_empty()).then(|| (logs / values.len() as f64).exp())
}

/// The exponent `e` of the power law `y = c * x^e` that fits the points best, by least squares
/// on the logarithms. `None` for fewer than two different `x`.
pub fn exponent(points: &[(f64, f64)]) -> Option<f64> {
    let logs: Vec<(f64, f64)> = points.iter().map(|&(x, y)| (x.ln(), y.ln())).collect();
    let count = logs.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| logs.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let across: f64 = logs.iter().map(|p| (p.0 - x).powi(2)).sum();
    let along: f64 = logs.iter().map(|p| (p.0 - x) * (p.1 - y)).sum();
    (across > 0.0).then(|| along / across)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_of_few_values() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0]), Some(2.5));
        assert_eq!(quantile(&[], 0.5), None);
        assert_eq!(quantile(&[1.0, 2.0, 3.0, 4.0, 5.0], 0.95), Some(5.0));
        assert_eq!(quantile(&[1.0, 2.0, 3.0, 4.0, 5.0], 0.5), Some(3.0));
        assert_eq!(geometric_mean(&[]), None);
        assert!((geometric_mean(&[2.0, 8.0]).unwrap() - 4.0).abs() < 1e-12);
    }

    #[test]
    fn the_exponent_of_a_power_law() {
        let points: Vec<(f64, f64)> = [1.0, 3.0, 10.0, 70.0]
            .map(|x: f64| (x, 5.0 * x.powf(1.5)))
            .into();
        assert!((exponent(&points).unwrap() - 1.5).abs() < 1e-12);
        assert_eq!(exponent(&[(1.0, 1.0), (1.0, 2.0)]), None);
        assert_eq!(exponent(&[]), None);
    }
}
