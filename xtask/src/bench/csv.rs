//! The figures as CSV.

use super::baseline::Baseline;
use super::results::{Row, Run};
use super::table::ratio;

const COLUMNS: &str = "game,engine,threads,build_s,peak_bytes,playouts_per_s,states_per_s,spread,mean_length,cut,nodes_per_s";

/// All rows with a header line.
///
/// # Errors
/// Fails if a row does not have one cell for each column.
pub fn csv(run: &Run, baselines: &[Baseline]) -> anyhow::Result<String> {
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    let ratios = baselines
        .iter()
        .map(|baseline| format!("ratio_{}", baseline.name));
    let columns = COLUMNS.split(',').map(String::from).chain(ratios);
    writer.write_record(columns.chain(["problem".to_string()]))?;
    for row in &run.rows {
        writer.write_record(cells(row, baselines))?;
    }
    Ok(String::from_utf8(writer.into_inner()?)?)
}

fn cells(row: &Row, baselines: &[Baseline]) -> Vec<String> {
    let text = |value: Option<String>| value.unwrap_or_default();
    let speed = row.speed.as_ref();
    let of = |figure: fn(&super::results::Speed) -> String| text(speed.map(figure));
    let mut cells = vec![
        row.game.clone(),
        row.evaluator.clone(),
        row.threads.to_string(),
        text(
            row.build
                .as_ref()
                .map(|build| format!("{:.6}", build.seconds)),
        ),
        text(row.peak_bytes().map(|bytes| bytes.to_string())),
        of(|speed| format!("{:.3}", speed.playouts_per_second)),
        of(|speed| format!("{:.3}", speed.states_per_second)),
        of(|speed| format!("{:.4}", speed.spread())),
        of(|speed| format!("{:.3}", speed.mean_length)),
        of(|speed| format!("{:.4}", speed.cut)),
        text(
            speed
                .and_then(|speed| speed.nodes_per_second)
                .map(|nodes| format!("{nodes:.3}")),
        ),
    ];
    for baseline in baselines {
        cells.push(text(
            ratio(row, baseline).map(|ratio| format!("{ratio:.4}")),
        ));
    }
    cells.push(row.problem.clone().unwrap_or_default());
    cells
}

#[cfg(test)]
mod tests {
    use super::super::results::examples::{row, run};
    use super::*;

    #[test]
    fn every_row_has_every_column() {
        let mut failed = row("b", "propnet", 2, -1.0, 0.0);
        failed.problem = Some("it said \"no\", twice".into());
        let run = run(vec![row("a", "propnet", 1, 0.5, 1e6), failed]);
        let text = csv(
            &run,
            &[Baseline {
                name: "sancho".into(),
                ..Baseline::default()
            }],
        )
        .unwrap();
        let expected = "\
game,engine,threads,build_s,peak_bytes,playouts_per_s,states_per_s,spread,mean_length,cut,nodes_per_s,ratio_sancho,problem
a,propnet,1,0.500000,22020096,125000.000,1000000.000,0.0400,8.000,0.0000,,,
b,propnet,2,,,,,,,,,,\"it said \"\"no\"\", twice\"
";
        assert_eq!(text, expected);
    }
}
