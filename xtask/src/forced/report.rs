//! The rows and the summary of `cargo xtask forced`.

use super::search::Depth;
use crate::statistics::median;
use localsearch::FOREVER;
use players::Spec;

/// A win counts as found at once within this many seconds.
const AT_ONCE: f64 = 0.1;

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

/// All rows as a table of comma-separated values.
pub fn csv(rows: &[Row], players: &[Spec]) -> String {
    let mut text = "game,match,role,choices_left,win,completed,seconds,states".to_owned();
    for player in players {
        text += &format!(",{}", player.to_string().replace(',', ";"));
    }
    text += ",choices\n";
    for row in rows {
        let Depth {
            win,
            completed,
            seconds,
            states,
        } = row.depth;
        let win = win.map_or(String::new(), |plies| plies.to_string());
        let completed = match completed {
            FOREVER => "forever".to_owned(),
            plies => plies.to_string(),
        };
        let (game, number, role, left) = (&row.game, row.number, &row.role, row.left);
        text += &format!("{game},{number},{role},{left},{win},{completed},{seconds:.4},{states}");
        for player in 0..players.len() {
            let kept = match row.kept.get(player) {
                None => "",
                Some(Some(true)) => "kept",
                Some(Some(false)) => "lost",
                Some(None) => "open",
            };
            text += &format!(",{kept}");
        }
        text += &format!(",{}\n", row.line);
    }
    text
}

/// Prints how deep cubes saw in a game, and how often players kept a win.
pub fn print(game: &str, rows: &[Row], players: &[Spec], [least, most]: [u16; 2]) {
    let wins: Vec<(u16, f64)> = rows
        .iter()
        .filter_map(|row| Some((row.depth.win?, row.depth.seconds)))
        .collect();
    println!(
        "{game}: {} positions, {} with a forced win",
        rows.len(),
        wins.len()
    );
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
        let median = median(&of_these).map_or(String::new(), |s| format!("{:.1} ms", s * 1e3));
        println!(
            "  wins of {name:<22} {:>3}, found within {:.0} ms {at_once:>3}, median {median}",
            of_these.len(),
            AT_ONCE * 1e3
        );
    }
    let open = rows.iter().filter(|row| row.depth.win.is_none());
    let completed: Vec<f64> = open.map(|row| f64::from(row.depth.completed)).collect();
    if let Some(median) = median(&completed) {
        let least = completed.iter().copied().fold(f64::INFINITY, f64::min);
        println!("  no win: completed joint moves, median {median}, least {least}");
    }
    for (number, player) in players.iter().enumerate() {
        let asked: Vec<Option<bool>> = rows
            .iter()
            .filter_map(|row| row.kept.get(number).copied())
            .collect();
        let count = |of: Option<bool>| asked.iter().filter(|&&kept| kept == of).count();
        println!(
            "  {player}: keeps {} of {}, loses {}, {} not proved",
            count(Some(true)),
            asked.len(),
            count(Some(false)),
            count(None)
        );
    }
}
