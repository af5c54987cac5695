//! The cost of building per ground rule, as a table, as CSV and as a chart.

use crate::statistics::{exponent, median};
use crate::worker::{Built, StageFigures};
use chart::{Across, Chart, Scale, Series};
use std::fmt::Write;

/// The cost of building one game.
#[derive(Debug, Clone, PartialEq)]
pub struct Figures {
    /// The name of the family.
    pub family: &'static str,
    /// Columns and rows.
    pub size: (usize, usize),
    /// The number of ground rules.
    pub rules: usize,
    /// Seconds from the text to the evaluator.
    pub seconds: f64,
    /// The peak memory less the memory before, in bytes.
    pub bytes: Option<u64>,
    /// The cost of each stage.
    pub stages: Vec<StageFigures>,
}

impl Figures {
    /// The medians of several builds of a game; `None` if no build reports the number of ground
    /// rules.
    pub fn of(family: &'static str, size: (usize, usize), builds: &[Built]) -> Option<Self> {
        let rules = builds.first()?.ground_rules?;
        let seconds: Vec<f64> = builds.iter().map(|built| built.seconds).collect();
        let peaks = builds.iter().filter_map(|built| {
            let grown = built.peak_bytes?.saturating_sub(built.bytes_before?);
            Some(grown as f64)
        });
        let stages = builds[0].stages.iter().enumerate().map(|(at, stage)| {
            let all = || builds.iter().filter_map(move |built| built.stages.get(at));
            let seconds: Vec<f64> = all().map(|stage| stage.seconds).collect();
            let bytes: Vec<f64> = all().filter_map(|s| Some(s.bytes? as f64)).collect();
            StageFigures {
                name: stage.name.clone(),
                seconds: median(&seconds).unwrap_or_default(),
                bytes: median(&bytes).map(|bytes| bytes as u64),
            }
        });
        Some(Figures {
            family,
            size,
            rules,
            seconds: median(&seconds)?,
            bytes: median(&peaks.collect::<Vec<f64>>()).map(|bytes| bytes as u64),
            stages: stages.collect(),
        })
    }

    fn micros_per_rule(&self, seconds: f64) -> f64 {
        seconds * 1e6 / self.rules as f64
    }

    fn bytes_per_rule(&self, bytes: Option<u64>) -> Option<f64> {
        Some(bytes? as f64 / self.rules as f64)
    }
}

/// The names of all stages, in order.
fn stages(all: &[Figures]) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for stage in all.iter().flat_map(|figures| &figures.stages) {
        if !names.contains(&stage.name.as_str()) {
            names.push(&stage.name);
        }
    }
    names
}

/// The families in order.
fn families(all: &[Figures]) -> Vec<&'static str> {
    let mut names: Vec<&'static str> = all.iter().map(|figures| figures.family).collect();
    names.dedup();
    names
}

/// Time and memory per ground rule, in total and by stage, with their growth.
pub fn table(all: &[Figures]) -> String {
    let stages = stages(all);
    let mut text = String::new();
    for (title, whole, unit) in [
        ("microseconds for each ground rule", "total s", 1.0),
        (
            "bytes for each ground rule, at most while the stage ran",
            "peak MiB",
            1048576.0,
        ),
    ] {
        let time = unit == 1.0;
        let _ = write!(
            text,
            "\n{title}\n{:<13} {:>6} {:>8} {:>9} {:>9}",
            "game", "size", "rules", whole, "all"
        );
        for stage in &stages {
            let _ = write!(text, " {stage:>9}");
        }
        text.push('\n');
        for figures in all {
            let (total, each) = match time {
                true => (
                    Some(figures.seconds),
                    Some(figures.micros_per_rule(figures.seconds)),
                ),
                false => (
                    figures.bytes.map(|bytes| bytes as f64),
                    figures.bytes_per_rule(figures.bytes),
                ),
            };
            let digits = if time { 3 } else { 1 };
            let _ = write!(
                text,
                "{:<13} {:>6} {:>8} {:>9} {:>9}",
                figures.family,
                format!("{}x{}", figures.size.0, figures.size.1),
                figures.rules,
                number(total.map(|total| total / unit), digits),
                number(each, if time { 2 } else { 0 }),
            );
            for name in &stages {
                let stage = figures.stages.iter().find(|stage| stage.name == *name);
                let each = match time {
                    true => stage.map(|stage| figures.micros_per_rule(stage.seconds)),
                    false => stage.and_then(|stage| figures.bytes_per_rule(stage.bytes)),
                };
                let _ = write!(text, " {:>9}", number(each, if time { 2 } else { 0 }));
            }
            text.push('\n');
        }
    }
    text.push('\n');
    for family in families(all) {
        let of: Vec<&Figures> = all
            .iter()
            .filter(|figures| figures.family == family)
            .collect();
        let time: Vec<(f64, f64)> = of.iter().map(|f| (f.rules as f64, f.seconds)).collect();
        let memory: Vec<(f64, f64)> = of
            .iter()
            .filter_map(|f| Some((f.rules as f64, f.bytes? as f64)))
            .collect();
        let last = |points: &[(f64, f64)]| exponent(&points[points.len().saturating_sub(2)..]);
        let _ = writeln!(
            text,
            "{family}: time grows as rules^{}, memory as rules^{}; \
             between the two largest ^{} and ^{}",
            number(exponent(&time), 2),
            number(exponent(&memory), 2),
            number(last(&time), 2),
            number(last(&memory), 2),
        );
    }
    text
}

fn number(value: Option<f64>, digits: usize) -> String {
    value.map_or("-".to_owned(), |value| format!("{value:.digits$}"))
}

/// One line for each game and stage; the stage `all` is the total.
pub fn csv(all: &[Figures]) -> String {
    let mut text = String::from("family,columns,rows,ground_rules,stage,seconds,bytes\n");
    for figures in all {
        let whole = StageFigures {
            name: "all".to_owned(),
            seconds: figures.seconds,
            bytes: figures.bytes,
        };
        for stage in std::iter::once(&whole).chain(&figures.stages) {
            let bytes = stage.bytes.map(|bytes| bytes.to_string());
            let _ = writeln!(
                text,
                "{},{},{},{},{},{:.6},{}",
                figures.family,
                figures.size.0,
                figures.size.1,
                figures.rules,
                stage.name,
                stage.seconds,
                bytes.unwrap_or_default()
            );
        }
    }
    text
}

/// Time and memory per ground rule, against the number of ground rules.
pub fn chart(all: &[Figures]) -> Chart {
    let mut series = Vec::new();
    for family in families(all) {
        let of = || all.iter().filter(move |figures| figures.family == family);
        series.push(Series {
            name: format!("{family}: µs"),
            points: of()
                .map(|f| (f.rules as f64, f.micros_per_rule(f.seconds)))
                .collect(),
            joined: true,
            ..Series::default()
        });
        series.push(Series {
            name: format!("{family}: bytes"),
            points: of()
                .filter_map(|f| Some((f.rules as f64, f.bytes_per_rule(f.bytes)?)))
                .collect(),
            joined: true,
            ..Series::default()
        });
    }
    Chart {
        title: "Cost of building for each ground rule, text to ready".to_owned(),
        across: Across::Values("ground rules".to_owned()),
        up: "microseconds, bytes".to_owned(),
        scale: Scale::Logarithmic,
        series,
        mark: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn built(rules: usize, seconds: f64, bytes: u64) -> Built {
        let stage = |name: &str, share: f64| StageFigures {
            name: name.to_owned(),
            seconds: seconds * share,
            bytes: Some((bytes as f64 * share) as u64),
        };
        Built {
            engine: "propnet".into(),
            fallback: None,
            seconds,
            peak_bytes: Some(bytes + (3 << 20)),
            bytes_before: Some(3 << 20),
            ground_rules: Some(rules),
            step: None,
            stages: vec![stage("ground", 0.75), stage("optimise", 0.25)],
        }
    }

    fn example() -> Vec<Figures> {
        let figures = |size, rules: usize, power: f64| {
            let seconds = 1e-5 * (rules as f64).powf(power);
            let slow = built(rules, seconds * 9.0, rules as u64 * 1000);
            let builds = [
                built(rules, seconds, rules as u64 * 1000),
                slow.clone(),
                slow,
            ];
            Figures::of("breakthrough", size, &builds).unwrap()
        };
        vec![
            figures((6, 6), 1000, 1.0),
            figures((8, 8), 2000, 1.0),
            figures((12, 12), 8000, 1.0),
        ]
    }

    #[test]
    fn the_whole_table() {
        insta::assert_snapshot!(table(&example()));
    }

    #[test]
    fn a_line_for_each_stage() {
        let text = csv(&example());
        assert_eq!(text.lines().count(), 1 + 3 * 3);
        assert!(
            text.contains("\nbreakthrough,6,6,1000,ground,0.067500,750000\n"),
            "{text}"
        );
    }

    #[test]
    fn the_chart_has_time_and_memory() {
        let chart = chart(&example());
        assert_eq!(chart.series.len(), 2);
        assert!((chart.series[0].points[0].1 - 90.0).abs() < 1e-6);
        assert!((chart.series[1].points[2].1 - 1000.0).abs() < 1e-6);
    }

    #[test]
    fn games_without_a_network_have_no_ground_rules() {
        let mut build = built(1, 1.0, 1);
        build.ground_rules = None;
        assert_eq!(Figures::of("breakthrough", (6, 6), &[build]), None);
        assert_eq!(Figures::of("breakthrough", (6, 6), &[]), None);
    }
}
