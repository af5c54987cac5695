//! How a match went: the evaluation curve, and the moves after which the value fell most.

use crate::look::colour;
use maud::{Markup, html};
use records::Record;

/// A fall of this many points of the result is a mistake.
const MISTAKE: f64 = 15.0;
/// A fall of this many points is a blunder.
const BLUNDER: f64 = 30.0;

/// What a role expected when it chose the move after so many joint moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Point {
    /// The number of joint moves before it.
    pub ply: usize,
    /// The expected result, 0 to 100.
    pub value: f64,
}

/// For each role, what it expected over the match, with the result at the end.
pub(crate) fn curves(record: &Record) -> Vec<Vec<Point>> {
    let curve = |(role, name): (usize, &String)| {
        let told = record
            .thoughts
            .iter()
            .enumerate()
            .filter_map(|(ply, told)| {
                let mut own = told.iter().filter(|thought| thought.role == *name);
                let value = own.next()?.value?;
                Some(Point { ply, value })
            });
        let mut curve: Vec<Point> = told.collect();
        if let (Some(&goal), false) = (record.goal_values.get(role), curve.is_empty()) {
            curve.push(Point {
                ply: record.moves.len(),
                value: f64::from(goal),
            });
        }
        curve
    };
    record
        .game_role_names
        .iter()
        .enumerate()
        .map(curve)
        .collect()
}

/// The joint moves after which a role's value fell by much, as `?` and `??`, with how far it fell.
///
/// If a player's own expectation falls between two of its decisions, the first of them was worse
/// than it thought. If it rises, the others erred in between.
pub(crate) fn mistakes(record: &Record, curves: &[Vec<Point>]) -> Vec<(usize, f64)> {
    let mut falls = vec![0.0_f64; record.moves.len()];
    for (role, curve) in curves.iter().enumerate() {
        for pair in curve.windows(2) {
            let (first, second) = (pair[0], pair[1]);
            let change = second.value - first.value;
            let blame = match change < 0.0 {
                true => Some(first.ply),
                false => (first.ply + 1..second.ply)
                    .rev()
                    .find(|&ply| others_chose(record, ply, role)),
            };
            if let Some(fall) = blame.and_then(|ply| falls.get_mut(ply)) {
                *fall = fall.max(change.abs());
            }
        }
    }
    let marked = falls.into_iter().enumerate();
    marked.filter(|(_, fall)| *fall >= MISTAKE).collect()
}

/// The mark of a move after which the value fell so far.
pub(crate) fn mark(fall: f64) -> &'static str {
    if fall >= BLUNDER { "??" } else { "?" }
}

fn others_chose(record: &Record, ply: usize, role: usize) -> bool {
    let times = record.answer_times.get(ply);
    times.is_some_and(|times| {
        times
            .iter()
            .enumerate()
            .any(|(other, &time)| other != role && time > 0)
    })
}

/// The curves as a picture. Each point leads to its position.
pub(crate) fn picture(record: &Record, curves: &[Vec<Point>]) -> Markup {
    let plies = record.moves.len().max(1) as f64;
    let at = |point: &Point| {
        let x = 24.0 + 290.0 * point.ply as f64 / plies;
        (x, 96.0 - 0.88 * point.value.clamp(0.0, 100.0))
    };
    html! {
        @if curves.iter().any(|curve| curve.len() > 1) {
            svg class="curve" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 322 104" role="img" aria-label="expected results over the match" {
                rect x="24" y="8" width="290" height="88" class="plot" {}
                line x1="24" x2="314" y1="52" y2="52" class="half" {}
                text x="20" y="14" text-anchor="end" font-size="9" class="note" { "100" }
                text x="20" y="98" text-anchor="end" font-size="9" class="note" { "0" }
                @for (role, curve) in curves.iter().enumerate() {
                    @let colour = colour(role, &record.game_role_names[role]);
                    @let points = curve.iter().map(|point| { let (x, y) = at(point); format!("{x:.1},{y:.1}") }).collect::<Vec<_>>().join(" ");
                    polyline points=(points) fill="none" stroke="#8886" stroke-width="3.4" {}
                    polyline points=(points) fill="none" stroke=(colour) stroke-width="2" {}
                    @for point in curve {
                        circle cx=(format!("{:.1}", at(point).0)) cy=(format!("{:.1}", at(point).1)) r="3.2" fill=(colour)
                            stroke="#8888" data-ply=(point.ply) {
                            title { (record.game_role_names[role]) " expected " (format!("{:.0}", point.value)) " after " (gdl_parse::diagnostic::count(point.ply, "move")) }
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use records::Thought;

    /// A match in which two roles move in turns and expected these values.
    fn record(values: &[(usize, f64)], goals: &[u8]) -> Record {
        let roles = ["a", "b"];
        Record {
            game_role_names: roles.map(str::to_owned).to_vec(),
            moves: values.iter().map(|_| vec![String::new(); 2]).collect(),
            answer_times: (0..values.len())
                .map(|ply| vec![u64::from(ply % 2 == 0), u64::from(ply % 2 == 1)])
                .collect(),
            thoughts: values
                .iter()
                .map(|&(role, value)| {
                    vec![Thought {
                        role: roles[role].into(),
                        value: Some(value),
                        ..Thought::default()
                    }]
                })
                .collect(),
            goal_values: goals.to_vec(),
            ..Record::default()
        }
    }

    #[test]
    fn who_errs_is_blamed() {
        // After its second move (ply 2), a falls from 60 to 20, and b rises from 45 to 80.
        let record = record(
            &[
                (0, 60.0),
                (1, 45.0),
                (0, 60.0),
                (1, 80.0),
                (0, 20.0),
                (1, 82.0),
            ],
            &[0, 100],
        );
        let curves = curves(&record);
        assert_eq!(curves[0].last(), Some(&Point { ply: 6, value: 0.0 }));
        let found = mistakes(&record, &curves);
        assert_eq!(found, [(2, 40.0), (4, 20.0)]);
        assert_eq!(
            found
                .iter()
                .map(|&(_, fall)| mark(fall))
                .collect::<Vec<_>>(),
            ["??", "?"]
        );
    }

    #[test]
    fn without_thoughts_there_is_no_curve() {
        let record = record(&[], &[]);
        assert_eq!(picture(&record, &curves(&record)).into_string(), "");
    }
}
