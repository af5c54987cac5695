//! The results of a tournament as text.

use crate::{Results, Row};
use rating::Decision;
use std::fmt::Write;

impl Results {
    /// All results on one page: a table of games, the ladder with reliability, and the
    /// sequential test.
    pub fn table(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.write(&mut text);
        text
    }

    fn write(&self, out: &mut String) -> std::fmt::Result {
        let wide = |names: &[String], least: usize| {
            names.iter().map(String::len).max().unwrap_or(0).max(least)
        };
        let game = wide(&self.games, 9);
        let name = wide(&self.players, 6);
        write!(out, "{} of {} matches", self.played.len(), self.scheduled)?;
        match self.unfinished() {
            0 => writeln!(out)?,
            count => writeln!(out, ", {count} of them without an end")?,
        }
        let mut last = None;
        for row in self.rows() {
            if last != Some(row.pair) {
                let (a, b) = row.pair;
                writeln!(out, "\n{} against {}", self.players[a], self.players[b])?;
                writeln!(
                    out,
                    "{:<game$} {:>7} {:>5} {:>5} {:>5}  {:>7}  {:<16} {:>6} {:>6} {:>6} {:>6}",
                    "game",
                    "matches",
                    "won",
                    "drawn",
                    "lost",
                    "score",
                    "95 %",
                    "goal",
                    "other",
                    "moves",
                    "role 1"
                )?;
                last = Some(row.pair);
            }
            self.write_row(out, game, &row)?;
        }
        writeln!(
            out,
            "\n{:<name$} {:>6} {:>6} {:>7} {:>8} {:>8} {:>5} {:>7} {:>7}",
            "player", "elo", "±", "answers", "mean s", "longest", "late", "illegal", "failed"
        )?;
        let ladder = self.ladder();
        let conduct = self.conduct();
        let mut order: Vec<usize> = (0..self.players.len()).collect();
        order.sort_by(|&a, &b| ladder[b].elo.total_cmp(&ladder[a].elo));
        for player in order {
            let (rated, conduct) = (&ladder[player], &conduct[player]);
            // With a stopped clock, there are no answer times.
            let [answers, mean, longest] = match conduct.answers {
                0 => ["-", "-", "-"].map(String::from),
                answers => [
                    answers.to_string(),
                    format!("{:.3}", conduct.mean_millis / 1e3),
                    format!("{:.3}", conduct.longest_millis as f64 / 1e3),
                ],
            };
            writeln!(
                out,
                "{:<name$} {:>+6.0} {:>6.0} {answers:>7} {mean:>8} {longest:>8} {:>5} {:>7} {:>7}",
                self.players[player],
                rated.elo,
                rated.error,
                conduct.late,
                conduct.illegal,
                conduct.failed,
            )?;
        }
        if let Some(verdict) = self.verdict() {
            let bounds = self.bounds().map_or((0.0, 0.0), |b| (b.elo0, b.elo1));
            let says = match verdict.decision {
                Decision::AcceptH1 => format!("at least {:+} Elo", bounds.1),
                Decision::AcceptH0 => format!("at most {:+} Elo", bounds.0),
                Decision::GoOn => "not known yet".into(),
            };
            writeln!(
                out,
                "\nsequential test of {} against {}: {says} (llr {:.2}, from {:.2} to {:.2})",
                self.players[0], self.players[1], verdict.llr, verdict.lower, verdict.upper
            )?;
        }
        Ok(())
    }

    fn write_row(&self, out: &mut String, wide: usize, row: &Row) -> std::fmt::Result {
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        writeln!(
            out,
            "{:<wide$} {:>7} {:>5} {:>5} {:>5}  {:>7}  {:<16} {:>6.1} {:>6.1} {:>6.1} {:>6}",
            row.game.map_or("all games", |game| &self.games[game]),
            row.matches,
            row.won,
            row.drawn,
            row.lost,
            percent(row.score.mean),
            format!("{} to {}", percent(row.score.low), percent(row.score.high)),
            row.goals.0,
            row.goals.1,
            row.steps,
            row.first_role.map_or_else(
                || "-".to_string(),
                |first| format!("{:.0} %", 100.0 * first)
            ),
        )?;
        if row.game.is_none() {
            writeln!(out, "{:<wide$} Elo {}", "", self.elo(row.pair))?;
        }
        Ok(())
    }
}
