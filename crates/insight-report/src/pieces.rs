//! What pieces are worth, and where.

use crate::words::{judged, piece, points, role, source};
use analysis::boards::Board;
use insight::{Insight, Subject, Worth, ordered};
use profile_report::page::Page;

/// Tables of squares in the text, at most; all are in JSON and in pictures.
const TABLES: usize = 6;
/// Columns of a table, at most.
const COLUMNS: usize = 12;

pub fn text(insight: &Insight, page: &mut Page) {
    let mut known: Vec<&Worth> = insight.worth.iter().collect();
    known.retain(|worth| insight.is_known(worth));
    if known.is_empty() {
        return;
    }
    known.sort_by(|a, b| a.role.cmp(&b.role).then(b.mean.total_cmp(&a.mean)));
    page.begin("pieces");
    page.line(format!(
        "by {}, of which the worth of squares explains {:.0} %",
        source(insight.by),
        100.0 * insight.explained
    ));
    for worth in &known {
        line(insight, worth, page);
    }
    page.begin("squares");
    let tables = known.iter().filter(|worth| {
        let board = &insight.boards.boards[worth.board];
        table(insight, board, worth, page)
    });
    let shown = tables.take(TABLES).count();
    if known.len() > shown {
        page.line("more tables: --json, --svg DIR");
    }
}

/// `white pawn: worth +3.1 to white (random play +1.0, ...); along axis 2: 2 +1.0, ...`.
fn line(insight: &Insight, worth: &Worth, page: &mut Page) {
    let name = piece(insight, worth.board, worth.piece);
    let (board, piece) = (worth.board, worth.piece);
    let counted = insight.findings.iter().find(|finding| {
        finding.role == worth.role && finding.subject == Subject::Piece { board, piece }
    });
    let number = counted.map_or_else(
        || "its number alone shows no sign".to_owned(),
        |finding| format!("for each more: {}", judged(insight, finding)),
    );
    let role = role(insight, worth.role);
    page.line(format!(
        "a {name} is worth {} to {role}; {number}",
        points(worth.mean)
    ));
    let of = &insight.boards.boards[board];
    for axis in ordered(of) {
        let values = of.axes[axis].values.iter().zip(&worth.along[axis]);
        let values = values.filter_map(|(value, mean)| Some((value, (*mean)?)));
        let values: Vec<_> = values.collect();
        let along = Subject::Along { board, piece, axis };
        let mut findings = insight.findings.iter();
        let is_known = findings.any(|one| one.role == worth.role && one.subject == along);
        if values.len() < 2 || !is_known {
            continue;
        }
        let values = values
            .iter()
            .map(|(value, mean)| format!("{} at {value}", points(*mean)));
        let values: Vec<String> = values.collect();
        page.line(format!("  along axis {}: {}", axis + 1, values.join(", ")));
    }
}

/// The table of a piece on a board of two axes with an order. Returns whether there is one.
fn table(insight: &Insight, board: &Board, worth: &Worth, page: &mut Page) -> bool {
    let plain = board.axes.len() == 2 && ordered(board).count() == 2 && board.grids.len() == 1;
    if !plain || board.axes[0].values.len() > COLUMNS {
        return false;
    }
    page.line(format!(
        "{} to {}:",
        piece(insight, worth.board, worth.piece),
        role(insight, worth.role)
    ));
    let width = |values: &[std::sync::Arc<str>]| {
        let lengths = values.iter().map(|value| value.chars().count());
        lengths.max().unwrap_or(0)
    };
    let (left, wide) = (
        width(&board.axes[1].values),
        width(&board.axes[0].values).max(5),
    );
    // The last axis is drawn upwards.
    for (row, name) in board.axes[1].values.iter().enumerate().rev() {
        let columns = 0..board.axes[0].values.len();
        let row = columns.map(|column| {
            let cell = board.cell(0, &[column as u32, row as u32]);
            let value = cell.and_then(|cell| worth.squares[cell as usize]);
            let value = value.map_or_else(|| ".".to_owned(), points);
            format!(" {value:>wide$}")
        });
        page.line(format!("  {name:>left$}{}", row.collect::<String>()));
    }
    let names = board.axes[0].values.iter();
    let names = names.map(|name| format!(" {name:>wide$}"));
    page.line(format!("  {:>left$}{}", "", names.collect::<String>()));
    true
}
