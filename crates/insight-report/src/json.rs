//! All of an insight as JSON.

use crate::words::{name, role, source, subject};
use insight::{Effect, Finding, Insight, LEVEL, Region, Subject, Told, Worth};
use profile_report::words;
use serde_json::{Value, json};

/// The report as JSON. Roles, pieces and facts are given as text, values in points of a result,
/// 0 to 100.
pub fn json(insight: &Insight) -> Value {
    let roles = insight.compiled.logic.words.roles.iter();
    let findings = insight.findings.iter();
    let worth = insight.worth.iter();
    json!({
        "roles": roles.map(ToString::to_string).collect::<Vec<_>>(),
        "learnt": learnt(insight),
        "judged": {
            "random_games": insight.random,
            "subjects": insight.subjects,
            "tests": insight.tests,
            "correction": "Bonferroni",
            "level": LEVEL,
            "most": insight.most(),
            "complete": insight.exhausted.is_none(),
        },
        "findings": findings.map(|one| finding(insight, one)).collect::<Vec<_>>(),
        "worth": {
            "by": source(insight.by),
            "explained": insight.explained,
            "pieces": worth.map(|one| piece(insight, one)).collect::<Vec<_>>(),
        },
    })
}

fn learnt(insight: &Insight) -> Value {
    match &insight.learnt {
        Told::Nothing { why } => json!({ "why_nothing": why }),
        Told::TooFew { progress } => json!({ "games": progress.games, "judged": 0 }),
        Told::Value { progress, judged } => json!({
            "games": progress.games,
            "states": progress.examples,
            "judged": judged,
            "result_of_first_role": progress.result,
            "alarms": progress.alarms,
        }),
    }
}

fn finding(insight: &Insight, finding: &Finding) -> Value {
    let effect = |effect: Option<Effect>| {
        effect.map(|effect| {
            json!({
                "slope": effect.slope,
                "error": effect.error,
                "chance": effect.chance,
                "games": effect.games,
                "significant": effect.chance <= insight.most(),
            })
        })
    };
    json!({
        "words": subject(insight, &finding.subject),
        "subject": data(insight, &finding.subject),
        "role": role(insight, finding.role),
        "random": effect(finding.random),
        "learnt": effect(finding.learnt),
        "value": finding.value,
        "missed": effect(finding.missed),
    })
}

/// A subject as data.
fn data(insight: &Insight, subject: &Subject) -> Value {
    let vocabulary = &insight.compiled.logic.words;
    let fact = |fact: &u32| words::fact(vocabulary, *fact);
    let piece = |board: usize, piece: usize| {
        let board = &insight.boards.boards[board];
        name(board, &board.pieces[piece])
    };
    match subject {
        Subject::Piece { board, piece: one } => {
            json!({ "kind": "piece", "board": board, "piece": piece(*board, *one) })
        }
        Subject::Place {
            board,
            piece: one,
            region,
        } => json!({
            "kind": "place",
            "board": board,
            "piece": piece(*board, *one),
            "region": match region {
                Region::Corners => "corners",
                Region::Edges => "edges",
            },
        }),
        Subject::Along {
            board,
            piece: one,
            axis,
        } => json!({
            "kind": "along", "board": board, "piece": piece(*board, *one), "axis": axis,
        }),
        Subject::Kept { board, piece: one } => {
            json!({ "kind": "kept", "board": board, "piece": piece(*board, *one) })
        }
        Subject::Pair {
            board,
            pieces,
            step,
        } => json!({
            "kind": "pair",
            "board": board,
            "pieces": pieces.map(|one| piece(*board, one)),
            "step": step,
        }),
        Subject::Line {
            board,
            piece: one,
            length,
            filled,
        } => json!({
            "kind": "line",
            "board": board,
            "piece": piece(*board, *one),
            "length": length,
            "filled": filled,
        }),
        Subject::Choices { role: of } => json!({ "kind": "choices", "of": role(insight, *of) }),
        Subject::Now { role: of } => json!({ "kind": "now", "of": role(insight, *of) }),
        Subject::Near {
            board, piece: one, ..
        } => json!({ "kind": "near", "board": board, "piece": piece(*board, *one) }),
        Subject::Quantity(number) => {
            let facts = &insight.numbers.quantities[*number].facts;
            json!({ "kind": "quantity", "values": facts.iter().map(fact).collect::<Vec<_>>() })
        }
        Subject::Fact(one) => json!({ "kind": "fact", "fact": fact(one) }),
    }
}

fn piece(insight: &Insight, worth: &Worth) -> Value {
    let board = &insight.boards.boards[worth.board];
    let squares = (0..).zip(worth.squares.iter().zip(&worth.seen));
    let squares = squares.map(
        |(cell, (value, seen))| json!({ "cell": board.name(cell), "worth": value, "seen": seen }),
    );
    let along = board.axes.iter().zip(&worth.along).map(|(axis, means)| {
        let values = axis.values.iter().zip(means);
        let values = values.map(|(value, mean)| json!({ "at": **value, "worth": mean }));
        values.collect::<Vec<_>>()
    });
    json!({
        "board": worth.board,
        "piece": name(board, &board.pieces[worth.piece]),
        "role": role(insight, worth.role),
        "worth": worth.mean,
        "significant": insight.is_known(worth),
        "along": along.collect::<Vec<_>>(),
        "squares": squares.collect::<Vec<_>>(),
    })
}
