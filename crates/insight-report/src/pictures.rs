//! Pictures of tables of squares.

use crate::words::{name, points, role};
use insight::Insight;
use profile::pictures;
use profile_report::Picture;

/// For each piece that is worth something a board with the worth of the piece on each square.
/// Boards, roles and pieces are numbered in file names, since their names may contain any
/// character.
pub fn pictures(insight: &Insight) -> Vec<Picture> {
    let known = insight.worth.iter().filter(|worth| insight.is_known(worth));
    known
        .map(|worth| {
            let board = &insight.boards.boards[worth.board];
            let title = format!(
                "a {} is worth {} to {}",
                name(board, &board.pieces[worth.piece]),
                points(worth.mean),
                role(insight, worth.role)
            );
            Picture {
                file: format!(
                    "worth-{}-{}-{}.svg",
                    worth.board + 1,
                    worth.role + 1,
                    worth.piece + 1
                ),
                svg: pictures::values(&title, board, &worth.squares),
            }
        })
        .collect()
}
