//! The results of the suite as a page of text.

use super::suite::{CATEGORIES, Listed};
use arena::Results;
use rating::Elo;
use std::fmt::Write;

/// The tournament's table, and what the categories say. `games` are those of the tournament.
pub fn page(results: &Results, games: &[Listed]) -> String {
    let mut text = results.table();
    let _ = writeln!(
        text,
        "\n{:<13} {:>5} {:>7} {:>5} {:>5} {:>5}  {:<26} Elo",
        "category", "games", "matches", "won", "drawn", "lost", "score (95 %)"
    );
    for category in CATEGORIES {
        let inside: Vec<usize> = (0..games.len())
            .filter(|&game| (category.holds)(&games[game]))
            .collect();
        let row = results.over((0, 1), &inside);
        if row.matches == 0 {
            continue;
        }
        let _ = writeln!(
            text,
            "{:<13} {:>5} {:>7} {:>5} {:>5} {:>5}  {:<26} {}",
            category.name,
            inside.len(),
            row.matches,
            row.won,
            row.drawn,
            row.lost,
            row.score.to_string(),
            Elo::from(row.score),
        );
    }
    text
}
