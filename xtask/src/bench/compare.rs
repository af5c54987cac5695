//! Comparison of two runs.

use super::results::{Row, Run};
use crate::statistics::geometric_mean;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The prefix of the other build's evaluators, in a run that measured two builds in turns.
pub const OLD: &str = "old ";

/// A row of the new run and the corresponding row of the old run.
type Pair<'a> = (&'a Row, &'a Row);

/// The figures of `new` as ratios to those of `old`. Above 1 is faster, or for memory larger.
pub fn compare(new: &Run, old: &Run) -> String {
    let mut text = String::new();
    if new.machine.cpu != old.machine.cpu || new.conditions.time != old.conditions.time {
        let _ = writeln!(
            text,
            "not comparable: {} of {} beside {} of {}",
            new.conditions.time.describe(),
            new.machine.cpu,
            old.conditions.time.describe(),
            old.machine.cpu
        );
    }
    let before: BTreeMap<_, &Row> = old.rows.iter().map(|row| (row.key(), row)).collect();
    let pairs = new.rows.iter();
    let pairs = pairs.filter_map(|row| Some((row, *before.get(&row.key())?)));
    text + &ratios(&pairs.collect::<Vec<Pair<'_>>>())
}

/// The ratios within one run that measured two builds in turns; empty if it did not.
pub fn compare_within(run: &Run) -> String {
    let before: BTreeMap<_, &Row> = run.rows.iter().map(|row| (row.key(), row)).collect();
    let pairs = run.rows.iter().filter_map(|row| {
        let label = format!("{OLD}{}", row.evaluator);
        let old = before.get(&(row.game.as_str(), label.as_str(), row.threads))?;
        Some((row, *old))
    });
    let pairs: Vec<Pair<'_>> = pairs.collect();
    match pairs.is_empty() {
        true => String::new(),
        false => ratios(&pairs),
    }
}

/// A line for each pair, then geometric means.
fn ratios(pairs: &[Pair<'_>]) -> String {
    let mut text = format!(
        "{:<32} {:<10} {:>3} {:>13} {:>13} {:>6} {:>6} {:>7}\n",
        "game", "engine", "thr", "old states/s", "new states/s", "ratio", "build", "memory"
    );
    let mut groups: BTreeMap<(&str, usize), Group> = BTreeMap::new();
    for &(new, old) in pairs {
        let group = groups.entry((&new.evaluator, new.threads)).or_default();
        group.add(new, old);
        let figure = |value: Option<f64>, digits: usize| match value {
            Some(value) => format!("{value:.digits$}"),
            None => "-".to_owned(),
        };
        let _ = writeln!(
            text,
            "{:<32} {:<10} {:>3} {:>13} {:>13} {:>6} {:>6} {:>7}",
            new.game,
            new.evaluator,
            new.threads,
            figure(old.states_per_second(), 0),
            figure(new.states_per_second(), 0),
            figure(speeds(new, old), 3),
            figure(builds(new, old), 3),
            figure(memories(new, old), 3),
        );
    }
    for ((evaluator, threads), group) in groups {
        let _ = write!(text, "{evaluator}, {threads} thr: {}", group.describe());
    }
    text
}

/// The ratio of the speeds; above 1 the new one is faster.
fn speeds(new: &Row, old: &Row) -> Option<f64> {
    Some(new.states_per_second()? / old.states_per_second()?)
}

/// The ratio of the build speeds; above 1 the new one builds faster.
fn builds(new: &Row, old: &Row) -> Option<f64> {
    Some(old.build.as_ref()?.seconds / new.build.as_ref()?.seconds)
}

/// The ratio of the memory; above 1 the new one uses more.
fn memories(new: &Row, old: &Row) -> Option<f64> {
    Some(new.peak_bytes()? as f64 / old.peak_bytes()? as f64)
}

/// Pairs of one evaluator and number of threads.
#[derive(Default)]
struct Group {
    speeds: Vec<(f64, String)>,
    builds: Vec<f64>,
    memories: Vec<f64>,
    /// Games that only the new run played; `lost` are those that only the old run played.
    gained: Vec<String>,
    lost: Vec<String>,
}

impl Group {
    fn add(&mut self, new: &Row, old: &Row) {
        self.builds.extend(builds(new, old));
        self.memories.extend(memories(new, old));
        let game = new.game.clone();
        match (speeds(new, old), &new.speed, &old.speed) {
            (Some(ratio), _, _) => self.speeds.push((ratio, game)),
            (None, Some(_), None) => self.gained.push(game),
            (None, None, Some(_)) => self.lost.push(game),
            _ => {}
        }
    }

    fn describe(&self) -> String {
        let ratios: Vec<f64> = self.speeds.iter().map(|speed| speed.0).collect();
        let mut text = String::new();
        let mean = |values: &[f64]| geometric_mean(values).unwrap_or(f64::NAN);
        let worst = self.speeds.iter().min_by(|a, b| a.0.total_cmp(&b.0));
        let best = self.speeds.iter().max_by(|a, b| a.0.total_cmp(&b.0));
        if let (Some(worst), Some(best)) = (worst, best) {
            let _ = write!(
                text,
                "{:.3} times as fast in the geometric mean of {} games, {:.3} ({}) to {:.3} ({}); ",
                mean(&ratios),
                ratios.len(),
                worst.0,
                worst.1,
                best.0,
                best.1
            );
        }
        let _ = writeln!(
            text,
            "built {:.3} times as fast, with {:.3} times the memory",
            mean(&self.builds),
            mean(&self.memories)
        );
        for (what, games) in [
            ("played now", &self.gained),
            ("no longer played", &self.lost),
        ] {
            if !games.is_empty() {
                let _ = writeln!(text, "  {what}: {}", games.join(", "));
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::super::results::examples::{row, run};
    use super::*;

    #[test]
    fn games_of_both_runs_as_ratios() {
        let old = run(vec![
            row("a", "propnet", 1, 1.0, 1e6),
            row("b", "propnet", 1, 1.0, 1e6),
            row("lost", "propnet", 1, 1.0, 1e6),
            row("gained", "propnet", 1, -1.0, 0.0),
            row("gone", "propnet", 1, 1.0, 1e6),
        ]);
        let mut new = run(vec![
            row("a", "propnet", 1, 0.5, 4e6),
            row("b", "propnet", 1, 2.0, 1e6),
            row("lost", "propnet", 1, -1.0, 0.0),
            row("gained", "propnet", 1, 1.0, 1e6),
            row("a", "lanes", 1, 1.0, 1e8),
        ]);
        insta::assert_snapshot!(compare(&new, &old));
        new.machine.cpu = "another".into();
        assert!(compare(&new, &old).starts_with("not comparable: "));
    }

    #[test]
    fn two_builds_in_one_run_are_compared() {
        let both = run(vec![
            row("a", "propnet", 1, 1.0, 3e6),
            row("a", "old propnet", 1, 1.0, 1e6),
            row("b", "propnet", 1, 1.0, 3e6),
        ]);
        let text = compare_within(&both);
        assert!(
            text.contains("3.000 times as fast in the geometric mean of 1 games"),
            "{text}"
        );
        assert_eq!(
            compare_within(&run(vec![row("a", "propnet", 1, 1.0, 1.0)])),
            ""
        );
    }
}
