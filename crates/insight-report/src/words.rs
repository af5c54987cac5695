//! The words for subjects, pieces and figures.

use analysis::boards::{Board, Piece};
use insight::{Finding, Insight, Region, Source, Subject};
use profile_report::page::count;
use profile_report::words;

/// Figures that would be shown as 0.0 have no sign.
const SMALL: f64 = 0.05;

/// A number of points, with its sign.
pub fn points(value: f64) -> String {
    match value {
        value if value.abs() < SMALL => "0.0".to_owned(),
        value => format!("{value:+.1}"),
    }
}

/// What something was read from.
pub fn source(source: Source) -> &'static str {
    match source {
        Source::Random => "results of random play",
        Source::Learnt => "results of learnt play",
        Source::Value => "the learnt value",
    }
}

/// The name of a role.
pub fn role(insight: &Insight, role: usize) -> String {
    words::role(&insight.compiled.logic.words, role)
}

/// A piece by the constants of the rules; the shape of its facts if there are none.
pub fn name(board: &Board, piece: &Piece) -> String {
    match piece.content.is_empty() {
        true => board.layers[piece.layer].shape.clone(),
        false => piece.content.join(" "),
    }
}

/// A piece, with its board if there are several.
pub fn piece(insight: &Insight, board: usize, piece: usize) -> String {
    let boards = &insight.boards.boards;
    let of = &boards[board];
    let name = name(of, &of.pieces[piece]);
    match boards.len() {
        1 => name,
        _ => format!("{name} on board {}", board + 1),
    }
}

/// What a subject counts: what there is one more of.
pub fn subject(insight: &Insight, subject: &Subject) -> String {
    let vocabulary = &insight.compiled.logic.words;
    let name = |board: usize, piece: usize| self::piece(insight, board, piece);
    match subject {
        Subject::Piece { board, piece } => format!("each {}", name(*board, *piece)),
        Subject::Place {
            board,
            piece,
            region,
        } => {
            let region = match region {
                Region::Corners => "in a corner",
                Region::Edges => "at an edge",
            };
            format!("each {} {region}", name(*board, *piece))
        }
        Subject::Along { board, piece, axis } => {
            let values = &insight.boards.boards[*board].axes[*axis].values;
            let last = values.last().map_or("", |value| &**value);
            format!(
                "each step of {} along axis {} towards {last}",
                name(*board, *piece),
                axis + 1
            )
        }
        Subject::Kept { board, piece } => {
            format!("each {} that can no longer be lost", name(*board, *piece))
        }
        Subject::Pair {
            board,
            pieces,
            step,
        } => {
            let step: Vec<String> = step.iter().map(|by| format!("{by:+}")).collect();
            format!(
                "each {} with {} at {} from it",
                name(*board, pieces[0]),
                name(*board, pieces[1]),
                step.join(" ")
            )
        }
        Subject::Line {
            board,
            piece,
            length,
            filled,
        } => format!(
            "each line of {length} with {filled} {} and nothing else",
            name(*board, *piece)
        ),
        Subject::Choices { role } => format!("each move that {} has", self::role(insight, *role)),
        Subject::Now { role } => format!(
            "each point that {} would have if play ended",
            self::role(insight, *role)
        ),
        Subject::Near { board, piece, role } => format!(
            "each transition between the nearest {} and {}'s best result",
            name(*board, *piece),
            self::role(insight, *role)
        ),
        Subject::Quantity(number) => {
            let facts = &insight.numbers.quantities[*number].facts;
            let ends = [facts.first(), facts.last()]
                .map(|fact| fact.map_or_else(String::new, |&fact| words::fact(vocabulary, fact)));
            format!("each step from {} towards {}", ends[0], ends[1])
        }
        Subject::Fact(fact) => words::fact(vocabulary, *fact),
    }
}

/// What a finding is worth, and how it was judged: `white +1.2 points (random play +0.4, learnt
/// play no sign)`.
pub fn judged(insight: &Insight, finding: &Finding) -> String {
    let kinds = [
        ("random play", finding.random),
        ("learnt play", finding.learnt),
    ];
    let kinds = kinds.into_iter().filter_map(|(name, effect)| {
        let effect = effect?;
        Some(match effect.chance <= insight.most() {
            true => format!("{name} {}", points(effect.slope)),
            false => format!("{name} no sign"),
        })
    });
    let missed = finding
        .missed
        .filter(|missed| missed.chance <= insight.most());
    let missed = missed.map(|missed| format!("the value misses {}", points(missed.slope)));
    let kinds: Vec<String> = kinds.chain(missed).collect();
    let role = role(insight, finding.role);
    match finding.value {
        Some(value) => format!("{role} {} ({})", points(value), kinds.join(", ")),
        None => format!("{role}: {}", kinds.join(", ")),
    }
}

/// `1 game`, `2 games`.
pub fn games(number: u64) -> String {
    count(number as usize, "game")
}
