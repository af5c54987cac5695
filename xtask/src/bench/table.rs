//! The figures as text: a line for each row, then a summary.

use super::baseline::Baseline;
use super::compare::OLD;
use super::results::{Row, Run};
use crate::statistics::{geometric_mean, median, quantile};
use crate::worker::{PROOFS, SEARCH};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The tolerance for the difference of mean playout lengths, as a share. A larger difference is
/// reported: the two programs then hardly play the same game, and their speeds cannot be
/// compared.
const LENGTH_TOLERANCE: f64 = 0.1;

/// The header line.
pub fn header(baselines: &[Baseline]) -> String {
    let mut line = format!(
        "{:<32} {:<10} {:>3} {:>8} {:>6} {:>12} {:>13} {:>4} {:>7} {:>9}",
        "game",
        "engine",
        "thr",
        "build s",
        "MiB",
        "playouts/s",
        "states/s",
        "±%",
        "length",
        "nodes/s"
    );
    for baseline in baselines {
        let _ = write!(line, " {:>11}", format!("×{}", baseline.name));
    }
    line
}

/// The line of one row.
pub fn line(row: &Row, baselines: &[Baseline]) -> String {
    let mut line = format!("{:<32} {:<10} {:>3}", row.game, row.evaluator, row.threads);
    let figure = |value: Option<f64>, digits: usize| match value {
        Some(value) => format!("{value:.digits$}"),
        None => "-".to_owned(),
    };
    let build = row.build.as_ref();
    let mebibytes = row
        .peak_bytes()
        .map(|bytes| bytes as f64 / f64::from(1 << 20));
    let _ = write!(
        line,
        " {:>8} {:>6}",
        figure(build.map(|build| build.seconds), 3),
        figure(mebibytes, 0)
    );
    let Some(speed) = &row.speed else {
        let _ = write!(line, "  {}", row.problem.as_deref().unwrap_or("not played"));
        return line;
    };
    let _ = write!(
        line,
        " {:>12} {:>13} {:>4.0} {:>7.1} {:>9}",
        rate(speed.playouts_per_second),
        rate(speed.states_per_second),
        speed.spread() * 100.0,
        speed.mean_length,
        speed.nodes_per_second.map(rate).unwrap_or_default()
    );
    for baseline in baselines {
        let ratio = ratio(row, baseline).map(|ratio| format!("{ratio:.2}"));
        let _ = write!(line, " {:>11}", ratio.unwrap_or_default());
    }
    line.trim_end().to_owned()
}

/// A speed, with one more digit if it is small.
fn rate(speed: f64) -> String {
    let digits = if speed < 100.0 { 1 } else { 0 };
    format!("{speed:.digits$}")
}

/// The ratio of a row's speed to that of the baseline, which only runs playouts.
pub fn ratio(row: &Row, baseline: &Baseline) -> Option<f64> {
    if row.searches() {
        return None;
    }
    let theirs = baseline.games.get(&row.game)?.states_per_second;
    Some(row.states_per_second()? / theirs)
}

/// The summary of all rows.
pub fn summary(run: &Run, baselines: &[Baseline]) -> String {
    let mut groups: BTreeMap<(&str, usize), Vec<&Row>> = BTreeMap::new();
    for row in &run.rows {
        let (_, evaluator, threads) = row.key();
        groups.entry((evaluator, threads)).or_default().push(row);
    }
    let mut text = String::new();
    for (&(evaluator, threads), rows) in &groups {
        let of = match threads {
            1 => evaluator.to_owned(),
            n => format!("{evaluator} on {n} threads"),
        };
        let played = rows.iter().filter(|row| row.speed.is_some()).count();
        let _ = writeln!(text, "\n{of}: {played} of {} games played", rows.len());
        ratios(&mut text, rows, baselines);
        engines(&mut text, rows);
        searching(&mut text, rows);
        if threads == 1 {
            building(&mut text, rows);
            lengths(&mut text, rows, baselines);
        } else {
            scaling(&mut text, rows, groups.get(&(evaluator, 1)), threads);
        }
    }
    let singles = groups
        .iter()
        .filter(|(key, _)| key.1 == 1 && competes(key.0));
    let singles: Vec<&Vec<&Row>> = singles.map(|group| group.1).collect();
    if singles.len() > 1 {
        let mut best: BTreeMap<&str, &Row> = BTreeMap::new();
        for &row in singles.into_iter().flatten() {
            let entry = best.entry(&row.game).or_insert(row);
            if row.states_per_second() > entry.states_per_second() {
                *entry = row;
            }
        }
        let best: Vec<&Row> = best.into_values().collect();
        let _ = writeln!(text, "\nthe fastest of each game:");
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for row in best.iter().filter(|row| row.speed.is_some()) {
            *counts.entry(&row.evaluator).or_default() += 1;
        }
        let counts = counts.iter().map(|(name, count)| format!("{name} {count}"));
        let _ = writeln!(text, "  {}", counts.collect::<Vec<_>>().join(", "));
        ratios(&mut text, &best, baselines);
    }
    text
}

/// Whether an evaluator can be the fastest of a game. Evaluators of another build, evaluators
/// that choose among the others, and searches cannot.
fn competes(evaluator: &str) -> bool {
    if [SEARCH, PROOFS].contains(&evaluator) {
        return false;
    }
    let chooses = prepare::evaluator(evaluator).is_ok_and(|evaluator| evaluator.chooses());
    !evaluator.starts_with(OLD) && !chooses
}

/// The number of different names, and the count of each as text.
fn counts<'a>(names: impl Iterator<Item = &'a str>) -> (usize, String) {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for name in names {
        *counts.entry(name).or_default() += 1;
    }
    let each = counts.iter().map(|(name, count)| format!("{name} {count}"));
    (counts.len(), each.collect::<Vec<_>>().join(", "))
}

/// The engines that were chosen or fallen back to, if they differ between games.
fn engines(text: &mut String, rows: &[&Row]) {
    let built = rows.iter().filter_map(|row| row.build.as_ref());
    let (different, each) = counts(built.map(|build| build.engine.as_str()));
    if different > 1 {
        let _ = writeln!(text, "  took {each}");
    }
}

/// The ratios of the rows to each baseline.
fn ratios(text: &mut String, rows: &[&Row], baselines: &[Baseline]) {
    for baseline in baselines {
        let ratios = rows
            .iter()
            .filter_map(|row| Some((ratio(row, baseline)?, row)));
        let ratios: Vec<(f64, &&Row)> = ratios.collect();
        let values: Vec<f64> = ratios.iter().map(|&(ratio, _)| ratio).collect();
        let least = ratios.iter().min_by(|a, b| a.0.total_cmp(&b.0));
        let most = ratios.iter().max_by(|a, b| a.0.total_cmp(&b.0));
        let (Some(mean), Some(least), Some(most)) = (geometric_mean(&values), least, most) else {
            continue;
        };
        let _ = writeln!(
            text,
            "  {mean:.2} times {} in the geometric mean of {} games; worst {:.2} ({}), best {:.2} ({})",
            baseline.name,
            values.len(),
            least.0,
            least.1.game,
            most.0,
            most.1.game
        );
    }
}

/// The work of searches per second.
fn searching(text: &mut String, rows: &[&Row]) {
    let speeds = rows.iter().filter_map(|row| row.speed.as_ref());
    let searches = speeds.filter_map(|speed| {
        let nodes = speed.nodes_per_second?;
        Some((speed.playouts_per_second, nodes))
    });
    let (playouts, nodes): (Vec<f64>, Vec<f64>) = searches.unzip();
    if let (Some(playouts), Some(nodes)) = (geometric_mean(&playouts), geometric_mean(&nodes)) {
        let _ = writeln!(
            text,
            "  {playouts:.0} playouts/s and {nodes:.0} nodes/s in the geometric mean"
        );
    }
}

fn building(text: &mut String, rows: &[&Row]) {
    let built = rows
        .iter()
        .filter_map(|row| Some((row.build.as_ref()?.seconds, row)));
    let built: Vec<(f64, &&Row)> = built.collect();
    let seconds: Vec<f64> = built.iter().map(|&(seconds, _)| seconds).collect();
    let longest = built.iter().max_by(|a, b| a.0.total_cmp(&b.0));
    let (Some(median), Some(most), Some(longest)) =
        (median(&seconds), quantile(&seconds, 0.95), longest)
    else {
        return;
    };
    let _ = writeln!(
        text,
        "  text to ready: median {median:.3} s, 95 % within {most:.2} s, longest {:.2} s ({})",
        longest.0, longest.1.game
    );
    let peaks = rows.iter().filter_map(|row| Some((row.peak_bytes()?, row)));
    let peaks: Vec<(u64, &&Row)> = peaks.collect();
    let bytes: Vec<f64> = peaks.iter().map(|peak| peak.0 as f64).collect();
    if let (Some(most), Some(largest)) = (
        quantile(&bytes, 0.98),
        peaks.iter().max_by_key(|peak| peak.0),
    ) {
        let below = peaks.iter().filter(|peak| peak.0 < 1 << 30).count();
        let _ = writeln!(
            text,
            "  peak memory: 98 % within {:.0} MiB, most {} MiB ({}); below 1 GiB for {:.1} %",
            most / f64::from(1 << 20),
            largest.0 >> 20,
            largest.1.game,
            100.0 * below as f64 / peaks.len() as f64
        );
    }
}

/// The games whose playout lengths differ from the baseline's.
fn lengths(text: &mut String, rows: &[&Row], baselines: &[Baseline]) {
    for baseline in baselines {
        let odd = rows.iter().filter_map(|row| {
            let theirs = baseline.games.get(&row.game)?.mean_length?;
            let ours = row.speed.as_ref().filter(|_| !row.searches())?.mean_length;
            let differs = (ours / theirs - 1.0).abs() > LENGTH_TOLERANCE;
            differs.then(|| format!("{} ({ours:.1}, not {theirs:.1})", row.game))
        });
        let odd: Vec<String> = odd.collect();
        if !odd.is_empty() {
            let _ = writeln!(
                text,
                "  playouts not as long as those of {}: {}",
                baseline.name,
                odd.join(", ")
            );
        }
    }
}

/// The speedup of several threads over one.
fn scaling(text: &mut String, rows: &[&Row], singles: Option<&Vec<&Row>>, threads: usize) {
    let ratios = rows.iter().filter_map(|row| {
        let single = singles?.iter().find(|single| single.game == row.game)?;
        Some((row.states_per_second()? / single.states_per_second()?, row))
    });
    let ratios: Vec<(f64, &&Row)> = ratios.collect();
    let values: Vec<f64> = ratios.iter().map(|&(ratio, _)| ratio).collect();
    let least = ratios.iter().min_by(|a, b| a.0.total_cmp(&b.0));
    if let (Some(mean), Some(least)) = (geometric_mean(&values), least) {
        let _ = writeln!(
            text,
            "  {mean:.2} times one thread in the geometric mean of {} games, least {:.2} ({}), \
             of {threads} possible",
            values.len(),
            least.0,
            least.1.game
        );
    }
}

#[cfg(test)]
mod tests {
    use super::super::baseline::Figures;
    use super::super::results::examples::{row, run};
    use super::*;

    fn baseline(name: &str, games: &[(&str, f64, Option<f64>)]) -> Baseline {
        let games = games.iter().map(|&(game, states_per_second, mean_length)| {
            let figures = Figures {
                states_per_second,
                mean_length,
            };
            (game.to_owned(), figures)
        });
        Baseline {
            name: name.to_owned(),
            games: games.collect(),
        }
    }

    #[test]
    fn the_whole_table() {
        let mut rows = vec![
            row("connect", "reasoner", 1, 0.01, 50_000.0),
            row("connect", "reasoner", 2, 0.01, 90_000.0),
            row("connect", "propnet", 1, 0.25, 4e6),
            row("connect", "propnet", 2, 0.25, 7e6),
            row("slow", "reasoner", 1, 0.004, 2.5),
            row("slow", "reasoner", 2, 0.004, 4.9),
            row("slow", "propnet", 1, -1.0, 0.0),
            row("slow", "propnet", 2, -1.0, 0.0),
            row("fixtures/own", "reasoner", 1, 0.01, 1000.0),
            row("fixtures/own", "reasoner", 2, 0.01, -1.0),
            row("fixtures/own", "propnet", 1, 3.5, 1e9),
            row("fixtures/own", "propnet", 2, 3.5, 1.2e9),
            row("connect", "auto", 1, 0.5, 3.9e6),
            row("slow", "auto", 1, 0.1, 2.4),
            row("connect", "search", 1, 0.1, 2e6),
        ];
        for (row, engine) in rows.iter_mut().rev().skip(1).zip(["reasoner", "propnet"]) {
            row.build.as_mut().unwrap().engine = engine.into();
        }
        let baselines = [
            baseline(
                "sancho",
                &[("connect", 2e6, Some(22.3)), ("slow", 5.0, Some(8.1))],
            ),
            baseline("published", &[("slow", 25.0, None)]),
        ];
        let run = run(rows);
        let lines = run.rows.iter().map(|row| line(row, &baselines) + "\n");
        let table = header(&baselines) + "\n" + &lines.collect::<String>();
        insta::assert_snapshot!(table + &summary(&run, &baselines));
    }

    #[test]
    fn an_empty_run_has_an_empty_summary() {
        assert_eq!(summary(&run(Vec::new()), &[]), "");
    }
}
