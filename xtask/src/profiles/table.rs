//! The times of profiles as text.

use super::Timed;
use crate::statistics::{median, quantile};
use std::collections::BTreeMap;
use std::fmt::Write;

/// A line for a game: its time, its longest analyses, and which of them were cut off.
pub fn line(timed: &Timed) -> String {
    let mut stages: Vec<_> = timed.stages.iter().collect();
    stages.sort_by_key(|stage| std::cmp::Reverse(stage.time));
    let mut line = format!("{:<32} {:>7.3}", timed.game, timed.time.as_secs_f64());
    for stage in stages {
        if stage.cut.is_some() || stage.time * 5 > timed.time {
            let cut = if stage.cut.is_some() { " cut" } else { "" };
            let seconds = stage.time.as_secs_f64();
            // Writing to a string cannot fail.
            let _ = write!(line, "  {} {seconds:.3}{cut}", stage.name);
        }
    }
    line
}

/// A summary of all games: the times of each analysis and of the whole, and how often each was
/// cut off.
pub fn summary(all: &[Timed]) -> String {
    let mut times: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    let mut cuts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut order = Vec::new();
    for stage in all.iter().flat_map(|timed| &timed.stages) {
        if !order.contains(&stage.name) {
            order.push(stage.name);
        }
        let seconds = stage.time.as_secs_f64();
        times.entry(stage.name).or_default().push(seconds);
        *cuts.entry(stage.name).or_default() += usize::from(stage.cut.is_some());
    }
    let whole = all.iter().map(|timed| timed.time.as_secs_f64());
    times.insert("profile", whole.collect());
    let cut = |timed: &&Timed| timed.stages.iter().any(|stage| stage.cut.is_some());
    cuts.insert("profile", all.iter().filter(cut).count());
    order.push("profile");

    let mut text = format!(
        "\n{} games\n{:<12} {:>8} {:>8} {:>8} {:>5}\n",
        all.len(),
        "seconds",
        "median",
        "95%",
        "most",
        "cut"
    );
    for name in order {
        let times = times.get(name).map_or(&[][..], Vec::as_slice);
        let figure = |value: Option<f64>| value.unwrap_or(f64::NAN);
        let _ = writeln!(
            text,
            "{name:<12} {:>8.3} {:>8.3} {:>8.3} {:>5}",
            figure(median(times)),
            figure(quantile(times, 0.95)),
            figure(quantile(times, 1.0)),
            cuts.get(name).unwrap_or(&0)
        );
    }
    text
}
