//! The rows and the summary of `cargo xtask forced`.

use super::search::Depth;
use crate::statistics::median;
use localsearch::FOREVER;
use players::Spec;

/// A win counts as found at once within this many seconds.
const AT_ONCE: f64 = 0.1;

/// The columns before those of the players.
const COLUMNS: &str = "game,match,role,choices_left,win,completed,seconds,states";

/// One position.
pub struct Row {
    pub game: String,
    /// The number of the match.
    pub number: u64,
    pub role: String,
    /// Choices that were left in the match.
    pub left: usize,
    pub depth: Depth,
    /// Whether the move of each player keeps a forced win; empty if they were not asked.
    pub kept: Vec<Option<bool>>,
    /// The choices that lead to it.
    pub line: String,
}

/// All rows as CSV, with a column for each player.
///
/// # Errors
/// Fails if a row does not have one cell for each column.
pub fn csv(rows: &[Row], players: &[Spec]) -> anyhow::Result<String> {
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    let players: Vec<String> = players.iter().map(Spec::to_string).collect();
    let columns = COLUMNS.split(',').map(String::from).chain(players.clone());
    writer.write_record(columns.chain(["choices".to_owned()]))?;
    for row in rows {
        let depth = &row.depth;
        let mut cells = vec![
            row.game.clone(),
            row.number.to_string(),
            row.role.clone(),
            row.left.to_string(),
            depth.win.map_or(String::new(), |plies| plies.to_string()),
            match depth.completed {
                FOREVER => "forever".to_owned(),
                plies => plies.to_string(),
            },
            format!("{:.4}", depth.seconds),
            depth.states.to_string(),
        ];
        cells.extend((0..players.len()).map(|player| {
            let kept = match row.kept.get(player) {
                None => "",
                Some(Some(true)) => "kept",
                Some(Some(false)) => "lost",
                Some(None) => "open",
            };
            kept.to_owned()
        }));
        cells.push(row.line.clone());
        writer.write_record(cells)?;
    }
    Ok(String::from_utf8(writer.into_inner()?)?)
}

/// How deep cubes saw in a game, and how often players kept a win, in some lines.
pub fn summary(game: &str, rows: &[Row], players: &[Spec], [least, most]: [u16; 2]) -> String {
    let wins: Vec<(u16, f64)> = rows
        .iter()
        .filter_map(|row| Some((row.depth.win?, row.depth.seconds)))
        .collect();
    let mut lines = vec![format!(
        "{game}: {} positions, {} with a forced win",
        rows.len(),
        wins.len()
    )];
    for (name, range) in [
        (format!("{least} to {most} joint moves"), least..=most),
        (format!("{most} joint moves"), most..=most),
        (
            format!("more than {most}"),
            most.saturating_add(1)..=FOREVER,
        ),
    ] {
        let of_these: Vec<f64> = wins
            .iter()
            .filter(|win| range.contains(&win.0))
            .map(|win| win.1)
            .collect();
        let at_once = of_these
            .iter()
            .filter(|&&seconds| seconds <= AT_ONCE)
            .count();
        let median =
            median(&of_these).map_or(String::new(), |s| format!(", median {:.1} ms", s * 1e3));
        lines.push(format!(
            "  wins of {name:<22} {:>3}, found within {:.0} ms {at_once:>3}{median}",
            of_these.len(),
            AT_ONCE * 1e3
        ));
    }
    let open = rows.iter().filter(|row| row.depth.win.is_none());
    let completed = open.map(|row| row.depth.completed);
    let (never, completed): (Vec<u16>, Vec<u16>) = completed.partition(|&plies| plies == FOREVER);
    if !never.is_empty() {
        lines.push(format!("  never a win: {}", never.len()));
    }
    let completed: Vec<f64> = completed.into_iter().map(f64::from).collect();
    if let Some(median) = median(&completed) {
        let least = completed.iter().copied().fold(f64::INFINITY, f64::min);
        lines.push(format!(
            "  no win so far: completed joint moves, median {median}, least {least}"
        ));
    }
    for (number, player) in players.iter().enumerate() {
        let asked: Vec<Option<bool>> = rows
            .iter()
            .filter_map(|row| row.kept.get(number).copied())
            .collect();
        let count = |of: Option<bool>| asked.iter().filter(|&&kept| kept == of).count();
        lines.push(format!(
            "  {player}: keeps {} of {}, loses {}, {} not proved",
            count(Some(true)),
            asked.len(),
            count(Some(false)),
            count(None)
        ));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(number: u64, win: Option<u16>, completed: u16, seconds: f64) -> Row {
        Row {
            game: "toy".into(),
            number,
            role: "white".into(),
            left: 9,
            depth: Depth {
                win,
                completed,
                seconds,
                states: 70,
            },
            kept: Vec::new(),
            line: "(go 1) (go 2)".into(),
        }
    }

    #[test]
    fn rows_and_what_they_come_to() {
        let players: Vec<Spec> = ["default:local-search,cubes", "baseline"]
            .map(|player| player.parse().expect("a player"))
            .into();
        let mut rows = vec![
            row(1, Some(5), 3, 0.01),
            row(2, Some(13), 11, 0.3),
            row(3, Some(17), 15, 2.0),
            row(4, None, 15, 9.0),
            row(5, None, FOREVER, 1.0),
        ];
        rows[0].kept = vec![Some(true), None];
        rows[1].kept = vec![Some(true), Some(false)];
        let text = csv(&rows, &players).expect("every cell has a column");
        let summary = summary("toy", &rows, &players, [5, 13]);
        insta::assert_snapshot!(format!("{text}\n{summary}"));
    }
}
