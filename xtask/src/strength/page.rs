//! The results of the suite as a page of text.

use super::suite::{CATEGORIES, Listed};
use arena::Results;
use rating::Elo;
use std::fmt::Write;

/// The table of the tournament, and the results by category. `games` are the games of the
/// tournament.
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

#[cfg(test)]
mod tests {
    use super::super::{Options, config, suite};
    use super::*;
    use arena::Arena;
    use budget::Stop;
    use clap::Parser;
    use players::Spec;

    #[derive(Parser)]
    struct Args {
        #[command(flatten)]
        options: Options,
    }

    /// Players with fixed budgets, so that the page is the same on every machine.
    #[test]
    fn a_page() {
        let games = ["gold_digger", "blocker", "light_cycles"];
        let only = games.iter().flat_map(|game| ["--only", game]);
        let bounds = ["--sprt", "-10", "0", "0.05", "0.1"];
        let line = ["strength", "--playouts", "8", "--rounds", "1"];
        let options = Args::parse_from(line.into_iter().chain(bounds).chain(only)).options;
        let games = suite::games(&options.only).unwrap();
        let (ours, theirs) = (Spec::default(), Spec::default().with("no-prepare").unwrap());
        let config = config("test", &ours, &theirs, &options, &games).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let arena = Arena::open(config, folder.path()).unwrap();
        let results = arena.run(&Stop::default(), &()).unwrap();
        let listed: Vec<Listed> = games.into_iter().map(|(game, _)| game).collect();
        insta::assert_snapshot!(page(&results, &listed));
    }

    #[test]
    fn a_sequential_test_needs_four_numbers() {
        let parsed = Args::try_parse_from(["strength", "--sprt", "0", "10", "0.05"]);
        assert!(parsed.is_err());
        assert!(Args::try_parse_from(["strength", "--sprt", "0", "10", "0.05", "0.05"]).is_ok());
    }
}
