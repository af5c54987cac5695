//! Figures of other programs for the same games.

use anyhow::Context;
use std::collections::BTreeMap;
use std::path::Path;

/// The speeds of one program.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Baseline {
    /// The name in tables.
    pub name: String,
    /// The figures by game.
    pub games: BTreeMap<String, Figures>,
}

/// The figures of one game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Figures {
    /// Transitions per second.
    pub states_per_second: f64,
    /// The mean number of transitions of a playout.
    pub mean_length: Option<f64>,
}

/// The table of Sancho's playouts, measured on the same kind of machine as ours.
const SANCHO: &str = "baselines/sancho.csv";
/// The published table of gdl-perf, measured on an older machine.
const PUBLISHED: &str = "baselines/published-gdl-perf.csv";

/// The baselines of a corpus: Sancho's playouts, and one column of the published table.
///
/// # Errors
/// Fails if a table exists but cannot be read or has no such column.
pub fn of_corpus(corpus: &Path, column: &str) -> anyhow::Result<Vec<Baseline>> {
    let mut baselines = Vec::new();
    for (file, name, states, length) in [
        (SANCHO, "sancho", "states_per_s", Some("mean_length")),
        (PUBLISHED, "published", column, None),
    ] {
        let path = corpus.join(file);
        if path.exists() {
            let text = std::fs::read_to_string(&path);
            let text = text.with_context(|| format!("cannot read {}", path.display()))?;
            let games = parse(&text, states, length).with_context(|| path.display().to_string())?;
            let name = name.to_owned();
            baselines.push(Baseline { name, games });
        }
    }
    Ok(baselines)
}

/// The figures of a table whose first column is the game. Games without a figure are left out.
fn parse(
    text: &str,
    states: &str,
    length: Option<&str>,
) -> anyhow::Result<BTreeMap<String, Figures>> {
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let column = |name: &str| {
        let found = header.iter().position(|&title| title == name);
        found.with_context(|| format!("no column {name}"))
    };
    let states = column(states)?;
    let length = length.map(column).transpose()?;
    let games = lines.filter_map(|line| {
        let cells: Vec<&str> = line.split(',').collect();
        // Texts of a program's failure may contain commas. Such a line has no figures.
        let whole = cells.len() == header.len();
        let figures = Figures {
            states_per_second: cells.get(states).filter(|_| whole)?.parse().ok()?,
            mean_length: length.and_then(|length| cells.get(length)?.parse().ok()),
        };
        Some((cells[0].to_owned(), figures))
    });
    Ok(games.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_selected_by_name() {
        let text = "game,build_s,states_per_s,mean_length\na,1.0,2000,7.5\nb,1.0,failed,3\n\
                    c,1.0,it said, no,3\nd,1,5,\n";
        let games = parse(text, "states_per_s", Some("mean_length")).unwrap();
        let names: Vec<&String> = games.keys().collect();
        assert_eq!(names, ["a", "d"]);
        assert_eq!(games["a"].states_per_second, 2000.0);
        assert_eq!(games["a"].mean_length, Some(7.5));
        assert_eq!(games["d"].mean_length, None);
        let error = parse(text, "speed", None).unwrap_err();
        assert_eq!(error.to_string(), "no column speed");
    }
}
