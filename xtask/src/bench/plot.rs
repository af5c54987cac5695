//! The figures as a chart: games from left to right, slowest first.

use super::baseline::Baseline;
use super::results::{Row, Run};
use super::table::ratio;
use chart::{Across, Chart, Scale, Series};
use std::collections::BTreeMap;

/// Ratios to a baseline, or without one speeds, of one thread.
pub fn chart(run: &Run, baseline: Option<&Baseline>) -> Chart {
    let value = |row: &Row| match baseline {
        Some(baseline) => ratio(row, baseline),
        None => row.states_per_second(),
    };
    // Ordered by the fastest evaluator of each game.
    let mut games: BTreeMap<&str, f64> = BTreeMap::new();
    let mut evaluators: Vec<&str> = Vec::new();
    let singles = || {
        run.rows
            .iter()
            .filter(|row| row.threads == 1 && !row.searches())
    };
    for row in singles() {
        let Some(value) = value(row) else { continue };
        let best = games.entry(&row.game).or_insert(value);
        *best = best.max(value);
        if !evaluators.contains(&row.evaluator.as_str()) {
            evaluators.push(&row.evaluator);
        }
    }
    let mut order: Vec<(&str, f64)> = games.into_iter().collect();
    order.sort_by(|a, b| a.1.total_cmp(&b.1));
    let place: BTreeMap<&str, usize> = order.iter().enumerate().map(|(at, g)| (g.0, at)).collect();
    let series = evaluators.iter().map(|&evaluator| Series {
        name: evaluator.to_owned(),
        points: singles()
            .filter(|row| row.evaluator == evaluator)
            .filter_map(|row| Some((*place.get(row.game.as_str())? as f64, value(row)?)))
            .collect(),
        ..Series::default()
    });
    let what = match baseline {
        Some(baseline) => format!("times the states per second of {}", baseline.name),
        None => "states per second".to_owned(),
    };
    Chart {
        title: "Random playouts, one thread".to_owned(),
        across: Across::Names(order.iter().map(|game| game.0.to_owned()).collect()),
        up: what,
        scale: Scale::Logarithmic,
        series: series.collect(),
        mark: baseline.map(|_| 1.0),
    }
}

#[cfg(test)]
mod tests {
    use super::super::baseline::Figures;
    use super::super::results::examples::{row, run};
    use super::*;

    #[test]
    fn games_are_ordered_by_their_fastest_evaluator() {
        let run = run(vec![
            row("fast", "reasoner", 1, 0.1, 10.0),
            row("fast", "propnet", 1, 0.1, 1e6),
            row("slow", "reasoner", 1, 0.1, 20.0),
            row("slow", "propnet", 1, -1.0, 0.0),
            row("slow", "reasoner", 2, 0.1, 1e9),
        ]);
        let speeds = chart(&run, None);
        let Across::Names(names) = &speeds.across else {
            panic!("games have names");
        };
        assert_eq!(names, &["slow", "fast"]);
        assert_eq!(speeds.series[0].points, [(1.0, 10.0), (0.0, 20.0)]);
        assert_eq!(speeds.series[1].points, [(1.0, 1e6)]);
        let figures = Figures {
            states_per_second: 5.0,
            mean_length: None,
        };
        let baseline = Baseline {
            name: "other".into(),
            games: [("slow".to_owned(), figures)].into(),
        };
        let ratios = chart(&run, Some(&baseline));
        assert_eq!(ratios.series.len(), 1);
        assert_eq!(ratios.series[0].points, [(0.0, 4.0)]);
    }
}
