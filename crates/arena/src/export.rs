//! Results of a tournament in the formats of other programs.

use crate::Results;
use chart::{Across, Bar, Chart, Scale, Series};
use rating::Decision;
use serde_json::{Value, json};

impl Results {
    /// The result files of the folder of a tournament: names and texts.
    pub fn exports(&self) -> Vec<(&'static str, String)> {
        vec![
            ("results.json", self.json()),
            ("results.csv", self.csv()),
            ("matches.csv", self.matches_csv()),
            ("ladder.svg", self.chart().svg()),
        ]
    }

    /// A chart of the ladder, with error bars.
    pub fn chart(&self) -> Chart {
        let ladder = self.ladder();
        let mut order: Vec<usize> = (0..ladder.len()).collect();
        order.sort_by(|&a, &b| ladder[b].elo.total_cmp(&ladder[a].elo));
        let places = order.iter().enumerate();
        let bar = |(at, &player): (usize, &usize)| Bar {
            at: at as f64,
            low: ladder[player].elo - ladder[player].error,
            high: ladder[player].elo + ladder[player].error,
        };
        let point = |(at, &player): (usize, &usize)| (at as f64, ladder[player].elo);
        Chart {
            title: format!(
                "{} matches at {} games",
                self.played.len(),
                self.games.len()
            ),
            across: Across::Names(order.iter().map(|&p| self.players[p].clone()).collect()),
            up: "Elo".into(),
            scale: Scale::Linear,
            series: vec![Series {
                name: "Elo, 95 %".into(),
                points: places.clone().map(point).collect(),
                bars: places.map(bar).collect(),
                ..Series::default()
            }],
            mark: Some(0.0),
        }
    }

    /// CSV with one line for each game and pair, and for each pair over all games.
    pub fn csv(&self) -> String {
        let name = |player: usize| self.players[player].clone();
        let rows = self.rows().into_iter().map(|row| {
            vec![
                row.game
                    .map_or_else(String::new, |game| self.games[game].clone()),
                name(row.pair.0),
                name(row.pair.1),
                row.matches.to_string(),
                row.won.to_string(),
                row.drawn.to_string(),
                row.lost.to_string(),
                format!("{:.4}", row.score.mean),
                format!("{:.4}", row.score.low),
                format!("{:.4}", row.score.high),
                format!("{:.2}", row.goals.0),
                format!("{:.2}", row.goals.1),
                format!("{:.2}", row.steps),
            ]
        });
        let columns =
            "game,first,second,matches,won,drawn,lost,score,low,high,goal,other_goal,moves";
        written(columns, rows)
    }

    /// CSV with one line for each role of each match.
    pub fn matches_csv(&self) -> String {
        let rows = self.played.iter().flat_map(|played| {
            let fixture = &played.fixture;
            let seats = fixture.seats.iter().enumerate();
            seats.map(move |(role, &player)| {
                let goal = played.goals.as_ref().map(|goals| goals[role].to_string());
                let times = &played.times[role];
                let mean = times.iter().sum::<u64>() as f64 / times.len().max(1) as f64;
                vec![
                    fixture.number.to_string(),
                    self.games[fixture.game].clone(),
                    fixture.round.to_string(),
                    role.to_string(),
                    self.players[player].clone(),
                    goal.unwrap_or_default(),
                    played.steps.to_string(),
                    played.faults[role].len().to_string(),
                    times.len().to_string(),
                    format!("{mean:.1}"),
                    times.iter().max().unwrap_or(&0).to_string(),
                ]
            })
        });
        let columns = "match,game,round,role,player,goal,moves,faults,answers,mean_ms,longest_ms";
        written(columns, rows)
    }

    /// All results as JSON.
    pub fn json(&self) -> String {
        let ladder = self.ladder();
        let conduct = self.conduct();
        let players: Vec<Value> = (0..self.players.len())
            .map(|player| {
                let conduct = &conduct[player];
                json!({
                    "name": self.players[player],
                    "elo": ladder[player].elo,
                    "error": ladder[player].error,
                    "seats": conduct.seats,
                    "answers": conduct.answers,
                    "meanMillis": conduct.mean_millis,
                    "longestMillis": conduct.longest_millis,
                    "late": conduct.late,
                    "illegal": conduct.illegal,
                    "failed": conduct.failed,
                })
            })
            .collect();
        let rows = self.rows().into_iter().map(|row| {
            json!({
                "game": row.game.map(|game| &self.games[game]),
                "first": self.players[row.pair.0],
                "second": self.players[row.pair.1],
                "matches": row.matches,
                "won": row.won,
                "drawn": row.drawn,
                "lost": row.lost,
                "score": { "mean": row.score.mean, "low": row.score.low, "high": row.score.high },
                "goals": [row.goals.0, row.goals.1],
                "moves": row.steps,
                "firstRole": row.first_role,
            })
        });
        let verdict = self.verdict().map(|verdict| {
            json!({
                "llr": verdict.llr,
                "lower": verdict.lower,
                "upper": verdict.upper,
                "accepted": match verdict.decision {
                    Decision::AcceptH0 => Value::from("elo0"),
                    Decision::AcceptH1 => Value::from("elo1"),
                    Decision::GoOn => Value::Null,
                },
            })
        });
        let all = json!({
            "scheduled": self.scheduled,
            "played": self.played.len(),
            "unfinished": self.unfinished(),
            "players": players,
            "rows": rows.collect::<Vec<_>>(),
            "test": verdict,
        });
        format!("{all:#}\n")
    }
}

/// CSV text with a header line.
fn written(columns: &str, rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let columns = columns.split(',').map(String::from).collect();
    for row in std::iter::once(columns).chain(rows) {
        // All rows have the same number of cells, and writing to memory cannot fail.
        let _ = writer.write_record(row);
    }
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}
